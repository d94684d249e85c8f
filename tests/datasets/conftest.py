"""Data sets without the network: each test has its own directory, cache and server."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from entropick.datasets import _download


class Handler(SimpleHTTPRequestHandler):
    """Logs nothing, and announces more bytes than it sends if its server says so."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        try:
            data = Path(self.translate_path(self.path)).read_bytes()
        except OSError:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(data) + self.server.missing))
        self.end_headers()
        self.wfile.write(data)
        return None


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """An empty cache, no ENTROPICK_DATA, and no server."""
    monkeypatch.delenv("ENTROPICK_DATA", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / "cache")
    monkeypatch.setattr(_download, "_UCI", "http://127.0.0.1:9")
    return tmp_path / "cache"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """A server of the files in `server.folder`; it announces `server.missing` bytes more than it sends."""
    folder = tmp_path / "uci"
    folder.mkdir()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as running:
        running.folder, running.missing = folder, 0
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setattr(_download, "_UCI", f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()
