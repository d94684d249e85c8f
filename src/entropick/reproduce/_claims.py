"""The claims of the paper, each with a verdict and the numbers it rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from entropick.reproduce._protocol import RIVALS
from entropick.reproduce._published import NAMES, published

Summaries = dict[str, dict[str, Any]]  # by data set
_NEAR = 0.2  # a number of columns within this share of the paper's is the same


@dataclass(frozen=True)
class Claim:
    """What the paper says, whether it holds, and why."""

    claim: str
    verdict: str
    because: str


def judge_claims(found: Summaries) -> list[Claim]:
    """All claims: one holds if it does so on all data sets, with a condition if on at least half of them."""
    return [
        _finds_k(found),
        _lowest(found, "nb_diagonal", "the lowest error with naive Bayes at that number of columns"),
        _lowest(found, "knn", "the lowest error with 3-NN at that number of columns"),
        _lowest(found, "delta_information", "the lowest ΔI_r at that number of columns"),
        _steps(found),
        _time(found),
        _pso(found),
    ]


def _verdict(n_true: int, n: int, condition: bool = False) -> str:
    if n_true == n:
        return "holds with a condition" if condition else "holds"
    return "holds with a condition" if 2 * n_true >= n else "does not hold"


def _finds_k(found: Summaries) -> Claim:
    near, few, parts = 0, 0, []
    for name, summary in found.items():
        theirs = published(name, "paper").k or 0
        ours, literal = (summary["methods"][method]["k"]["median"] for method in ("paper", "literal"))
        near += abs(ours - theirs) <= _NEAR * theirs
        few += ours < summary["methods"]["all"]["k"]["median"]
        parts.append(f"{NAMES[name]} {ours:g} with the price, {literal:g} without, {theirs} in the paper")
    return Claim(
        "It finds the number of columns by itself.",
        _verdict(few, len(found), condition=True),
        "It ends with a number of its own; the condition is a price for each column, which the text asks for and the "
        f"formula lacks. The median is within {_NEAR:.0%} of the paper's on {near} of {len(found)} sets: "
        f"{'; '.join(parts)}.",
    )


def _lowest(found: Summaries, measure: str, words: str) -> Claim:
    won, parts = 0, []
    for name, summary in found.items():
        ours, others = summary["methods"]["paper"][measure], {r: summary["methods"][r][measure] for r in RIVALS}
        known = {rival: estimate for rival, estimate in others.items() if estimate is not None}
        if ours is None or ours.mean is None or not known:
            parts.append(f"{NAMES[name]} cannot be told")
            continue
        best = min(known, key=lambda rival: known[rival].mean)
        won += ours.mean <= known[best].mean
        parts.append(f"{NAMES[name]} {ours.mean:.4f} against {known[best].mean:.4f} of {best}")
    return Claim(
        f"It has {words}.",
        _verdict(won, len(found)),
        f"Of the paper's setting and the three rankings it is the lowest on {won} of {len(found)} sets: "
        f"{'; '.join(parts)}.",
    )


def _steps(found: Summaries) -> Claim:
    steps = {name: summary["convergence"]["paper"]["steps"] for name, summary in found.items()}
    near = sum(5 <= value <= 15 for value in steps.values())
    fits = [_fits(summary["convergence"]["paper"]["objective"]) for summary in found.values()]
    power, exponential = np.mean([fit for fit in fits if fit is not None] or [(np.nan, np.nan)], axis=0)
    return Claim(
        "It converges in about 10 steps, by a power law.",
        _verdict(near, len(found), condition=bool(exponential > power)),
        f"Median steps: {'; '.join(f'{NAMES[name]} {value:g}' for name, value in steps.items())}; 6 are the least, for "
        "the last 5 must bring nothing. A straight line through the logarithm of what is missing to the final "
        f"objective has R² {power:.2f} against the logarithm of the step (a power law) and {exponential:.2f} against "
        "the step (an exponential).",
    )


def _fits(objective: list[float]) -> tuple[float, float] | None:
    """R² of straight lines through the logarithm of what is missing, against the logarithm of the step and the step.

    None of fewer than three steps on the way.
    """
    missing = objective[-1] - np.array(objective)
    steps = np.arange(1, len(objective) + 1)
    use = missing > 1e-6
    if use.sum() < 3:
        return None
    y = np.log(missing[use])
    power, exponential = (float(np.corrcoef(x[use], y)[0, 1] ** 2) for x in (np.log(steps), steps))
    return power, exponential


def _time(found: Summaries) -> Claim:
    return _faster(
        found,
        "Its time is comparable with that of the greedy methods.",
        lambda methods: float(np.median([methods[rival]["seconds"].mean for rival in RIVALS])),
        most=3.0,
        words="as long as the middle one of the three rankings",
    )


def _faster(
    found: Summaries, claim: str, yardstick: Callable[[dict[str, Any]], float], most: float, words: str
) -> Claim:
    ratios = {
        name: summary["methods"]["paper"]["seconds"].mean / yardstick(summary["methods"])
        for name, summary in found.items()
    }
    near = sum(ratio <= most for ratio in ratios.values())
    listed = "; ".join(f"{NAMES[name]} {ratio:.2g} times" for name, ratio in ratios.items())
    return Claim(
        claim,
        _verdict(near, len(found)),
        f"It takes at most {most:g} times {words} on {near} of {len(found)} sets: {listed}.",
    )


def _pso(found: Summaries) -> Claim:
    faster = better = 0
    parts = []
    for name, summary in found.items():
        ours, swarm = summary["methods"]["paper"], summary["methods"]["pso"]
        is_faster = ours["seconds"].mean <= swarm["seconds"].mean
        is_better = ours["nb_diagonal"].mean <= swarm["nb_diagonal"].mean
        faster, better = faster + is_faster, better + is_better
        parts.append(
            f"{NAMES[name]} {ours['seconds'].mean:.2g} s against {swarm['seconds'].mean:.2g} s, error "
            f"{ours['nb_diagonal'].mean:.4f} against {swarm['nb_diagonal'].mean:.4f}"
        )
    return Claim(
        "It is faster and better than particle swarm optimisation.",
        _verdict(min(faster, better), len(found)),
        f"Faster on {faster} and better with naive Bayes on {better} of {len(found)} sets: {'; '.join(parts)}.",
    )
