"""Interprets a player's output as a terminal does, and records output that no terminal should get."""
import re
import unicodedata

# Complete pieces of the output. Output that matches none of them and is no unfinished piece is an error.
PIECE = re.compile(
    rb"\x1b\[(?P<numbers>[0-9;]*)(?P<final>[ABCDGHJKm])"
    rb"|(?P<text>[\x20-\x7e]+|(?:\xc2[\xa0-\xbf]|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}"
    rb"|[\xf0-\xf4][\x80-\xbf]{3})+)"
    rb"|\x1b\[\?(?P<mode>[0-9]+)(?P<set>[hl])"
    rb"|(?P<control>[\r\n\x08])"
    # A player that quits in the middle of a write cancels the unfinished sequence (CAN).
    rb"|(?P<taken_back>(?:\x1b[\[\]]?[0-9;?$]*|[\xc2-\xf4][\x80-\xbf]{0,2})?\x18)"
    rb"|(?P<query>\x1b\]11;\?\x1b\\|\x1b\[\?2026\$p|\x1b\[c)")
UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;?$]{0,60}|\][0-9;?]{0,8}\x1b?)?$|[\xc2-\xf4][\x80-\xbf]{0,2}$")
# The cursor, the alternate screen, synchronized updates, and the browser's mouse.
MODES = {b"25", b"1049", b"2026", b"1000", b"1006"}
INITIAL = {b"25"}
MODE = re.compile(rb"\x1b\[\?([0-9]+)([hl])")
STATUS = re.compile(rb"\x1b\[(\d+)H\x1b\[0;2m([^\x1b]*)\x1b\[0m\x1b\[K\r")
MOVES = {b"A": (0, -1), b"B": (0, 1), b"C": (1, 0), b"D": (-1, 0)}


class Drawn:
    """The cursor on a screen of a given size, the active modes, the complaints and, if kept, the cells."""

    def __init__(self, columns, rows, keeps=False):
        self.columns, self.rows = columns, rows
        self.x, self.y, self.rest, self.modes, self.complaints, self.count = 0, 0, b"", set(INITIAL), [], 0
        self.cells, self.colours = ({} if keeps else None), b""
        # The picture at the moment when the player left the alternate screen.
        self.last = None
        # Text on the main screen: the player's error messages.
        self.said = b""

    def complain(self, what):
        if len(self.complaints) < 20:
            self.complaints.append(f"after {self.count} bytes: {what}")

    def feed(self, data):
        self.count += len(data)
        data = self.rest + data
        place, end = 0, len(data)
        while place < end:
            match = PIECE.match(data, place)
            if match:
                self.take(match)
                place = match.end()
            elif UNFINISHED.match(data, place):
                break
            else:
                self.complain(f"unknown: {data[place:place + 40]!r}")
                place += 1
        self.rest = data[place:]

    def whole(self):
        """Whether no synchronized update and no sequence is unfinished."""
        return b"2026" not in self.modes and not self.rest

    def take(self, match):
        final = match["final"]
        if match["text"]:
            self.write(match["text"])
        elif final == b"m":
            if self.cells is not None:
                self.colours = coloured(self.colours, match["numbers"])
        elif final:
            self.move(final, match["numbers"])
        elif match["control"]:
            self.control(match["control"])
        elif match["mode"]:
            self.switch(match["mode"], match["set"] == b"h")

    def switch(self, mode, on):
        if mode not in MODES:
            self.complain(f"mode {mode.decode()}")
        if mode == b"1049":
            if not on:
                self.last = self.cells
            self.cells, self.x, self.y = (None if self.cells is None else {}), 0, 0
        (self.modes.add if on else self.modes.discard)(mode)

    def control(self, control):
        if control == b"\r":
            self.x = 0
        elif control == b"\x08":
            self.x -= 1
        elif control == b"\n":
            # On the main screen a line feed in the last row scrolls, as it should.
            self.y = min(self.y + 1, self.rows - 1) if b"1049" not in self.modes else self.y + 1
        self.check("a control")

    def move(self, final, numbers):
        values = [int(number or 0) for number in numbers.split(b";")]
        first = max(1, values[0])
        if final in MOVES:
            across, down = MOVES[final]
            self.x, self.y = self.x + across * first, self.y + down * first
        elif final == b"G":
            self.x = first - 1
        elif final == b"H":
            self.x, self.y = (max(1, values[1]) if len(values) > 1 else 1) - 1, first - 1
        elif self.cells:
            self.erase(final, values[0])
        self.check(f"a move by {final.decode()} {numbers.decode()}")

    def erase(self, final, how):
        here = self.y * self.columns + self.x
        end = (self.y + 1 if final == b"K" else self.rows) * self.columns
        begin = here if how == 0 else 0
        for place in [place for place in self.cells if begin <= place < end]:
            del self.cells[place]

    def check(self, what):
        # A terminal holds the cursor in the last column until the next letter.
        if 0 <= self.x <= self.columns and 0 <= self.y < self.rows:
            return
        self.complain(f"{what} to column {self.x + 1}, row {self.y + 1} of {self.columns}x{self.rows}")
        self.x, self.y = min(max(self.x, 0), self.columns - 1), min(max(self.y, 0), self.rows - 1)

    def write(self, text):
        letters = text.decode("utf-8", "replace")
        if text[0] >= 0x80 and any(unicodedata.category(letter) == "Cf" for letter in letters):
            self.complain(f"a character that formats, in row {self.y + 1}: {letters[:60]!r}")
        if b"1049" not in self.modes:
            self.said += text
        width = len(text) if text[0] < 0x80 else sum(wide(letter) for letter in letters)
        if self.cells is not None:
            self.keep(letters)
        self.x += width
        if self.x > self.columns:
            # Messages on the main screen may wrap.
            if b"1049" in self.modes:
                self.complain(f"text beyond the last column in row {self.y + 1}: {text[:60]!r}")
            self.x = self.columns

    def line(self, row):
        """The text of a row. Rows count from 0; negative rows count from the bottom."""
        begin = (row % self.rows) * self.columns
        return "".join(self.cells.get(place, " ")[0] for place in range(begin, begin + self.columns)).rstrip()

    def keep(self, letters):
        place = self.y * self.columns + self.x
        for letter in letters:
            cell = (letter, self.colours)
            if cell == (" ", b""):
                self.cells.pop(place, None)
            else:
                self.cells[place] = cell
            place += wide(letter)


