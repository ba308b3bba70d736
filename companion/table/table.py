"""The game on the table and the people around it: starts, resumes, seats, and who is told.

Rules and secrets stay in the session; here is only who may speak for which seat.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NamedTuple

from companion.engine.action import PUBLIC, Seat, Viewer
from companion.engine.errors import JournalError, NotYourSeat, StaleVersion
from companion.engine.options import Value
from companion.table.boxes import Boxes
from companion.table.journal import Journal, Line
from companion.table.people import Code, Device, People, bot_device, bot_strength
from companion.table.prompt import ALL_RIGHT, Prompt
from companion.table.record import read_record, replay
from companion.table.session import Session, Subscription, Update

log = logging.getLogger(__name__)

WAKE = Update(-1, {}, ())
"""Wakes a stream that waits for the game, because something else has changed."""
OFFER_S = 60.0
ASK_S = 20.0
"""How long the phone that holds a seat may take to say whether the seat moves to another phone."""
SECRET_PIN_DIGITS = 6
KICKED, BOT_SAT, LEFT, OPENED = "kicked", "bot", "left", "record"
"""How somebody could know what another seat knows: all screens show it until the game is over."""


class Notice(NamedTuple):
    """Something that happened around the table, for everybody to see.

    `game` is the number of the stored game that it belongs to; a seat among the blanks is one of that game.
    """

    number: int
    code: str
    blanks: dict[str, Any]
    game: int


class NoGame(NotYourSeat):
    """Nothing is on the table."""


class NoSeat(NotYourSeat):
    """The game on the table has no such seat."""


class SeatTaken(NotYourSeat):
    """Somebody else was faster."""


class OtherSide(NotYourSeat):
    """The device already sits where it must not see this seat's secrets."""


class ShortPin(NotYourSeat):
    """A secret seat needs a longer PIN."""


class Denied(NotYourSeat):
    """The phone that holds the seat has said no."""


class Asked(NamedTuple):
    """A device that knows a seat's PIN and waits for the answer of the phone that holds the seat."""

    device: Device
    until_s: float
    is_denied: bool = False


class WrongCode(NotYourSeat):
    """The code is wrong, used or too old."""


def sees_board(session: Session, viewer: Viewer) -> bool:
    """Says whether a viewer's view holds what lies on the camera's board.

    A camera that is nobody at the table looks at boards that everybody sees.
    """
    camera = session.game.camera(session.options)
    return camera in (PUBLIC, viewer) or camera not in session.viewers


class Mailbox:
    """Where one stream waits: for its viewer's updates, and to be woken."""

    def __init__(self, device: Device = "") -> None:
        self.device = device
        self.updates = Subscription(PUBLIC, WAKE)
        self.session: Session | None = None

    def follow(self, session: Session | None, viewer: int) -> None:
        """Waits at another session from now on."""
        if self.session is not None:
            self.session.unsubscribe(self.updates)
        self.updates = Subscription(viewer, WAKE) if session is None else session.subscribe(viewer)
        self.session = session

    def wake(self) -> None:
        """Makes the stream look around."""
        self.updates.put(WAKE)

    def close(self) -> None:
        """Stops waiting."""
        if self.session is not None:
            self.session.unsubscribe(self.updates)
            self.session = None
        self.updates.close()


