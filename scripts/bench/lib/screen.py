"""Interprets the output of a program as a terminal does, and records output that no terminal should get."""
import re
import unicodedata

# One piece of gifplay's output: a sequence, text or a control character. Output that matches neither this pattern nor
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
# A sequence of any program, or a byte.
UNKNOWN = re.compile(rb"\x1b[\]P_X^][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[?>=]?[0-9;]*[ $]?[@-~]|.", re.DOTALL)
# Wrapping, the cursor, the alternate screen, bracketed paste, synchronized updates, and the browser's mouse.
MODES = {b"7", b"25", b"1049", b"2004", b"2026", b"1000", b"1006"}
INITIAL = {b"7", b"25"}
MODE = re.compile(rb"\x1b\[\?([0-9]+)([hl])")
MOVES = {b"A": (0, -1), b"B": (0, 1), b"C": (1, 0), b"D": (-1, 0)}
# The row in the player's last move before it leaves the screen: the last row, from which a line feed then scrolls.
LEAVE_MOVE = [9999]
# Foreground, background, and the codes of other attributes. None is the terminal's own colour.
PLAIN = (None, None, ())


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


class Screen(SequenceChecker):
    """The cursor, the active modes, the problems and, with `stores_cells`, the cells that a program writes, as
    {(column, row): (letter, style)}. Without a size, the screen has no edges."""

    def __init__(self, columns=None, rows=None, stores_cells=False):
        super().__init__()
        self.x, self.y, self.cells, self.style = 0, 0, {}, PLAIN
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
                self.apply(match)
            elif UNFINISHED.match(data, position):
                break
            else:
                self.report(f"unknown output: {data[position:position + 40]!r}")
                match = UNKNOWN.match(data, position)
            position = match.end()
        self.unparsed = data[position:]

    def apply(self, match):
        if match["text"]:
            self.write(match["text"])
        elif match["final"] == b"m":
            if self.stores_cells:
                self.style = style_after(self.style, match["numbers"])
        elif match["final"]:
            self.move(match["final"], [int(number) if number else None for number in match["numbers"].split(b";")])
        elif match["control"]:
            self.control(match["control"])
        elif match["mode"]:
            self.switch(match["mode"], match["set"] == b"h")

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
        if control == b"\x08":
            self.x -= 1
        elif control == b"\r":
            self.x = 0
        # A line feed in the last row may scroll the main screen, but not the alternate screen.
        elif self.y + 1 != self.rows or b"1049" in self.modes:
            self.y += 1
        self.check("a control character")

    def move(self, final, numbers):
        count = max(1, numbers[0] or 1)
        if final == b"H" and numbers == LEAVE_MOVE and self.rows:
            self.x, self.y = 0, self.rows - 2
        elif final in b"JK":
            self.erase(final, numbers[0] or 0)
        elif final in MOVES:
            across, down = MOVES[final]
            self.x, self.y = self.x + across * count, self.y + down * count
        elif final == b"G":
            self.x = count - 1
        else:
            # mpv uses rows 0 and 1. Terminals draw both in the first row, but without edges they count as two rows.
            self.x = max(1, (numbers[1:] or [1])[0] or 1) - 1
            self.y = (1 if numbers[0] is None else numbers[0]) - 1
        self.check(f"a move by {final.decode()} {numbers}")

    def erase(self, final, how):
        begin = (self.y, self.x) if how == 0 else (0, 0)
        for x, y in list(self.cells):
            if begin <= (y, x) and (final == b"J" or y <= self.y):
                del self.cells[x, y]

    def check(self, what):
        # `x` can equal `columns`, because a terminal wraps the line only when it gets the next letter.
        if not self.rows or (0 <= self.x <= self.columns and 0 <= self.y < self.rows):
            return
        self.report(f"{what} to column {self.x + 1}, row {self.y + 1} of {self.columns}x{self.rows}")
        self.x, self.y = min(max(self.x, 0), self.columns - 1), min(max(self.y, 0), self.rows - 1)

    def write(self, text):
        letters = text.decode("utf-8", "replace")
        if text[0] >= 0x80 and any(unicodedata.category(letter) == "Cf" for letter in letters):
            self.report(f"a format character in row {self.y + 1}: {letters[:60]!r}")
        if b"1049" not in self.modes:
            self.messages += text
        for letter in letters if self.stores_cells else ():
            self.cells[self.x, self.y] = (letter, self.style)
            self.x += cell_width(letter)
        if not self.stores_cells:
            self.x += len(text) if text[0] < 0x80 else sum(map(cell_width, letters))
        if self.columns and self.x > self.columns:
            # Messages on the main screen may wrap.
            if b"1049" in self.modes:
                self.report(f"text beyond the last column in row {self.y + 1}: {text[:60]!r}")
            self.x = self.columns

    def picture(self):
        """The cells at the moment when the player left the alternate screen, without those that look erased; None if it
        never used that screen."""
        return self.last and {place: cell for place, cell in self.last.items() if cell != (" ", PLAIN)}

    def line(self, row):
        """The text of a row. Rows count from 0; negative rows count from the bottom."""
        row %= self.rows
        return "".join(self.cells.get((column, row), " ")[0] for column in range(self.columns)).rstrip()


def style_after(style, numbers):
    """The style after a sequence."""
    foreground, background, attributes = style
    codes = [int(number or 0) for number in numbers.split(b";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            foreground, background, attributes = PLAIN
        elif code // 10 in (3, 4, 9, 10):
            colour = None if code in (39, 49) else code
            if code in (38, 48):
                count = 2 if codes[0] == 5 else 4
                colour, codes = tuple(codes[:count]), codes[count:]
            foreground, background = (colour, background) if code // 10 in (3, 9) else (foreground, colour)
        else:
            attributes += (code,)
    return foreground, background, attributes


def cell_width(letter):
    """The number of cells that a letter takes. Old versions of Python do not know the octants of Unicode 16 (Cn)."""
    if letter < "\u0300" or "\u2500" <= letter <= "\u259f" or (category := unicodedata.category(letter)) == "Cn":
        return 1
    if category in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
