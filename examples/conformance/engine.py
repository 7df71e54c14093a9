"""An engine that speaks bgcore's line protocol and offers one word of it: the plays of a roll."""

import json
import sys


def moves(b, die):  # b: 26 counts seen by the player on roll; index 25 his bar, 0 the opponent's
    for source in range(25, 24 if b[25] else 0, -1):
        target = source - die
        off = max(b[7:]) <= 0 and (target == 0 or max(b[source + 1 :], default=0) <= 0)
        if b[source] > 0 and (b[target] >= -1 if target > 0 else off):
            after = [*b[:source], b[source] - 1, *b[source + 1 :]]
            if target > 0:
                after[0] -= after[target] < 0
                after[target] = max(after[target], 0) + 1
            yield after


def ends(b, dice):  # (how many dice were played, the board then)
    return [(n + 1, e) for a in (moves(b, dice[0]) if dice else ()) for n, e in ends(a, dice[1:])] or [(0, b)]


def plays(b, first, second):
    over = max(b) <= 0 or min(b) >= 0
    orders = () if over else [[first] * 4] if first == second else [[first, second], [second, first]]
    found = {(n, order[0] if n == 1 else 0, tuple(board)) for order in orders for n, board in ends(b, order)}
    return [board for n, die, board in found if (n, die) == max(found)[:2] and n > 0]


for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "hello":
        print(json.dumps({"protocol": 1, "name": "example", "can": ["plays"], "frame": "mover"}), flush=True)
    elif request["do"] == "plays":
        print(json.dumps({"id": request["id"], "plays": plays(request["board"], *request["dice"])}), flush=True)
