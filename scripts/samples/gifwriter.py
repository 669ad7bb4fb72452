"""A GIF89a writer: LZW, palettes, delays, disposal, transparency, interlace, loops."""
from dataclasses import dataclass
from struct import pack

from canvas import Canvas
from quantise import histogram, palette, table


@dataclass
class Scene:
    """An animation and the settings with which its file is written.

    frames: canvases of one size; delays: one for each frame, in 1/100 s.
    mode: "delta" draws the changes since the previous frame (`disposal` is 0 or 1);
    "clear" clears each frame afterwards (disposal 2); "restore" keeps the first frame, draws each
    later one on it and restores it afterwards (disposal 3).
    loop: None for no extension, 0 for endless, n for n repeats.
    colours: palette size, including the transparent colour; local: each frame has its own palette.
    """
    name: str
    title: str
    shows: str
    frames: list
    delays: list
    colours: int
    features: str
    mode: str = "delta"
    disposal: int = 1
    loop: int | None = 0
    local: bool = False
    interlace: bool = False


SCENES = {}


def scene(title, back=None, size=(96, 80), n=16, delay=7, colours=24, features="delta rectangles, few colours",
          **settings):
    """Registers a function draw(canvas, t, i), which draws frame i of n at t = i / n.

    The name of the function is that of the scene, its documentation says what the scene shows. `back` is the ground of
    each frame: a colour, None for transparent, or a function of the size that returns a canvas. `delay` is one for all
    frames, or a list."""
    def register(draw):
        def build():
            base = back(*size) if callable(back) else Canvas(*size, back)
            frames = [base.copy() for _ in range(n)]
            for i, frame in enumerate(frames):
                draw(frame, i / n, i)
            delays = delay if isinstance(delay, list) else [delay] * n
            return Scene(name, title, draw.__doc__.removesuffix("."), frames, delays, colours=colours,
                         features=features, **settings)
        name = draw.__name__.replace("_", "-")
        SCENES[name] = build
        return draw
    return register


def encode(scene):
    """The bytes of the GIF file for scene."""
    w, h = scene.frames[0].w, scene.frames[0].h
    shown = _shown(scene)
    shared = None if scene.local else shown[0][1]
    out = bytearray(b"GIF89a" + pack("<HH", w, h))
    if shared:
        out += bytes([0xF0 | max(2, _bits(len(shared) + 1)) - 1, 0, 0]) + _table_bytes(shared)
    else:
        out += bytes([0x70, 0, 0])
    if scene.loop is not None:
        out += b"\x21\xFF\x0BNETSCAPE2.0\x03\x01" + pack("<H", scene.loop) + b"\x00"
    before = [-1] * (w * h)
    for i, (cells, colours) in enumerate(shown):
        disposal = _disposal(scene, i)
        out += _frame(scene, cells, before, colours, w, h, scene.delays[i], disposal)
        if disposal < 2:
            before = cells
    return bytes(out + b"\x3B")


def _disposal(scene, i):
    """The disposal method of frame i."""
    if scene.mode == "clear":
        return 2
    if scene.mode == "restore":
        return 3 if i else 1
    return scene.disposal


def _shown(scene):
    """For each frame: (packed colours of its pixels, with -1 for transparent ones, and its palette)."""
    out, colours, lookup = [], None, None
    for f in scene.frames:
        if scene.local or colours is None:
            count = histogram([f] if scene.local else scene.frames)
            colours = palette(count, scene.colours - 1)
            lookup = {c: _packed(colours[i]) for c, i in table(count, colours).items()}
        if f.al is None:
            cells = [lookup[p] for p in f.px]
        else:
            cells = [lookup[p] if a >= 0.5 else -1 for p, a in zip(f.px, f.al, strict=True)]
        out.append((cells, colours))
    return out


def _frame(scene, cells, before, colours, w, h, delay, disposal):
    """Control extension, descriptor, palette and data of the smallest frame that changes `before` to `cells`."""
    x0, y0, x1, y1 = _changed(cells, before, w, h)
    clear = len(colours)
    index = {_packed(c): i for i, c in enumerate(colours)}
    index[-1] = clear
    whole, sparse = [], []
    for y in range(y0, y1):
        a, b = y * w + x0, y * w + x1
        now, old = cells[a:b], before[a:b]
        whole.append([index[c] for c in now])
        sparse.append([clear if c == o else index[c] for c, o in zip(now, old, strict=True)])
    bits = max(2, _bits(clear + 1))
    best = None
    for rows in (whole, sparse):
        if scene.interlace:
            rows = [rows[i] for i in interlaced(len(rows))]
        flat = [i for row in rows for i in row]
        data = lzw(flat, bits)
        if best is None or len(data) < len(best[0]):
            best = (data, clear in flat)
    data, holes = best
    out = bytearray(b"\x21\xF9\x04" + bytes([disposal << 2 | holes]) + pack("<H", delay))
    out += bytes([clear if holes else 0, 0]) + b"\x2C" + pack("<HHHH", x0, y0, x1 - x0, y1 - y0)
    flags = 0x40 if scene.interlace else 0
    out.append(flags | (0x80 | bits - 1 if scene.local else 0))
    if scene.local:
        out += _table_bytes(colours, bits)
    out.append(bits)
    for i in range(0, len(data), 255):
        out += bytes([len(data[i:i + 255])]) + data[i:i + 255]
    return out + b"\x00"


def _changed(cells, before, w, h):
    """The rectangle (x0, y0, x1, y1) that contains all changes from the previous picture."""
    rows = [y for y in range(h) if cells[y * w:y * w + w] != before[y * w:y * w + w]]
    if not rows:
        return 0, 0, 1, 1
    x0, x1 = w, 0
    for y in rows:
        wrong = [x for x in range(w) if cells[y * w + x] != before[y * w + x]]
        x0, x1 = min(x0, wrong[0]), max(x1, wrong[-1] + 1)
    return x0, rows[0], x1, rows[-1] + 1


def interlaced(n):
    """Row numbers of an n-row picture in the order an interlaced GIF stores them."""
    return [y for start, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(start, n, step)]


def lzw(indices, bits):
    """GIF LZW data for the colour indices. `bits` is the minimum code size."""
    clear, end = 1 << bits, (1 << bits) + 1
    codes, size, nxt = {}, bits + 1, end + 1
    out, acc, held = bytearray(), clear, size
    prefix = indices[0]
    for i in indices[1:]:
        code = codes.get((prefix, i))
        if code is not None:
            prefix = code
            continue
        acc |= prefix << held
        held += size
        if nxt < 4096:
            codes[prefix, i] = nxt
            size += nxt == 1 << size
            nxt += 1
        else:
            acc |= clear << held
            held += size
            codes, size, nxt = {}, bits + 1, end + 1
        prefix = i
        while held >= 8:
            out.append(acc & 255)
            acc >>= 8
            held -= 8
    acc |= prefix << held
    held += size
    size += nxt == 1 << size and size < 12
    acc |= end << held
    held += size
    return bytes(out) + acc.to_bytes((held + 7) // 8, "little")


def _bits(n):
    """The number of bits (1 to 8) of an index into a palette of n colours."""
    return max(1, (n - 1).bit_length())


def _packed(c):
    """A colour as one number."""
    return c[0] << 16 | c[1] << 8 | c[2]


def _table_bytes(colours, bits=None):
    """The palette, padded to a power of two, with space for the transparent index."""
    bits = bits or max(2, _bits(len(colours) + 1))
    flat = bytes(v for c in colours for v in c)
    return flat + bytes((3 << bits) - len(flat))
