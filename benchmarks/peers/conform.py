"""The rules of bgcore's peers, checked with `bgcore.conformance`: the table of docs/conformance.md.

    benchmarks/peers/conform [PEER ...] [--skip PEER] [--json FILE]

Every peer is installed from PyPI into an environment of its own, the same as compare.py uses, and asked over the line
protocol: the suite rules, 5,000 random rolls, and all rolls of the corpus.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from compare import PEERS, PeerError, install, table

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from positions import corpus

from bgcore import Position
from bgcore.conformance import EngineFault, Program, Report, Suite, check, named, of_positions
from bgcore.conformance.adapters import command

ROOT = Path(__file__).resolve().parents[2]
START_LIMIT = 600.0  # pgx compiles
ANSWER_LIMIT = 60.0


def main() -> int:
    """Ask the peers that were named, and print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "peers", nargs="*", metavar="PEER", help=f"which ones; all if none is named: {', '.join(PEERS)}"
    )
    parser.add_argument("--skip", action="append", default=[], choices=PEERS, help="leave one out; may be repeated")
    parser.add_argument("--cache", type=Path, default=ROOT / ".cache-ci" / "peers", help="where environments are kept")
    parser.add_argument("--json", type=Path, help="where the reports go")
    options = parser.parse_args()
    unknown = [name for name in options.peers if name not in PEERS]
    if unknown:
        parser.error(f"unknown peer {unknown[0]}; there are {', '.join(PEERS)}")
    names = [name for name in PEERS if name not in options.skip and (not options.peers or name in options.peers)]
    cache = options.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[Report]] = {}
    troubles = []
    for name in names:
        begin = time.monotonic()
        try:
            found[name] = ask(name, install(name, cache, upgrade=False))
        except (PeerError, EngineFault) as error:
            troubles.append(f"{name}: TROUBLE: {error}")
            continue
        print(f"\n{name} [{time.monotonic() - begin:.0f} s]", flush=True)
        for report in found[name]:
            print(report.text(), flush=True)
    print(f"\n{result_table(found)}\n" + "\n".join(troubles))
    if options.json is not None:
        data = {name: [report.to_json() for report in reports] for name, reports in found.items()}
        options.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 1 if troubles or any(report.trouble for reports in found.values() for report in reports) else 0


def ask(name: str, python: Path) -> list[Report]:
    """The reports of one peer; of one that cannot be set to a position, that on its own ones."""
    door = Program(command(name, str(python)), timeout=ANSWER_LIMIT, start_timeout=START_LIMIT)
    try:
        suites: list[Suite] = [named("rules")]
        if door.info.positions is None:
            boards = (Position.from_packed(row) for row in corpus().packed)
            suites += [named("random"), of_positions(boards, name="corpus")]
        return [check(door, suite) for suite in suites]
    finally:
        door.close()


def result_table(found: dict[str, list[Report]]) -> str:
    """One line a suite of a peer."""
    rows = []
    for reports in found.values():
        for report in reports:
            asked, failed = sum(g.asked for g in report.groups), sum(g.failed for g in report.groups)
            broken = ", ".join(f"{rule} ({times})" for rule, times in report.rules_broken.items())
            rows.append(
                [
                    f"{report.engine} {report.version}",
                    report.suite,
                    f"{asked:,}",
                    f"{asked - failed:,}",
                    broken or "none",
                ]
            )
    return table(("peer", "suite", "asked", "right", "rules broken"), rows)


if __name__ == "__main__":
    sys.exit(main())
