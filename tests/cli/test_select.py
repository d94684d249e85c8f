"""`entropick select` as users run it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command import QUICK, entropick, entropick_process, patients, refused
from jsonschema import Draft202012Validator
from signals import running

from entropick.cli._arff import write_arff
from entropick.report import schema

FOUND = ["age", "smoker"]
SELECT = ("select", *QUICK)


def as_json(outcome: Any) -> dict[str, Any]:
    assert outcome.status == 0, outcome.err
    result: dict[str, Any] = json.loads(outcome.out)
    return result


def notes(result: dict[str, Any]) -> list[str]:
    return [note["text"] for note in result["notes"]]


def chosen(result: dict[str, Any]) -> list[str]:
    return sorted(feature["name"] for feature in result["features"])


def test_the_table_on_screen_says_what_was_found(table: Path, tmp_path: Path) -> None:
    outcome = entropick(*SELECT, table, "--target", "outcome", folder=tmp_path)
    assert outcome.status == 0
    assert outcome.err == ""  # no bar where there is no terminal
    for text in (
        "2 of 7 columns are worth keeping for 'outcome': 'age' and 'smoker'.",
        "age",
        "smoker",
        "lost without",
        "bits by 'reliable'.",
        "subsets",
        "every subset was scored",
    ):
        assert text in outcome.out
    assert "'patient' has a different value in each of its" in outcome.out
    assert "'hospital' has the same value in every row" in outcome.out
    assert os.listdir(tmp_path) == []


def test_json_on_standard_output_fits_the_schema_and_is_all_there_is(table: Path, tmp_path: Path) -> None:
    result = as_json(entropick(*SELECT, table, "-t", "outcome", "--json", "-", folder=tmp_path))
    Draft202012Validator(schema()).validate(result)
    assert chosen(result) == FOUND
    assert result["settings"]["random_state"] == result["seed"] == 0
    assert result["table"] == "patients.csv"
    assert isinstance(result["steps"], int)
    assert isinstance(result["stop"], dict)


def write(frame: pl.DataFrame, path: Path) -> None:
    """A table in the format of the suffix, written by others than us."""
    kind = path.name.removesuffix(".gz").rpartition(".")[2]
    buffer = io.BytesIO()
    if kind in ("csv", "tsv", "txt"):
        frame.write_csv(buffer, separator={"csv": ",", "tsv": "\t", "txt": "|"}[kind])
    elif kind == "parquet":
        frame.write_parquet(buffer)
    elif kind == "arff":
        write_arff(frame, buffer)
    elif kind == "arrows":
        frame.write_ipc_stream(buffer)
    else:
        frame.write_ipc(buffer)
    data = buffer.getvalue()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


@pytest.mark.parametrize(
    "name", ["t.csv.gz", "t.tsv", "t.txt", "t.parquet", "t.feather", "t.arrow", "t.arrows", "t.arff", "t.arff.gz"]
)
def test_every_format_gives_the_same_answer(name: str, table: Path, tmp_path: Path) -> None:
    write(patients(), tmp_path / name)
    result = as_json(entropick(*SELECT, name, "-t", "outcome", "--json", "-", folder=tmp_path))
    assert chosen(result) == FOUND
    assert (result["n_rows"], result["n_columns"]) == (400, 7)


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.parquet", "t.arrow", "t.arff"])
def test_standard_input_is_known_by_its_content(name: str, tmp_path: Path) -> None:
    write(patients(), tmp_path / name)
    data = (tmp_path / name).read_bytes()
    outcome = entropick(*SELECT, "-", "-t", "outcome", "--json", "-", folder=tmp_path, stdin=data)
    assert chosen(as_json(outcome)) == FOUND


def test_european_numbers_blank_lines_quotes_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    rows = [
        'a;b;"the; target"',
        *(f'{i % 4},5;x{i % 3};"{"ja" if i % 4 > 1 else "nein; nie"}"' for i in range(80)),
        "",
        "",
    ]
    (tmp_path / "t.csv").write_bytes("\ufeff".encode() + "\r\n".join(rows).encode())
    result = as_json(entropick(*SELECT, "t.csv", "-t", "the; target", "--json", "-", folder=tmp_path))
    assert chosen(result) == ["a"]
    assert result["n_rows"] == 80
    assert result["target_by_column"][0]["values"] == ["0.5", "1.5", "2.5", "3.5"]


def test_blanks_after_commas_are_not_part_of_values(tmp_path: Path) -> None:
    rows = ["a, b, y", *(f"{i % 2}, {i % 5 if i % 7 else '?'}, {'on' if i % 2 else 'off'}" for i in range(60))]
    (tmp_path / "t.data").write_text("\n".join(rows))
    result = as_json(entropick(*SELECT, "t.data", "-t", "y", "--json", "-", folder=tmp_path))
    assert chosen(result) == ["a"]
    assert result["target"]["labels"] == ["off", "on"]


def test_a_column_that_changes_its_type_late_is_read(tmp_path: Path) -> None:
    rows = ["a,y", *(f"{i % 3},{i % 2}" for i in range(20_000)), "word,1"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    assert as_json(entropick(*SELECT, "t.csv", "-t", "y", "--json", "-", folder=tmp_path))["n_rows"] == 20_001


def test_rows_without_a_target_are_dropped_and_reported(tmp_path: Path) -> None:
    rows = ["a,y", *(f"{i % 2},{i % 2}" for i in range(40)), "1,", "0,NA"]
    (tmp_path / "t.csv").write_text("\n".join(rows))
    result = as_json(entropick(*SELECT, "t.csv", "-t", "y", "--json", "-", folder=tmp_path))
    assert result["n_rows"] == 40
    assert "2 of 42 rows have no value for the target 'y' and were dropped." in notes(result)


@pytest.mark.parametrize("name", ["few.csv", "few.tsv", "few.csv.gz", "few.parquet", "few.feather", "few.arff"])
def test_the_selected_columns_come_out_with_the_target_last(name: str, table: Path, tmp_path: Path) -> None:
    outcome = entropick(*SELECT, table, "-t", "outcome", "--always", "zip", "--out", name, folder=tmp_path)
    assert outcome.status == 0, outcome.err
    assert f"Written: {name}" in outcome.out
    again = entropick(*SELECT, name, "-t", "outcome", "--json", "-", folder=tmp_path)
    assert chosen(as_json(again)) == FOUND
    if name.endswith("csv"):  # as it was written, leading zeros and all
        whole = table.read_text(encoding="utf-8").splitlines()
        places = [whole[0].split(",").index(column) for column in ("age", "smoker", "zip", "outcome")]
        lines = [line.replace('"St. Anna, West"', "").split(",") for line in whole]
        expected = [",".join(line[place] for place in places) for line in lines]
        assert (tmp_path / name).read_text(encoding="utf-8").splitlines() == expected
    assert sorted(os.listdir(tmp_path)) == [name]


def test_no_row_is_lost_on_the_way_out(tmp_path: Path) -> None:
    rows = ["a,b,y", *(f"{i % 2},{i % 5},{i % 2}" for i in range(40)), ",3,", "", ",,", ""]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    assert entropick(*SELECT, "t.csv", "-t", "y", "--out", "o.csv", folder=tmp_path).status == 0
    (tmp_path / "u.csv").write_text("\n".join(rows[:42]) + "\n")
    assert entropick(*SELECT, "u.csv", "-t", "y", "--out", "p.csv", folder=tmp_path).status == 0
    for out, lines in (("o.csv", 43), ("p.csv", 42)):  # a row of empty cells is a row, a blank line is none
        assert len((tmp_path / out).read_text().splitlines()) == lines


def test_an_output_may_have_a_long_name_or_be_a_pipe(table: Path, tmp_path: Path) -> None:
    name = "列" * 80 + ".html"
    assert entropick(*SELECT, table, "-t", "outcome", "--report", name, folder=tmp_path).status == 0
    assert os.listdir(tmp_path) == [name]
    piped = entropick_process(*SELECT, table, "-t", "outcome", "--report", "/dev/stdout", folder=tmp_path)
    assert piped.status == 0, piped.err
    assert "<!doctype html>" in piped.out


def test_a_pipe_is_read_like_standard_input(table: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with running(["sh", "-c", f"cat '{table}' > '{pipe}'"]):
        outcome = entropick_process(*SELECT, pipe, "-t", "outcome", "--json", "-", folder=tmp_path)
    assert chosen(as_json(outcome)) == FOUND


def test_line_ends_of_old_and_quotes_in_the_middle_are_read(tmp_path: Path) -> None:
    rows = ["a,size,y", *(f'{i % 2},{i % 3}" pipe,{i % 2}' for i in range(60))]
    for end in ("\r", "\n"):
        (tmp_path / "t.csv").write_bytes(end.join(rows).encode())
        result = as_json(entropick(*SELECT, "t.csv", "-t", "y", "--always", "size", "--json", "-", folder=tmp_path))
        values = {column["name"]: column["values"] for column in result["target_by_column"]}
        assert values["size"] == ['0" pipe', '1" pipe', '2" pipe']


def test_large_integers_are_told_apart(tmp_path: Path) -> None:
    for base in (18 * 10**18, 10**30):
        rows = ["h,z,y", *(f"{base + i % 2},{i % 3},{i % 2}" for i in range(60))]
        (tmp_path / "t.csv").write_text("\n".join(rows))
        assert chosen(as_json(entropick(*SELECT, "t.csv", "-t", "y", "--json", "-", folder=tmp_path))) == ["h"]


def test_a_nested_column_is_told_in_a_note_and_nothing_on_standard_error(tmp_path: Path) -> None:
    frame = pl.DataFrame({"list": [[i % 2, 1] for i in range(60)], "y": [i % 2 for i in range(60)]})
    frame.write_parquet(tmp_path / "t.parquet")
    outcome = entropick(*SELECT, "t.parquet", "-t", "y", folder=tmp_path)
    assert outcome.status == 0
    assert outcome.err == ""
    assert "holds nested values" in outcome.out
    refused(entropick(*SELECT, "t.parquet", "-t", "y", "--out", "o.csv", folder=tmp_path))


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_streams_are_no_fault(closed: str, table: Path, tmp_path: Path) -> None:
    command = f"'{sys.executable}' -m entropick {' '.join(SELECT)} '{table}' -t outcome --json r.json {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert chosen(json.loads((tmp_path / "r.json").read_text())) == FOUND


def test_nothing_selected_has_the_right_reason(table: Path, tmp_path: Path) -> None:
    dear = as_json(entropick(*SELECT, table, "-t", "outcome", "--parsimony", "9", "--json", "-", folder=tmp_path))
    assert any("worth the parsimony penalty" in sentence for sentence in notes(dear))


def test_out_of_time_the_best_column_known_is_the_answer_and_a_note_says_so(tmp_path: Path) -> None:
    patients().select("hospital", "age", "smoker", "outcome").write_csv(tmp_path / "t.csv")
    options = ("--time-limit", "1e-9", "--json", "-")
    result = as_json(entropick(*SELECT, "t.csv", "-t", "outcome", *options, folder=tmp_path))
    assert chosen(result) == ["age"]  # the first that is not constant
    assert any("before 1 of 3 columns were read, 'smoker'" in sentence for sentence in notes(result))
    assert any("was stopped by the time limit" in sentence for sentence in notes(result))


# Options, what they are called among the settings of the result, and what else is seen of them there.
OPTIONS: dict[str, tuple[list[str], dict[str, Any], dict[str, Any]]] = {
    "method": (["--method", "mrmr", "-k", "3"], {"n_features_to_select": 3}, {"method": "mrmr", "n_features": 3}),
    "another search": (["-m", "forward"], {}, {"method": "forward"}),
    "criterion": (["--criterion", "plugin"], {"criterion": "plugin"}, {"criterion": "plugin"}),
    "n-features": (["-k", "1"], {"n_features_to_select": 1}, {"n_features": 1}),
    "max-features": (["--max-features", "1"], {"max_features": 1}, {"n_features": 1}),
    "columns": (["--columns", "age,bmi", "--columns", "city"], {}, {"n_columns": 3}),
    "drop": (["--drop", "patient", "--drop", "age,zip"], {}, {"n_columns": 4}),
    "always": (["--always", "city"], {"always": ["city"]}, {"chosen": ["age", "city", "smoker"]}),
    "bins": (["--bins", "3"], {"n_bins": 3}, {}),
    "binning": (["--binning", "uniform"], {"binning": "uniform"}, {}),
    "parsimony": (["--parsimony", "0.9"], {"parsimony": 0.9}, {"n_features": 0}),
    "effort": (["--effort", "high"], {"effort": "high"}, {}),
    "keep": (["--keep", "0.9"], {"keep": 0.9}, {}),
    "keep in words": (["--keep", "one_se"], {"keep": "one_se"}, {}),
    "decoys": (["--decoys", "2"], {"decoys": 2}, {}),
    "null": (["--null"], {"null": True}, {}),
    "halves": (["--halves"], {"halves": True}, {}),
    "target-kind": (["--target-kind", "classes"], {"target": "classes"}, {}),
    "seed": (["--seed", "7"], {"random_state": 7}, {"seed": 7}),
    "jobs": (["--jobs", "1"], {"n_jobs": 1}, {}),
}


@pytest.fixture(scope="session")
def untold(table: Path) -> dict[str, Any]:
    """The answer without any option."""
    return as_json(entropick(*SELECT, table, "-t", "outcome", "--json", "-", folder=table.parent))


@pytest.mark.parametrize("case", OPTIONS)
def test_options_do_what_they_say(case: str, table: Path, untold: dict[str, Any]) -> None:
    options, settings, seen = OPTIONS[case]
    command = ["select"] if case == "method" else SELECT
    result = as_json(entropick(*command, table, "-t", "outcome", *options, "--json", "-", folder=table.parent))
    for one, expected in ((result, True), (untold, False)):  # what an option does is not what happens without it
        told = {**{name: one["settings"][name] for name in settings}, **{name: one.get(name) for name in seen}}
        told |= {"chosen": chosen(one)} if "chosen" in seen else {}
        assert (told == {**settings, **seen}) is expected, told
    if case in ("columns", "drop"):
        assert (
            set(chosen(result)) <= {"age", "bmi", "city"}
            if case == "columns"
            else {"bmi", "smoker", "city", "hospital"}
        )
    if case != "method":  # a ranking has other settings
        others = {name: value for name, value in untold["settings"].items() if name not in settings}
        shared = {name for name in others if name in result["settings"]}
        assert {name: result["settings"][name] for name in shared} == {name: others[name] for name in shared}


def test_a_time_limit_leaves_time_for_what_follows_the_search(table: Path) -> None:
    result = as_json(
        entropick(*SELECT, table, "-t", "outcome", "--time-limit", "60", "--json", "-", folder=table.parent)
    )
    assert 6 <= result["settings"]["max_seconds"] <= 36


def test_bins_and_their_kind_reach_the_columns(table: Path) -> None:
    def levels(*options: str) -> list[str]:
        arguments = (*SELECT, table, "-t", "outcome", "--columns", "bmi", "-k", "1", *options, "--json", "-")
        (column,) = as_json(entropick(*arguments, folder=table.parent))["target_by_column"]
        return list(column["values"])

    usual = levels()
    assert len(levels("--bins", "3")) == len(usual) - 2
    assert len(levels("--binning", "uniform")) == len(usual)
    assert levels("--binning", "uniform") != usual


def test_a_target_of_numbers_is_classes_if_one_says_so(table: Path) -> None:
    kinds = {
        kind: as_json(
            entropick(*SELECT, table, "-t", "age", "--target-kind", kind, "--json", "-", folder=table.parent)
        )["target"]
        for kind in ("auto", "numeric", "classes")
    }
    assert kinds["auto"] == kinds["numeric"]
    assert kinds["numeric"]["n_classes"] == 5
    assert kinds["classes"]["n_classes"] > 50


def test_hostile_names_are_text_everywhere(tmp_path: Path) -> None:
    names = ["<script>alert(1)</script>", "[red]x[/red]", 'quo"te', "🌡️", "n" * 300, "esc\x1b[31m"]
    frame = pl.DataFrame({name: [(i >> j) % 2 for i in range(128)] for j, name in enumerate(names)})
    frame = frame.with_columns(pl.Series("y", [bin(i % 64).count("1") % 2 for i in range(128)]))
    frame.write_csv(tmp_path / "t.csv")
    outcome = entropick(*SELECT, "t.csv", "-t", "y", "-k", "6", "--report", "r.html", "--out", "o.csv", folder=tmp_path)
    assert outcome.status == 0, outcome.err
    assert "<script>alert(1)</script>" in outcome.out
    assert "[red]x[/red]" in outcome.out
    assert "\x1b" not in outcome.out
    assert "n" * 39 + "…" in outcome.out
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    with (tmp_path / "o.csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file)) == [*names, "y"]


def test_the_page_can_be_made_later_from_the_json_alone(table: Path, tmp_path: Path) -> None:
    outcome = entropick(*SELECT, table, "-t", "outcome", "--json", "r.json", "--report", "now.html", folder=tmp_path)
    assert outcome.status == 0
    later = entropick("report", "r.json", folder=tmp_path)
    assert later.status == 0
    assert later.out == "Written: r.html\n"
    assert (tmp_path / "r.html").read_bytes() == (tmp_path / "now.html").read_bytes()
    piped = entropick("report", "-", "--out", "p.html", folder=tmp_path, stdin=(tmp_path / "r.json").read_bytes())
    assert piped.status == 0
    assert (tmp_path / "p.html").read_bytes() == (tmp_path / "now.html").read_bytes()


def test_the_same_seed_gives_the_same_json(table: Path, tmp_path: Path) -> None:
    first, second = (
        as_json(entropick(*SELECT, table, "-t", "outcome", "--json", "-", "--jobs", jobs, folder=tmp_path))
        for jobs in ("1", "2")
    )
    for result in (first, second):
        result.pop("seconds")
        result["trace"].pop("seconds")
        result["settings"].pop("n_jobs")
    assert first == second


def test_a_header_longer_than_the_first_look_is_read_whole(tmp_path: Path) -> None:
    names = [f"a rather long name of a column {j}" for j in range(4000)]
    lines = [",".join([*names, "y"]), *(",".join(str((i * j + i) % 3) for j in range(4001)) for i in range(30))]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    outcome = entropick("select", "t.csv", "-t", "y", "-m", "mim", "-k", "2", "--json", "-", folder=tmp_path)
    assert as_json(outcome)["n_columns"] == 4000


def test_an_interrupted_run_goes_on_to_the_same_answer(table: Path, tmp_path: Path) -> None:
    whole = as_json(entropick(*SELECT, table, "-t", "outcome", "--json", "-", folder=tmp_path))
    options = ("--checkpoint", "c.npz", "--json", "-")
    entropick(*SELECT, table, "-t", "outcome", "--time-limit", "0.0001", *options, folder=tmp_path)
    assert (tmp_path / "c.npz").exists()
    resumed = as_json(entropick(*SELECT, table, "-t", "outcome", *options, folder=tmp_path))
    assert resumed["features"] == whole["features"]
    assert resumed["evaluations"] == whole["evaluations"]
    other = entropick(*SELECT, table, "-t", "outcome", "--seed", "5", *options, folder=tmp_path)
    assert "this run's seed" in refused(other)


@pytest.mark.parametrize("options", [(), ("--json", "-")])
def test_a_closed_pipe_is_no_reason_to_complain(options: tuple[str, ...], table: Path, tmp_path: Path) -> None:
    read, write_end = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "entropick", *SELECT, str(table), "-t", "outcome", *options]
    done = subprocess.run(command, stdout=write_end, stderr=subprocess.PIPE, cwd=tmp_path, timeout=60, check=False)
    os.close(write_end)
    assert done.returncode == 1
    assert done.stderr == b""
