"""What the table says of any slip of a hand: true, in both languages, with the names that the board shows.

Whole games are played on layouts, without pixels. Between the moves somebody does what no rule asks for: a
piece on a wrong place, turned wrongly, two at once, one taken away, one too many. A word about it is false
where doing what it says does not lead to a position that fits.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from random import SystemRandom
from typing import Any

import pytest
from test_unfinished_moves import HandGame

from companion.engine.action import PUBLIC, Cell
from companion.engine.layout import Layout, Piece
from companion.engine.observation import Match, Mismatch, NoChange, Observation, Reading
from companion.games import REGISTRY, load
from companion.table.hand_steps import NOWHERE, Step, carried_out, steps_between
from companion.table.journal import Journal
from companion.table.labels import place_label, session_names
from companion.table.people import People
from companion.table.prompt import Prompt
from companion.table.session import Session
from companion.table.table import Table, sees_board
from companion.world.loop import Loop
from vision.evidence import Evidence
from vision.match import match
from web import frames

SEED = int(os.environ.get("GLOAM_SEED", "637185"))
"""Another one tries other games; long runs draw their own."""
Seen = dict[Cell, tuple[Piece, ...]]


class Mischief:
    """A game in which somebody keeps doing what nobody meant."""

    def __init__(self, key: str, sample: str, seed: int) -> None:
        self.hands = HandGame(key, sample, seed)
        self.rng = self.hands.rng
        self.places = self.hands.board.places
        self.table = Table(Journal(":memory:"), People())
        self.session = self.table.start(key, dict(self.hands.options), seed=seed)
        self.loop = Loop(self.session)
        viewers = [PUBLIC, *range(len(self.session.seats))]
        self.viewer = next(one for one in viewers if sees_board(self.session, one))
        self.sentences: set[tuple[str, str]] = set()
        self.counts: Counter[str] = Counter()
        self.false: list[str] = []

    def play(self, moves: int) -> None:
        hands = self.hands
        for _ in range(moves):
            if not hands.state.needs():
                return
            seat, action = hands._decide()
            after = hands.state.copy()
            after.apply(seat, action)
            self._slip(*(hands.game.expected(one, hands.options) for one in (hands.state, after)))
            hands.state = after

    def _slip(self, before: Layout, target: Layout) -> None:
        acts = self._acts(before, target)
        if not acts:
            return
        lies, hands = carried_out(before, acts), self.hands
        told = match(hands.look(lies), hands.game, hands.state, hands.options, successors=hands.successors)
        prompt = self.loop._prompt_for(hands.state, told, False)
        self.counts[type(told).__name__] += 1
        if prompt is not None:
            self._say(prompt)
            self._weigh(told, prompt, self._visible(before), self._visible(lies), f"{acts}: {told}")

    def _acts(self, before: Layout, target: Layout) -> list[Step]:
        """Something that is done wrongly, or nothing where that is not possible."""
        rng, faces = self.rng, {face.name: face for face in self.hands.board.faces}
        tops = [(cell, pieces[-1]) for cell, pieces in sorted(before.items()) if pieces]
        steps = list(steps_between(before, target))
        slip = rng.choice(("elsewhere", "turned", "two", "taken", "too many", "half"))
        if slip == "too many":
            return [
                Step("lay", rng.randrange(len(self.places)), Piece(rng.choice(self.hands.board.faces).name))
            ]
        if slip == "half" and steps:
            step = rng.choice(steps)
            if step.kind not in ("move", "lay"):
                return [step]
            wrong = self._beside(step.cell if step.target == NOWHERE else step.target)
            return [step._replace(cell=wrong) if step.kind == "lay" else step._replace(target=wrong)]
        if slip == "half" or not tops:
            return []
        chosen = rng.sample(tops, min(len(tops), 2 if slip == "two" else 1))
        if slip == "taken":
            return [Step("take", *one) for one in chosen]
        if slip == "turned":
            ((cell, piece),) = chosen
            other = piece._replace(turn=(piece.turn + rng.choice((90, 180, 270))) % 360)
            return [Step("turn", cell, piece, other=other)] if faces[piece.face].turns > 1 else []
        return [Step("move", cell, piece, self._beside(cell), piece) for cell, piece in chosen]

    def _beside(self, cell: Cell) -> Cell:
        """Another place like this one, or itself where there is none."""
        zone = self.places[cell].zone
        others = [i for i, place in enumerate(self.places) if place.zone == zone and i != cell]
        return self.rng.choice(others or [cell])

    def _visible(self, layout: Layout) -> Seen:
        evidence = Evidence(self.hands.board, [self.hands.look(layout)])
        cells = range(len(self.places))
        return {cell: tuple(sorted(evidence.visible(cell, layout.get(cell, ())))) for cell in cells}

    def _weigh(self, told: Match, prompt: Prompt, before: Seen, lies: Seen, about: str) -> None:
        hands = self.hands
        if isinstance(told, NoChange):
            wrong = {cell for cell in lies if lies[cell] != before[cell]}
            self._expect(all(self.places[cell].is_transient for cell in wrong), f"nothing is said of {about}")
        if not isinstance(told, Mismatch):
            return
        for begun in prompt.begun:
            self.counts["lines named"] += bool(begun.line)
            if begun.line:
                state = hands.state.copy()
                for seat, text in begun.line:
                    state.apply(seat, state.notation.parse(text))
                led_to = {cell: tuple(sorted(p)) for cell, p in carried_out(lies, begun.steps).items()}
                wanted = self._visible(hands.game.expected(state, hands.options))
                passing = {cell for cell in wanted if self.places[cell].is_transient and not led_to[cell]}
                fits = all(led_to[cell] == wanted[cell] for cell in wanted.keys() - passing)
                self._expect(fits, f"{begun.line} leads to no position that fits; {about}")
        if not told.lines:
            touched = {cell for cell in lies if lies[cell] != before[cell]}
            passing = {cell for cell in touched if self.places[cell].is_transient and not lies[cell]}
            self._expect(touched - passing <= set(prompt.cells) <= touched, f"{prompt.cells} of {about}")
            self.counts["rules told"] += prompt.refusal is not None
            first = set() if prompt.refusal is None else set(prompt.refusal.cells[:1])
            self._expect(first <= touched, f"{prompt.refusal} is about what nobody touched; {about}")

    def _say(self, prompt: Prompt) -> None:
        """Notes all that people read of it."""
        self.table.word = prompt
        for language in ("en", "ru"):
            names = session_names(self.session, language)
            told = frames.eyes(self.table, self.session, self.viewer, language)
            if told is None:
                continue
            lines = [told["text"], *[label for _, label in told["choices"]]]
            lines += [told["reason"]["text"]] if told["reason"] else []
            for begun in told["begun"]:
                lines += [begun["text"], *begun["steps"], *begun["done"]]
            lines += [text for _, expected, seen in told["found"] for text in (expected, seen)]
            lines += [names.cells[cell] for cell in prompt.cells]
            self.sentences |= {(language, line) for line in lines}

    def _expect(self, is_so: bool, otherwise: str) -> None:
        self.counts["false"] += not is_so
        if not is_so:
            self.false.append(otherwise)


def raw_names(session: Session, language: str) -> re.Pattern[str]:
    """Finds what only programs call a place, in a sentence of a language."""
    places = [place.name for place in session.board.places]
    raw = {name for name in places if place_label(session.game, name, language) != name} | {*session.seats}
    if language == "en":
        raw = {name for name in raw if not name.isalpha()}  # the deck is a deck
    return re.compile(rf"(?<![\w.,-])({'|'.join(map(re.escape, sorted(raw))) or '(?!)'})(?![\w-]|[.,]\d)")


def check(key: str, sample: str, seed: int, moves: int) -> Counter[str]:
    played = Mischief(key, sample, seed)
    played.play(moves)
    print(f"{key} {sample} seed {seed}: {dict(sorted(played.counts.items()))}")
    assert played.false[:3] == []
    assert played.sentences
    assert list(rawly_said(played.session, played.sentences)) == []
    return played.counts


def rawly_said(session: Session, sentences: set[tuple[str, str]]) -> Iterator[str]:
    for language in ("en", "ru"):
        raw = raw_names(session, language)
        yield from (text for said, text in sentences if said == language and raw.search(text))


@pytest.mark.parametrize("key", REGISTRY)
def test_what_is_said_of_a_slip_is_true(key: str) -> None:
    seed = SEED
    counts = check(key, next(iter(load(key).samples)), seed, moves=40)
    assert counts["Mismatch"] > 0


@pytest.mark.long
@pytest.mark.parametrize("key", REGISTRY)
def test_what_is_said_of_slips_is_true_over_whole_games(key: str) -> None:
    seed, total = SystemRandom().randrange(10**6), Counter[str]()
    for i, sample in enumerate(load(key).samples):
        total += check(key, sample, seed + i, moves=10_000)
    print(f"{key}: {dict(sorted(total.items()))}")


@pytest.mark.parametrize("key", REGISTRY)
def test_every_place_of_a_board_has_a_name_of_its_own(key: str) -> None:
    """Two rows of cards, two Doors of one colour: whoever is told to put something right knows where."""
    game = load(key)
    for given in game.samples.values():
        names = [place.name for place in game.board(game.resolve(dict(given))).places]
        for language in ("en", "ru"):
            labels = Counter(place_label(game, name, language) for name in names)
            assert [label for label, n in labels.items() if n > 1] == []


@pytest.mark.parametrize("key", REGISTRY)
def test_no_sentence_of_a_whole_game_has_a_raw_name(key: str) -> None:
    """The log of a whole random game, and what could be done at each of its positions."""
    seed = SEED
    print("seed", seed)
    table, hands = Table(Journal(":memory:"), People()), HandGame(key, next(iter(load(key).samples)), seed)
    session = table.start(key, {**hands.options, **({"deck": "digital"} if "deck" in hands.options else {})})
    sentences: set[tuple[str, str]] = set()
    while seats := [seat for seat in range(len(session.seats)) if session.actions(seat)]:
        seat = hands.rng.choice(seats)
        for language in ("en", "ru"):
            offered = frames.moves(table, session, seat, language)
            labels = [label for one in offered for _, label in one["actions"]]
            sentences |= {(language, label) for label in hands.rng.sample(labels, min(len(labels), 20))}
        session.submit(seat, hands.rng.choice(session.actions(seat)))
    for language in ("en", "ru"):
        teller = frames.Teller(table, session, language)
        viewers = [*range(len(session.seats)), PUBLIC]
        sentences |= {(language, teller.event(one)["text"]) for v in viewers for one in session.history(v)}
    assert list(rawly_said(session, sentences)) == []


def told(key: str, options: dict[str, Any], played: Iterable[str], *acts: tuple[str, str, str]) -> Prompt:
    """What is said when faces were moved from one place to another, by name, after some actions."""
    game = load(key)
    given = game.resolve(options)
    session = Session.start(Journal(":memory:"), game, given, seed=1)
    state, board = game.start(given), game.board(given)
    for text in played:
        state.apply(state.needs()[0].seat, state.notation.parse(text))
    lies = game.expected(state, given)
    for face, source, target in acts:
        cell = board.cell(source)
        piece = next(one for one in lies[cell] if one.face == face)
        lies = carried_out(lies, [Step("move", cell, piece, board.cell(target), piece)])
    look = Observation({c: Reading(tuple(lies.get(c, ())), 0.999) for c in range(len(board.places))})
    prompt = Loop(session)._prompt_for(state, match(look, game, state, given), False)
    assert prompt is not None
    return prompt


LAID = ("start c3 0", "draw tee", "put c4 0", "draw tee", "put b3 0", "start a1 0", "draw tee", "put a2 0")


def test_a_tile_laid_in_the_dark_is_told_the_rule_and_its_place() -> None:
    options = {"players": 1, "deck": "physical"}
    prompt = told("night_cage", options, [*LAID, "draw tee"], ("tee", "drawn", "d5"))
    assert prompt.refusal is not None
    assert (prompt.refusal.rule, prompt.refusal.cells[0]) == ("NC-LIGHT-11", prompt.cells[0])


def test_a_pawn_that_moves_while_a_tile_must_be_laid_is_told_nothing_of_light() -> None:
    options = {"players": 1, "deck": "physical"}
    prompt = told("night_cage", options, [*LAID, "draw tee"], ("red", "c3", "b5"))
    assert (prompt.code, prompt.refusal) == ("wrong", None)


def test_a_hero_is_told_the_rule_of_its_own_player() -> None:
    """Both players move at once and their heroes look alike: neither hears of the other's field."""
    game, played = load("bad_bones"), list[str]()
    options = game.resolve({"players": 2})
    state, board = game.start(options), game.board(options)
    while not any("step" in need.verbs for need in state.needs()):
        seat = state.needs()[0].seat
        action = state.outcomes()[0][0] if state.outcomes() else state.actions(seat)[0]
        played.append(state.notation.text(action))
        state.apply(seat, action)
    assert {need.seat for need in state.needs()} == {0, 1}
    lies = game.expected(state, options).items()
    heroes = [board.places[c].name for c, pieces in lies if any(p.face == "hero" for p in pieces)]
    assert len(heroes) == 2
    for hero in heroes:
        far = f"{hero[0]}{'a' if hero[1] in 'cde' else 'e'}{'1' if hero[2] in '345' else '5'}"
        prompt = told("bad_bones", {"players": 2}, played, ("hero", hero, far))
        assert prompt.refusal is not None and prompt.refusal.rule == "BB-HERO-01"
