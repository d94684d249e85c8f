"""Run entropick's default again on the paper's data sets, and keep what results.json has of the other methods.

The data sets are looked for in ENTROPICK_DATA; names of some of them may be given. What is done is written after each.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from entropick._version import __version__
from entropick.datasets import DATASETS
from entropick_paper.protocol import Plan, Trial, run
from entropick_paper.run import add_summary, write

HERE = Path(__file__).parent
MARK = "The default, `entropick`, was run again"


def main() -> None:
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    others = [remark for remark in results["remarks"] if not remark.startswith(MARK)]
    done: list[str] = []
    for name in sys.argv[1:] or DATASETS:
        table = Trial(name)
        for stored in results["runs"]:
            if stored["dataset"] == name:
                stored["methods"] |= run(table, stored["seed"], Plan(), default_alone=True)["methods"]
                print(name, stored["seed"], stored["methods"]["entropick"]["k"], flush=True)
        done.append(name)
        where = "all data sets" if len(done) == len(DATASETS) else ", ".join(done)
        results["remarks"] = [*others, f"{MARK} with version {__version__} on {where}."]
        add_summary(results)
        write(results, HERE)


if __name__ == "__main__":
    main()
