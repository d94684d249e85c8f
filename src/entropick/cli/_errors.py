"""What ends a command, apart from what the library raises."""

from __future__ import annotations

from collections.abc import Sequence


class InterruptionError(Exception):
    """Ctrl-C, with a sentence about what became of the search."""


class OutputError(Exception):
    """The result was shown, but some of the files could not be written: a sentence for each."""

    def __init__(self, sentences: Sequence[str]) -> None:
        super().__init__(*sentences)
        self.sentences = tuple(sentences)


class DescriptionError(Exception):
    """The columns were chosen, but what they are worth could not be worked out."""

    def __init__(self, sentence: str, cause: Exception) -> None:
        super().__init__(sentence)
        self.cause = cause
