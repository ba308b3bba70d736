"""A careful prisoner: looks one step ahead and prefers positions from which all can still escape.

What a position is worth: light and keys held, keys and gates kept in the light, short ways for those
without a key to a key and for the others to the best gate, nobody in the sight of monsters.
"""

from __future__ import annotations

from collections import deque

from companion.engine.action import Action, Cell
from companion.engine.game import Turn, View
from companion.games.night_cage.tiles import BLOCKS, EMPTY, ENTERS, IS_MONSTER, IS_PIT, WAYS
from companion.games.night_cage.torus import BOARDS, Torus
from companion.games.night_cage.view import code_from

FAR = 8
"""The way to something that cannot be reached."""


def careful(turn: Turn) -> Action:
    """Takes the action that leads to the best position, any of the equally good ones."""
    if len(turn.actions) == 1:
        return turn.actions[0]
    phase = turn.view["phase"]
    if phase == "block":
        return next(a for a in turn.actions if a.verb == ("block" if turn.view["stack"] else "suffer"))
    if phase == "start":
        return _begin(turn)
    scored = [(_score(turn, action), action) for action in turn.actions if _is_worth_a_thought(turn, action)]
    best = max(score for score, _ in scored)
    return turn.rng.choice([action for score, action in scored if score == best])


def _is_worth_a_thought(turn: Turn, action: Action) -> bool:
    """Nobody gives up; and a key that goes to and fro must be better off each time, or it would for ever."""
    if action.verb not in ("give", "receive"):
        return action.verb != "concede"
    after = turn.look(action)
    return after is not None and value(after) > value(turn.view)


def _begin(turn: Turn) -> Action:
    """Starts three steps from the others: within reach, but out of one line of sight."""
    torus = BOARDS[turn.view["size"]]
    others = [p["cell"] for p in turn.view["prisoners"] if p["cell"] is not None]

    def score(action: Action) -> int:
        cell = action.args[0]
        in_line = [other for other in others if torus.cross[cell] >> other & 1]
        return -sum(abs(_steps(torus, cell, other) - 6) for other in others) - 2 * len(in_line)

    best = max(map(score, turn.actions))
    return turn.rng.choice([action for action in turn.actions if score(action) == best])


