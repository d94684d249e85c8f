"""Errors that end a command, apart from those the library raises."""

from __future__ import annotations

from collections.abc import Sequence


class InterruptionError(Exception):
    """Ctrl-C, with a sentence about how far the search got."""


class OutputError(Exception):
    """The result was shown, but some of the files could not be written: a sentence for each."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__(*sentences)
        self.sentences = tuple(sentences)


class DescriptionError(Exception):
    """The columns were chosen, but describing the result failed."""

    def __init__(self, sentence: str, cause: Exception) -> None:
        super().__init__(sentence)
        self.cause = cause
