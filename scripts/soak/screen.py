"""Interprets a player's output as a terminal does, and records output that no terminal should get."""
import re
import unicodedata

from lib import screen

# One piece of output: a sequence, text or a control character. Output that matches neither this pattern nor
# UNFINISHED is an error.
PIECE = re.compile(
    rb"\x1b\[(?P<numbers>[0-9;]*)(?P<final>[ABCDGHJKm])"
    rb"|(?P<text>[\x20-\x7e]+|(?:\xc2[\xa0-\xbf]|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}"
    rb"|[\xf0-\xf4][\x80-\xbf]{3})+)"
    rb"|\x1b\[\?(?P<mode>[0-9]+)(?P<set>[hl])"
    rb"|(?P<control>[\r\n\x08])"
    # A player that quits in the middle of a sequence cancels that sequence with CAN.
    rb"|(?P<cancelled>(?:\x1b[\[\]]?[0-9;?$>]*|\x1b_[A-Za-z0-9=,;]*\x1b?|[\xc2-\xf4][\x80-\xbf]{0,2})?\x18)"
    rb"|(?P<query>\x1b\]11;\?\x1b\\|\x1b\[\?2026\$p|\x1b\[c"
    # The cursor is saved and restored around the queries, one of which measures a character.
    rb"|\x1b[78]|\x1b\[6n\xe2\x96\x80\x1b\[6n"
    rb"|\x1b\[1[46]t|\x1b\[\?1;3;256S|\x1b\[\?2;4;0S|\x1b\[>q|\x1b_Gi=(?:31|6777190),[A-Za-z0-9=,]*(?:;AAAA)?\x1b\\)")
UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;?$>]{0,60}|\][0-9;?]{0,8}\x1b?|_[A-Za-z0-9=,;]{0,60}\x1b?)?$"
                        rb"|[\xc2-\xf4][\x80-\xbf]{0,2}$")
# Wrapping, the cursor, the alternate screen, bracketed paste, synchronized updates, and the browser's mouse.
MODES = {b"7", b"25", b"1049", b"2004", b"2026", b"1000", b"1006"}
# The row in the player's last move before it leaves the screen: the last row, from which a line feed then scrolls.
LEAVE_MOVE = [9999]
INITIAL = {b"7", b"25"}
MODE = re.compile(rb"\x1b\[\?([0-9]+)([hl])")
STATUS = re.compile(rb"\x1b\[(\d+);?H\x1b\[0;2m([^\x1b]*)\x1b\[0m\x1b\[K\r")


class SequenceChecker:
    """Checks the sequences and modes of output, in a tenth of the time that ``Screen`` needs."""

    def __init__(self):
        self.unparsed, self.modes, self.problems, self.byte_count = b"", set(INITIAL), [], 0
        # Text on the main screen: the player's error messages.
        self.messages = b""

    def report(self, what):
        if len(self.problems) < 20:
            self.problems.append(f"after {self.byte_count} bytes: {what}")

    def feed(self, data):
        self.byte_count += len(data)
        data = self.unparsed + data
        cut = UNFINISHED.search(data)
        end = cut.start() if cut else len(data)
        data, self.unparsed = data[:end], data[end:]
        for mode, sign in MODE.findall(data):
            (self.modes.add if sign == b"h" else self.modes.discard)(mode)
        unknown = PIECE.sub(b"", data)
        if unknown or self.modes - MODES:
            self.report(f"unknown output: {unknown[:60]!r}, modes {sorted(self.modes)}")
        if b"1049" not in self.modes:
            text = data[data.rfind(b"\x1b[?1049l") + 1:]
            self.messages += re.sub(rb"\x1b?\[[0-9;?$]*[A-Za-z]|[\x00-\x1f]|\](?:11)?;\?\x1b\\\\", b"", text)


