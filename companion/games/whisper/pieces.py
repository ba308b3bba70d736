"""The pieces of the box by name, and the tables of its map.

Places are whole numbers: 0 to 14 the locations, 15 to 31 the passages between them. Names and map are those
of the data files; what a card does depends on the readings and lives in the `Box` of a game.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations

from companion.engine.grid import Graph, cells_of, mask_of
from companion.games.whisper.data import Box, load

BOX: Box = load()
"""The box under the ledger's own readings."""

LOCATIONS = BOX.locations
PASSAGES = tuple("-".join(sorted((LOCATIONS[a], LOCATIONS[b]))) for a, b in BOX.passages)
ZONES = ("red", "blue", "green")
KILLERS = tuple(killer.id for killer in BOX.killers)
CARDS = tuple(card.id for card in BOX.cards)
ITEMS = tuple(item.id for item in BOX.items)
SURVIVORS = tuple(survivor.id for survivor in BOX.survivors)
SKILLS = tuple(skill.id for skill in BOX.skills)
PLANS = tuple(plan.id for plan in BOX.plans)
ADVANTAGES = tuple(BOX.advantages)

# Counts of the box (rulebook pages 3 to 5) ----------------------------------------------------

IN_PLAY = 3
HEALTH = 2
FEAR_CELLS = 2
DICE = BOX.dice
START_HAND = 2
HAND_LIMIT = 5
DRAW = 3
REPELLED = 2
"""Cards that the killer loses from the deck when a defence succeeds."""
STRENGTH_CAP = 10
MAX_LEVEL = 5
BARRICADES = 7
BASIC_ACTIONS = 2
KEYS = 5
OWN_KEYS = 3
GEARS = 5
RESCUE = 5
PLANS_DEALT = 2
TRAP = 2
TOKENS = (*SURVIVORS, *(f"unknown{i}" for i in range(1, 7)))
"""The killer's deduction tokens: five faces, six question marks."""

# Map -------------------------------------------------------------------------------------------

N = len(LOCATIONS)
ALL = (1 << N) - 1
FIRST_PASSAGE = N
PASSAGE = dict(zip(PASSAGES, range(len(PASSAGES)), strict=True))
GRAPH = Graph(
    {
        place: [LOCATIONS[b] for a, b in (*BOX.passages, *BOX.dotted) if a == i]
        for i, place in enumerate(LOCATIONS)
    }
)
BESIDE = GRAPH.beside_mask
WITHIN = tuple(
    tuple(mask_of(to for to in range(N) if GRAPH.distance[at][to] <= n) for at in range(N)) for n in range(6)
)
"""`WITHIN[n][at]`: the locations at most n steps away (WW-RANGE-01)."""
BAR = tuple(
    {b if a == at else a: 1 << p for p, (a, b) in enumerate(BOX.passages) if at in (a, b)} for at in range(N)
)
"""`BAR[at][to]`: the bit of the passage between two locations; missing where a dotted line joins them."""
WAYS = tuple(tuple((to, BAR[at].get(to, 0)) for to in GRAPH.beside[at]) for at in range(N))
TOUCHING = tuple(mask_of(p for p, ends in enumerate(BOX.passages) if at in ends) for at in range(N))
"""The passages of each location, as a mask."""
ZONE = tuple(mask_of(cells) for cells in BOX.zones)
PAIRS = tuple(combinations(sorted(range(N), key=LOCATIONS.__getitem__), 2))
ADJACENT_PAIRS = mask_of(i for i, (a, b) in enumerate(PAIRS) if BESIDE[a] >> b & 1)
SECRET = tuple(mask_of(b if a == at else a for a, b in BOX.secret if at in (a, b)) for at in range(N))
SECRET_ENDS = mask_of(cell for ends in BOX.secret for cell in ends)


def place(code: str) -> int:
    """Finds a location by its code."""
    return LOCATIONS.index(code)


RADIO, ENTRANCE, EXIT, SPIRITS = (
    BOX.special[name][0] for name in ("radio", "main_entrance", "secret_exit", "spirits")
)
SEARCHABLE = mask_of(BOX.special["search"])


@lru_cache(maxsize=1 << 14)
def reach(barred: int, at: int, low: int, high: int) -> int:
    """Where a walk of low to high steps can end that crosses no barred passage (WW-MOVE-01, 03, 04)."""
    layer, found = 1 << at, 0
    for step in range(1, high + 1):
        spread = 0
        for cell in cells_of(layer):
            for to, bar in WAYS[cell]:
                if not barred & bar:
                    spread |= 1 << to
        layer = spread
        if step >= low:
            found |= layer
    return found if low else found | 1 << at


@lru_cache(maxsize=1 << 14)
def members(mask: int) -> tuple[int, ...]:
    """The members of a mask, made once."""
    return tuple(cells_of(mask))


# Numbers of things and targets ----------------------------------------------------------------

THINGS = (*ITEMS, *ADVANTAGES, *(s.id for s in BOX.skills if s.side == "survivor"), *PLANS)
"""What a survivor may use: items, advantages, skills, plans."""
FIRST_ADVANTAGE = len(ITEMS)
FIRST_SKILL = FIRST_ADVANTAGE + len(ADVANTAGES)
FIRST_PLAN = FIRST_SKILL + 20
TARGETS = (*LOCATIONS, *PASSAGES, *SURVIVORS, *ITEMS)
AT_SURVIVOR = FIRST_PASSAGE + len(PASSAGES)
AT_ITEM = AT_SURVIVOR + len(SURVIVORS)
OFFERS = (*SKILLS, *(f"level{n}" for n in range(1, MAX_LEVEL + 1)))
"""What may be offered: skills, and what a level brings."""
LEVEL_OFFER = len(SKILLS) - 1
"""`LEVEL_OFFER + n` is the offer of level n."""

_FACES = sorted(set(BOX.faces) | {0, 1, 3}, reverse=True)
ROLLS = tuple(roll for n in range(1, DICE + 1) for roll in combinations_with_replacement(_FACES, n))
"""Every roll of one to four dice, highest die first."""
CASTS = tuple(permutations(range(len(SURVIVORS)), IN_PLAY))

KEY, AMULET, ADRENALINE = (ITEMS.index(name) for name in ("key", "amulet", "adrenaline"))
HERO, HUSH, WEAPON, BOTH = (SKILLS.index(name) for name in ("s12", "s11", "s17", "s18"))
WEAPON_THING = FIRST_SKILL + WEAPON
