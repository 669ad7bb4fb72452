"""Finds the cells and the frames in the output of a player."""
import re

from lib.screen import Screen

BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
UPWARD = re.compile(rb"\x1b\[(\d*)A|\x1b\[(\d*)(?:;\d*)?[Hf]")
# What would remove cells: the alternate screen, and the sequences that erase.
ERASING = re.compile(rb"\x1b\[\?1049[hl]|\x1b\[\d*[JK]")


def box(output, limit=1_500_000):
    """(columns, rows) of the smallest rectangle that contains every written cell, including blanks."""
    # Do not cut the output in the middle of a sequence, because the start of the sequence would look like text.
    end = len(output) if len(output) <= limit else output.rfind(b"\x1b", 0, limit)
    screen = Screen(stores_cells=True)
    # Players expect that a line feed also moves to the first column, although the terminal is in raw mode.
    screen.feed(ERASING.sub(b"", output[:end]).replace(b"\n", b"\r\n"))
    if not screen.cells:
        return None
    columns, rows = zip(*screen.cells, strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def count(output):
    """The number of frames drawn.

    If a player marks its frames as synchronized updates, this counts the marks. Otherwise it counts the returns of the
    cursor to the top row of the picture. With relative moves, there is one return less than there are frames. With
    absolute positions, the first position also counts, so the numbers are equal."""
    coloured = re.search(rb"[34]8;2;", output)
    if not coloured:
        return 0
    if BEGIN in output:
        # Frames drawn before the terminal's reply have no marks. At the GIF's own speed, that is at most one frame.
        return output.count(BEGIN) + (1 if coloured.start() < output.index(BEGIN) else 0)
    count, row = 0, None
    for match in UPWARD.finditer(output):
        if match[1] is not None:
            count += 1 if match.start() > coloured.start() else 0
        else:
            now = int(match[2] or 0)
            count += 1 if row is None or now < row else 0
            row = now
    # Do not count the last absolute position, which only moves the cursor away at the end.
    return count + 1 if row is None else count - 1


def updates(output):
    """The bytes of each synchronized update."""
    return re.findall(re.escape(BEGIN) + rb"(.*?)" + re.escape(END), output, re.DOTALL)
