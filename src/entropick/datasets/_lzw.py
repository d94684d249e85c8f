"""Files packed by the Unix command compress (``.Z``), as Connect-4 is at UCI."""

from __future__ import annotations

_MAGIC = b"\x1f\x9d"
_CLEAR = 256  # the code that resets the table


def uncompress(packed: bytes) -> bytes:
    """Unpack bytes (Welch, "A technique for high-performance data compression", Computer 17, 1984).

    Codes have 9 bits at first, and one more each time the table is full. They come in groups of eight; when the width
    changes within a group, the rest of the group is padding.
    """
    if len(packed) < 3 or packed[:2] != _MAGIC:
        raise ValueError("it does not start like a file made by compress")
    max_width, can_clear = packed[2] & 31, bool(packed[2] & 128)
    table = [bytes([byte]) for byte in range(256)] + [b""] * can_clear
    n_fixed = len(table)
    out: list[bytes] = []
    previous, width, start = b"", 9, 3
    while start < len(packed):
        group = packed[start : start + width]
        bits, start = int.from_bytes(group, "little"), start + width
        for code in [bits >> shift & (1 << width) - 1 for shift in range(0, len(group) * 8 - width + 1, width)]:
            if can_clear and code == _CLEAR:
                del table[n_fixed:]
                previous, width = b"", 9
                break
            if code > len(table) or (code == len(table) and not previous):
                raise ValueError("a code refers to nothing before it")
            word = table[code] if code < len(table) else previous + previous[:1]
            if previous and len(table) < 1 << max_width:
                table.append(previous + word[:1])
            out.append(word)
            previous = word
            if len(table) == 1 << width and width < max_width:
                width += 1
                break
    return b"".join(out)
