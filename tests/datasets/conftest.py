"""Data sets without the network: a directory, a cache and a server of the test's own."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from entropick.datasets import _download, _load


class Handler(SimpleHTTPRequestHandler):
    """Says nothing, notes what it sends, sends parts if its server says so, and promises more bytes if that does."""

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        rest = self.answer()
        if rest is not None:
            self.server.sent.append(len(rest))
            self.wfile.write(rest)

    def answer(self):
        try:
            data = Path(self.translate_path(self.path)).read_bytes()
        except OSError:
            return self.send_error(404)
        asked = self.headers.get("Range") if self.server.sends_parts else None
        rest = data[int(asked.removeprefix("bytes=").removesuffix("-")) :] if asked else data
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(len(rest) + self.server.promises))
        if self.server.sends_parts:
            self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        return rest


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
        running.folder, running.promises, running.sends_parts, running.sent = folder, 0, False, []
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        monkeypatch.setattr(_download, "_UCI", f"http://127.0.0.1:{running.server_port}")
        yield running
        running.shutdown()
        thread.join()
