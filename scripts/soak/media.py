"""An endless supply of GIFs: the built-in samples, made distinct by a comment before the trailer."""
import pathlib
import struct

SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "Samples"
# The Base32 letters of RFC 4648. GifCities names each file by a checksum in these letters.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


class Media:
    """GIF number n is sample n modulo the number of samples, with n in a comment. Therefore all files are distinct."""

    def __init__(self, folder=SAMPLES):
        self.files = [path.read_bytes() for path in sorted(folder.glob("*.gif"))]

    def size(self, number):
        return struct.unpack("<HH", self.files[number % len(self.files)][6:10])

    def count(self, number):
        return len(self.gif(number))

    def gif(self, number):
        data = self.files[number % len(self.files)]
        comment = b"number %08d" % number
        return data[:-1] + b"\x21\xfe" + bytes([len(comment)]) + comment + b"\x00" + data[-1:]


def checksum(number):
    """A name of 32 letters for a number, in the form of a GifCities checksum."""
    text = ""
    for _ in range(32):
        number, rest = divmod(number, 32)
        text = LETTERS[rest] + text
    return text


def number_of(name):
    """The number in a file's name, which is a checksum or ends with "-NUMBER"; None for any other name."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".gif")
    if len(stem) == 32 and set(stem) <= set(LETTERS):
        value = 0
        for letter in stem:
            value = value * 32 + LETTERS.index(letter)
        return value
    digits = stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else None
