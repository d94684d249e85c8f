"""The one list of everything that users choose by name; nothing is imported until it is used.

The command's help and completion, the public names, the tables in the docs and the lists in errors are made from here.
To add a criterion, a search, a ranking, an engine or a data set: one new file, and one line below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from entropick._errors import Mention, UnknownNameError

T = TypeVar("T")
C = TypeVar("C", bound=type)


class Entry(NamedTuple):
    """Where something is defined, its name in prose, and a line of help."""

    home: str  # module:object, relative to the package of the registry
    label: str
    help: str


class Registry(MutableMapping[str, T], Generic[T]):
    """Things that can be chosen by name, in order; each is imported when first used.

    Parameters
    ----------
    package : str
        The package that the modules are in.
    entries : mapping of str to tuple
        Home, label and help by name.

    Examples
    --------
    >>> numbers = Registry("fractions", {"fraction": ("fractions:Fraction", "fraction", "a ratio of two integers")})
    >>> list(numbers), numbers.help("fraction"), numbers["fraction"](1, 2)
    (['fraction'], 'a ratio of two integers', Fraction(1, 2))
    """

    def __init__(self, package: str, entries: Mapping[str, tuple[str, str, str]]) -> None:
        self.package = package
        self._entries = {name: Entry(*entry) for name, entry in entries.items()}
        self._objects: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._objects:
            module, _, attribute = self._entries[name].home.partition(":")
            self._objects[name] = getattr(import_module(module, self.package), attribute)
        return self._objects[name]

    def __setitem__(self, name: str, thing: T) -> None:
        """Register something of your own, for as long as the process lives."""
        self._objects[name] = thing
        self._entries.setdefault(name, Entry("", name, (thing.__doc__ or "").strip().partition("\n")[0]))

    def __delitem__(self, name: str) -> None:
        del self._entries[name]
        self._objects.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def label(self, name: str) -> str:
        """Its name in prose."""
        return self._entries[name].label

    def help(self, name: str) -> str:
        """Its line of help."""
        return self._entries[name].help

    @property
    def public(self) -> dict[str, str]:
        """Python names, and the name under which each is registered."""
        return {entry.home.partition(":")[2]: name for name, entry in self._entries.items() if entry.home}

    def listed_in(self, thing: C) -> C:
        """Decorate a class whose docstring has a line ``{names}``, to replace it by a line for each name."""
        lines = (f"- {name!r}: {entry.help}" for name, entry in self._entries.items())
        if thing.__doc__:  # there is none under -OO
            indent = re.search(r"^ *(?={names}$)", thing.__doc__, re.MULTILINE)
            thing.__doc__ = thing.__doc__.replace("{names}", f"\n{indent[0] if indent else ''}".join(lines))
        return thing


CRITERIA: Registry[Any] = Registry(
    "entropick.criteria",
    {
        "plugin": ("._plugin:plugin", "plug-in", "plug-in I(U;y), the paper's criterion; rewards memorising"),
        "reliable": ("._reliable:reliable", "corrected for chance", "I(U;y) minus what chance alone would give"),
        "bayes": ("._bayes:bayes", "Bayes factor", "log Bayes factor per row, against no columns at all"),
        "predictive": ("._predictive:predictive", "look-up table", "H(y) minus a look-up table's held-out log loss"),
        "auto": ("._auto:auto", "predictive power", "what a model can use: the best of the four below for the table"),
        "one_dependence": (
            "._one_dependence:one_dependence",
            "one-dependence model",
            "H(y) minus the held-out log loss of a model that sees pairs",
        ),
        "blend": ("._blend:blend", "two models", "the mean of 'one_dependence' and 'linear'"),
        "naive": ("._naive:naive", "naive Bayes", "H(y) minus calibrated naive Bayes' held-out log loss"),
        "linear": ("._linear:linear", "linear model", "what ridge regression predicts of y: numbers, or classes"),
    },
)
SEARCHES: Registry[Any] = Registry(
    "entropick.search",
    {
        "cross_entropy": ("._cross_entropy:CrossEntropy", "cross-entropy search", "draw subsets, learn from the best"),
        "forward": ("._forward:Forward", "forward selection", "add the best column while that helps"),
        "backward": ("._backward:Backward", "backward elimination", "remove the worst column while nothing is lost"),
        "floating": ("._floating:Floating", "floating selection", "add the best column, remove while that helps"),
        "exhaustive": ("._exhaustive:Exhaustive", "exhaustive search", "score every subset, up to 2²⁵ of them"),
        "branch_and_bound": ("._branch_and_bound:BranchAndBound", "branch and bound", "the best subset, with a proof"),
        "genetic": ("._genetic:Genetic", "genetic algorithm", "breed subsets: tournaments, crossover, mutation"),
        "particle_swarm": ("._particle_swarm:ParticleSwarm", "particle swarm", "the binary swarm; the paper's rival"),
        "dfl": ("._dfl:Dfl", "discrete function learning", "columns that determine y, up to noise"),
        "random": ("._random:Random", "random search", "random subsets of many sizes: the baseline"),
    },
)
RANKINGS: Registry[Any] = Registry(
    "entropick.ranking",
    {
        "pearson": ("._pearson:pearson", "Pearson", "the absolute correlation of f with y"),
        "mim": ("._pairwise:mim", "MIM", "I(f;y)"),
        "mifs": ("._pairwise:mifs", "MIFS", "I(f;y) − β Σ_s I(f;s)"),
        "mrmr": ("._pairwise:mrmr", "mRMR", "I(f;y) − mean_s I(f;s)"),
        "cmim": ("._pairwise:cmim", "CMIM", "the smallest of I(f;y) and all I(f;y|s)"),
        "disr": ("._pairwise:disr", "DISR", "Σ_s I(f,s;y) / H(f,s,y)"),
        "jmi": ("._pairwise:jmi", "JMI", "Σ_s I(f,s;y)"),
        "icap": ("._pairwise:icap", "ICAP", "I(f;y) − Σ_s max(0, I(f;s) − I(f;s|y))"),
        "cife": ("._pairwise:cife", "CIFE", "I(f;y) − Σ_s (I(f;s) − I(f;s|y))"),
        "jmim": ("._pairwise:jmim", "JMIM", "min_s I(f,s;y)"),
        "cmi": ("._cmi:cmi", "CMI", "I(f;y|S), all of S jointly; stops when nothing is gained"),
        "koller_sahami": ("._koller_sahami:koller_sahami", "Koller–Sahami", "elimination by Markov blankets"),
    },
)
ENGINES: Registry[Any] = Registry(
    "entropick.engine",
    {
        "native": ("._native:NativeEngine", "native", "C++ on bit planes, in several threads"),
        "numpy": ("._numpy:NumpyEngine", "NumPy", "NumPy in one thread; all others must agree with it"),
        "dask": ("._dask:DaskEngine", "Dask", "the native kernels on the workers of a Dask cluster"),
    },
)
BINNINGS: Registry[Any] = Registry(
    "entropick.encode",
    {
        "quantile": ("._binning:quantile", "quantiles", "about the same number of rows in each bin"),
        "uniform": ("._binning:uniform", "equal widths", "bins of equal width"),
        "mdlp": ("._binning:mdlp", "MDLP", "cuts where the classes change"),
        "floor": ("._binning:floor", "whole numbers", "a bin for each whole number, as in the paper"),
    },
)
DATASETS: Registry[Any] = Registry(
    "entropick.datasets",
    {
        "advertisements": ("._advertisements:ADVERTISEMENTS", "Advertisements", "is it an advertisement?"),
        "blog_feedback": ("._blog_feedback:BLOG_FEEDBACK", "Blog Feedback", "how many comments will it get?"),
        "breast_cancer": ("._breast_cancer:BREAST_CANCER", "Breast Cancer", "malignant or benign?"),
        "connect_4": ("._connect_4:CONNECT_4", "Connect-4", "who wins?"),
        "forest_fires": ("._forest_fires:FOREST_FIRES", "Forest Fires", "how large will a fire get?"),
        "gesture_phase": ("._gesture_phase:GESTURE_PHASE", "Gesture Phase", "which phase of a gesture is it?"),
    },
)

# What names meant in the first version of result files.
# The public names of `entropick`, and the module that defines each.
PUBLIC = {
    "ClassifierScore": "criteria",
    "ColumnWarning": "encode",
    "CrossEntropy": "search",
    "CrossEntropySelector": "selectors",
    "RankSelector": "selectors",
    "SubsetScorer": "scorer",
    "SubsetSelector": "selectors",
    "date_parts": "dates",
    "entropy": "information",
    "mutual_information": "information",
}


def method_label(name: str) -> str:
    """What to call a search or a ranking in prose; one of your own has its name.

    Examples
    --------
    >>> method_label("mrmr"), method_label("my_search")
    ('mRMR', 'my_search')
    """
    return next((names.label(name) for names in (SEARCHES, RANKINGS) if name in names), name)


def look_up(kind: str | Mention, name: object, registry: Mapping[str, T]) -> T:
    """Entry ``name`` of a registry, or an `UnknownNameError` that lists the known names.

    Examples
    --------
    >>> look_up("criterion", "plugin", {"plugin": 1})
    1
    """
    if isinstance(name, str) and name in registry:
        return registry[name]
    raise UnknownNameError(kind, name, list(registry))