class Screen(SequenceChecker, screen.Screen):
    """A screen of a given size: its cursor, its active modes, the problems and, with `stores_cells`, its cells."""

    def __init__(self, columns, rows, stores_cells=False):
        SequenceChecker.__init__(self)
        screen.Screen.__init__(self)
        self.columns, self.rows, self.stores_cells = columns, rows, stores_cells
        # The cells at the moment when the player left the alternate screen.
        self.last = None

    def feed(self, data):
        self.byte_count += len(data)
        data = self.unparsed + data
        position, end = 0, len(data)
        while position < end:
            match = PIECE.match(data, position)
            if match:
                if match["mode"]:
                    self.switch(match["mode"], match["set"] == b"h")
                elif self.stores_cells or match["final"] != b"m":
                    self.apply(match)
                position = match.end()
            elif UNFINISHED.match(data, position):
                break
            else:
                self.report(f"unknown output: {data[position:position + 40]!r}")
                position += 1
        self.unparsed = data[position:]

    def is_complete(self):
        """Whether no synchronized update and no sequence is unfinished."""
        return b"2026" not in self.modes and not self.unparsed

    def switch(self, mode, on):
        if mode not in MODES:
            self.report(f"unknown mode {mode.decode()}")
        if mode == b"1049":
            if not on:
                self.last = self.cells
            self.cells, self.x, self.y = {}, 0, 0
        (self.modes.add if on else self.modes.discard)(mode)

    def control(self, control):
        before = self.x
        super().control(control)
        if control == b"\n":
            self.x = before
            # A line feed in the last row may scroll the main screen, but not the alternate screen.
            if b"1049" not in self.modes:
                self.y = min(self.y, self.rows - 1)
        self.check("a control character")

    def move(self, final, numbers):
        if final == b"H" and numbers == LEAVE_MOVE:
            self.x, self.y = 0, self.rows - 2
        elif final in b"JK":
            self.erase(final, numbers[0] or 0)
        else:
            super().move(final, numbers)
        self.check(f"a move by {final.decode()} {numbers}")

    def erase(self, final, how):
        begin = (self.y, self.x) if how == 0 else (0, 0)
        last = self.y if final == b"K" else self.rows
        for x, y in [(x, y) for x, y in self.cells if begin <= (y, x) and y <= last]:
            del self.cells[x, y]

    def check(self, what):
        # `x` can equal `columns`, because a terminal wraps the line only when it gets the next letter.
        if 0 <= self.x <= self.columns and 0 <= self.y < self.rows:
            return
        self.report(f"{what} to column {self.x + 1}, row {self.y + 1} of {self.columns}x{self.rows}")
        self.x, self.y = min(max(self.x, 0), self.columns - 1), min(max(self.y, 0), self.rows - 1)

    def write(self, text):
        letters = text.decode("utf-8", "replace")
        if text[0] >= 0x80 and any(unicodedata.category(letter) == "Cf" for letter in letters):
            self.report(f"a format character in row {self.y + 1}: {letters[:60]!r}")
        if b"1049" not in self.modes:
            self.messages += text
        if self.stores_cells:
            super().write(text)
        else:
            self.x += len(text) if text[0] < 0x80 else sum(map(screen.cell_width, letters))
        if self.x > self.columns:
            # Messages on the main screen may wrap.
            if b"1049" in self.modes:
                self.report(f"text beyond the last column in row {self.y + 1}: {text[:60]!r}")
            self.x = self.columns

    def picture(self):
        """The cells at the moment when the player left the alternate screen, without those that look erased; None if it
        never used that screen."""
        blank = (" ", screen.PLAIN)
        return self.last and {place: cell for place, cell in self.last.items() if cell != blank}

    def line(self, row):
        """The text of a row. Rows count from 0; negative rows count from the bottom."""
        row %= self.rows
        return "".join(self.cells.get((column, row), " ")[0] for column in range(self.columns)).rstrip()


class Titles:
    """Reports the title in the status line whenever it changes."""

    def __init__(self, on_title):
        self.on_title, self.pending, self.title = on_title, b"", None

    def feed(self, data):
        data = self.pending + data
        end = 0
        for match in STATUS.finditer(data):
            title = match[2].split(" \u00b7 ".encode())[0].decode("utf-8", "replace")
            # If the status line has no other text, only spaces separate the title from the time.
            title = re.sub(r"\s+\d+:\d\d$", "", title.strip())
            end = match.end()
            if title != self.title:
                self.title = title
                self.on_title(title)
        self.pending = data[max(end, len(data) - 4096):]
