"""The parts that a position of Whisper is put together from.

What changes often has fields of its own and is copied with the position; a survivor, a fight and a plan are
small values that are replaced as a whole, so that copies share them. Sets of places, passages and survivors
are masks; decks are counted by kind, no order is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.engine.action import Cell
from companion.engine.fields import Copyable, Fields
from companion.games.whisper.data import Box, Effects
from companion.games.whisper.pieces import BARRICADES, HEALTH, KEY, N
from companion.games.whisper.readings import Json

NOBODY = -1

IN, DEAD, ESCAPED = range(3)
"""What became of a survivor."""


class Killer(Copyable):
    """The killer: the figure, the board with level and strength, the cards, and what this turn brought."""

    declared = Fields(
        shared=(
            *("kind", "skills", "level", "base", "turn_bonus", "attack_bonus", "retimed"),
            *("at", "known", "hidden", "stored", "stealth_card"),
            *("deck_size", "spent", "locked", "playing"),
            *("skip", "path", "broke", "asked", "named", "fought", "quiet", "opened"),
        ),
        sliced=("hand", "deck"),
    )
    __slots__ = declared.names

    def __init__(self, kind: int, at: Cell, cards: int) -> None:
        self.kind = kind
        """Which killer it is, or -1 before the choice."""
        self.skills = 0
        self.level, self.base, self.turn_bonus, self.attack_bonus = 1, 0, 0, 0
        self.retimed = 0
        """Cards that a level has made fast ones."""
        self.at = self.known = at
        """Where he is, and where he was last seen."""
        self.hidden = False
        self.stored: Effects = ()
        """What happens when he reveals himself."""
        self.stealth_card = -1
        self.hand: list[int] = []
        self.deck = [0] * cards
        """How many cards of each kind are in the deck."""
        self.deck_size = 0
        self.spent: tuple[int, ...] = ()
        """The discard pile."""
        self.locked = True
        self.playing = -1
        """The card whose effects are under way, or -1."""
        self.skip = 0
        """Turns that he loses."""
        self.path = 0
        """The locations of the move under way."""
        self.broke = False
        """Whether that move broke a barricade."""
        self.asked = self.named = 0
        """The places of the last question of the turn, and the survivors whom the answer named."""
        self.fought = False
        """Whether his turn brought an encounter."""
        self.quiet = False
        """Whether his last turn brought none."""
        self.opened = False
        """Whether he began the turn openly."""


class House(Copyable):
    """What lies on the board: barricades, noise, tokens, gears, and the rescue marker of the roof."""

    declared = Fields(
        shared=(
            *("barricades", "barred", "noise", "pending", "last_noise", "cracker", "cracker_set"),
            *("trap", "gears", "repaired", "rescue"),
        )
    )
    __slots__ = declared.names

    def __init__(self) -> None:
        self.barricades = 0
        """The barricaded passages."""
        self.barred = 0
        """Those that have been barricaded since the survivors' turn began."""
        self.noise = self.pending = self.last_noise = 0
        """Locations with noise: told to everybody, not reported yet, of the round before."""
        self.cracker = -1
        """Where a firecracker burns, or -1."""
        self.cracker_set = False
        self.trap = -1
        self.gears = 0
        self.repaired = False
        """Whether the radio was repaired in this turn."""
        self.rescue = -1
        """Rounds until the rescue comes; -1 before it is called."""

    def supply(self) -> int:
        """Barricade tokens not on the board (WW-BARR-03)."""
        return BARRICADES - self.barricades.bit_count()

    def noisy(self) -> int:
        """The locations that count as having noise: all of them under a firecracker (WW-FIRE-03)."""
        return (1 << N) - 1 if self.cracker >= 0 else self.noise


class Stock(Copyable):
    """The survivors' item cards that nobody carries; decks are counted by kind."""

    declared = Fields(
        shared=("equipment", "equipment_size", "search", "search_size", "bottom", "pile", "drawn")
    )
    __slots__ = declared.names

    def __init__(self, box: Box) -> None:
        self.equipment = tuple(item.copies[0] for item in box.items)
        self.search = less(tuple(item.copies[1] for item in box.items), KEY)
        self.equipment_size, self.search_size = sum(self.equipment), sum(self.search)
        self.bottom = True
        """Whether the key at the bottom of the search deck is there (WW-FIND-10)."""
        self.pile: tuple[int, ...] = ()
        """The common discard pile (WW-ITEM-07)."""
        self.drawn: tuple[int, ...] = ()
        """Cards just turned up, before anybody keeps them."""

    def search_left(self) -> int:
        """Cards in the search deck, the key at its bottom included."""
        return self.search_size + self.bottom

    def take_equipment(self, item: int) -> None:
        """Takes a card of this kind out of the equipment deck."""
        self.equipment = less(self.equipment, item)
        self.equipment_size -= 1

    def take_search(self, item: int) -> None:
        """Takes a card of this kind out of the search deck."""
        self.search = less(self.search, item)
        self.search_size -= 1


class Survivor(NamedTuple):
    """One of the three survivors in play."""

    place: Cell
    health: int = HEALTH
    fear: int = 0
    fate: int = IN
    bag: tuple[int, ...] = ()
    keys: int = 0
    """Own keys of variant 2."""
    skills: int = 0
    mods: Mapping[str, tuple[Json, ...]] = {}
    """What advantages, skills and an accomplished plan change, by name; see `gather_mods`."""


class Fight(NamedTuple):
    """An encounter: who was met and attacked, who defends how; `met` is 0 while there is none."""

    met: int = 0
    attacked: int = 0
    defender: int = NOBODY
    defence: int = 0
    guards: int = -1
    """The thing that the defender uses, or -1."""
    thrown: bool = False
    dice: tuple[int, ...] = ()
    """The last roll of the round."""


class PlanTrack(NamedTuple):
    """The plans of variant 3 and how far the team has come with one of them."""

    dealt: tuple[int, ...] = ()
    kind: int = -1
    """The plan that is followed, or -1."""
    line: int = 0
    done: bool = False
    used: int = 0
    """Uses of the accomplished plan that are used up."""
    marker: int = -1


def less(counts: tuple[int, ...], kind: int) -> tuple[int, ...]:
    """The counts with one less of a kind."""
    return (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The cards less one of this kind."""
    i = cards.index(card)
    return cards[:i] + cards[i + 1 :]
