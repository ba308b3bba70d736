"""The described API: `openapi.json` is what the app serves."""

from __future__ import annotations

import inspect
import json
import re

import pytest
from web_tools import Room

from web import openapi
from web.errors import ERRORS, REFUSED_STATUS, REQUEST_ERRORS
from web.routes import SUBJECTS
from web.routing import Query
from web.text import TEXTS

ROUTES = [route for routes in SUBJECTS for route in routes.table]
FILE = json.loads(openapi.PATH.read_text("utf-8"))


def test_the_file_is_written_from_the_routes() -> None:
    assert openapi.PATH.read_text("utf-8") == openapi.written(), "run `python -m web.openapi`"


def test_the_file_has_the_paths_and_methods_that_the_app_serves(room: Room) -> None:
    served = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in room.app.url_map.iter_rules()
        if rule.endpoint != "static"
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in FILE["paths"].items() for method in methods}
    assert described == served


@pytest.mark.parametrize("route", [one for one in ROUTES if one.body], ids=lambda route: route.path)
def test_a_described_body_is_the_one_that_is_checked(route) -> None:
    operation = FILE["paths"][route.path]["post"]
    content = operation["requestBody"]["content"]["application/json"]["schema"]
    name = content["$ref"].rpartition("/")[2]
    assert FILE["components"]["schemas"][name] == route.body.model_json_schema()
    assert inspect.signature(route.answer, eval_str=True).parameters["asked"].annotation is route.body


def test_no_two_bodies_or_operations_share_a_name() -> None:
    bodies = {route.body for route in ROUTES if route.body}
    assert len({body.__name__ for body in bodies}) == len(bodies)
    names = [operation["operationId"] for path in FILE["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))


def test_every_status_of_the_error_tables_is_described_and_no_other() -> None:
    ours = {REFUSED_STATUS, *REQUEST_ERRORS.values(), *(answer.status for answer in ERRORS.values())}
    assert {int(status) for status in FILE["components"]["responses"]} == ours
    for operations in FILE["paths"].values():
        for operation in operations.values():
            assert {int(status) for status in operation["responses"]} <= ours | {200}


def test_every_error_code_has_a_text() -> None:
    codes = {*REQUEST_ERRORS, *(answer.code for answer in ERRORS.values())}
    assert [code for code in sorted(codes) if f"error.{code}" not in TEXTS] == []


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_route_says_what_it_is_for_and_what_it_reads(route) -> None:
    source = inspect.getsource(route.answer)
    read = set(re.findall(r'request\.args\.get\("(\w+)"', source))
    read |= {Query.model_fields[name].alias or name for name in re.findall(r"visit\.query\.(\w+)", source)}
    read |= {"seat"} if "visit.viewer()" in source else set()
    assert read == set(route.query) - {"lang"}
    assert (
        "lang" in route.query
        or "visit.language" not in source
        or route.method == "POST"
        or (route.gives == "text/html")
    )
    assert route.answer.__doc__.endswith(".")


@pytest.mark.parametrize("path", openapi.ANSWERS)
def test_a_described_answer_has_the_keys_that_it_says(room: Room, path: str) -> None:
    room.table.start("onirim", {"players": 1})
    answer = room.visitor().get(path).json
    schema = FILE["components"]["schemas"][openapi.ANSWERS[path]]
    assert set(schema["required"]) <= set(answer) <= set(schema["properties"])
