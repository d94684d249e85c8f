"""`entropick demo`: the main job on a table that comes with scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from entropick.cli._options import QuietOption

if TYPE_CHECKING:
    import polars as pl


def demo(
    report: Annotated[str, typer.Option(metavar="PATH", help="Where to write the page.")] = "entropick-demo.html",
    quiet: QuietOption = False,
) -> None:
    """Try it: which measurements of cell nuclei tell a malignant tumour from a benign one?"""
    from entropick.cli._progress import ProgressBar
    from entropick.cli._screen import screen, show_result
    from entropick.cli._select import run, write_result
    from entropick.cli._tables import check_outputs

    check_outputs(None, {"--report": report})
    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        result = run(breast_cancer(), "diagnosis", "cross_entropy", {}, bar, "breast cancer")
        write_result(result, None, report, bar)
    console = screen()
    console.print("Breast cancer: 569 rows, 30 columns; the target 'diagnosis' is malignant or benign.\n")
    show_result(result, console)
    console.print(f"\nWritten: {report}, a page with plots; open it in a browser.", markup=False)
    console.print("Your own table: entropick select FILE --target COLUMN --report PAGE.html", markup=False)


def breast_cancer() -> pl.DataFrame:
    """The table with its target, diagnosis."""
    import polars as pl
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    frame = pl.DataFrame(data.data, schema=[str(name) for name in data.feature_names])
    return frame.with_columns(pl.Series("diagnosis", data.target_names[data.target].tolist()))
