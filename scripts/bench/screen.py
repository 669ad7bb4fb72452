"""Interprets a player's output: which cells it writes and how many frames it shows."""
import re

TOKEN = re.compile(rb"\x1b\[([?>]?[0-9;]*)[ $]?([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
                   rb"|([\xc0-\xff][\x80-\xbf]+|[ -~])|(\r)|(\n)|(\x08)")
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
UPWARD = re.compile(rb"\x1b\[(\d*)A|\x1b\[(\d*)(?:;\d*)?[Hf]")


def box(output, limit=1_500_000):
    """(columns, rows) of the smallest rectangle that contains every written cell, including blanks.

    A line feed also moves to the first column: players expect that, although the pseudo terminal is in raw mode."""
    x, y, touched = 0, 0, set()
    # Do not cut the output in the middle of a sequence, because the start of the sequence would look like text.
    end = len(output) if len(output) <= limit else output.rfind(b"\x1b", 0, limit)
    for match in TOKEN.finditer(output[:end]):
        numbers, final, text, carriage, feed, backspace = match.groups()
        if text:
            touched.add((x, y))
            x += 1
        elif carriage:
            x = 0
        elif backspace:
            x -= 1
        elif feed:
            x, y = 0, y + 1
        elif final and not numbers.startswith((b"?", b">")):
            x, y = moved(x, y, final, [int(number or 0) for number in numbers.split(b";")])
    if not touched:
        return None
    columns, rows = zip(*touched, strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def moved(x, y, final, numbers):
    first, second = max(1, numbers[0]), max(1, numbers[1] if len(numbers) > 1 else 1)
    if final == b"A":
        return x, y - first
    if final == b"B":
        return x, y + first
    if final == b"C":
        return x + first, y
    if final == b"D":
        return x - first, y
    if final == b"G":
        return first - 1, y
    if final in b"Hf":
        # mpv uses rows 0 and 1. Terminals draw both in the first row, but here they count as two rows. The offset of
        # 100,000 is beyond the rows that relative moves reach; no player uses both kinds of move within a picture.
        return second - 1, 100_000 + numbers[0]
    return x, y


def frames_shown(output):
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
    if row is None:
        return count + 1
    # Do not count the last absolute position, which only moves the cursor away at the end.
    return count - 1


def updates(output):
    """The bytes of each synchronized update."""
    return re.findall(re.escape(BEGIN) + rb"(.*?)" + re.escape(END), output, re.DOTALL)
