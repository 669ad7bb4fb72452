"""Interprets the output of a program as a terminal does."""
import itertools
import re
import unicodedata

# One piece of the output of any player. Unknown sequences have no group.
PIECE = re.compile(
    rb"\x1b\[(?P<numbers>[0-9;]*)(?P<final>[@-~])"
    rb"|(?P<text>[\x20-\x7e]+|(?:[\xc2-\xf4][\x80-\xbf]+)+)"
    rb"|(?P<control>[\r\n\x08])"
    rb"|\x1b[\]P_X^][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[?>=]?[0-9;]*[ $]?[@-~]")
MOVES = {b"A": (0, -1), b"B": (0, 1), b"C": (1, 0), b"D": (-1, 0)}
# The palette of xterm.
STEPS = (0, 95, 135, 175, 215, 255)
PALETTE = [(0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
           (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255),
           (0, 255, 255), (255, 255, 255), *itertools.product(STEPS, repeat=3),
           *((8 + 10 * step,) * 3 for step in range(24))]
# Foreground, background, and the codes of other attributes. None is the terminal's own colour.
PLAIN = (None, None, ())


class Screen:
    """The cells that a program writes, as {(column, row): (letter, style)}. The screen has no edges, and nothing is
    erased. A line feed also moves to the first column: players expect that, although the terminal is in raw mode."""

    def __init__(self):
        self.x, self.y, self.cells, self.style = 0, 0, {}, PLAIN

    def feed(self, data):
        for match in PIECE.finditer(data):
            self.apply(match)

    def apply(self, match):
        if match["text"]:
            self.write(match["text"])
        elif match["final"] == b"m":
            self.style = style_after(self.style, match["numbers"])
        elif match["final"]:
            self.move(match["final"], [int(number) if number else None for number in match["numbers"].split(b";")])
        elif match["control"]:
            self.control(match["control"])

    def write(self, text):
        for letter in text.decode("utf-8", "replace"):
            self.cells[self.x, self.y] = (letter, self.style)
            self.x += cell_width(letter)

    def control(self, control):
        if control == b"\x08":
            self.x -= 1
        else:
            self.x, self.y = 0, self.y + (control == b"\n")

    def move(self, final, numbers):
        count = max(1, numbers[0] or 1)
        if final in MOVES:
            across, down = MOVES[final]
            self.x, self.y = self.x + across * count, self.y + down * count
        elif final == b"G":
            self.x = count - 1
        elif final in b"Hf":
            # mpv uses rows 0 and 1. Terminals draw both in the first row, but here they count as two rows.
            self.x = max(1, (numbers[1:] or [1])[0] or 1) - 1
            self.y = (1 if numbers[0] is None else numbers[0]) - 1


def style_after(style, numbers):
    """The style after a sequence."""
    foreground, background, attributes = style
    codes = [int(number or 0) for number in numbers.split(b";")]
    while codes:
        code = codes.pop(0)
        kind, low = divmod(code, 10)
        if code == 0:
            foreground, background, attributes = PLAIN
        elif code in (38, 48):
            colour, codes = (PALETTE[codes[1]], codes[2:]) if codes[0] == 5 else (tuple(codes[1:4]), codes[4:])
            foreground, background = (colour, background) if code == 38 else (foreground, colour)
        elif kind in (3, 4, 9, 10):
            colour = PALETTE[low + (8 if kind > 4 else 0)] if low < 8 else None
            foreground, background = (colour, background) if kind in (3, 9) else (foreground, colour)
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
