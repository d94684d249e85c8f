"""Data sets without the network: a directory, a cache and a server of the test's own."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from entropick.datasets import _download, _load


class Handler(SimpleHTTPRequestHandler):
    """Says nothing, and promises as many more bytes than there are as its server says."""

    def log_message(self, *_):
        pass

    def send_header(self, name, value):
        if name == "Content-Length" and self.server.promises:
            value = str(int(value) + self.server.promises)
        super().send_header(name, value)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, no directory of the user's, and nobody who answers."""
    monkeypatch.delenv("ENTROPICK_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(_load, "_cache", lambda: tmp_path / "cache")
    monkeypatch.setattr(_download, "_UCI", "http://127.0.0.1:9")
    return tmp_path / "cache"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server of the files in `server.folder`; it promises `server.promises` bytes more than there are."""
    folder = tmp_path / "uci"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as running:
        running.folder, running.promises = folder, 0
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setattr(_download, "_UCI", f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()