class Table:
    """One table: at most one game on it, and the seats around it."""

    def __init__(self, journal: Journal, people: People, clock: Callable[[], float] = monotonic) -> None:
        self.journal = journal
        self.boxes = Boxes(journal.folder)
        """What the owner has entered about the cards."""
        self.people = people
        self.clock = clock
        self.session: Session | None = None
        self.version = 0
        self._last_number = 0
        """The stored game that was on the table last, whose players take their seats at the next."""
        self.word: Prompt = ALL_RIGHT
        """What the eyes have to say."""
        self.notices: deque[Notice] = deque(maxlen=12)
        self._lock = threading.RLock()
        self._acting = threading.Lock()
        self._mailboxes: list[Mailbox] = []
        self._asked: dict[Seat, Asked] = {}

    # The game ----------------------------------------------------------------------------------

    def start(
        self, key: str, options: Mapping[str, Value], *, seed: int | None = None, swap: bool = False
    ) -> Session:
        """Puts a new game on the table; with `swap` everybody moves on by one seat."""
        game = self.boxes.load(key)
        self._demand_new_number()
        session = Session.start(self.journal, game, game.resolve(options), seed=seed, clock=self.clock)
        self._seat_again(session, swap)
        self._put(session)
        return session

    def _demand_new_number(self) -> None:
        """Lets the next game have no number for which seats are kept.

        Where the journal was lost, or nothing is stored, numbers would begin anew, and a killer of long ago
        would find the seat kept.
        """
        self.journal.skip(self.people.last_game())

    def _seat_again(self, session: Session, swap: bool) -> None:
        """Gives those who sat at the last game the seats of the next, in their order; never a secret one."""
        holders = self.people.holders(self._last_number)
        devices = [holders[seat].device for seat in sorted(holders)]
        seats = [seat for seat in range(len(session.seats)) if not self.is_secret(session, seat)]
        if swap:
            seats = [*seats[1:], *seats[:1]]
        for seat, device in zip(seats, devices, strict=False):
            self.people.sit(session.number, seat, device, "")

    def resume(self, number: int) -> Session:
        """Puts a stored game back on the table."""
        session = Session(self.journal, number, clock=self.clock)
        self._put(session)
        return session

    def open_record(self, text: str) -> Session:
        """Puts a game that was kept as a record on the table; raises `RecordError` that names a bad line.

        Whoever has read or written the record knows what was dealt, so that goes on being told.
        """
        record = read_record(text, self.boxes)
        _, played = replay(record)
        game = record.game
        self._demand_new_number()
        number = self.journal.create(game.key, game.rules_version, record.options, game.box)
        self.journal.append(number, 0, [Line(seat, line) for seat, line in played])
        self.resume(number)
        self.mark_secrets(OPENED)
        self.tell()
        return self.playing()

    def resume_last(self) -> None:
        """Puts the newest game back where it is still going on, as after a power cut.

        One that cannot go on, as a newer Gloam has stored it or it is damaged, stays on the shelf; the table
        starts empty.
        """
        try:
            for stored in self.journal.games()[:1]:
                self._put(Session(self.journal, stored.id, clock=self.clock))
        except (
            Exception
        ) as error:  # what another release has stored may fail in any way in the rules of this one
            log.warning("the newest stored game cannot go on: %s", error)

    def mark(self, code: str) -> None:
        """Leaves a notice in all stored games: their screens show it until they are over."""
        with self._lock:
            if self.session is None:
                self.journal.mark(code)
            else:
                self.session.mark(code)
                self.journal.mark(code, but=self.session.number)

    def delete(self, number: int) -> None:
        """Deletes a stored game, with its name and who sat at it; not the one on the table."""
        with self._lock:
            if self.session is not None and self.session.number == number:
                raise JournalError("the game is on the table: clear the table first")
            self.journal.delete(number)
            self.people.forget_game(number)

    def mark_secrets(self, code: str) -> None:
        """Leaves a notice in the game on the table where it has secrets that somebody may now see."""
        with self._lock:
            session = self.playing()
            if not session.game.is_open(session.options):
                session.mark(code)

    def clear(self) -> None:
        """Takes the game off the table; it stays in the journal."""
        self._put(None)

    def _put(self, session: Session | None) -> None:
        if session is not None:
            self.people.keep_seats(session.number, len(session.seats))
        with self._lock:
            old, self.session = self.session, session
            if session is not None:
                self._last_number = session.number
            self.word = ALL_RIGHT
            self.notices.clear()
            self._asked.clear()
        if old is not None:
            old.close()
        self.tell()

    # Seats -------------------------------------------------------------------------------------

    def playing(self) -> Session:
        """The session; raises `NoGame` where nothing is on the table."""
        if self.session is None:
            raise NoGame("there is no game on the table")
        return self.session

    def at(self, seat: Seat) -> Session:
        """The session, where it has the seat; raises `NoSeat` otherwise."""
        session = self.playing()
        if not 0 <= seat < len(session.seats):
            raise NoSeat(f"there is no seat {seat} at this table")
        return session

    def is_secret(self, session: Session, seat: Seat) -> bool:
        """Says whether the seat is given only with a one-time code."""
        return session.seats[seat] in session.game.secret_seats

    def claim(self, device: Device, seat: Seat, *, pin: str = "", code: str = "") -> None:
        """Takes a seat for a device; the first one wins and everybody is told.

        Raises `SeatTaken`; for a secret seat `WrongCode` without its one-time code, `ShortPin` before that.
        """
        with self._lock:
            session = self.at(seat)
            name = self.people.name(device)
            holder = self._person(session, seat)
            blanks = {"seat": seat, "name": name}
            if holder not in ("", device):
                self.notice("claim-refused", blanks)
                raise SeatTaken(f"seat {session.seats[seat]} is taken")
            self._demand_side(session, device, seat)
            if self.is_secret(session, seat) and 0 < len(pin) < SECRET_PIN_DIGITS:
                raise ShortPin(f"a secret seat needs a PIN of {SECRET_PIN_DIGITS} digits")
            if self.is_secret(session, seat) and not self.people.codes.redeem(self._purpose(seat), code):
                self.notice("claim-refused", blanks)
                raise WrongCode("the one-time code is wrong, used or too old")
            if not holder:
                self.people.stand_up(session.number, seat)  # a bot makes room
            if not self.people.sit(session.number, seat, device, pin):
                self.notice("claim-refused", blanks)
                raise SeatTaken(f"seat {session.seats[seat]} is taken")
            self.notice("claimed", blanks)

    def _person(self, session: Session, seat: Seat) -> Device:
        """The phone that holds a seat; "" where the seat is free for people: nobody or a bot holds it."""
        holder = self.people.holders(session.number).get(seat)
        return "" if holder is None or bot_strength(holder.device) else holder.device

    def seat_bot(self, seat: Seat, strength: str, name: str) -> None:
        """Lets a bot play a seat that no person holds, until somebody takes it; everybody is told."""
        with self._lock:
            session = self.at(seat)
            if self._person(session, seat):
                raise SeatTaken(f"seat {session.seats[seat]} is taken")
            held = {holder.device for holder in self.people.holders(session.number).values()}
            free = (bot_device(strength, number) for number in range(1, len(session.seats) + 2))
            device = next(one for one in free if one not in held)
            self.people.call(device, name)
            self.people.stand_up(session.number, seat)
            self.people.sit(session.number, seat, device, "")
            self.notice("bot-sits", {"seat": seat, "name": name})

    def _demand_side(self, session: Session, device: Device, seat: Seat) -> None:
        """Raises `OtherSide` where the device would see both sides."""
        apart = {s for s, word in enumerate(session.seats) if word in session.game.seats_apart}
        others = set(self.own_seats(device)) - {seat}
        if others and (seat in apart or others & apart):
            raise OtherSide("this device already sits on the other side")

    def move(self, device: Device, seat: Seat, pin: str) -> float:
        """Moves a held seat to another device by its PIN; returns how many seconds it has to wait, or 0.

        While the phone that holds the seat is alive it is asked: it may agree, raise `Denied` for the other
        by saying no, or keep silent until the time is up, and then the PIN is enough.
        """
        with self._lock:
            session = self.at(seat)
            self._demand_side(session, device, seat)
            if not self.people.is_seat_pin(session.number, seat, pin):
                self.notice("move-refused", {"seat": seat, "name": self.people.name(device)})
                raise WrongCode("the PIN is wrong")
            wait_s = self._ask_holder(session, device, seat)
            if not wait_s:
                self._move(session, device, seat)
            return wait_s

    def _ask_holder(self, session: Session, device: Device, seat: Seat) -> float:
        """Seconds that a device has to wait for the answer of the phone that holds a seat, 0 for none."""
        holder, now_s = self.people.holders(session.number)[seat].device, self.people.clock()
        if holder == device or not any(mailbox.device == holder for mailbox in self._mailboxes):
            return 0.0
        asked = self._asked.get(seat)
        if asked is None or asked.device != device or now_s >= asked.until_s + ASK_S:
            asked = self._asked[seat] = Asked(device, now_s + ASK_S)
            self.notice("move-asked", {"seat": seat, "name": self.people.name(device)})
        if asked.is_denied:
            raise Denied("the phone that holds the seat has said no")
        return max(0.0, asked.until_s - now_s)

    def _move(self, session: Session, device: Device, seat: Seat) -> None:
        """Moves a seat; to somebody of another name it is left by who held it and knows its secrets."""
        holder = self.people.holders(session.number)[seat].device
        if self.people.name(holder) != self.people.name(device):
            self.mark_secrets(LEFT)
        self.people.move(session.number, seat, device)
        self._asked.pop(seat, None)
        self.notice("moved", {"seat": seat, "name": self.people.name(device)})

    def asked_of(self, device: Device) -> dict[Seat, Asked]:
        """The seats of a device that another one asks for, as long as it may answer."""
        with self._lock:
            own, now_s = self.own_seats(device), self.people.clock()
            return {
                seat: asked
                for seat, asked in self._asked.items()
                if seat in own and not asked.is_denied and now_s < asked.until_s
            }

    def answer_move(self, device: Device, seat: Seat, *, is_agreed: bool) -> None:
        """Takes the answer of the phone that holds a seat; raises `StaleVersion` where nobody asks for it."""
        with self._lock:
            session = self.demand(device, seat)
            asked = self.asked_of(device).get(seat)
            if asked is None:
                raise StaleVersion(f"nobody asks for seat {seat} any more")
            if is_agreed:
                self._demand_side(session, asked.device, seat)
                self._move(session, asked.device, seat)
            else:
                self._asked[seat] = asked._replace(is_denied=True)
                self.notice("move-denied", {"seat": seat, "name": self.people.name(asked.device)})

    def free(self, seat: Seat, code: str) -> None:
        """Frees a seat: its holder stood up, or the host made room (`kicked`).

        Whoever has held it knows its secrets, so that goes on being told; a bot tells nobody.
        """
        with self._lock:
            session = self.at(seat)
            holder = self.people.holders(session.number).get(seat)
            name = self.people.name(holder.device) if holder else ""
            if holder is not None and (code == KICKED or not bot_strength(holder.device)):
                self.mark_secrets(code)
            self.people.stand_up(session.number, seat)
            self._asked.pop(seat, None)
            self.notice(code, {"seat": seat, "name": name})

    def offer(self, seat: Seat) -> Code:
        """Makes the one-time code of a secret seat; everybody sees that it was asked for."""
        with self._lock:
            session = self.at(seat)
            if not self.is_secret(session, seat):
                raise NotYourSeat("this seat needs no code")
            if self._person(session, seat):
                raise SeatTaken(f"seat {session.seats[seat]} is taken")
            code = self.people.codes.offer(self._purpose(seat), OFFER_S)
            self.notice("offered", {"seat": seat})
            return code

    def offered(self, seat: Seat) -> Code | None:
        """The one-time code of a seat while it is good."""
        return self.people.codes.current(self._purpose(seat))

    def offered_left_s(self, seat: Seat) -> float:
        """Seconds until the one-time code of a seat ends."""
        return self.people.codes.left_s(self._purpose(seat))

    def _purpose(self, seat: Seat) -> str:
        return f"seat {self.playing().number} {seat}"

    def demand(self, device: Device, seat: Seat) -> Session:
        """The session, where the device holds the seat; raises `NotYourSeat` otherwise."""
        session = self.playing()
        holder = self.people.holders(session.number).get(seat)
        if holder is None or holder.device != device:
            raise NotYourSeat("this seat belongs to somebody else")
        return session

    def own_seats(self, device: Device) -> list[Seat]:
        """The seats that a device holds in the game on the table."""
        if self.session is None:
            return []
        holders = self.people.holders(self.session.number)
        return sorted(seat for seat, holder in holders.items() if holder.device == device)

    def open_seats(self, session: Session) -> list[Seat]:
        """Seats that the table screen may play: nobody holds them and they know nothing that it may not.

        A seat whose view is the public one has no secret, and so its list of actions tells none. What a seat
        that nobody holds has decided under cover was decided on the table screen.
        """
        held = self.people.holders(session.number)
        public = session.update(PUBLIC).view
        return [
            seat
            for seat in range(len(session.seats))
            if seat not in held and (session.game.hides_choices_only or session.update(seat).view == public)
        ]

    def is_one_screen(self, session: Session) -> bool:
        """Says whether the table screen plays every seat, so that it may show what they do under cover."""
        return session.game.hides_choices_only and not self.people.holders(session.number)

    def submit(self, page: Viewer, seat: Seat, text: str, version: int) -> int:
        """Takes an action from a page that shows a version; returns the page's version afterwards.

        Raises `StaleVersion` where the page shows an older position: of two who tell one draw, one does.
        """
        with self._acting:
            session = self.playing()
            now = session.update(page).version
            if version != now:
                raise StaleVersion(f"seen version {version}, the table is at {now}")
            session.submit(seat, text)
            after = session.update(page).version
        if page == PUBLIC and after == now:
            self.tell()  # a seat has decided under cover: its page may have to ask on
        return after

    # Telling -----------------------------------------------------------------------------------

    def notice(self, code: str, blanks: dict[str, Any]) -> None:
        """Tells everybody what happened around the table; a seat must be one of the game on it."""
        with self._lock:
            session = self.session if "seat" not in blanks else self.at(blanks["seat"])
            self.notices.append(Notice(self.version + 1, code, blanks, session.number if session else 0))
        self.tell()

    def tell(self) -> None:
        """Wakes every stream."""
        with self._lock:
            self.version += 1
            mailboxes = list(self._mailboxes)
        for mailbox in mailboxes:
            mailbox.wake()

    def say(self, word: Prompt) -> None:
        """Tells those who see the camera's board what the eyes have to say, and nobody else that they do."""
        with self._lock:
            self.word = word
            session, mailboxes = self.session, list(self._mailboxes)
        for mailbox in mailboxes:
            viewer = mailbox.updates.viewer
            if session is not None and mailbox.session is session and sees_board(session, viewer):
                mailbox.updates.put(session.update(viewer))

    def listen(self, device: Device = "") -> Mailbox:
        """Opens a mailbox; a page's belongs to a device, which is alive as long as it is open."""
        mailbox = Mailbox(device)
        with self._lock:
            self._mailboxes.append(mailbox)
        return mailbox

    def leave(self, mailbox: Mailbox) -> None:
        """Closes a mailbox."""
        with self._lock:
            if mailbox in self._mailboxes:
                self._mailboxes.remove(mailbox)
        mailbox.close()
