"""A bot that plays at random on its own seat: `python bot.py HOST:PORT TOKEN`.

The host lets it in on the workshop's page *Programs* and gets the token. Standard library alone.
"""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen


class TableClient:
    """The table, as a program with a token meets it."""

    def __init__(self, host: str, token: str) -> None:
        self._base = f"http://{host}/api/v1/"
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, path: str, **body: Any) -> Any:
        """Asks the table, or tells it something where there is a body."""
        return urlopen(Request(self._base + path, json.dumps(body).encode() if body else None, self._headers))

    def positions(self) -> Iterator[dict[str, Any]]:
        """Every position that the table tells, as soon as it does."""
        for line in self.ask("stream"):
            told = json.loads(line[6:]) if line.startswith(b"data: ") else {}
            if "actions" in told:
                yield told


def main() -> None:
    """Plays until the game is over."""
    table = TableClient(*sys.argv[1:3])
    for position in table.positions():
        if position["outcome"]:
            return
        offered = [one for one in position["actions"] if one["seat"] == position["viewer"]]
        mine = [one["action"] for one in offered if one["verb"] != "concede"]
        if mine:
            try:
                print(action := random.choice(mine))
                table.ask("act", action=action, version=position["version"])
            except HTTPError as error:
                if json.load(error)["code"] != "stale":  # somebody was faster: the next position is coming
                    raise


if __name__ == "__main__":
    main()
