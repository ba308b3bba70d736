"""A game as a record of functions, and what every game gets from them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from companion.engine.action import PUBLIC, TABLE, Action, Cell, Seat, Viewer
from companion.engine.chance import AtTable, Chance, PerVerb, Shuffled
from companion.engine.cue import Cue, CueRule, cue_of
from companion.engine.drawing import Drawing
from companion.engine.errors import ConfigError
from companion.engine.facts import Fact, Values, fingerprint
from companion.engine.layout import Board, Layout
from companion.engine.lesson import Lesson
from companion.engine.mind import Mind
from companion.engine.options import Option, Options, Value, resolve
from companion.engine.scene import Scene
from companion.engine.state import Event, Reason, State
from companion.engine.text import Texts

View = dict[str, Any]
"""What one viewer may know, as JSON holds it: built up from nothing, only by a game's `view`."""


class Turn(NamedTuple):
    """What a bot is given: the same as a person in that seat, never the state."""

    seat: Seat
    view: View
    actions: Sequence[Action]
    look: Callable[[Action], View | None]
    """Shows the view after an action, or None where that would reveal something."""
    rng: Random


Bot = Callable[[Turn], Action]


def random_bot(turn: Turn) -> Action:
    """Plays anything legal."""
    return turn.rng.choice(turn.actions)


@dataclass(frozen=True, slots=True)
class Game:
    """One cardboard game: everything that the rest of Gloam knows about it."""

    key: str
    ledger: str
    """The prefix of its rule IDs."""
    rules_version: int
    """Goes up when a rule changes in a way that an old record would notice."""
    replay_rule: str
    """The ledger rule by which a record leads to the same game again, or ""."""
    options: tuple[Option, ...]
    seats: Callable[[Options], tuple[str, ...]]
    """Names the seats, one word each, as records write them: `p1`, `killer`."""
    start: Callable[[Options], State]
    view: Callable[[Any, Viewer], View]
    board: Callable[[Options], Board]
    layout: Callable[[View], Layout]
    """What the camera should see, from the view of `camera`."""
    scene: Callable[[View], Scene]
    """What the lights should mean, from the public view."""
    explain: Callable[[View, Cell], list[Reason]]
    """Why a place is as it is, from a view; the codes have texts `why.CODE`."""
    texts: Texts
    bots: Mapping[str, Bot]
    disguise: Callable[[Any, Viewer, Random], State]
    """Another state that differs only in what the viewer may not know. For proving that nothing leaks."""
    samples: Mapping[str, Mapping[str, Value]]
    """Named set-ups that between them use every part of the game: tests, golden games and demos run them."""
    at_table: Callable[[Options], frozenset[str]] = lambda options: frozenset()
    """The verbs of chance that real cards and dice decide under these options."""
    conflict: Callable[[Options], Reason | None] = lambda options: None
    """Why these options do not go together; the code has a text `refusal.CODE`."""
    camera: Callable[[Options], Viewer] = lambda options: PUBLIC
    """Who the camera sees as: the viewer whose view holds what lies on the camera's board."""
    by_hand: frozenset[str] = frozenset()
    """The verbs that players enter themselves where they leave the table as it was, for cards in hand or in a
    bag decide them or they happen where no camera sees: the eyes suppose none of these."""
    end_turn: tuple[str, ...] = ()
    """The verbs without arguments that end a turn or decline what is offered: the button `end-turn` takes the
    first of them that its seat may take."""
    view_places: frozenset[str] = frozenset()
    """The keys of views below which every number is a place, beside keys that end with `cell` or `cells`."""
    view_seats: frozenset[str] = frozenset()
    """The keys of views below which every number is a seat, beside keys that end with `seat` or `seats`."""
    on_table: Callable[[Any, Viewer], View] | None = None
    """The part of a view that `layout` needs, where the whole takes longer: positions are tried by it."""
    side: Callable[[Options, Seat], int] = lambda options, seat: seat
    """Which side a seat plays for: an action can be taken back until another side must act."""
    is_open: Callable[[Options], bool] = lambda options: False
    """Whether all see everything under these options: then the table screen takes back for any seat."""
    own_events: frozenset[str] = frozenset()
    """Events for a limited audience that tell it only what one of them has decided; previews show them."""
    drawn_from_hidden: frozenset[str] = frozenset()
    """The verbs of chance of which the list of what is left would tell what is in others' hands.

    Where somebody has secrets, whoever tells such a draw of real cards chooses from all that there is.
    """
    notes: frozenset[str] = frozenset()
    """The verbs by which a seat keeps notes for itself: they come at any time, and undo passes them by."""
    drawn_from: Callable[[Any], Hashable] = lambda state: None
    """Where the chance that is due draws from, where verbs share a deck (its name) or the card lies at a
    fixed place (that place); None: each verb has a deck of its own. What undo takes back comes again from
    there."""
    secret_seats: frozenset[str] = frozenset()
    """Seats that the QR code on the table never gives: they are claimed with a one-time code."""
    seats_apart: frozenset[str] = frozenset()
    """Seats whose holder may hold no other: they would see both sides."""
    printed: Mapping[str, Any] = field(default_factory=dict)
    """What is printed on pieces and boards, for pages: parts by name, as JSON holds them."""
    open_box: Callable[[Values], tuple[Fact, ...]] = lambda values: ()
    """The facts of its box with what an owner has entered; raises `ConfigError` for what cannot be played."""
    facts: tuple[Fact, ...] = ()
    """The facts of the box that this game is played with."""
    picture: Callable[[str, str, Values], Drawing | None] = lambda subject, language, values: None
    """Our own drawing of what facts are about, in a language and with what an owner has entered."""
    edition: str = ""
    """Which owner's box this game is made for; "" for the box as we ship it."""
    page_texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Words of its own drawing on the pages (`page.js`)."""
    mind: Mind = field(default_factory=Mind)
    """What bots think with."""
    lesson: Lesson | None = None
    """Its first game for people who do not know it; None: it teaches nothing by itself."""
    cues: Mapping[str, CueRule] = field(default_factory=dict)
    """How each kind of event is played out in light and sound."""
    figures: Callable[[Options], Mapping[str, Seat]] = lambda options: {}
    """The words of figures that stand for one seat each: the name of who sits there is said instead."""
    minutes: int = 0
    """About how long an evening with it takes, as its box says; 0: nobody has said."""
    age: int = 0
    """From which age on, as its box says."""
    shelf: int = 100
    """Where it stands on the shelf: games with lower numbers come first."""
    bars: Mapping[str, float] = field(default_factory=dict)
    """What `gloam bench` asks of it: the speed of `playouts` and `copy`, as multiples of python-chess."""

    @property
    def box(self) -> str:
        """The fingerprint of the box: games that were played with another cannot be replayed."""
        return fingerprint(self.facts) if self.facts else ""

    @property
    def hides_choices_only(self) -> bool:
        """Says whether seats hide nothing from each other but what they have just decided under cover.

        Then every event tells its audience only what one of them has decided (`own_events`).
        """
        told = {key.removeprefix("event.") for key in self.texts.table if key.startswith("event.")}
        return told <= self.own_events

    def resolve(self, given: Mapping[str, Value]) -> dict[str, Value]:
        """Completes options; raises `ConfigError` for what is unknown or does not go together."""
        options = resolve(self.options, given)
        reason = self.conflict(options)
        if reason is not None:
            raise ConfigError(f"{self.say('refusal', reason, 'en')} ({reason.rule})")
        return options

    def expected(self, state: State, options: Options) -> Layout:
        """What should lie on the camera's board in a position."""
        return self.layout((self.on_table or self.view)(state, self.camera(options)))

    def cue(self, event: Event) -> Cue:
        """How an event is played out; silently and at once where the game says nothing."""
        return cue_of(self.cues.get(event.kind, CueRule(0.0)), event)

    def viewers(self, options: Options) -> list[Viewer]:
        """Everybody who may be shown something."""
        return [*range(len(self.seats(options))), PUBLIC]

    def frames(self) -> dict[str, int]:
        """The printed frames of its boards: their numbers by their names."""
        boards = (self.board(self.resolve(given)) for given in ({}, *self.samples.values()))
        return {board.name: board.frame for board in boards}

    def chance(self, options: Options, seed: int | None) -> Chance:
        """Makes the source of chance that the options ask for."""
        return PerVerb({verb: AtTable() for verb in self.at_table(options)}, Shuffled(seed))

    def say(
        self,
        family: str,
        about: Reason | Event,
        language: str,
        *,
        seats: Sequence[str] = (),
        cells: Sequence[str] = (),
        figures: Mapping[str, str] | None = None,
    ) -> str:
        """Says an event, a refusal or a reason in the reader's language."""
        code = about.kind if isinstance(about, Event) else about.code
        blanks = dict(about.data)
        if isinstance(about, Reason):
            blanks.setdefault("cells", list(about.cells))
        return self.texts.say(f"{family}.{code}", language, blanks, seats=seats, cells=cells, figures=figures)

    def label(self, state: State, action: Action, language: str) -> str:
        """Names an action for a button. The blanks of `verb.VERB` are the kinds of its arguments."""
        verb = state.notation.verbs[action.verb]
        blanks: dict[str, Any] = {}
        for kind, value in zip(verb.kinds, action.args, strict=False):
            name = kind.name if kind.name not in blanks else f"{kind.name}2"
            blanks[name] = kind.words[value]
        if verb.rest is not None:
            blanks["rest"] = [verb.rest.words[value] for value in action.args[len(verb.kinds) :]] or ""
        return self.texts.say(f"verb.{action.verb}", language, blanks).strip()


