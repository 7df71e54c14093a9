"""A report as one HTML page that needs nothing else: tables, boards and a chart in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from math import log10

from bgcore.conformance.failures import Failure, some
from bgcore.conformance.messages import game_rules
from bgcore.conformance.models import RULES
from bgcore.conformance.report import Rate, Report
from bgcore.draw.board_svg import svg

__all__ = ["page"]

MOST_EXAMPLES = 3
BAR_WIDTH = 360

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222;
  background: #fff; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
h3 { font-size: 1.05rem; margin-bottom: 0.3rem; }
table { border-collapse: collapse; } td, th { padding: 0.2rem 0.9rem 0.2rem 0; text-align: left; }
th { border-bottom: 1px solid #999; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: #17692b; } .failed, .not-run { color: #a5161c; } .not-offered, .in-part { color: #6b5a00; }
.failure { border-left: 4px solid #a5161c; padding-left: 1rem; margin: 1.2rem 0; }
.failure svg { max-width: 100%; height: auto; } pre { white-space: pre-wrap; overflow-wrap: anywhere;
  background: #f4f4f4; padding: 0.5rem; }
code { overflow-wrap: anywhere; }
""".strip()


def page(report: Report) -> str:
    """The report as HTML."""
    return "\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    name = f"{report.engine} {report.version}".strip()
    word = "passed" if report.passed else "failed"
    complete = "complete" if report.complete else "not complete"
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(name)}: {escape(report.suite)} {word}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>"
    yield f"<h1>{escape(name)}</h1>"
    yield f'<p>Suite <b>{escape(report.suite)}</b> of bgcore: <b class="{word}">{word}</b>, {complete}.</p>'
    for note in report.notes:
        yield f"<p>Note: {escape(note)}.</p>"
    if report.trouble:
        yield f'<p class="failed">The run ended early: {escape(report.trouble)}</p>'
    yield "<h2>Groups</h2>"
    yield "<table><tr><th>group</th><th>status</th><th>asked</th><th>wrong</th><th>not offered</th></tr>"
    for group in report.groups:
        lacks = f"{group.not_offered} ({', '.join(sorted(group.lacks))})" if group.not_offered else ""
        status = group.status.replace(" ", "-")
        yield (
            f'<tr><td>{escape(group.name)}</td><td class="{status}">{group.status}</td><td class="n">{group.asked}</td>'
            f'<td class="n">{group.failed or ""}</td><td>{escape(lacks)}</td></tr>'
        )
    yield "</table>"
    if report.speed is not None:
        yield "<h2>Speed</h2>"
        yield f"<p>Legal plays of the same {report.speed.rolls} rolls, the fastest round; bars are logarithmic.</p>"
        yield chart(report.speed.rates)
    if report.failures:
        yield "<h2>Rules that are broken</h2>"
        yield "<table><tr><th>rule</th><th>wrong answers</th><th></th></tr>"
        for rule, count in report.rules_broken.items():
            yield f'<tr><td>{escape(rule)}</td><td class="n">{count}</td><td>{escape(RULES.get(rule, ""))}</td></tr>'
        yield "</table>"
        for failure in report.examples(MOST_EXAMPLES):
            yield from _failure(failure)
    yield "</body>\n</html>"


def _failure(failure: Failure) -> Iterator[str]:
    shown = failure.small or failure
    yield f'<div class="failure">\n<h3>{escape(failure.headline())}</h3>'
    if shown.position is not None:
        rules = game_rules(failure.game)
        yield svg(shown.position, rules=rules, dice=shown.dice, size=420)
        if failure.game == "backgammon":
            first = "" if failure.small is None or failure.position is None else failure.position.gnubg_id
            seen = f", first seen in <code>{escape(first)}</code>" if first else ""
            yield f"<p>Position <code>{escape(shown.position.gnubg_id)}</code>{seen}</p>"
    if shown.why:
        yield f"<p>{escape(shown.why)}</p>"
    rows = [("missing", some(shown.missing)), ("not legal", some(shown.extra))]
    rows += [("right", shown.expected), ("answered", shown.got)]
    cells = [f"<tr><td>{name}</td><td><code>{escape(text)}</code></td></tr>" for name, text in rows if text]
    if cells:
        yield f"<table>{''.join(cells)}</table>"
    if shown.state is not None:
        yield f"<p>State <code>{escape(json.dumps(shown.state))}</code></p>"
    if shown.request:
        yield f"<p>Request</p><pre>{escape(shown.request)}</pre>"
    if shown.stderr:
        yield f"<p>Standard error</p><pre>{escape(shown.stderr)}</pre>"
    yield "</div>"


def chart(rates: tuple[Rate, ...]) -> str:
    """A bar chart of rolls a second as SVG, on a logarithmic scale."""
    most = max(rate.rolls for rate in rates)
    least = min(rate.rolls for rate in rates)
    decades = max(1.0, len(f"{most / least:.0f}"))
    height = 30 * len(rates) + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" width="860" style="max-width: 100%" '
        f'font-family="system-ui, sans-serif" font-size="14" role="img" aria-label="Rolls a second">'
    ]
    for i, rate in enumerate(rates):
        width = BAR_WIDTH * max(0.02, 1 - log10(most / rate.rolls) / (decades + 0.5))
        colour = "#a5161c" if i == 0 else "#3a6ea5"
        y = 30 * i + 4
        parts.append(f'<text x="0" y="{y + 15}">{escape(rate.way)}</text>')
        parts.append(f'<rect x="190" y="{y}" width="{width:.1f}" height="22" fill="{colour}"/>')
        said = f"{rate.rolls:,.0f} rolls/s, {rate.plays:,.0f} plays/s"
        parts.append(f'<text x="{198 + width:.1f}" y="{y + 15}">{said}</text>')
    return "\n".join([*parts, "</svg>"])
