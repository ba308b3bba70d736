"""What every route works with: checked bodies, answers, and who may ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from flask import Flask, Response, request
from pydantic import BaseModel, ConfigDict

from companion.errors import GloamError
from web.table import Table


class Body(BaseModel):
    """What a page may send; anything else is refused."""

    model_config = ConfigDict(extra="forbid", str_max_length=2000)


AnyBody = TypeVar("AnyBody", bound=Body)


class Forbidden(GloamError):
    """The request may not do this; `code` has a text `error.CODE`."""

    def __init__(self, code: str, status: int = 403) -> None:
        super().__init__(code)
        self.code = code
        self.status = status


class Done(Protocol):
    """Answers that all went well, with facts."""

    def __call__(self, **more: Any) -> Response: ...


@dataclass(frozen=True, slots=True)
class Kit:
    """The app and the tools of its routes, for modules that add some."""

    app: Flask
    table: Table
    language: Callable[[], str]
    """The language that the page reads."""
    demand_host: Callable[[], None]
    viewer: Callable[[], int]
    """Whose page asks: a seat that the device holds, or the public one."""
    done: Done


def body(kind: type[AnyBody]) -> AnyBody:
    """What the page sent; raises what becomes an answer that names the wrong fields."""
    return kind.model_validate(request.get_json(silent=True))