class Skimmed:
    """Like ``Drawn``, but checks only sequences and modes, in a tenth of the time."""

    def __init__(self):
        self.rest, self.modes, self.complaints, self.said, self.count = b"", set(INITIAL), [], b"", 0

    def feed(self, data):
        self.count += len(data)
        data = self.rest + data
        cut = UNFINISHED.search(data)
        end = cut.start() if cut else len(data)
        data, self.rest = data[:end], data[end:]
        for mode, sign in MODE.findall(data):
            (self.modes.add if sign == b"h" else self.modes.discard)(mode)
        left = PIECE.sub(b"", data)
        if (left or self.modes - MODES) and len(self.complaints) < 20:
            self.complaints.append(f"after {self.count} bytes: unknown: {left[:60]!r}, modes {sorted(self.modes)}")
        if b"1049" not in self.modes:
            words = data[data.rfind(b"\x1b[?1049l") + 1:]
            self.said += re.sub(rb"\x1b?\[[0-9;?$]*[A-Za-z]|[\x00-\x1f]|\](?:11)?;\?\x1b\\\\", b"", words)


def coloured(now, numbers):
    """The colours after a sequence, as one text: foreground, background, other attributes."""
    foreground, background, rest = (now.split(b"|") + [b"", b"", b""])[:3] if now else [b"", b"", b""]
    parts = [int(part or 0) for part in numbers.split(b";")]
    while parts:
        code = parts.pop(0)
        if code in (38, 48):
            colour = b"%d,%d,%d" % tuple(parts[1:4])
            parts = parts[4:]
            foreground, background = (colour, background) if code == 38 else (foreground, colour)
        elif code == 0:
            foreground = background = rest = b""
        elif code == 39:
            foreground = b""
        elif code == 49:
            background = b""
        else:
            rest += b"%d," % code
    return b"|".join((foreground, background, rest)) if foreground or background or rest else b""


def wide(letter):
    """The number of cells that a letter takes."""
    if letter < "\u0300" or "\u2500" <= letter <= "\u259f":
        return 1
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


class Titles:
    """Reports the title in the status line whenever it changes."""

    def __init__(self, on_title):
        self.on_title, self.kept, self.title = on_title, b"", None

    def feed(self, data):
        data = self.kept + data
        end = 0
        for match in STATUS.finditer(data):
            title = match[2].split(" \u00b7 ".encode())[0].decode("utf-8", "replace")
            # The time is at the right end of the row if there is no other text.
            title = re.sub(r"\s+\d+:\d\d$", "", title.strip())
            end = match.end()
            if title != self.title:
                self.title = title
                self.on_title(title)
        self.kept = data[max(end, len(data) - 4096):]
