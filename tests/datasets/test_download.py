import gzip
import sys
from dataclasses import replace
from hashlib import sha256

import pytest
from excerpts import EXCERPTS, compressed, zipped

from entropick.datasets import DATASETS, DatasetError, _folder, fetch, find, load

CONNECT_4 = EXCERPTS["connect_4"]["connect-4.data"]


@pytest.fixture(autouse=True)
def checksums(monkeypatch):
    """Those of the excerpts."""
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


def test_progress_is_shown_on_a_terminal(server, monkeypatch, capsys):
    serve(server, "connect_4", zipped({"connect-4.data": CONNECT_4}))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    fetch("connect_4")
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\rConnect-4: 0.0 of 0.0 MB\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            zipped({"connect-4.data": CONNECT_4 + CONNECT_4}),
            "what came holds connect-4.data with the sha256 [0-9a-f]{64}, not ",
        ),
        (zipped({"connect-4.names": b""}), "what came holds no connect-4.data"),
        (
            zipped({"connect-4.data": CONNECT_4, "../../x": b""}),
            "what came holds '../../x', a name that points outside",
        ),
        (zipped({"connect-4.data": CONNECT_4})[:-9], "what came is not a whole .zip file"),
        (b"<html>Please log in</html>", "what came is not a whole .zip file"),
        (b"", "what came is empty"),
    ],
    ids=["other content", "no data", "outside", "cut off", "a page", "nothing"],
)
def test_what_is_not_the_set_is_not_kept(content, sentence, server, cache):
    serve(server, "connect_4", content)
    with pytest.raises(DatasetError, match=sentence) as caught:
        fetch("connect_4")
    assert f"put connect+4.zip from http://127.0.0.1:{server.server_port}/26/connect+4.zip into {cache}" in str(
        caught.value
    )
    assert "\n" not in str(caught.value)
    assert left_in(cache) == []


@pytest.mark.parametrize("parts", [True, False], ids=["from there", "from the start"])
def test_a_download_that_breaks_off_goes_on(parts, server, cache, monkeypatch):
    monkeypatch.setattr("entropick.datasets._download._CHUNK", 1)
    whole = zipped({"connect-4.data": CONNECT_4})
    serve(server, "connect_4", whole[:-20])
    server.promises = 1000
    with pytest.raises(DatasetError, match="could not be downloaded"):
        fetch("connect_4")
    assert find("connect_4") is None
    assert left_in(cache) == [".connect_4.part"]
    serve(server, "connect_4", whole)
    server.promises, server.sends_parts = 0, parts
    assert load("connect_4").frame.height == 2
    assert server.sent == ([len(whole) - 20, 20] if parts else [len(whole) - 20, len(whole)])
    assert left_in(cache) == ["connect+4.zip", "connect_4"]


def test_the_rest_of_another_version_is_not_glued_on(server, cache):
    whole = zipped({"connect-4.data": CONNECT_4})
    cache.mkdir(exist_ok=True)
    (cache / ".connect_4.part").write_bytes(b"x" * 30)
    serve(server, "connect_4", whole)
    server.sends_parts = True
    assert load("connect_4").frame.height == 2
    assert server.sent == [len(whole) - 30, len(whole)]


def test_ctrl_c_leaves_no_set(server, cache, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    serve(server, "connect_4", zipped({"connect-4.data": CONNECT_4}))
    monkeypatch.setattr("entropick.datasets._download._check", interrupt)
    with pytest.raises(KeyboardInterrupt):
        fetch("connect_4")
    assert left_in(cache) == []


def test_a_server_that_does_not_have_it_is_quoted(server):
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


def test_a_cache_that_cannot_be_written_is_explained(cache):
    cache.write_text("not a directory")
    with pytest.raises(DatasetError, match="could not be downloaded \\(File exists\\): put connect"):
        load("connect_4")


@pytest.mark.parametrize("name", ["connect-4.data", "connect-4.data.gz"])
def test_an_archive_that_unpacks_to_too_much_is_not_unpacked(name, server, cache, monkeypatch):
    monkeypatch.setattr(_folder, "_LARGEST", 1000)
    content = bytes(2000)
    data = gzip.compress(content, mtime=0) if name.endswith("gz") else content
    serve(server, "connect_4", zipped({name: data}))
    with pytest.raises(DatasetError, match=r"of 2000 bytes, more than a data set|unpacks to more than 1000 bytes"):
        fetch("connect_4")
    assert left_in(cache) == []
