"""Converts the terminal output of a program to pixels, with a glyph table for characters, and decoders for images."""
import base64
import itertools
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
import zlib

from lib.screen import Screen
from similarity import Image, numpy

# The columns and rows of pixels per cell on the grid that all modes share.
ACROSS, DOWN = 4, 12
# The terminal's own colours.
BLANK = (numpy.nan,) * 3


def rows(*filled):
    """The shape of a glyph. Each argument names the filled halves of one row: "" (none), "L", "R" or "LR"."""
    height = DOWN // len(filled)
    return numpy.array([["L" in row, "R" in row] for row in filled for _ in range(height)])


BARS = {"LEFT HALF BLOCK": rows("L"), "RIGHT HALF BLOCK": rows("R"), "FULL BLOCK": rows("LR"),
        "UPPER HALF BLOCK": rows("LR", ""), "LOWER HALF BLOCK": rows("", "LR")}
# Characters are listed by code, because many versions of Python do not know the names of Unicode 16.
QUARTERS = {0x1CEA8: rows("L", "", "", ""), 0x1CEAB: rows("R", "", "", ""), 0x1CEA3: rows("", "", "", "L"),
            0x1CEA0: rows("", "", "", "R"), 0x1FBE6: rows("", "L", "L", ""), 0x1FBE7: rows("", "R", "R", ""),
            0x1FB82: rows("LR", "", "", ""), 0x2582: rows("", "", "", "LR"), 0x1FB85: rows("LR", "LR", "LR", ""),
            0x2586: rows("", "LR", "LR", "LR")}


def octants():
    """The glyphs U+1CD00 to U+1CDE5: the patterns of 2x4 subcells that no other character shows, in binary order."""
    def pattern(bits):
        return rows(*["".join(side for column, side in enumerate("LR") if bits >> (row * 2 + column) & 1)
                      for row in range(4)])
    # Patterns of other characters: those in which each half, upper and lower, is empty, full, or filled on its left or
    # right, and QUARTERS.
    older = {pattern(low | high << 4).tobytes() for low in (0, 5, 10, 15) for high in (0, 5, 10, 15)}
    older |= {shape.tobytes() for shape in QUARTERS.values()}
    code = itertools.count(0x1CD00)
    return {next(code): pattern(bits) for bits in range(256) if pattern(bits).tobytes() not in older}


OCTANTS = octants()
assert max(OCTANTS) == 0x1CDE5 and len(OCTANTS) == 230


def shape(character):
    code = ord(character)
    if character == " ":
        return rows("")
    if code in QUARTERS or code in OCTANTS:
        return QUARTERS.get(code, OCTANTS.get(code))
    name = unicodedata.name(character, "")
    if name.startswith("BLOCK SEXTANT-"):
        digits = name[len("BLOCK SEXTANT-"):]
        return rows(*[("L" if str(row * 2 + 1) in digits else "") + ("R" if str(row * 2 + 2) in digits else "")
                      for row in range(3)])
    if name.startswith("QUADRANT "):
        corners = name[len("QUADRANT "):].split(" AND ")
        return rows(*[("L" if f"{half} LEFT" in corners else "") + ("R" if f"{half} RIGHT" in corners else "")
                      for half in ("UPPER", "LOWER")])
    if name not in BARS:
        sys.exit(f"bench: unexpected character U+{code:04X} {name}")
    return BARS[name]


def drawn(sent):
    """The pixels of a still on the common grid; NaN where it shows the terminal's own background."""
    screen = Screen()
    screen.feed(sent)
    columns, height = (max(place[axis] for place in screen.cells) + 1 for axis in (0, 1))
    pixels = numpy.full((height * DOWN, columns * ACROSS, 3), numpy.nan)
    for (column, row), (letter, (foreground, background, attributes)) in screen.cells.items():
        colours = numpy.array([foreground or BLANK, background or BLANK], dtype=float)
        inside, outside = colours[::-1] if 7 in attributes else colours
        filled = numpy.repeat(shape(letter), ACROSS // 2, axis=1)[:, :, None]
        down, across = slice(row * DOWN, (row + 1) * DOWN), slice(column * ACROSS, (column + 1) * ACROSS)
        pixels[down, across] = numpy.where(filled, inside, outside)
    return pixels


def sixel_image(sent):
    """The first sixel image in the output of a program."""
    found = re.search(rb"\x1bP[0-9;]*q.*?\x1b\\", sent, re.DOTALL)
    if not found:
        return None
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "image.six").write_bytes(found.group())
        subprocess.run(["sixel2png", "-i", f"{folder}/image.six", "-o", f"{folder}/image.png"], check=True)
        with Image.open(f"{folder}/image.png") as opened:
            return numpy.asarray(opened.convert("RGB"), dtype=float)


def kitty_image(sent):
    """The kitty images in the output of a program, one below the other. gifplay sends strips of an image."""
    strips, keys, data = [], {}, b""
    for text, payload in re.findall(rb"\x1b_G([^;\x1b]*);?([^\x1b]*)\x1b\\", sent):
        fields = dict(field.split("=", 1) for field in text.decode().split(",") if "=" in field)
        if fields.get("a") == "T":
            keys, data = fields, b""
        elif not keys or fields.get("a"):
            continue
        # Decode each chunk separately, because chafa pads the Base64 data of each one.
        data += base64.b64decode(payload)
        if fields.get("m", "0") == "0" and data:
            raw = zlib.decompress(data) if keys.get("o") == "z" else data
            depth = int(keys.get("f", 32)) // 8
            strip = numpy.frombuffer(raw, dtype=numpy.uint8).reshape(int(keys["v"]), int(keys["s"]), depth)
            strips.append(strip[:, :, :3].astype(float))
            keys = {}
    return numpy.concatenate(strips) if strips else None
