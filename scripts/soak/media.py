"""An endless supply of GIFs: the built-in samples, made distinct by a comment before the trailer."""
import base64
import struct

from lib.cli import ROOT


class Media:
    """GIF number n is sample n modulo the number of samples, with n in a comment. Therefore all files are distinct."""

    def __init__(self):
        self.files = [path.read_bytes() for path in sorted((ROOT / "Samples").glob("*.gif"))]

    def size(self, number):
        return struct.unpack("<HH", self.files[number % len(self.files)][6:10])

    def count(self, number):
        return len(self.gif(number))

    def gif(self, number):
        data = self.files[number % len(self.files)]
        comment = b"number %08d" % number
        return data[:-1] + b"\x21\xfe" + bytes([len(comment)]) + comment + b"\x00" + data[-1:]


def checksum(number):
    """A name of 32 letters for a number, in the form of a GifCities checksum: the Base32 of 20 bytes."""
    return base64.b32encode(number.to_bytes(20)).decode()


def number_of(name):
    """The number in a file's name, which is a checksum or ends with "-NUMBER"; None for any other name."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".gif")
    if len(stem) == 32:
        try:
            return int.from_bytes(base64.b32decode(stem))
        except ValueError:
            pass
    digits = stem.rpartition("-")[2]
    return int(digits) if digits.isdigit() else None
