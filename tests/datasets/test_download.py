import errno
import gzip
import os
import sys
from dataclasses import replace
from hashlib import sha256

import pytest
from excerpts import EXCERPTS, compressed, write, zipped

from entropick.datasets import DATASETS, DatasetError, _folder, fetch, find, load

CONNECT_4 = EXCERPTS["connect_4"]["connect-4.data"]


@pytest.fixture(autouse=True)
def checksums(monkeypatch):
    """The checksums of the excerpts."""
    for name, files in EXCERPTS.items():
        spec = DATASETS[name]
        wanted = {
            pattern: known
            and sha256(b"".join(files[f] for f in sorted(files) if f.startswith(pattern.partition("*")[0]))).hexdigest()
            for pattern, known in spec.files.items()
        }
        monkeypatch.setitem(DATASETS, name, replace(spec, files=wanted))


def serve(server, name, content):
    path = server.folder / DATASETS[name].archive
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


def left_in(folder):
    return sorted(path.name for path in folder.rglob("*"))


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_a_set_is_downloaded_once(name, server, cache, capfd):
    archive = serve(server, name, zipped(EXCERPTS[name]))
    assert find(name) is None
    assert fetch(name) == cache / name == find(name)
    archive.unlink()
    assert load(name).frame.height >= 1
    assert left_in(cache) == sorted([name, archive.name])
    assert capfd.readouterr() == ("", "")


def test_connect_4_comes_as_uci_has_it(server):
    serve(server, "connect_4", zipped({"connect-4.data.Z": compressed(CONNECT_4), "connect-4.names": b""}))
    assert load("connect_4").y.to_list() == ["win", "draw"]


def test_a_terminal_is_told_of_a_download(server, monkeypatch, capsys):
    serve(server, "connect_4", zipped({"connect-4.data": CONNECT_4}))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    fetch("connect_4")
    url = f"http://127.0.0.1:{server.server_port}/26/connect+4.zip"
    assert capsys.readouterr() == ("", f"Downloading Connect-4 from {url}\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            zipped({"connect-4.data": CONNECT_4 + CONNECT_4}),
            "the download has connect-4.data with sha256 [0-9a-f]{64} instead of ",
        ),
        (zipped({"connect-4.names": b""}), "the download has no connect-4.data"),
        (zipped({"connect-4.data": CONNECT_4})[:-9], "the download is not a complete .zip file"),
        (b"<html>Please log in</html>", "the download is not a complete .zip file"),
        (b"", "the download is not a complete .zip file"),
    ],
    ids=["other content", "no data", "cut off", "a page", "nothing"],
)
def test_a_wrong_download_is_not_kept(content, sentence, server, cache):
    serve(server, "connect_4", content)
    with pytest.raises(DatasetError, match=sentence) as caught:
        fetch("connect_4")
    assert f"put connect+4.zip from http://127.0.0.1:{server.server_port}/26/connect+4.zip into {cache}" in str(
        caught.value
    )
    assert "\n" not in str(caught.value)
    assert left_in(cache) == []


def test_a_download_that_breaks_off_leaves_nothing(server, cache):
    whole = zipped({"connect-4.data": CONNECT_4})
    serve(server, "connect_4", whole[:-20])
    server.missing = 20
    with pytest.raises(DatasetError, match="could not be downloaded"):
        fetch("connect_4")
    assert left_in(cache) == []
    serve(server, "connect_4", whole)
    server.missing = 0
    assert load("connect_4").frame.height == 2
    assert left_in(cache) == ["connect+4.zip", "connect_4"]


def test_ctrl_c_leaves_nothing(server, cache, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    serve(server, "connect_4", zipped({"connect-4.data": CONNECT_4}))
    monkeypatch.setattr("entropick.datasets._download._check", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch("connect_4")
    assert left_in(cache) == []


def test_the_answer_of_a_server_without_the_file_is_quoted(server):
    with pytest.raises(DatasetError, match="could not be downloaded \\(the server answered 404\\)"):
        load("forest_fires")


@pytest.mark.parametrize("name", sorted(EXCERPTS))
def test_offline_one_sentence_says_which_file_to_put_where(name, cache):
    spec = DATASETS[name]
    with pytest.raises(DatasetError) as caught:
        load(name)
    assert str(caught.value) == (
        f"{spec.title} is not on this machine and could not be downloaded (ConnectionError): put {spec.archive_name} "
        f"from http://127.0.0.1:9/{spec.archive} into {cache / name}, or into the folder {name} of the directory that "
        "ENTROPICK_DATA names."
    )
    (cache / name).mkdir()
    (cache / name / spec.archive_name).write_bytes(zipped(EXCERPTS[name]))
    assert load(name).name == name


def test_a_cache_that_is_no_directory_is_explained(cache):
    cache.write_text("not a directory")
    with pytest.raises(DatasetError, match="could not be downloaded \\(File exists\\): put connect"):
        load("connect_4")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES], ids=["full disk", "no permission"])
def test_a_file_that_cannot_be_written_is_explained(code, cache, monkeypatch):
    def fail(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("pooch.HTTPDownloader.__call__", fail)
    with pytest.raises(DatasetError, match=f"could not be downloaded \\({os.strerror(code)}\\): put connect"):
        fetch("connect_4")
    assert left_in(cache) == []


def test_without_pooch_sets_are_found_and_a_download_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    monkeypatch.setenv("ENTROPICK_DATA", str(tmp_path))
    write("forest_fires", tmp_path)
    assert load("forest_fires").frame.height == 2
    assert find("connect_4") is None
    with pytest.raises(ImportError, match=r"downloading a data set needs pooch: pip install 'entropick\[data\]'."):
        load("connect_4")


def test_without_polars_a_set_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"reading a data set needs polars: pip install 'entropick\[data\]'."):
        load("connect_4")


@pytest.mark.parametrize("name", ["connect-4.data", "connect-4.data.gz"])
def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(name, server, cache, monkeypatch):
    monkeypatch.setattr(_folder, "_LARGEST", 1000)
    content = bytes(2000)
    data = gzip.compress(content, mtime=0) if name.endswith("gz") else content
    serve(server, "connect_4", zipped({name: data}))
    with pytest.raises(DatasetError, match="unpacks to more than 1000 bytes"):
        fetch("connect_4")
    assert left_in(cache) == []
