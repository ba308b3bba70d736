"""What is in the box of Saboteur: The Dark Cave (ledger section 1). The drawings are in `cards.json`."""

from __future__ import annotations

MIN_PLAYERS, MAX_PLAYERS = 2, 8
NUGGETS = 46
NUGGETS_EACH = 3
BOXED = 5
"""Cards of each level that go back into the box unseen."""

LEVELS = (1, 2, 3)
TUNNELS_PER_LEVEL = (19, 17, 14)
ACTIONS_PER_LEVEL = (10, 10, 12)

FEATURES = ("hole", "ladder", "bridge", "passage", "gold", "exit")
TUNNEL_FEATURES = {"hole": 9, "ladder": 4, "bridge": 4, "passage": 5, "gold": 2, "exit": 0}
GOAL_FEATURES = {"hole": 1, "ladder": 1, "bridge": 0, "passage": 0, "gold": 1, "exit": 1}

ACTION_CARDS = {
    "info": 5,
    "rockfall": 3,
    "swap": 2,
    "web": 3,
    "boots": 3,
    "axe": 3,
    "rat": 5,
    "lindworm": 4,
    "goblin": 4,
}
SYMBOLS = ("triangle", "circle", "diamond")
"""The three webs."""

CREATURES = ("rat", "lindworm", "goblin")
"""In the order in which they attack."""
CREATURE_STEPS = (3, 4, 5)
DWARF_STEPS = 3

SIDES = ("front", "back")
"""The two sides of the entrance card."""
CLANS = ("yellow", "blue")
"""Golden Axe and Blue Moon."""
LOYAL, SABOTEUR = 0, 1
CLAN_CARDS = ("yellow-loyal", "yellow-saboteur", "blue-loyal", "blue-saboteur")
"""A clan card is `2 * clan + LOYAL` or `2 * clan + SABOTEUR`."""
CLAN_COUNTS = (3, 2, 3, 2)
CLAN_WORDS = (*CLAN_CARDS, *CLANS)
"""A clan card as it is dealt: whole, or only its back where cardboard is dealt."""
BACK = len(CLAN_CARDS)
"""The first of `CLAN_WORDS` that says no more than a clan."""
SIDES_OUT = ("nobody", *CLANS)
"""What is announced when a dwarf has left: the clan for which nobody is inside any more."""
DWARVES_PER_CLAN = 4
DWARVES = tuple(f"{clan}-{i + 1}" for clan in CLANS for i in range(DWARVES_PER_CLAN))


def clan_card(clan: int, identity: int) -> int:
    """The clan card of a colour that says loyal or saboteur."""
    return 2 * clan + identity


def clan_of(card: int) -> int:
    """The colour of a clan card."""
    return card // 2


def identity_of(card: int) -> int:
    """Whether a clan card says loyal or saboteur."""
    return card % 2


def side_of(clan: int, identity: int) -> int:
    """The clan that a dwarf works for: a saboteur works for the other one (DC-CLAN-01)."""
    return clan if identity == LOYAL else 1 - clan


def clan_pool(players: int, clan: int) -> list[int]:
    """The clan cards that are dealt from, by kind; `clan` is the one used with 3 or 4 players."""
    if players == 2:
        return [1, 0, 1, 0]
    if players <= 4:
        return [2, 2, 0, 0] if clan == 0 else [0, 0, 2, 2]
    return [3, 1, 3, 1]


def dealt(players: int) -> tuple[int, int]:
    """How many cards of level I and II everybody gets."""
    if players <= 4:
        return 5, 0
    return (4, 1) if players <= 6 else (3, 2)


def goal_distance(players: int) -> int:
    """How many cards a goal lies from the entrance, across and along."""
    return 4 if players <= 5 else 3
