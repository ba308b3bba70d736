"""The rules against a second model written from the rulebook: noise, encounters and levels."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from whisper_oracle import Shadow

from companion.engine.action import PUBLIC, TABLE, Action
from companion.engine.chance import weighted
from companion.engine.state import Event
from companion.games.whisper import GAME, deck, defence, encounter, equipment, harm, search
from companion.games.whisper.agenda import Whisper
from companion.games.whisper.pieces import KILLERS, LOCATIONS, PASSAGES, SURVIVORS

TEAM = 1


class Evening:
    """A random game of the base rules, and the shadow that follows it."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, Random(seed)
        self.killer = self.rng.choice(KILLERS)
        team = sorted(self.rng.sample(SURVIVORS, 3), key=SURVIVORS.index)
        state = GAME.start(GAME.resolve({"killer": self.killer, "survivors": "+".join(team)}))
        assert isinstance(state, Whisper)
        self.state, self.team = state, team
        self.shadow = Shadow(self.killer, team)
        # A trap is a rare card: one lies there from the beginning.
        self.state.house.trap = self.rng.randrange(len(LOCATIONS))
        self.shadow.trap = LOCATIONS[self.state.house.trap]
        self.strength = 0
        self.asked = ""

    def play(self) -> int:
        """Plays to the end and compares after every action; returns how many encounters there were."""
        fights = 0
        while needs := self.state.needs():
            seat = needs[0].seat
            self.strength = self.state.strength()
            self.asked = self.who_is_asked()
            self.compare_choices(seat)
            action = self.choose(seat)
            text = self.state.notation.text(action)
            events = self.state.apply(seat, action)
            try:
                fights += self.follow(text.split(), events)
                self.compare()
            except AssertionError as error:
                raise AssertionError(f"seed {self.seed}, {self.killer}, {text}: {error}") from error
        return fights

    def who_is_asked(self) -> str:
        step = self.state.todo[-1]
        asks = ("active", "guard", "flee", "ward", "found", "finding", "unpacking", "shed", "drawn")
        return self.state.name(step[1]) if step[0] in asks else ""

    def choose(self, seat: int) -> Action:
        """At random; the killer mostly searches where somebody is, and mostly draws until he levels up."""
        if seat == TABLE:
            return weighted(self.state.outcomes(), self.rng)
        actions = self.state.actions(seat)
        found = [action for action in actions if action.verb == "search"]
        if found and self.shadow.found() and self.rng.random() < 0.8:
            return found[0]
        verb = self.rng.choice(sorted({action.verb for action in actions}))
        return self.rng.choice([action for action in actions if action.verb == verb])

    # What the shadow hears ---------------------------------------------------------------------

    def follow(self, words: list[str], events: list[Event]) -> int:
        verb, *given = words
        follow = getattr(self, f"on_{verb.replace('-', '_')}", None)
        if follow is not None:
            follow(*given)
        fights = 0
        for event in events:
            hear = getattr(self, f"hear_{event.kind.replace('-', '_')}", None)
            if hear is not None:
                fights += hear(**event.data) or 0
        if self.state.killer.playing < 0:
            self.shadow.card_is_done()
        return fights

    def on_wake(self, who: str) -> None:
        self.shadow.active = who

    def on_move(self, to: str) -> None:
        self.shadow.moves(self.shadow.active, to)

    def on_flee(self, to: str) -> None:
        self.shadow.moves(self.asked, to)

    def on_use(self, thing: str, target: str = "") -> None:
        self.shadow.uses(self.shadow.active, thing, target)

    def on_repair(self) -> None:
        self.shadow.repairs(1)

    def on_find(self, item: str) -> None:
        self.shadow.finds(self.asked, item)

    def on_equip(self, who: str) -> None:
        self.shadow.equips = who

    def on_unpack(self, item: str) -> None:
        self.shadow.unpacks(item, self.state.todo[-1][0] != "unpacking")

    def on_report(self) -> None:
        self.shadow.reports()

    def on_play(self, card: str) -> None:
        self.shadow.plays()

    def on_pay(self, card: str) -> None:
        self.shadow.discards()

    def on_discard(self, card: str) -> None:
        self.shadow.discards()

    def on_draw(self, card: str) -> None:
        self.shadow.draws()

    def on_mill(self, card: str) -> None:
        self.shadow.mills()

    def on_go(self, to: str) -> None:
        self.shadow.killer_at = to

    on_sneak = on_go

    def on_guard(self, thing: str) -> None:
        self.shadow.guard = thing

    def on_roll(self, roll: str) -> None:
        dice = [int(die) for die in roll.split("+")]
        assert len(dice) == self.shadow.dice(self.defender), "the number of dice"
        is_repelled = self.shadow.defends(self.defender, dice, self.strength)
        seen = GAME.view(self.state, PUBLIC)
        is_hurt = (
            seen["survivors"][self.team.index(self.defender)]["health"] < self.shadow.health[self.defender]
        )
        assert is_hurt != is_repelled, "who withstands is not wounded"

    def hear_faced(self, survivor: str, n: int, cell: int) -> None:
        assert survivor in self.shadow.to_attack(), "nobody is attacked twice"
        self.defender = survivor

    def hear_searched(self, cell: int, survivors: list[str]) -> int:
        assert LOCATIONS[cell] == self.shadow.killer_at and survivors == self.shadow.found(), "who is found"
        if survivors:
            self.shadow.meets(survivors)
        return bool(survivors)

    def hear_encounter_ended(self, survivors: list[str]) -> None:
        assert not self.shadow.to_attack(), "all were attacked, or one withstood"

    def hear_round_began(self, round: int) -> None:
        self.shadow.round_begins()

    def hear_reshuffled(self) -> None:
        self.shadow.shuffles()

    def hear_frightened(self, survivor: str, n: int) -> None:
        assert self.shadow.is_frightened(survivor) == "frightened" and self.shadow.fear[survivor] == n

    def hear_panicked(self, survivor: str, cell: int) -> None:
        assert self.shadow.is_frightened(survivor) == "panicked", "the third token is panic"
        assert LOCATIONS[cell] == self.shadow.place[survivor]

    def hear_calmed(self, survivor: str, n: int) -> None:
        self.shadow.fear[survivor] = n

    def hear_wounded(self, survivor: str, n: int) -> None:
        self.shadow.is_wounded(survivor)

    def hear_died(self, survivor: str) -> None:
        self.shadow.health[survivor] = 0

    def hear_healed(self, survivor: str) -> None:
        self.shadow.health[survivor] = 2

    def hear_barricaded(self, passage: str, cell: int) -> None:
        self.shadow.barricades.add(passage)

    def hear_barricade_removed(self, passage: str, cell: int) -> None:
        self.shadow.barricades.remove(passage)

    hear_barricade_broken = hear_barricade_taken = hear_barricade_removed

    # What must agree ---------------------------------------------------------------------------

    def compare_choices(self, seat: int) -> None:
        """Where a survivor may walk, and that two cards are lost before play goes on after a defence."""
        if self.state.todo[-1][0] == "active" and not self.state.main_done:
            offered = {LOCATIONS[a.args[0]] for a in self.state.actions(seat) if a.verb == "move"}
            assert offered == self.shadow.reachable(self.shadow.active), "main action 1"
        if self.state.todo[-1][0] in ("flee", "pick", "drawing"):
            assert not self.shadow.mills_due, "a defence costs the killer two cards"

    def compare(self) -> None:
        shadow, state = self.shadow, self.state
        mine = GAME.view(state, TEAM)
        if state.outcome() is None:
            waits_for_level = state.todo[-1][0] in ("discard", "block", "reuse")
            assert waits_for_level or not shadow.is_shuffle_due, "the discards become the deck"
            assert names(mine["pending"]) == shadow.noise, "noise of this turn"
            assert names(mine["noise"]) == shadow.told, "noise that was told"
            assert (mine["gears"], mine["rescue"]) == (
                shadow.gears,
                None if shadow.rescue < 0 else shadow.rescue,
            )
            assert (state.killer.deck_size, len(state.killer.hand)) == (shadow.deck, shadow.hand), "cards"
            assert len(state.killer.spent) == shadow.in_discard, "the discard pile"
        assert {who: LOCATIONS[at] for who, at in zip(self.team, mine["places"], strict=True)} == shadow.place
        assert [tile["health"] for tile in mine["survivors"]] == list(shadow.health.values()), "health"
        assert [tile["fear"] for tile in mine["survivors"]] == list(shadow.fear.values()), "fear"
        assert (mine["killer"]["level"], mine["killer"]["base"]) == (shadow.level, shadow.strength), "level"
        assert {PASSAGES[cell - len(LOCATIONS)] for cell in mine["barricades"]} == shadow.barricades
        assert mine["trap"] == (LOCATIONS.index(shadow.trap) if shadow.trap else None), "the trap"


def names(cells: list[int]) -> set[str]:
    return {LOCATIONS[cell] for cell in cells}


def test_noise_encounters_and_levels_are_those_of_the_book() -> None:
    fights = sum(Evening(seed).play() for seed in range(60))
    assert fights > 100


@pytest.mark.long
def test_noise_encounters_and_levels_are_those_of_the_book_in_5000_games() -> None:
    for seed in range(100, 5100):
        Evening(seed).play()


def quiet(*args: Any) -> None:
    """Makes no noise."""


def everybody(state: Any) -> int:
    return int(state.fight.met & state.living())


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "a find is not heard": (search, "make_noise", quiet),
    "equipment is not heard": (equipment, "make_noise", quiet),
    "fear costs no dice": (defence, "dice_to_roll", lambda state: 4),
    "the trap does not count": (defence, "TRAP", 0),
    "a defence costs one card": (defence, "REPELLED", 1),
    "the hand holds six": (deck, "HAND_LIMIT", 6),
    "panic comes with the second token": (harm, "FEAR_CELLS", 1),
    "whoever was attacked is attacked again": (encounter, "to_attack", everybody),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, wrong = FAULTS[fault]
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises(AssertionError):
        for seed in range(40):
            Evening(seed).play()
