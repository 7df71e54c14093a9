"""Works in a process of its own on words from standard input; started by bench_movegen.py with BGCORE_CPU set.

Each word, "legal_plays" or "count_plays", is answered by the number of plays and the CPU seconds spent so far.
"""

from __future__ import annotations

import sys
import time

from positions import random_games

from bgcore import batch, cpu_info


def main() -> None:
    """Answer until the input ends."""
    rows = random_games()
    reused = batch.PlayBatch()
    print(cpu_info()["path"], flush=True)
    for word in sys.stdin:
        if word.strip() == "legal_plays":
            plays = len(batch.legal_plays(rows, out=reused).results)
        else:
            plays = int(batch.count_plays(rows).sum())
        print(plays, time.process_time(), flush=True)


if __name__ == "__main__":
    main()
