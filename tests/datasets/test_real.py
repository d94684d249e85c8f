"""The data sets of UCI, if ENTROPICK_DATA names a directory that has them."""

import os

import polars.testing
import pytest
from excerpts import EXCERPTS, zipped

from entropick.datasets import DATASETS, find, load
from entropick.datasets._folder import Folder

DATA = os.environ.get("ENTROPICK_DATA")
CLASSES = {
    "advertisements": {"ad": 459, "nonad": 2820},
    "breast_cancer": {"malignant": 212, "benign": 357},
    "connect_4": {"win": 44473, "loss": 16635, "draw": 6449},
    "gesture_phase": {"D": 358, "P": 338, "S": 389, "H": 144, "R": 215},
}
MISSING = {"advertisements": {"height": 903, "width": 901, "aratio": 910, "local": 15}}


@pytest.fixture
def available(monkeypatch):
    def need(name):
        if name == "breast_cancer":
            return
        if not DATA:
            pytest.skip("ENTROPICK_DATA is not set: no UCI data sets")
        monkeypatch.setenv("ENTROPICK_DATA", DATA)

    return need


@pytest.mark.parametrize("name", DATASETS)
def test_a_set_has_the_known_shape_and_missing_values(name, available):
    available(name)
    data = load(name)
    assert data.X.shape == (DATASETS[name].n_rows, DATASETS[name].n_features)
    missing = {column.name: column.null_count() for column in data.frame if column.null_count()}
    assert missing == MISSING.get(name, {})


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_known_sizes(name, available):
    available(name)
    assert dict(load(name).y.value_counts().rows()) == CLASSES[name]


def test_advertisements_have_920_rows_with_missing_values(available):
    available("advertisements")
    assert load("advertisements").frame.drop_nulls().height == 3279 - 920


def test_blogs_have_the_known_numbers(available):
    available("blog_feedback")
    data = load("blog_feedback")
    assert (data.y.max(), (data.y == 0).sum(), round(data.y.mean(), 3)) == (1424, 33559, 6.765)
    assert data.test.shape == (7624, 281)
    assert (data.test["comments"] == 0).sum() == 5351
    assert [c.name for c in data.X if c.n_unique() == 1] == ["13", "33", "38", "278"]


def test_fires_have_the_known_numbers(available):
    available("forest_fires")
    data = load("forest_fires")
    assert (data.y.max(), (data.y == 0).sum(), round(data.y.mean(), 3)) == (1090.84, 247, 12.847)
    assert (data.X["month"].n_unique(), data.X["day"].n_unique()) == (12, 7)
    assert data.frame.is_duplicated().any()


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_the_true_files_pass_their_checksums_on_download(name, available, server, monkeypatch):
    available(name)
    expected, files = load(name).frame, Folder(find(name))
    archive = server.folder / DATASETS[name].archive
    archive.parent.mkdir()
    archive.write_bytes(zipped({n: files.read(n) for pattern in DATASETS[name].files for n in files.names(pattern)}))
    monkeypatch.delenv("ENTROPICK_DATA")
    assert find(name) is None
    polars.testing.assert_frame_equal(load(name).frame, expected)
