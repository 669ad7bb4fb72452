"""What a player's bytes do to a screen: which cells they touch and how many frames they show."""
import re

TOKEN = re.compile(rb"\x1b\[([?>]?[0-9;]*)[ $]?([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
                   rb"|([\xc0-\xff][\x80-\xbf]+|[ -~])|(\r)|(\n)|(\x08)")
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
UPWARD = re.compile(rb"\x1b\[(\d*)A|\x1b\[(\d*)(?:;\d*)?[Hf]")


def box(output, limit=1_500_000):
    """(columns, rows) of the smallest rectangle that holds every cell that is written, blanks included.

    The bytes go to a raw terminal, where a line feed does not return the carriage; players count on a cooked one."""
    x, y, touched = 0, 0, set()
    # Not in the middle of a sequence, whose rest would look like text.
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
        # mpv counts rows from 0, so that its first two fall on one; both are work that it does.
        # Far below what relative moves reach: no player mixes both within a picture.
        return second - 1, 100_000 + numbers[0]
    return x, y


def frames_shown(output):
    """How many frames were drawn.

    A player that marks its frames as synchronized updates is counted by those marks, one that does not by how often
    the cursor goes up again, to the picture's top row: one time less than frames with relative moves, and as often as
    frames with positions, of which the first of all comes from nowhere."""
    coloured = re.search(rb"[34]8;2;", output)
    if not coloured:
        return 0
    if BEGIN in output:
        # What is drawn before the terminal has answered bears no marks: one frame, in a GIF's own time.
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
    # The last position is where the cursor is left.
    return count - 1


def updates(output):
    """The bytes of each synchronized update."""
    return re.findall(re.escape(BEGIN) + rb"(.*?)" + re.escape(END), output, re.DOTALL)