def _steps(torus: Torus, a: Cell, b: Cell) -> int:
    """The distance on the torus, walls or not."""
    size = torus.size
    across, down = abs(a % size - b % size), abs(a // size - b // size)
    return min(across, size - across) + min(down, size - down)


def _score(turn: Turn, action: Action) -> float:
    after = turn.look(action)
    assert after is not None, "only draws reveal anything"
    score = value(after)
    for step in turn.view["forecasts"]:
        if step["verb"] == action.verb and (not action.args or step["cell"] == action.args[0]):
            score += _prospect(step, all(p["key"] for p in turn.view["prisoners"]))
    if action.verb == "cover":
        covered = next(cells for cell, way, cells in turn.view["covers"] if (cell, way) == action.args)
        score -= 15 * sum(p["cell"] in covered for p in turn.view["prisoners"])
        score -= 5 * sum(turn.view["tiles"][c].split(" ")[0] in ("gate", "key") for c in covered)
    if action.verb in ("again", "rest", "sustain"):
        score -= 1.0
    return score


def _prospect(step: dict[str, object], gathering: bool) -> float:
    """What a step costs and promises beyond the position right after it."""
    hits, falls, draws, burns = step["hits"], step["falls"], step["draws"], step["burns"]
    assert isinstance(hits, list) and isinstance(falls, list)
    assert isinstance(draws, int) and isinstance(burns, int)
    ends = {"": 0, "escaped": 1000}.get(str(step["ends"]), -1000)
    # What is drawn may be a key or a gate; what burns is only lost.
    promise = -0.3 if gathering else 0.8
    waits = step["verb"] == "stay"
    return ends - 1.0 * len(hits) - 3 * len(falls) + promise * draws - 1.8 * burns - 8 * waits


def value(view: View) -> float:
    """What a position is worth to all prisoners."""
    if view["outcome"] is not None:
        return 1000.0 if view["outcome"]["code"] == "escaped" else -1000.0
    torus = BOARDS[view["size"]]
    codes = [code_from(word) for word in view["tiles"]]
    words = [word.split(" ")[0] for word in view["tiles"]]
    prisoners = view["prisoners"]
    held = sum(p["key"] for p in prisoners)
    seekers = [p for p in prisoners if not p["key"]]
    sources = [cell for cell, word in enumerate(words) if word in ("key", "keeper")]
    gates = [cell for cell, word in enumerate(words) if word == "gate"]
    standing = {p["cell"] for p in prisoners} - {None}
    score: float = 1.0 * view["stack"] + 14.0 * held + 4.0 * view["gates"] + 3.0 * view["keys"]
    score += 2.0 * min(len(sources), len(seekers))
    score -= _dangers(view, torus, codes, standing)
    bare = bool(view["stack"])
    ways = {p["name"]: _ways(torus, codes, p, standing, bare) for p in prisoners}
    for p in prisoners:
        score -= 3.0 * (not p["candle"]) + 4.0 * (p["cell"] is None)
        score += 0.4 * p["nerve"]
        if not p["candle"]:
            lights = [q["cell"] for q in prisoners if q["candle"] and q["cell"] is not None]
            score -= 0.7 * min((ways[p["name"]][cell] for cell in lights), default=0)
    if gates:
        meeting = min(gates, key=lambda gate: sum(ways[p["name"]][gate] for p in prisoners))
        pull = 4.0 if held == len(prisoners) else 2.5 if held == len(prisoners) - 1 else 1.5
        score += sum((pull if p["key"] else 0.5) * (FAR - ways[p["name"]][meeting]) for p in prisoners)
    free = set(sources)
    for p in sorted(seekers, key=lambda p: min((ways[p["name"]][s] for s in sources), default=0)):
        if free:
            nearest = min(free, key=lambda s: ways[p["name"]][s])
            score += 2.0 * (FAR - ways[p["name"]][nearest])
            free.discard(nearest)
    return score


def _dangers(view: View, torus: Torus, codes: list[int], standing: set[Cell]) -> float:
    """Who is seen by a monster can leave its line unharmed, if there is a way out and nobody else is seen."""
    danger = 0.0
    for monster in view["sight"]:
        seen = {cell for path in monster["paths"] for cell in path}
        watched = [p["cell"] for p in view["prisoners"] if p["cell"] in seen]
        if watched:
            danger += 1.0 + 5.0 * (len(watched) - 1)
        danger += 3.0 * sum(not _has_exit(torus, codes, standing, cell, seen) for cell in watched)
    return danger


def _has_exit(torus: Torus, codes: list[int], standing: set[Cell], here: Cell, seen: set[Cell]) -> bool:
    for direction, there in enumerate(torus.grid.beside[here]):
        code = codes[there]
        if there in seen or there in standing or direction not in WAYS[codes[here]]:
            continue
        if code == EMPTY or (ENTERS[direction][code] and not IS_MONSTER[code]):
            return True
    return False


def _ways(
    torus: Torus, codes: list[int], prisoner: dict[str, object], standing: set[Cell], bare: bool
) -> list[int]:
    """The number of steps to every cell over tiles and, while there are tiles to draw, over bare cells."""
    found = [FAR] * len(codes)
    start, line = prisoner["cell"], prisoner["line"]
    waiting: deque[Cell] = deque()
    if isinstance(start, int):
        found[start] = 0
        waiting.append(start)
    elif isinstance(line, int):
        for cell, code in enumerate(codes):
            if code == EMPTY and torus.lines[line] >> cell & 1:
                found[cell] = 1
                waiting.append(cell)
    seen = set(waiting)
    while waiting:
        here = waiting.popleft()
        for direction in range(4) if codes[here] == EMPTY else WAYS[codes[here]]:
            there = torus.grid.beside[here][direction]
            code = codes[there]
            if there in seen:
                continue
            if not bare if code == EMPTY else IS_PIT[code] or BLOCKS[direction][code]:
                continue
            seen.add(there)
            found[there] = min(FAR, found[here] + 1)
            # One may end beside an occupied tile, but not walk through it.
            if there not in standing or code == EMPTY:
                waiting.append(there)
    return found
