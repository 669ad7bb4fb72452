"""Reads the size, the frames and the delays of a GIF file, and can write a copy with other delays."""
import pathlib


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
