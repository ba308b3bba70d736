"""A second model of the heart of Whisper, written from the rulebook alone: noise, encounters and levels.

`Shadow` is told what is announced at the table (who does what, which card is drawn, who is frightened or
wounded by a card) and keeps its own books with names, sets and lists. It says what must follow. It knows the
base game without variants; what is printed on cards and boards comes from the files of the box.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.games import whisper

_BOX = Path(whisper.__file__).parent


def _printed(name: str) -> Any:
    return json.loads((_BOX / f"{name}.json").read_text("utf-8"))


ITEMS = {item["id"]: item for item in _printed("items")["items"]}
BOARDS = {killer["id"]: killer for killer in _printed("killers")["killers"]}
MAP = _printed("map")
RADIO: str = MAP["special"]["radio"]
WAYS = [(way["a"], way["b"], way["id"]) for way in MAP["passages"]]
OPEN = [(link["a"], link["b"], "") for link in MAP["open_links"]]
ADVANTAGES: dict[str, list[dict[str, Any]]] = {
    "sprint": [{"op": "move"}, {"op": "noise", "at": "destination"}],
    "observant": [{"op": "passage"}],
    "resourceful": [],
}
"""What the boards of William, Sophia and Marco say of their special actions."""


class Shadow:
    """The books of somebody who only listens and knows the rules."""

    def __init__(self, killer: str, team: list[str]) -> None:
        self.board = BOARDS[killer]
        # page 6: two cards of a deck of twelve, one more is locked away
        self.level, self.strength = 1, int(self.board["start_strength"])
        self.deck, self.hand, self.in_discard, self.locked = 12, 0, 0, True
        self.on_table = 0
        """Cards that are being played; they are discarded when their effect is over."""
        self.killer_at = "Z5"
        self.place = dict.fromkeys(team, "K1")
        self.fear = dict.fromkeys(team, 0)
        self.health = dict.fromkeys(team, 2)
        self.noise: set[str] = set()
        self.told: set[str] = set()
        self.lit = False
        self.trap = ""
        self.barricades: set[str] = set()
        self.gears, self.rescue = 0, -1
        self.active = self.equips = ""
        self.drawn: list[str] = []
        self.fighting: list[str] = []
        self.attacked: set[str] = set()
        self.guard = ""
        self.mills_due = 0
        self.is_shuffle_due = False

    # Page 12 to 17: the survivors' turn --------------------------------------------------------

    def round_begins(self) -> None:
        """All noise is taken off the board; the rescue marker goes on by one."""
        self.noise, self.told, self.lit = set(), set(), False
        self.rescue -= self.rescue > 0

    def reachable(self, who: str) -> set[str]:
        """Main action 1: one or two steps to neighbours, never through a barricade."""
        one = self._beside(self.place[who])
        return one | {there for step in one for there in self._beside(step)}

    def _beside(self, here: str) -> set[str]:
        free = [(a, b) for a, b, way in (*WAYS, *OPEN) if way not in self.barricades]
        return {b for a, b in free if a == here} | {a for a, b in free if b == here}

    def moves(self, who: str, to: str) -> None:
        self.place[who] = to

    def repairs(self, n: int) -> None:
        """Gears, at most five; then noise where the radio is; the fifth calls the rescue."""
        self.gears = min(5, self.gears + n)
        self.noise.add(RADIO)
        if self.gears == 5 and self.rescue < 0:
            self.rescue = 5

    def finds(self, who: str, item: str) -> None:
        """The sign of noise on a searched card counts at once, even if it is discarded; not for Anna."""
        if ITEMS[item]["noise_icon"] and who != "anna":
            self.noise.add(self.place[who])

    def unpacks(self, item: str, is_last: bool) -> None:
        """Two cards of equipment: noise if either of them has the sign."""
        self.drawn.append(item)
        if is_last:
            if any(ITEMS[one]["noise_icon"] for one in self.drawn):
                self.noise.add(self.place[self.equips])
            self.drawn = []

    def uses(self, who: str, thing: str, target: str) -> None:
        """An item or advantage as a special or extra action."""
        if thing in ADVANTAGES:
            effects = ADVANTAGES[thing]
        else:
            by_time = ITEMS[thing]["effects"]
            effects = by_time.get("special") or by_time["extra"]
        for effect in effects:
            op = effect["op"]
            if op in ("move", "passage"):
                self.moves(who, target)
            elif op == "noise":
                self.noise.add(target if effect["at"] == "adjacent" else self.place[who])
            elif op == "repair":
                self.repairs(effect["n"] + (who == "johnson"))
            elif op == "firecracker":
                self.lit = True
            elif op == "place":
                self.trap = self.place[who]

    def reports(self) -> None:
        """The end of the turn: every noise is told, or all of it hidden by a firecracker."""
        self.told = set() if self.lit else set(self.noise)
        self.noise = set()

    # Page 13: fear; page 10: wounds ------------------------------------------------------------

    def is_frightened(self, who: str) -> str:
        """A token, or instead of the third one noise at once, told to the killer."""
        if self.fear[who] < 2:
            self.fear[who] += 1
            return "frightened"
        self.told.add(self.place[who])
        return "panicked"

    def is_wounded(self, who: str) -> None:
        self.health[who] -= 1

    # Page 18: the encounter --------------------------------------------------------------------

    def found(self) -> list[str]:
        """Whom a search finds: everybody at the killer's place."""
        return [who for who, place in self.place.items() if place == self.killer_at]

    def meets(self, who: list[str]) -> None:
        self.fighting, self.attacked, self.guard = list(who), set(), ""

    def dice(self, who: str) -> int:
        """Four dice less one for each token of fear."""
        return 4 - self.fear[who]

    def defence(self, who: str, dice: list[int]) -> int:
        """Dice, the item, William's bare hands, and a trap at this place."""
        total = sum(dice)
        if self.guard:
            total += sum(e["n"] for e in ITEMS[self.guard]["effects"]["defence"] if e["op"] == "defence")
        elif who == "william":
            total += 1
        return total + (2 if self.trap == self.killer_at else 0)

    def defends(self, who: str, dice: list[int], strength: int) -> bool:
        """As much as the strength is enough: then two cards of the deck are lost and the fight is over."""
        total = self.defence(who, dice)
        if self.trap == self.killer_at:
            self.trap = ""
        self.guard = ""
        self.attacked.add(who)
        if total >= strength:
            self.fighting, self.mills_due = [], 2
            return True
        if not self.to_attack():
            self.fighting = []
        return False

    def to_attack(self) -> list[str]:
        """Those at the place who were not attacked yet."""
        return [who for who in self.fighting if who not in self.attacked]

    # Page 21 to 23: cards and levels -----------------------------------------------------------

    def plays(self) -> None:
        self.hand -= 1
        self.on_table += 1

    def card_is_done(self) -> None:
        self.in_discard += self.on_table
        self.on_table = 0

    def discards(self) -> None:
        self.hand -= 1
        self.in_discard += 1

    def draws(self) -> None:
        """To the hand, which holds five; what is drawn beyond that is discarded."""
        self.deck -= 1
        if self.hand < 5:
            self.hand += 1
        else:
            self.in_discard += 1
        self._deck_may_be_empty()

    def mills(self) -> None:
        self.deck -= 1
        self.in_discard += 1
        self.mills_due = max(0, self.mills_due - 1)
        self._deck_may_be_empty()

    def _deck_may_be_empty(self) -> None:
        """An empty deck brings the next level at once; after its effects the discards are shuffled."""
        if self.deck:
            return
        self.is_shuffle_due = True
        if self.level < 5:
            self.level += 1
            for entry in self.board["levels"]:
                if entry["level"] == self.level and "trigger" not in entry:
                    for effect in entry["effects"]:
                        self._gains(effect)

    def shuffles(self) -> None:
        """The discards are the new deck; by then the hand holds five again."""
        assert self.is_shuffle_due and self.hand <= 5, "shuffled without need"
        self.deck, self.in_discard, self.is_shuffle_due = self.in_discard, 0, False

    def _gains(self, effect: dict[str, Any]) -> None:
        if effect["op"] == "strength":
            self.strength += effect["n"]
        elif effect["op"] == "unlock":
            self.locked = False
            self.hand += 1
