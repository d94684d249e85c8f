"""`entropick demo`: `select` on a table bundled with scikit-learn."""

from __future__ import annotations

from typing import Annotated

import typer

from entropick.cli.options import QuietOption


def demo(
    report: Annotated[str, typer.Option(metavar="PATH", help="Where to write the page.")] = "entropick-demo.html",
    quiet: QuietOption = False,
) -> None:
    """Try it: which measurements of cell nuclei tell a malignant tumour from a benign one?"""
    from entropick.cli.progress import ProgressBar

    with ProgressBar(quiet) as bar:
        bar.phase("reading")
        from entropick.cli._prepare import prepare
        from entropick.cli._select import run, write_page
        from entropick.cli._write import check_outputs, check_page
        from entropick.datasets import load

        check_page("--report", report)
        check_outputs((), {"--report": report})
        data = load("breast_cancer")
        result = run(prepare(data.frame, data.target, None, None), "cross_entropy", {}, bar, data.title)
    from entropick.cli._outputs import Outputs
    from entropick.cli.screen import screen, show_result

    console = screen()
    rows, width = data.X.shape

    def show() -> None:
        console.print(f"{data.title}: {rows} tumours, {width} measurements, malignant or benign?\n", markup=False)
        show_result(result, console)
        console.print("\nYour own table: entropick select FILE --target COLUMN --report PAGE.html", markup=False)

    outputs = Outputs(quiet)
    outputs.show(show)
    outputs.write(
        "--report", report, lambda path: write_page(result, path), ", a page with plots; open it in a browser."
    )
    outputs.end()
