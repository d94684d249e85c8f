"""The data sets by name."""

from __future__ import annotations

from entropick.datasets._advertisements import ADVERTISEMENTS
from entropick.datasets._blog_feedback import BLOG_FEEDBACK
from entropick.datasets._breast_cancer import BREAST_CANCER
from entropick.datasets._connect_4 import CONNECT_4
from entropick.datasets._forest_fires import FOREST_FIRES
from entropick.datasets._gesture_phase import GESTURE_PHASE
from entropick.datasets._spec import Spec

DATASETS: dict[str, Spec] = {
    spec.name: spec for spec in (ADVERTISEMENTS, BLOG_FEEDBACK, BREAST_CANCER, CONNECT_4, FOREST_FIRES, GESTURE_PHASE)
}
