"""Reach against a slow walker that tries every walk, on random caves; connection against a slow search."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from dark_cave_tables import table

from companion.games.dark_cave.cards import CARDS, CLOSED, Shape
from companion.games.dark_cave.cave import Cave
from companion.games.dark_cave.reach import reach
from companion.games.dark_cave.sites import LIVE
from companion.games.dark_cave.spread import BESIDE, BORDER, CELL, ENTRANCE

GOALS = [CELL[x, y] for x in (-3, 3) for y in (-3, 3)]


def random_cave(rng: Random, cards: int, by_ladder: bool = True) -> Cave:
    """A cave laid card by card as the rules allow, now and then with a rockfall or a revealed goal."""
    cave = Cave(CARDS, {ENTRANCE: CARDS.starts[0]}, GOALS, by_ladder, rng.random() < 0.7)
    for _ in range(cards):
        cave = lay_any(cave, rng)
        tunnels = [cell for cell, shape in cave.laid.items() if shape < CARDS.tunnel_shapes]
        if rng.random() < 0.08:
            cave = cave.remove(rng.choice(tunnels))
        if cave.closed and rng.random() < 0.08:
            goal = rng.choice(sorted(cave.closed))
            cave = cave.reveal(goal, rng.choice(CARDS.goals) + rng.randrange(2))
    return cave


def lay_any(cave: Cave, rng: Random) -> Cave:
    """One more card, anywhere the rules allow."""
    fits = {cell: fitting(site, cave.by_ladder) for cell, site in cave.sites.items()}
    cell = rng.choice([cell for cell in fits if fits[cell]])
    return cave.lay(cell, rng.choice(fits[cell]))


@cache
def fitting(site: int, by_ladder: bool) -> list[int]:
    """The shapes of tunnel cards that may be laid on a site."""
    return [shape for shape in range(CARDS.tunnel_shapes) if CARDS.does_fit(shape, site, by_ladder)]


def steps_from(cave: Cave, place: int, webs: set[int]) -> list[int]:
    """The neighbouring places, worked out from the drawings alone."""
    cell, segment = place >> 4, place & 15
    if segment == CLOSED:
        return []
    card = CARDS.shapes[cave.laid[cell]]
    found = [cell << 4 | other for other in card.links[segment]]
    for d in range(4):
        if card.segment[d] != segment or BORDER[cell][d] in webs:
            continue
        other = BESIDE[cell][d]
        if other in cave.laid:
            beyond = CARDS.shapes[cave.laid[other]].segment[(d + 2) % 4]
            if beyond >= 0:
                found.append(other << 4 | beyond)
        elif other in cave.closed:
            found.append(other << 4 | CLOSED)
    if is_foot(cave, card, segment):
        found += [
            c << 4 | s
            for c, shape in cave.laid.items()
            for s, feature in CARDS.shapes[shape].feature.items()
            if feature == "ladder" and c != cell
        ]
    return found


def is_foot(cave: Cave, card: Shape, segment: int) -> bool:
    """Whether a ladder can be climbed from a segment: from all that hang together with it, or it alone."""
    together = {segment}
    for _ in card.segments if cave.ladder_card else ():
        together |= {other for s in together for other in card.links[s]}
    return any(card.feature.get(s) == "ladder" for s in together)


def slow_reach(
    cave: Cave, start: int, steps: int, webs: set[int], stops: set[int], cards: int, gold: int
) -> dict[int, tuple[int, int]]:
    """Tries every walk: place to the least (loss, steps)."""
    best: dict[int, tuple[int, int]] = {}

    def go(place: int, walked: int, cards: int, gold: int, lost: int) -> None:
        if walked and (place not in best or (lost, walked) < best[place]):
            best[place] = (lost, walked)
        if walked == steps or (walked and (place in stops or place & 15 == CLOSED)):
            return
        for other in steps_from(cave, place, webs):
            feature = "" if other & 15 == CLOSED else cave.card(other >> 4).feature.get(other & 15, "")
            pays_card = feature == "bridge" and cards > 0
            pays_gold = feature == "passage" and gold > 0
            go(other, walked + 1, cards - pays_card, gold - pays_gold, lost + pays_card + pays_gold)

    go(start, 0, cards, gold, 0)
    best.pop(start, None)
    return best


def compare(seed: int, caves: int) -> None:
    rng = Random(seed)
    for i in range(caves):
        cave = random_cave(rng, rng.randrange(2, 16))
        places = [c << 4 | s for c, shape in cave.laid.items() for s in CARDS.shapes[shape].segments]
        borders = sorted(cave.web_places())
        webs = set(rng.sample(borders, min(len(borders), rng.randrange(4))))
        stops = set(rng.sample(places, min(len(places), rng.randrange(3)))) | cave.exits
        start, steps = rng.choice(places), rng.choice((3, 3, 4))
        cards, gold = rng.randrange(3), rng.randrange(3)
        found = reach(cave, start, steps, webs=webs, stops=stops, cards=cards, gold=gold)
        slow = slow_reach(cave, start, steps, webs, stops, cards, gold)
        fast = {place: (way.cards + way.gold, way.steps) for place, way in found.items()}
        assert fast == slow, f"seed {seed}, cave {i}"
        for place, way in found.items():
            assert way.path[-1] == place and len(way.path) == way.steps
            for here, there in zip((start, *way.path), way.path, strict=False):
                assert there in steps_from(cave, here, webs), f"seed {seed}, cave {i}"


def test_reach_agrees_with_the_slow_walker_on_400_caves() -> None:
    compare(seed=1, caves=400)


@pytest.mark.long
def test_reach_agrees_with_the_slow_walker_on_20000_caves() -> None:
    compare(seed=2, caves=20_000)


def slow_live(cave: Cave) -> set[tuple[int, int]]:
    """The open sides joined to the entrance, segment by segment."""
    start = ENTRANCE << 4 | CARDS.shapes[CARDS.starts[0]].segments[0]
    found, waiting = {start}, [start]
    while waiting:
        place = waiting.pop()
        near = steps_from(cave, place, set())
        if not cave.by_ladder:
            near = [n for n in near if n >> 4 == place >> 4 or n >> 4 in BESIDE[place >> 4]]
            ladders = {place for place in near if cave.feature(place) == "ladder"}
            near = [n for n in near if n not in ladders or _joined(cave, place, n)]
        for other in near:
            if other not in found and other & 15 != CLOSED:
                found.add(other)
                waiting.append(other)
    return {
        (place >> 4, d) for place in found for d in range(4) if cave.card(place >> 4).segment[d] == place & 15
    }


def _joined(cave: Cave, here: int, there: int) -> bool:
    """Whether two places meet on a card or at a border, not by ladder."""
    if here >> 4 == there >> 4:
        return there & 15 in cave.card(here >> 4).links[here & 15]
    d = BESIDE[here >> 4].index(there >> 4)
    return cave.card(here >> 4).segment[d] == here & 15 and cave.card(there >> 4).segment[d ^ 2] == there & 15


@pytest.mark.slow
@pytest.mark.parametrize("by_ladder", [True, False])
def test_what_is_joined_to_the_entrance_agrees_with_a_slow_search(by_ladder: bool) -> None:
    rng = Random(5)
    for i in range(300):
        cave = random_cave(rng, rng.randrange(2, 25), by_ladder)
        fast = {(cell, d) for cell, mask in cave.live.items() for d in range(4) if mask >> d & 1}
        assert fast == slow_live(cave), f"seed 5, cave {i}"


def test_sites_kept_card_by_card_agree_with_sites_made_anew() -> None:
    rng = Random(6)
    for i in range(300):
        cave = random_cave(rng, rng.randrange(2, 25))
        anew = Cave(CARDS, cave.laid, cave.closed, ladder_card=cave.ladder_card)
        assert set(cave.feet) == set(anew.feet)
        assert cave.fitting == anew.fitting, f"seed 6, cave {i}"
        assert cave.sites == anew.sites and cave.live == anew.live, f"seed 6, cave {i}"
        assert set(cave.ladders) == set(anew.ladders) and set(cave.holes) == set(anew.holes)


def test_a_card_fits_exactly_where_no_reason_is_given() -> None:
    rng = Random(7)
    for i in range(40):
        cave = random_cave(rng, rng.randrange(2, 12))
        cells = {*cave.sites, *cave.laid, *cave.closed, CELL[5, 5], CELL[1, 1]}
        for cell in cells:
            for shape in range(CARDS.tunnel_shapes):
                site = cave.sites.get(cell, 0)
                fits = CARDS.does_fit(shape, site, True) and cell in cave.sites
                assert (cave.why_not(cell, shape) is None) == fits, f"seed 7, cave {i}"


def test_cached_neighbours_stay_right_while_the_cave_grows_and_falls_in() -> None:
    rng = Random(8)
    for i in range(60):
        cave = Cave(CARDS, {ENTRANCE: CARDS.starts[0]}, GOALS, ladder_card=bool(i % 3))
        for n in range(18):
            for cell, shape in cave.laid.items():
                for s in CARDS.shapes[shape].segments:
                    near = sorted(cave.near(cell << 4 | s))
                    assert near == sorted(set(steps_from(cave, cell << 4 | s, set()))), f"seed 8, cave {i}"
            cave = lay_any(cave, rng)
            if n % 6 == 5:
                cave = cave.remove(rng.choice([cell for cell in cave.laid if cell != ENTRANCE]))


def test_a_site_is_live_only_beside_the_entrance_at_first() -> None:
    cave = Cave(CARDS, {ENTRANCE: CARDS.starts[0]}, GOALS)
    assert len(cave.sites) == 4
    for d in range(4):
        assert cave.sites[BESIDE[ENTRANCE][d]] == LIVE << 2 * (d ^ 2)


@pytest.mark.parametrize(("verb", "more"), [("lay", 1), ("rockfall", -1)])
def test_a_position_that_changes_the_cave_leaves_its_copies_alone(verb: str, more: int) -> None:
    state = table(2, {"1,0": "T1-08"}, hands={0: ["T1-01", "rockfall-1"]})
    other = state.copy()
    action = next(action for action in state.actions(state.turn) if action.verb == verb)
    before = dict(other.cave.laid), dict(other.cave.sites), dict(other.cave.live), dict(other.cave.fitting)
    state.apply(state.turn, action)
    assert len(state.cave.laid) == len(before[0]) + more
    assert (other.cave.laid, other.cave.sites, other.cave.live, other.cave.fitting) == before


def test_a_copy_that_changes_the_cave_leaves_its_original_alone() -> None:
    rng = Random(9)
    for i in range(20):
        cave = random_cave(rng, 8)
        first, second = cave.lend(), cave.lend()
        before, again = dict(first.laid), Cave(CARDS, first.laid, first.closed, first.by_ladder)
        third = lay_any(lay_any(second, rng), rng)
        assert first.laid == before, f"seed 9, cave {i}"
        assert (first.sites, first.live) == (again.sites, again.live), f"seed 9, cave {i}"
        assert len(third.laid) == len(before) + 2
        assert lay_any(third, rng) is third, "nobody else holds it"
