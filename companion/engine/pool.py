"""Cards that have not been seen: counted by kind, never guessed.

A pool knows how many cards of each kind are still unseen. Those cards lie in one deck or bag, except for
`hidden` ones that somebody holds without the companion knowing which. The part of the deck's order that
somebody has looked at is `known`, top first; shuffling forgets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress

from companion.engine.action import Action
from companion.engine.fields import Copyable, Fields


class Pool(Copyable):
    """A deck, stack or bag as far as anybody can know it."""

    declared = Fields(shared=("hidden", "size"), sliced=("counts", "known"))
    __slots__ = declared.names

    def __init__(
        self, counts: Iterable[int], known: Iterable[int] = (), hidden: int = 0, size: int | None = None
    ) -> None:
        self.counts = list(counts)
        self.known = list(known)
        self.hidden = hidden
        self.size = sum(self.counts) - hidden if size is None else size

    def can_be_next(self, kind: int) -> bool:
        """Says whether the top card can be of this kind."""
        if self.known:
            return self.known[0] == kind
        return self.size > 0 and self.counts[kind] > 0

    def outcomes(self, draws: Sequence[Action]) -> list[tuple[Action, int]]:
        """Lists what the top card can be: `draws[kind]` with the number left of that kind."""
        if self.known:
            return [(draws[self.known[0]], 1)]
        if not self.size:
            return []
        return list(compress(zip(draws, self.counts, strict=False), self.counts))

    def take(self, kind: int) -> None:
        """Takes the top card, which turned out to be of this kind."""
        if self.known:
            top = self.known.pop(0)
            assert top == kind, (top, kind)
        assert self.counts[kind] > 0 and self.size > 0, (kind, self.counts, self.size)
        self.counts[kind] -= 1
        self.size -= 1

    def take_unseen(self) -> None:
        """Takes the top card without the companion seeing it: it stays counted as unseen."""
        if self.known:
            self.known.pop(0)
        assert self.size > 0
        self.size -= 1
        self.hidden += 1

    def show(self, kind: int) -> None:
        """Somebody shows a card that the companion had not seen."""
        assert self.hidden > 0 and self.counts[kind] > 0, (kind, self.hidden, self.counts)
        self.hidden -= 1
        self.counts[kind] -= 1

    def put_back(self, kind: int) -> None:
        """Puts a card into the deck; its place there is known only until the shuffle that follows."""
        self.counts[kind] += 1
        self.size += 1

    def shuffle(self) -> None:
        """Forgets the order."""
        self.known.clear()
