"""What the Unix command compress has packed (``.Z``), the form in which UCI has Connect-4."""

from __future__ import annotations

_MAGIC = b"\x1f\x9d"
_CLEAR = 256  # the code that empties the table


def uncompress(packed: bytes) -> bytes:
    """The bytes that were packed (Welch, "A technique for high-performance data compression", Computer 17, 1984).

    Codes are of 9 bits at first and of one more each time the table is full. They come in groups of eight, and a group
    in which the width changes is left unread from there on.
    """
    if len(packed) < 3 or packed[:2] != _MAGIC:
        raise ValueError("it does not begin as files of compress do")
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
                raise ValueError("a code stands for nothing that came before it")
            word = table[code] if code < len(table) else previous + previous[:1]
            if previous and len(table) < 1 << max_width:
                table.append(previous + word[:1])
            out.append(word)
            previous = word
            if len(table) == 1 << width and width < max_width:
                width += 1
                break
    return b"".join(out)
