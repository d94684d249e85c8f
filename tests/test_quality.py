"""The benchmark of benchmarks/quality on two tiny tables of its own, from the folds to the page."""

import json
from importlib.util import find_spec

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

from quality import models, page, rivals, run, tables  # noqa: E402
from quality.generated import GENERATED  # noqa: E402
from quality.ranks import draw  # noqa: E402

QUICK_METHODS = ("all", "ours", "reliable", "jmi", "mrmr", "kbest_f", "importance")


def tiny(name, kind, held_out):
    def read():
        rng = np.random.default_rng(0)
        X = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd"))
        X["word"] = np.where(X["a"] > 0, "yes", "no")
        X.loc[::7, "b"] = np.nan
        y = X["a"] + X["c"]
        return X, (y > 0).map({True: "up", False: "down"}) if kind == "classes" else y

    return tables.Table(name, kind, "none", read, held_out)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("results")
    mode = run.Mode("tiny", 1, 50, 5, False)
    methods = {name: rivals.METHODS[name] for name in QUICK_METHODS}
    for table in (tiny("some", "classes", False), tiny("many", "numbers", True)):
        assert len(run.run_table(table, methods, mode, tmp_path)) == len(methods)
        assert run.run_table(table, methods, mode, tmp_path) == []  # what is there is not run again
    return run.summarise(mode, results=tmp_path)


def test_every_method_is_judged_on_both_tables(results):
    assert set(results["tables"]) == {"some", "many"}
    for table in results["tables"].values():
        assert set(table["methods"]) == set(QUICK_METHODS)
        assert (table["rows"], table["rows_there"]) == (50, 60)
        assert table["methods"]["all"]["columns"] == 5
        assert table["methods"]["jmi"]["columns"] == table["methods"]["ours"]["columns"]
        assert all(np.isfinite(list(found["losses"].values())).all() for found in table["methods"].values())


def test_the_page_has_every_part(results, tmp_path):
    page.write(json.loads(json.dumps(results)), tmp_path)
    text = (tmp_path / "QUALITY.md").read_text(encoding="utf-8")
    assert text.count("\n## ") == 9
    assert "| some |" in text
    assert "| many (set aside) |" in text


def test_page_and_readme_are_made_from_the_committed_means(tmp_path):
    root = page.HERE.parents[1]
    summary = json.loads(page.SUMMARY.read_text(encoding="utf-8"))
    page.write(summary, tmp_path)
    assert (root / "benchmarks" / "QUALITY.md").read_text(encoding="utf-8") == (tmp_path / "QUALITY.md").read_text(
        encoding="utf-8"
    )
    is_shown = "\n".join(page.readme(summary)).rstrip() in (root / "README.md").read_text(encoding="utf-8")
    assert is_shown is ("remark" not in summary)  # README has no figures of another default than today's


def test_what_entropick_has_no_part_in_may_come_from_an_earlier_run(results, tmp_path):
    before = json.loads(json.dumps(results))
    for table in before["tables"].values():
        table["methods"]["importance"]["seconds"] = 99.0
        table["methods"]["ours"]["seconds"] = 99.0
    now = json.loads(json.dumps(results))
    for table in now["tables"].values():
        del table["methods"]["importance"]
        del table["two"]["importance"]
    both = run.with_others(now, before)
    for table in both["tables"].values():
        assert list(table["methods"]) == list(QUICK_METHODS)
        assert table["methods"]["importance"]["seconds"] == 99.0
        assert table["methods"]["ours"]["seconds"] < 99.0
    page.write(both, tmp_path)
    assert "from a run beside entropick" in (tmp_path / "QUALITY.md").read_text(encoding="utf-8")
    before["versions"]["scikit-learn"] = "0"
    with pytest.raises(SystemExit, match="have changed"):
        run.with_others(now, before)
    names = run.chosen_methods([], {}, run.QUICK, False, ours_only=True)
    assert {"all", "ours", "jmi"} <= set(names)
    assert not {"l1", "importance", "bayes"} & set(names)


def test_every_third_table_by_name_is_set_aside():
    for kind in ("classes", "numbers"):
        names = [table.name for table in tables.REAL if table.kind == kind]
        assert names == sorted(names)
        assert [table.name for table in tables.REAL if table.kind == kind and table.held_out] == names[2::3]


def test_no_columns_mean_the_commonest_class_or_the_mean():
    for kind, worst in (("classes", 0.6), ("numbers", 1.2)):
        fold = next(models.folds(tiny("t", kind, False), 1, 60))
        losses = models.losses(fold, np.zeros(5, dtype=bool), 5, tuple(models.MODELS))
        assert len(set(losses.values())) == 1
        assert 0.3 < losses["forest"] < worst


def test_generated_tables_know_their_answer():
    for table in GENERATED:
        answer, X = table.draw(0)
        assert not answer.relevant & answer.noise
        assert answer.relevant | answer.noise <= set(range(X.shape[1]))
        assert answer.fresh[0].shape[1] == X.shape[1]


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="needs matplotlib")
def test_ranks_are_drawn(tmp_path):
    draw(["entropick", "one", "two"], np.array([1.2, 2.1, 2.7]), 0.8, tmp_path / "ranks.svg")
    assert (tmp_path / "ranks.svg").stat().st_size > 1000
