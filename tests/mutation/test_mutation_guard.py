"""The door, the shares and the people: each way to weaken them is noticed by a test.

A row is a change of one place in a module and the tests that must notice it; a row whose text is not found
any more fails too. `gloam test --long` tries all of them, the main run every ninth.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
TRY = """
import json, os, sys
task = json.load(sys.stdin)
sys.path[:0] = [task["root"], task["tools"]]
import pytest
from mutation_worker import Hook
sys.meta_path.insert(0, Hook({task["module"]: (task["path"], task["text"])}))
code = pytest.main(task["arguments"])
sys.stdout.flush()
os._exit(code)  # whatever threads a test that failed has left
"""
"""Runs tests with one module as it is told."""

DOOR, SEATS, KILLER = (
    "tests/web/test_web_door.py",
    "tests/web/test_web_seats.py",
    "tests/web/test_web_killer.py",
)
SHARES, STREAMS, FUZZ = (
    "tests/web/test_web_shares.py",
    "tests/web/test_web_streams.py",
    "tests/web/test_web_fuzz.py",
)
SECRECY, PROGRAMS = "tests/web/test_web_secrecy.py", "tests/web/test_web_programs.py"
BOX, BOXES, BACKUP = (
    "tests/web/test_web_box.py",
    "tests/table/test_boxes.py",
    "tests/web/test_web_workshop.py",
)
VOICE, BOTS, FILES = (
    "tests/web/test_web_voice.py",
    "tests/web/test_web_bots.py",
    "tests/core/test_state_files.py",
)


class Weakened(NamedTuple):
    """A place where something is taken away, and who must notice."""

    module: str
    old: str
    new: str
    tests: str
    chosen: str
    """What `-k` chooses among the tests."""

    def __str__(self) -> str:
        return f"{self.module}: {self.old[:40].strip()}"


ROWS = [
    Weakened(
        "web.access", 'headers.setdefault("Cache-Control", "no-store")', "pass", DOOR, "kept_by_a_browser"
    ),
    Weakened("web.access", 'headers["Content-Security-Policy"] = POLICY', "pass", DOOR, "sealed"),
    Weakened("web.access", 'headers["Referrer-Policy"] = "no-referrer"', "pass", DOOR, "sealed"),
    Weakened(
        "web.access",
        'return request.headers.get("Origin", "") == f"{request.scheme}://{request.host}"',
        "return True",
        DOOR,
        "our_own_origin",
    ),
    Weakened("web.access", "if name in self.names:", "if True:", DOOR, "foreign_host"),
    Weakened("web.access", "if address.is_loopback or", "if True or", DOOR, "public_address"),
    Weakened("web.access", "PER_ADDRESS = 8", "PER_ADDRESS = 8000", DOOR, "limited"),
    Weakened("web.access", "IN_ALL = 60", "IN_ALL = 60000", DOOR, "strangers_do_not"),
    Weakened(
        "web.access",
        "self._take(each, self.PER_ADDRESS) and self._take((what, group), self.IN_ALL)",
        "self._take((what, group), self.IN_ALL) and self._take(each, self.PER_ADDRESS)",
        DOOR,
        "refused_tries",
    ),
    Weakened("web.access", "each = (what, neighbour(who))", "each = (what, who)", DOOR, "refused_tries"),
    Weakened("web.access", "self.KNOWN if is_known else", "", DOOR, "strangers_do_not"),
    Weakened("web.access", "if len(self._tries) > self.MAX_ADDRESSES:", "if False:", DOOR, "many_addresses"),
    Weakened("web.app", "if g.new_cookie:\n", "if False:\n", DOOR, "known_device"),
    Weakened(
        "web.app", "if not same(request.headers", "if False and not same(request.headers", DOOR, "token_of"
    ),
    Weakened("web.app", 'else "not-json"', 'else ""', DOOR, "form"),
    Weakened("web.app", "httponly=True", "httponly=False", DOOR, "read_by_scripts"),
    Weakened("web.app", 'samesite="Lax"', "samesite=None", DOOR, "read_by_scripts"),
    Weakened(
        "web.app",
        'web.limiter.allow("program", request.remote_addr or "")',
        "True",
        PROGRAMS,
        "guessing_tokens",
    ),
    Weakened("web.routes.seats", 'JoinBody, rate_limit("join")', "JoinBody", DOOR, "limited"),
    Weakened("web.routes.seats", 'ClaimBody, rate_limit("claim")', "ClaimBody", DOOR, "limited"),
    Weakened("web.routes.seats", 'MoveSeatBody, rate_limit("pin")', "MoveSeatBody", DOOR, "limited"),
    Weakened("web.routes.seats", "SeatBody, host_only", "SeatBody", DOOR, "stranger_changes"),
    Weakened("web.routes.host", 'no_owner_yet, rate_limit("setup")', "no_owner_yet", DOOR, "setup_code"),
    Weakened("web.routes.host", 'PinBody, rate_limit("pin")', "PinBody", DOOR, "limited"),
    Weakened(
        "web.routes.care", "the_workshop, no_game_running, gives", "the_workshop, gives", SECRECY, "side_door"
    ),
    Weakened(
        "companion.table.people",
        "return hmac.compare_digest(a.encode(), b.encode())",
        "return a == b",
        DOOR,
        "constant_time",
    ),
    Weakened("companion.table.people", "if self._clock() < until_s:", "if False:", SEATS, "ever_more_slowly"),
    Weakened(
        "companion.table.people",
        "self._is_right(OWNER, self._owner_pin, pin)",
        "is_pin(self._owner_pin, pin)",
        DOOR,
        "pins_are_tried",
    ),
    Weakened("companion.table.people", "del self._codes[purpose]", "pass", SEATS, "codes_are_long"),
    Weakened("companion.table.people", "or self._clock() >= code.until_s", "", SEATS, "codes_are_long"),
    Weakened("companion.table.people", "new_code(26)", "new_code(12)", SEATS, "codes_are_long"),
    Weakened(
        "companion.table.people",
        "if holder is not None and holder.device != device:\n                return False",
        "if False:\n                return False",
        SEATS,
        "first_device",
    ),
    Weakened(
        "companion.table.people",
        "read_people, mode=0o600",
        "read_people, mode=0o644",
        "tests/core/test_state_files.py",
        "owners_alone",
    ),
    Weakened(
        "companion.table.pin",
        "return hmac.compare_digest(_digest",
        "return str.__eq__(_digest",
        DOOR,
        "constant",
    ),
    Weakened("companion.table.table", "SECRET_PIN_DIGITS = 6", "SECRET_PIN_DIGITS = 4", SEATS, "six_digits"),
    Weakened(
        "companion.table.table", "if others and (seat in apart", "if False and (seat in apart", KILLER, "both"
    ),
    Weakened(
        "companion.table.table",
        "not self.people.codes.redeem(self._purpose(seat), code)",
        "False",
        KILLER,
        "public_code",
    ),
    Weakened("companion.table.table", "ASK_S = 20.0", "ASK_S = 0.0", SEATS, "asked_while_it_is_alive"),
    Weakened("companion.table.table", "self.mark_secrets(code)", "pass", SECRECY, "looks_through"),
    Weakened("web.routes.programs", "table.mark_secrets(BOT_SAT)", "pass", SECRECY, "looks_through"),
    Weakened("web.stream", "    KEPT = 8", "    KEPT = 0", STREAMS, "strangers_cannot"),
    Weakened(
        "web.stream",
        "self._streams.close(self)\n\n    def __iter__",
        "pass\n\n    def __iter__",
        FUZZ,
        "head",
    ),
    Weakened(
        "web.server",
        "max(self.content_length, self.body_bytes_received) > self.limit",
        "False",
        SHARES,
        "big_body",
    ),
    Weakened("web.server", "server.active_channels.values()) < most:", "[]) < most:", SHARES, "half_open"),
    Weakened("web.server", "self.will_close = True", "pass", SHARES, "never_ends"),
    Weakened("web.routing", 'raise RequestError("not-host")', "pass", DOOR, "stranger_changes"),
    # What once broke
    Weakened(
        "companion.table.table", "if not 0 <= seat < len(session.seats):", "if False:", SEATS, "announced"
    ),
    Weakened("companion.settings.state_file", "return self._mend(error)", "raise", FILES, "good_copy"),
    Weakened(
        "companion.table.table",
        "            Exception\n        ) as",
        "            ZeroDivisionError\n        ) as",
        FILES,
        "newest_game",
    ),
    Weakened(
        "companion.table.backup",
        'copy_rows(folder / "gloam.db", folder / OURS)',
        '(folder / OURS).write_bytes((folder / "gloam.db").read_bytes())',
        BACKUP,
        "trigger",
    ),
    Weakened("web.routes.care", 'table.mark("backup")', "pass", SECRECY, "restored_game"),
    Weakened("web.routes.care", 'table.mark("backup")  # once', "pass  # once", SECRECY, "while_a_backup"),
    Weakened(
        "web.routes.host",
        "table.mark_secrets(BOT_SAT)",
        "pass",
        PROGRAMS,
        "stays_for_the_next",
    ),
    Weakened(
        "companion.table.table",
        "self.journal.skip(self.people.last_game())",
        "pass",
        SEATS,
        "journal_is_lost",
    ),
    Weakened(
        "companion.table.table",
        "self.people.keep_seats(session.number, len(session.seats))",
        "pass",
        SEATS,
        "game_has_not",
    ),
    Weakened(
        "companion.table.table",
        "if self.people.name(holder) != self.people.name(device):",
        "if False:",
        SECRECY,
        "another_person",
    ),
    Weakened("web.server", "max_request_header_size=MAX_HEAD_BYTES,", "", SHARES, "no_browser"),
    Weakened(
        "companion.settings.config",
        "if len(line) > LONGEST_LINE:",
        "if False:",
        "tests/core/test_config.py",
        "minutes",
    ),
    Weakened("companion.table.backup", " if number in known}", "}", BACKUP, "not_in_a_backup"),
    Weakened(
        "companion.table.backup", ".count(ENTRY) > 2 * MOST_FILES", ".count(ENTRY) < 0", BACKUP, "very_many"
    ),
    Weakened("web.routes.care", 'table.mark("restored")', "pass", SECRECY, "restored_game"),
    Weakened(
        "companion.table.session",
        "if not needs or any(who not in harmless for who, _ in needs):",
        "if not needs:",
        "tests/core/test_journal.py",
        "another_side_must_act",
    ),
    Weakened("companion.table.session", 'FORCED if is_forced else ""', '""', SECRECY, "forced_undo"),
    Weakened(
        "companion.table.session",
        "self._taken_back(keep), keep,",
        "(), keep,",
        "tests/core/test_journal.py",
        "stays_drawn",
    ),
    Weakened(
        "companion.engine.game",
        "    if any(event.audience is not None and",
        "    if False and any(event.audience is not None and",
        "tests/contract/test_contract_secrets.py",
        "set_aside",
    ),
    Weakened("companion.table.session", 'seen[0]["outcome"] is not None', "False", SECRECY, "end_the_game"),
    Weakened(
        "companion.service.rig_service",
        "            except Exception as error:\n                self._failures",
        "            except ZeroDivisionError as error:\n                self._failures",
        FILES,
        "thread_that_fails",
    ),
    # Programs and their tokens
    Weakened(
        "web.app",
        "if request.path.startswith(PROGRAMS):\n        return let",
        "if True:\n        return let",
        PROGRAMS,
        "other_sites",
    ),
    Weakened("web.routes.programs", "AdmitBody, host_only", "AdmitBody", PROGRAMS, "only_the_host"),
    Weakened("web.routes.programs", "ProgramBody, host_only", "ProgramBody", DOOR, "stranger_changes"),
    Weakened("web.routes.programs", "if seat == PUBLIC:", "if False:", PROGRAMS, "spectator"),
    Weakened(
        "web.routes.programs",
        "            programs.dismiss(program.number)\n",
        "",
        PROGRAMS,
        "nothing_behind",
    ),
    Weakened("web.routes.programs", "visit.table.free(seat, LEFT)", "pass", PROGRAMS, "dismissed"),
    Weakened("companion.table.programs", ">= MOST:", ">= 10 * MOST:", PROGRAMS, "as_many"),
    Weakened("companion.table.programs", "mode=0o600", "mode=0o644", FILES, "owners_alone"),
    Weakened(
        "companion.table.programs",
        "clean_name(name), _device(token))",
        "clean_name(name), token)",
        PROGRAMS,
        "in_clear",
    ),
    # The owner's box
    Weakened("web.routes.box", "EnterBody, host_only", "EnterBody", DOOR, "stranger_changes"),
    Weakened("web.routes.box", "ForgetBody, host_only", "ForgetBody", DOOR, "stranger_changes"),
    Weakened("web.routes.box", '"image/jpeg", host_only', '"image/jpeg"', BOX, "only_the_host"),
    Weakened("web.routes.box", "not SUBJECT.fullmatch(subject)", "False", BOX, "small_picture"),
    Weakened("web.routes.box", "not content.startswith(JPEG) or ", "", BOX, "small_picture"),
    Weakened("web.routes.box", " or len(content) > MAX_PHOTO_BYTES", "", BOX, "small_picture"),
    Weakened("web.routes.box", ">= MOST_PHOTOS", ">= 10**9", BOX, "so_many_photographs"),
    Weakened("web.routes.box", 'raise RequestError("game-running")', "pass", BOX, "under_a_game"),
    Weakened("companion.table.boxes", "key not in REGISTRY.sources or ", "", BOXES, "no_path"),
    Weakened("companion.table.boxes", "if len(content) > LARGEST:", "if False:", BOXES, "typo"),
    Weakened("companion.table.boxes", "if len(facts) > MOST_FACTS:", "if False:", BOXES, "typo"),
    # Backups of others
    Weakened("companion.table.backup", "len(files) > MOST_FILES or ", "", BACKUP, "sizes_are_bounded"),
    Weakened("companion.table.backup", " or len(names) < len(files)", "", BACKUP, "there_twice"),
    Weakened("companion.table.backup", "> LARGEST:", "> 10**12:", BACKUP, "sizes_are_bounded"),
    Weakened(
        "companion.table.backup",
        "SIZES.get(one.filename, FOUND_SIZE))",
        "10**12)",
        BACKUP,
        "sizes_are_bounded",
    ),
    Weakened(
        "companion.table.backup",
        "and not FOUND.fullmatch(one.filename):",
        "and False:",
        BACKUP,
        "no_whole_backup",
    ),
    Weakened("companion.table.backup", "if is_editable(", "if not is_editable(", BACKUP, "workshop_can_edit"),
    Weakened("companion.table.backup", 'check_seats(kept["seats"])', "pass", BACKUP, "seats_that_are_none"),
    Weakened("companion.table.backup", "_demand_boxes(unpacked)\n", "pass\n", BOXES, "wrong_cards"),
    Weakened("companion.table.backup", "journal.read(game.id)", "pass", BACKUP, "never_write"),
    Weakened("web.routes.care", "the_workshop, no_game_running)", "the_workshop)", BACKUP, "neither_copied"),
    # What others must not hear of, and what cannot be stored
    Weakened(
        "companion.table.table", " or not bot_strength(holder.device)):", "):", SECRECY, "looks_through"
    ),
    Weakened("companion.table.table", "self.mark_secrets(OPENED)", "pass", SECRECY, "from_a_record"),
    Weakened("companion.table.people", "- MOST_NAMES", "- 10**9", SEATS, "crowd_of_names"),
    Weakened("web.routes.game", "PUBLIC if event.is_for(PUBLIC) else viewer", "PUBLIC", VOICE, "seat_alone"),
    Weakened("companion.service.speech", "self._listeners[whose]", "self._listeners[0]", VOICE, "anew"),
    Weakened("companion.service.speech", "acquire(blocking=False)", "acquire()", VOICE, "crowd"),
    Weakened(
        "companion.table.bot_players", "if due is None or due.is_noticed:", "if due is None:", BOTS, "beat"
    ),
    Weakened("companion.table.bot_players", "if viewer != seat and (", "if (", BOTS, "beat"),
    Weakened("companion.table.bot_players", ") from None", ") from error", BOTS, "fails"),
    Weakened(
        "companion.table.bot_players",
        'too late: %s", type(error).__name__',
        'too late: %s", error',
        BOTS,
        "too_late",
    ),
    Weakened("companion.service.rig_service", "self.watcher, self.bots", "self.watcher", BOTS, "thread"),
    Weakened(
        "web.errors",
        "    OSError: ErrorAnswer(507",
        "    BlockingIOError: ErrorAnswer(507",
        SEATS,
        "system_refuses",
    ),
    Weakened(
        "companion.settings.state_file",
        "    except OSError as error:\n        raise NotStored",
        "    except BlockingIOError as error:\n        raise NotStored",
        SEATS,
        "full_disk",
    ),
]


def path_of(module: str) -> Path:
    return ROOT / (module.replace(".", "/") + ".py")


def is_noticed(row: Weakened) -> bool:
    path = path_of(row.module)
    text = path.read_text("utf-8")
    assert text.count(row.old) >= 1, f"{row.module} has changed: {row.old!r} is not in it"
    task = {
        "root": str(ROOT),
        "tools": str(Path(__file__).parent),
        "module": row.module,
        "path": str(path),
        "text": text.replace(row.old, row.new, 1),
        "arguments": ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", row.tests, "-k", row.chosen],
    }
    tried = subprocess.run(
        [sys.executable, "-c", TRY],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    print(tried.stdout[-2000:], tried.stderr[-2000:])
    return tried.returncode == pytest.ExitCode.TESTS_FAILED


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS[::9], ids=str)
def test_a_weakened_door_is_noticed(row: Weakened) -> None:
    assert is_noticed(row)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_every_weakened_door_is_noticed(row: Weakened) -> None:
    assert is_noticed(row)
