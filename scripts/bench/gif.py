"""Reads the size, the frames and the delays of a GIF file, and writes copies with other delays and GIFs of noise."""
import pathlib
import random
import struct


class GIF:
    """Parses the blocks of a file without decoding the frames. Raises ValueError if the file is not a complete GIF."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.name = self.path.stem
        self.bytes = self.path.read_bytes()
        self.delays = []
        self.frame_offsets = []
        try:
            self.walk()
        except IndexError:
            raise ValueError(f"{path}: cut off") from None

    def walk(self):
        data = self.bytes
        if data[:3] != b"GIF":
            raise ValueError(f"{self.path}: not a GIF")
        self.width, self.height = data[6] | data[7] << 8, data[8] | data[9] << 8
        at, control = 13 + palette(data[10]), None
        while data[at] != 0x3B:
            if data[at] == 0x21:
                control = at + 4 if data[at + 1] == 0xF9 else control
                at = self.end_of_blocks(at + 2)
            elif data[at] == 0x2C:
                delay = data[control] | data[control + 1] << 8 if control else 0
                self.delays.append(delay * 10 if delay > 1 else 100)
                self.frame_offsets.append((at, control))
                control = None
                at = self.end_of_blocks(at + 11 + palette(data[at + 9]))
            else:
                raise ValueError(f"{self.path}: an unknown block at byte {at}")

    def end_of_blocks(self, at):
        while self.bytes[at]:
            at += self.bytes[at] + 1
        return at + 1

    @property
    def frames(self):
        return len(self.delays)

    @property
    def seconds(self):
        """The duration of one loop, with the delays that web browsers use."""
        return sum(self.delays) / 1000

    def with_delay(self, path, centiseconds=2):
        """Writes a copy in which all frames have this delay, so that players without a speed option do not take
        minutes."""
        out, done = bytearray(), 0
        delay = bytes([centiseconds & 255, centiseconds >> 8])
        for at, control in self.frame_offsets:
            if control:
                out += self.bytes[done:control] + delay
                done = control + 2
            else:
                out += self.bytes[done:at] + b"\x21\xf9\x04\x00" + delay + b"\0\0"
                done = at
        pathlib.Path(path).write_bytes(bytes(out) + self.bytes[done:])
        return GIF(path)


def palette(flags):
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def noise(path, width, height, frames, delay):
    """Writes a GIF of noise with a delay in 1/100 s. Returns the number of bytes up to the end of the first frame."""
    generator = random.Random(1)
    screen = struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + generator.randbytes(768)
    data, first = b"GIF89a" + screen + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 0
    for _ in range(frames):
        data += b"!\xf9\x04\x04" + struct.pack("<H", delay) + b"\0\0,"
        data += struct.pack("<HHHHBB", 0, 0, width, height, 0, 8) + uncompressed(generator.randbytes(width * height))
        first = first or len(data)
    path.write_bytes(data + b";")
    return first


def uncompressed(pixels):
    """Image data with a code of nine bits for each pixel; a clear code every 254 pixels keeps the codes so short."""
    codes = [code for start in range(0, len(pixels), 254) for code in (256, *pixels[start:start + 254])] + [257]
    bits = "".join(f"{code:09b}" for code in reversed(codes))
    packed = int(bits, 2).to_bytes((len(bits) + 7) // 8, "little")
    blocks = (packed[start:start + 255] for start in range(0, len(packed), 255))
    return b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"