def shared_view(game: str, state: State) -> View:
    """The part that the views of most games begin with: who must act, and how the game ended."""
    outcome = state.outcome()
    return {
        "game": game,
        "needs": [[need.seat, list(need.verbs)] for need in state.needs()],
        "outcome": None
        if outcome is None
        else {
            "code": outcome.code,
            "winners": list(outcome.winners),
            "rule": outcome.rule,
            "points": list(outcome.points),
        },
    }


def preview(
    game: Game, state: State, viewer: Viewer, seat: Seat, action: Action
) -> tuple[View, list[Event]] | None:
    """Shows what an action would bring as far as the viewer may know, changing nothing.

    None where the answer would reveal something: chance, verbs that look at hidden things, and actions that
    lead to anything which not everybody gets to know, but for the game's `own_events`.
    """
    if seat == TABLE or state.notation.verbs[action.verb].reveals:
        return None
    after = state.copy()
    events = after.apply(seat, action)
    if any(event.audience is not None and event.kind not in game.own_events for event in events):
        return None
    return game.view(after, viewer), [event for event in events if event.is_for(viewer)]


def turn_for(game: Game, state: State, seat: Seat, rng: Random) -> Turn:
    """Makes what a bot in that seat may look at."""

    def look(action: Action) -> View | None:
        seen = preview(game, state, seat, seat, action)
        return None if seen is None else seen[0]

    return Turn(seat, game.view(state, seat), state.actions(seat), look, rng)
