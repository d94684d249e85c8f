"""Property tests on a shared machine: the same examples in every CI run, and no clock."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("shared"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "shared")
