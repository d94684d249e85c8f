import gzip
import subprocess
import sys

import polars as pl
import pytest
from excerpts import EXCERPTS, compressed, write, zipped

from entropick import CrossEntropySelector
from entropick.datasets import DATASETS, DatasetError, fetch, find, load


@pytest.fixture
def given(tmp_path, monkeypatch):
    """The directory that ENTROPICK_DATA names."""
    (tmp_path / "given").mkdir()
    monkeypatch.setenv("ENTROPICK_DATA", str(tmp_path / "given"))
    return tmp_path / "given"


def loaded(name, root):
    if name in EXCERPTS:
        write(name, root)
    return load(name)


@pytest.mark.parametrize("name", DATASETS)
def test_a_set_has_its_target_last_and_names_its_source(name, given):
    data = loaded(name, given)
    assert data.name == name == DATASETS[name].name
    assert data.frame.columns[-1] == data.target == data.y.name
    assert data.X.columns == data.frame.columns[:-1]
    assert data.y.null_count() == 0
    assert data.test is None or data.test.schema == data.frame.schema
    assert "The paper" in data.description
    assert "CC BY" in data.licence
    assert "https://doi.org/10.24432/" in data.citation


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_a_set_is_found_where_it_is(name, given, cache):
    assert find(name) is None
    in_cache = write(name, cache)
    assert find(name) == in_cache
    in_given = write(name, given)
    assert find(name) == fetch(name) == in_given


def test_an_advertisement_has_names_numbers_and_nulls(given):
    frame = loaded("advertisements", given).frame
    assert frame.columns == ["height", "width", "aratio", "local", "url*café+x", "class"]
    assert frame.dtypes == [pl.Float64] * 3 + [pl.Int8] * 2 + [pl.String]
    assert frame.rows() == [
        (125.0, 125.0, 1.0, 1, 0, "ad"),
        (None, None, None, None, 1, "nonad"),
        (60.0, 468.0, 7.8, 0, 0, "nonad"),
    ]


def test_blogs_have_test_rows_in_the_order_of_the_days(given):
    data = loaded("blog_feedback", given)
    assert data.frame.shape == (3, 281)
    assert data.y.to_list() == [0, 7, 2]
    assert data.test["comments"].to_list() == [3, 4, 5]


def test_fires_have_words_and_numbers(given):
    frame = loaded("forest_fires", given).frame
    assert frame.row(1) == (7, 4, "oct", "tue", 90.6, 35.4, 669.1, 6.7, 18.0, 33.0, 0.9, 0.0, 1.5)


def test_gestures_may_have_windows_line_ends(given):
    assert loaded("gesture_phase", given).y.to_list() == ["D"]


def test_a_set_goes_straight_into_a_selector():
    cancer = load("breast_cancer")
    kept = CrossEntropySelector(max_evaluations=2000, random_state=0).set_output(transform="polars")
    assert set(kept.fit_transform(cancer.X, cancer.y).columns) < set(cancer.X.columns)


PACKED = {
    "plain": lambda content: {"connect-4.data": content},
    "gzip": lambda content: {"connect-4.data.gz": gzip.compress(content, mtime=0)},
    "compress": lambda content: {"connect-4.data.Z": compressed(content)},
    "archive": lambda content: {"connect+4.zip": zipped({"connect-4.data": content, "connect-4.names": b""})},
    "compress in a folder of an archive": lambda content: {
        "any.zip": zipped({"c4/connect-4.data.Z": compressed(content)})
    },
    "archive with a path that leads out of it": lambda content: {"any.zip": zipped({"../connect-4.data": content})},
    "plain beside a damaged copy": lambda content: {"connect-4.data": content, "connect-4.data.gz": b"no"},
}


@pytest.mark.parametrize("pack", PACKED.values(), ids=PACKED)
def test_files_may_be_packed(pack, given):
    (given / "connect_4").mkdir()
    packed = pack(EXCERPTS["connect_4"]["connect-4.data"])
    for file, content in packed.items():
        (given / "connect_4" / file).write_bytes(content)
    assert load("connect_4").y.to_list() == ["win", "draw"]
    assert sorted(path.name for path in given.rglob("*")) == sorted(["connect_4", *packed])  # nothing is written


_C4 = EXCERPTS["connect_4"]["connect-4.data"]

UNREADABLE = {
    "no gzip": ("connect-4.data.gz", b"no", "is not a complete .gz file .*: replace it with another copy, or"),
    "half a gzip": ("connect-4.data.gz", gzip.compress(b"b" * 99, mtime=0)[:-9], "is not a complete .gz file"),
    "no compress": ("connect-4.data.Z", b"no", "is not a complete .Z file"),
    "no archive": ("connect+4.zip", b"no", "is not a complete .zip file"),
    "empty": ("connect-4.data", b"", "connect-4.data in .* must be the files of Connect-4 at UCI; got something else"),
    "too narrow": ("connect-4.data", b"b,x,win\n", "must have 43 fields, a1, a2.*; got 3"),
    "a short row": ("connect-4.data", _C4 + b"b,x\n", "a row without one"),
    "a long row": ("connect-4.data", _C4 + b"b," * 43 + b"win\n", "got something else"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE)
def test_files_that_cannot_be_read_are_named(case, given):
    file, content, sentence = UNREADABLE[case]
    (given / "connect_4").mkdir()
    (given / "connect_4" / file).write_bytes(content)
    with pytest.raises(DatasetError, match=sentence) as caught:
        load("connect_4")
    assert "\n" not in str(caught.value)


def test_a_header_with_other_names_is_refused(given):
    (write("forest_fires", given) / "forestfires.csv").write_bytes(b"X,Y,month,day,a,b,c,d,e,f,g,h,i\n")
    with pytest.raises(DatasetError, match="must have 13 fields, X, Y, month"):
        load("forest_fires")


def test_a_missing_directory_is_named(monkeypatch):
    monkeypatch.setenv("ENTROPICK_DATA", "/not/here")
    with pytest.raises(
        DatasetError, match="ENTROPICK_DATA must name a directory; got '/not/here': correct it, or unset it"
    ):
        find("connect_4")


@pytest.mark.parametrize("function", [find, fetch, load])
def test_an_unknown_name_is_answered_with_the_nearest(function):
    with pytest.raises(ValueError, match="unknown data set 'conect_4'. Known: .* Did you mean 'connect_4'?"):
        function("conect_4")


def test_polars_and_pooch_are_imported_only_when_a_set_is_loaded():
    code = (
        "import sys, entropick; entropick.datasets.DATASETS; print({'polars', 'pooch', 'sklearn'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"
