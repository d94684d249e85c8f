"""How many columns are enough, which are sure, and whether there is anything: halves of the rows, copies, shuffles."""

from entropick.path._choices import Choices, replaceable
from entropick.path._curve import Curve
from entropick.path._decoys import Decoys, Verdict, beside_decoys
from entropick.path._growing import Growing
from entropick.path._order import mean_places
from entropick.path._settings import CELLS, DECOYS, FURTHER, MOST_PLACES, MOST_WITH_DECOYS
from entropick.path._test import ChanceTest, against_chance, exchangeable, usual_looks
from entropick.path._walk import Halves, Judge, Path, halve, walk

__all__ = [
    "CELLS",
    "DECOYS",
    "FURTHER",
    "MOST_PLACES",
    "MOST_WITH_DECOYS",
    "ChanceTest",
    "Choices",
    "Curve",
    "Decoys",
    "Growing",
    "Halves",
    "Judge",
    "Path",
    "Verdict",
    "against_chance",
    "beside_decoys",
    "exchangeable",
    "halve",
    "mean_places",
    "replaceable",
    "usual_looks",
    "walk",
]
