"""A second model of Onirim, written from the rulebook alone: a real deck in its order, the rules as a script.

The script asks for decisions and draws in the order of the book; what it yields must be what the engine asks.
It has no steps, no counts and no tables: cards are their names, and a turn is read from top to bottom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from itertools import permutations
from random import Random
from typing import NamedTuple

HALLS = {"R": (9, 4, 3), "B": (8, 4, 3), "G": (7, 4, 3), "W": (6, 4, 3)}
"""Suns, Moons and Keys of each colour: 16 red, 15 blue, 14 green and 13 brown cards."""


class Ask(NamedTuple):
    """A player (from 0) must do one of these."""

    seat: int
    choices: set[str]


class Chance(NamedTuple):
    """The table does this; the numbers say how often each card could have come."""

    line: str
    could: Counter[str]


class Over(Exception):
    """The game is over: `won`, `lost` or `conceded`."""


Script = Generator[Ask | Chance, str, None]


def is_hall(card: str) -> bool:
    return card[1] in "smk"


def is_key(card: str) -> bool:
    return card[1] == "k"


class Dream:
    """A table with everything on it that the book names."""

    def __init__(self, players: int, rng: Random, **agreed: str) -> None:
        self.players, self.rng, self.agreed = players, rng, agreed
        self.deck = ["NM"] * 10
        for colour, (suns, moons, keys) in HALLS.items():
            self.deck += [f"{colour}s"] * suns + [f"{colour}m"] * moons + [f"{colour}k"] * keys
            self.deck += [f"{colour}D"] * 2
        self.known = 0
        """How many cards on top of the deck a Prophecy has shown."""
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.common: list[str] = []
        self.rows: list[list[str]] = [[] for _ in range(players)]
        self.doors: list[list[str]] = [[] for _ in range(players)]
        self.limbo: list[str] = []
        self.discards: list[str] = []

    # The deck ----------------------------------------------------------------------------------

    def top(self, verb: str) -> Iterator[Chance]:
        """Turns the top card up: after a Prophecy it is known, otherwise it may be any of the deck."""
        could = Counter(self.deck[:1] if self.known else self.deck)
        yield Chance(f"{verb} {self.deck[0]}", Counter({f"{verb} {card}": n for card, n in could.items()}))

    def drawn(self) -> str:
        self.known = max(0, self.known - 1)
        return self.deck.pop(0)

    def shuffle(self) -> Iterator[Chance]:
        yield Chance("shuffle", Counter({"shuffle": 1}))
        self.rng.shuffle(self.deck)
        self.known = 0

    def shuffle_limbo_in(self) -> Iterator[Chance]:
        """«Замешайте все отложенные карты из стопки Неизвестности обратно в колоду.»"""
        if self.limbo:
            yield from self.shuffle()
            self.deck += self.limbo
            self.limbo = []
            self.rng.shuffle(self.deck)

    # The game ----------------------------------------------------------------------------------

    def play(self) -> Script:
        yield from self.shuffle()
        yield from self.set_up()
        seat = int(self.players == 2 and self.agreed.get("begins") == "p2")
        while True:
            yield from self.turn(seat)
            seat = (seat + 1) % self.players

    def set_up(self) -> Script:
        """«Отложите карты Дверей и Сна… и замените их…, пока у вас не будет 5 карт Лабиринта» (8 for two)."""
        shown: list[str] = []
        while len(shown) < (5 if self.players == 1 else 8):
            yield from self.top("draw")
            card = self.drawn()
            (shown if is_hall(card) else self.limbo).append(card)
        if self.players == 1:
            self.hands[0] = shown
        yield from self.shuffle_limbo_in()
        if self.players == 1:
            return
        seat = int(self.agreed.get("picks_first") == "p2")
        while len(shown) > 2:
            line = yield Ask(seat, {f"pick {card}" for card in shown})
            self.hands[seat].append(line.split()[1])
            shown.remove(line.split()[1])
            seat = 1 - seat
        self.common = shown

    def turn(self, seat: int) -> Script:
        yield from self.play_or_discard(seat)
        yield from self.draw(seat)
        yield from self.shuffle_limbo_in()

    # 1) Play or discard ------------------------------------------------------------------------

    def play_or_discard(self, seat: int) -> Script:
        row = self.rows[seat]
        choices = set()
        for card, place in self.hand(seat):
            choices.add(f"discard {card}{place}")
            # «играемая карта не может иметь один и тот же символ с картой, которая игралась до этого»
            if not row or row[-1][1] != card[1]:
                choices.add(f"play {card}{place}")
        if any(card[1] == "D" for card in self.discards):
            choices.add("concede")
        line = yield Ask(seat, choices)
        if line == "concede":
            raise Over("conceded")
        verb, card = line.split()[:2]
        self.lose(seat, card, line.endswith("shared"))
        if verb == "play":
            row.append(card)
            yield from self.series(seat)
        else:
            self.discards.append(card)
            yield from self.discarded(seat, card)

    def hand(self, seat: int) -> list[tuple[str, str]]:
        """«рука игрока состоит из обеих групп»"""
        return [(card, "") for card in self.hands[seat]] + [(card, " shared") for card in self.common]

    def lose(self, seat: int, card: str, is_common: bool) -> None:
        (self.common if is_common else self.hands[seat]).remove(card)

    def series(self, seat: int) -> Script:
        """«Если только что сыгранная карта - третья подряд того же цвета, вы получаете Дверь этого цвета»"""
        row = self.rows[seat]
        colour, length = row[-1][0], 0
        while length < len(row) and row[-1 - length][0] == colour:
            length += 1
        door = f"{colour}D"
        if length not in (3, 6, 9, 12, 15) or door not in self.deck:
            return
        if (yield Ask(seat, {"take", "decline"})) == "take":
            self.deck.remove(door)
            self.known = 0
            self.gain(seat, door)
            yield from self.shuffle()

    def discarded(self, seat: int, card: str) -> Script:
        """«Если сброшенная карта – Ключ, сначала запускается Пророчество»; two may exchange a card."""
        is_late = self.agreed.get("swap_order") == "after"
        if not is_late:
            yield from self.exchange(seat)
        if is_key(card):
            yield from self.prophecy(seat)
        if is_late:
            yield from self.exchange(seat)

    def exchange(self, seat: int) -> Script:
        """«текущий игрок может тут же поменять карту из Личного ресурса на карту из Общего ресурса»"""
        mine, common = self.hands[seat], self.common
        if not mine or not common:
            return
        line = yield Ask(seat, {"keep"} | {f"swap {own} {other}" for own in mine for other in common})
        if line != "keep":
            _, own, other = line.split()
            mine.remove(own)
            common.remove(other)
            mine.append(other)
            common.append(own)

    def prophecy(self, seat: int) -> Script:
        """«посмотрите верхние 5 карт в колоде, сбросьте одну…, и положите оставшиеся 4… обратно»"""
        seen: list[str] = []
        while self.deck and len(seen) < 5:
            yield from self.top("look")
            seen.append(self.drawn())
        if seen:
            line = yield Ask(seat, {" ".join(("foresee", *order)) for order in permutations(seen)})
            lost, *back = line.split()[1:]
            self.discards.append(lost)
            self.deck = back + self.deck
            self.known += len(back)

    # 2) Draw -----------------------------------------------------------------------------------

    def is_full(self, seat: int) -> bool:
        if self.players == 1:
            return len(self.hands[0]) == 5
        return len(self.hands[seat]) == 3 and len(self.common) == 2

    def keep(self, seat: int, card: str) -> None:
        """«сначала он берет 3 карты в Личный ресурс, затем 2 карты в Общий ресурс»"""
        fills_own = self.players == 1 or len(self.hands[seat]) < 3
        (self.hands[seat] if fills_own else self.common).append(card)

    def draw(self, seat: int) -> Script:
        """«Вы должны пополнить свою руку до 5 карт, взяв верхние карты из колоды.»"""
        while not self.is_full(seat):
            if not self.deck:
                raise Over("lost")
            yield from self.top("draw")
            card = self.drawn()
            if is_hall(card):
                self.keep(seat, card)
            elif card == "NM":
                yield from self.nightmare(seat)
            else:
                yield from self.meet(seat, card)

    def meet(self, seat: int, door: str) -> Script:
        """«Вы можете немедленно скинуть с руки карту Ключа этого же цвета.»"""
        key = f"{door[0]}k"
        opens = {f"open{place}" for card, place in self.hand(seat) if card == key}
        is_open_play = self.players == 1 or self.agreed.get("openness") == "open"
        line = "leave"
        # In silence the question is put even to who has no Key: not to ask would tell.
        if opens or not is_open_play:
            line = yield Ask(seat, opens | {"leave"})
        if line == "leave":
            self.limbo.append(door)
        else:
            self.lose(seat, key, line.endswith("shared"))
            self.discards.append(key)
            self.gain(seat, door)

    def gain(self, seat: int, door: str) -> None:
        self.doors[seat].append(door)
        if self.players == 1:
            if len(self.doors[0]) == 8:
                raise Over("won")
        elif all(set(owned) == {"RD", "BD", "GD", "WD"} for owned in self.doors):
            raise Over("won")

    def nightmare(self, seat: int) -> Script:
        """«Когда карта Кошмара разрешена, сбросьте ее.»"""
        choices = {"pay-deck", "pay-hand"}
        choices |= {f"pay-key {card}{place}" for card, place in self.hand(seat) if is_key(card)}
        choices |= {f"pay-door {door}" for door in self.doors[seat]}
        line = yield Ask(seat, choices)
        verb = line.split()[0]
        if verb == "pay-key":
            card = line.split()[1]
            self.lose(seat, card, line.endswith("shared"))
            self.discards.append(card)
        elif verb == "pay-door":
            door = line.split()[1]
            self.doors[seat].remove(door)
            self.limbo.append(door)
        elif verb == "pay-deck":
            for _ in range(min(5, len(self.deck))):
                yield from self.top("mill")
                card = self.drawn()
                (self.discards if is_hall(card) else self.limbo).append(card)
        else:
            self.discards += self.hands[seat] + self.common
            self.hands[seat], self.common = [], []
            while not self.is_full(seat):
                if not self.deck:
                    raise Over("lost")
                yield from self.top("draw")
                card = self.drawn()
                if is_hall(card):
                    self.keep(seat, card)
                else:
                    self.limbo.append(card)
        self.discards.append("NM")
