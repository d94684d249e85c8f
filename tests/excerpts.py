"""The first rows of the UCI data sets, made up, in the files of the source."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

_LINE = ",".join


def _blog(comments: int) -> bytes:
    return (_LINE(["0.5"] * 280 + [f"{comments}.0"]) + "\n").encode()


EXCERPTS: dict[str, dict[str, bytes]] = {
    "advertisements": {
        "ad.data": b" 125, 125,   1.0,1,0,ad.\n   ?,   ?,   ?,?,1,nonad.\n  60,468,7.8,0,0,nonad.\n",
        "ad.names": b"| made\nad, nonad | classes.\n\nheight: continuous.\nwidth: continuous.\naratio: continuous.\n"
        b"local: 0,1.\n| 1 feature from url terms\nurl*caf\xe9+x: 0,1.\n",
    },
    "blog_feedback": {
        "blogData_train.csv": _blog(0) + _blog(7) + _blog(2),
        "blogData_test-2012.02.02.00_00.csv": _blog(5),
        "blogData_test-2012.02.01.00_00.csv": _blog(3) + _blog(4),
    },
    "connect_4": {
        "connect-4.data": "".join(_LINE(["b", "x", "o"] * 14 + [y]) + "\n" for y in ("win", "draw")).encode()
    },
    "forest_fires": {
        "forestfires.csv": b"X,Y,month,day,FFMC,DMC,DC,ISI,temp,RH,wind,rain,area\n"
        b"7,5,mar,fri,86.2,26.2,94.3,5.1,8.2,51,6.7,0,0\n7,4,oct,tue,90.6,35.4,669.1,6.7,18,33,0.9,0,1.5\n"
    },
    "gesture_phase": {
        "c3_va3.csv": "\r\n".join(
            [_LINE([*map(str, range(1, 33)), "Phase"]), _LINE(["-0.00005487"] * 32 + ["D"]), ""]
        ).encode(),
    },
}


def write(name: str, root: Path) -> Path:
    """Put the files of a data set into its folder of a directory."""
    folder = root / name
    folder.mkdir(parents=True)
    for file, content in EXCERPTS[name].items():
        (folder / file).write_bytes(content)
    return folder


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip archive of these files, the same bytes whatever the time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            archive.writestr(zipfile.ZipInfo(file), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def compressed(content: bytes, clear_after: int = 0) -> bytes:
    """What the Unix command compress makes of it, with the table emptied after so many codes."""
    fresh = {bytes([byte]): byte for byte in range(256)}
    table, word, n_codes = dict(fresh), content[:1], 0
    sections: list[tuple[int, list[int]]] = [(9, [])]  # codes of one width each
    for end in range(1, len(content) + 1):
        byte = content[end : end + 1]
        if byte and word + byte in table:
            word += byte
            continue
        width, codes = sections[-1]
        codes.append(table[word])
        n_codes += 1
        if 256 + n_codes == 1 << width and width < 16:
            sections.append((width + 1, []))
        if n_codes == clear_after:
            sections[-1][1].append(256)
            sections.append((9, []))
            table, n_codes = dict(fresh), 0
        elif 256 + n_codes < 1 << 16:
            table[word + byte] = 256 + n_codes
        word = byte
    packed = [
        sum(code << i * width for i, code in enumerate(codes)).to_bytes(-(-len(codes) // 8) * width, "little")
        for width, codes in sections
    ]
    width, codes = sections[-1]
    packed[-1] = packed[-1][: -(-len(codes) * width // 8)]
    return b"\x1f\x9d\x90" + b"".join(packed)
