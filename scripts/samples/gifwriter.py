"""A GIF89a writer: palettes, delays, disposal, transparency, interlace, loops, LZW."""
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import fsum  # gives the same sums in every version of Python
from struct import pack

from canvas import Canvas

SCENES = {}


@dataclass
class Scene:
    """Decorates a function draw(canvas, t, i), which draws frame i of n at t = i / n.

    The name of the function is that of the scene, its documentation says what the scene shows. `back` is the ground of
    each frame: a colour, None for transparent, or a function of the size that returns a canvas. `delay` is one for all
    frames, or a list, in 1/100 s.
    mode: "delta" draws the changes since the previous frame (`disposal` is 0 or 1);
    "clear" clears each frame afterwards (disposal 2); "restore" keeps the first frame, draws each
    later one on it and restores it afterwards (disposal 3).
    loop: None for no extension, 0 for endless, n for n repeats.
    colours: palette size, including the transparent colour; local: each frame has its own palette.
    """
    title: str
    back: tuple | Callable | None = None
    size: tuple = (96, 80)
    n: int = 16
    delay: int | list = 7
    colours: int = 24
    features: str = "delta rectangles, few colours"
    mode: str = "delta"
    disposal: int = 1
    loop: int | None = 0
    local: bool = False
    interlace: bool = False

    def __call__(self, draw):
        self.draw, self.shows = draw, draw.__doc__.removesuffix(".")
        SCENES[draw.__name__.replace("_", "-")] = self
        return draw

    def frames(self):
        base = self.back(*self.size) if callable(self.back) else Canvas(*self.size, self.back)
        frames = [base.copy() for _ in range(self.n)]
        for i, frame in enumerate(frames):
            self.draw(frame, i / self.n, i)
        return frames


def encode(scene):
    """The bytes of the GIF file for scene."""
    w, h = scene.size
    shown = _shown(scene)
    out = bytearray(b"GIF89a" + pack("<HH", w, h))
    if scene.local:
        out += bytes([0x70, 0, 0])
    else:
        out += bytes([0xF0 | _bits(shown[0][1]) - 1, 0, 0]) + _table_bytes(shown[0][1])
    if scene.loop is not None:
        out += b"\x21\xFF\x0BNETSCAPE2.0\x03\x01" + pack("<H", scene.loop) + b"\x00"
    before = [None] * (w * h)
    for i, (cells, colours) in enumerate(shown):
        disposal = {"clear": 2, "restore": 3 if i else 1}.get(scene.mode, scene.disposal)
        delay = scene.delay[i] if isinstance(scene.delay, list) else scene.delay
        out += _frame(scene, cells, before, colours, delay, disposal)
        if disposal < 2:
            before = cells
    return bytes(out + b"\x3B")


def _shown(scene):
    """For each frame: (the colours of its pixels in the palette, None for transparent ones, and its palette)."""
    out, frames, colours, lookup = [], scene.frames(), None, None
    for f in frames:
        if scene.local or colours is None:
            count = histogram([f] if scene.local else frames)
            colours = palette(count, scene.colours - 1)
            lookup = {c: colours[i] for c, i in table(count, colours).items()}
        if f.al is None:
            cells = [lookup[p] for p in f.px]
        else:
            cells = [lookup[p] if a >= 0.5 else None for p, a in zip(f.px, f.al, strict=True)]
        out.append((cells, colours))
    return out


def _frame(scene, cells, before, colours, delay, disposal):
    """Control extension, descriptor, palette and data of the smallest frame that changes `before` to `cells`."""
    w, clear, bits = scene.size[0], len(colours), _bits(colours)
    x0, y0, x1, y1 = _changed(cells, before, *scene.size)
    index = {c: i for i, c in enumerate(colours)} | {None: clear}
    whole, sparse = [], []
    for y in interlaced(y1 - y0) if scene.interlace else range(y1 - y0):
        a, b = (y0 + y) * w + x0, (y0 + y) * w + x1
        whole += [index[c] for c in cells[a:b]]
        sparse += [clear if c == o else index[c] for c, o in zip(cells[a:b], before[a:b], strict=True)]
    data, holes = min(((lzw(flat, bits), clear in flat) for flat in (whole, sparse)), key=lambda pair: len(pair[0]))
    out = bytearray(b"\x21\xF9\x04" + bytes([disposal << 2 | holes]) + pack("<H", delay))
    out += bytes([clear if holes else 0, 0]) + b"\x2C" + pack("<HHHH", x0, y0, x1 - x0, y1 - y0)
    out.append((0x40 if scene.interlace else 0) | (0x80 | bits - 1 if scene.local else 0))
    if scene.local:
        out += _table_bytes(colours)
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


def _bits(colours):
    """The number of bits (2 to 8) of an index into the palette or of the transparent one behind it."""
    return max(2, len(colours).bit_length())


def _table_bytes(colours):
    """The palette, padded to a power of two, with space for the transparent index."""
    flat = bytes(v for c in colours for v in c)
    return flat + bytes((3 << _bits(colours)) - len(flat))


def histogram(frames):
    """Counter of the visible (r, g, b) colours in a list of canvases."""
    count = Counter()
    for f in frames:
        if f.al is None:
            count.update(f.px)
        else:
            count.update(p for p, a in zip(f.px, f.al, strict=True) if a >= 0.5)
    return count


def palette(count, size):
    """At most size colours that represent those in count: cuts boxes by weighted variance, then does two rounds of
    k-means."""
    if len(count) <= size:
        return sorted(count)
    cells = {}
    for (r, g, b), n in count.items():
        cell = cells.setdefault((r >> 2, g >> 2, b >> 2), [0, 0, 0, 0])
        cell[0] += r * n
        cell[1] += g * n
        cell[2] += b * n
        cell[3] += n
    points = [(c[0] / c[3], c[1] / c[3], c[2] / c[3], c[3] ** 0.55) for _, c in sorted(cells.items())]
    boxes = [_box(points)]
    while len(boxes) < size:
        boxes.sort(key=lambda b: b[0])
        spread, axis, mean, members = boxes[-1]
        if spread < 1e-9:
            break
        low = [p for p in members if p[axis] <= mean]
        high = [p for p in members if p[axis] > mean]
        boxes[-1:] = [_box(low), _box(high)]
    centres = [_mean(b[3]) for b in boxes]
    for _ in range(2):
        centres = _refine(points, centres)
    return sorted({tuple(int(v + 0.5) for v in c) for c in centres})


def _mean(points):
    """Weighted mean colour."""
    total = fsum(p[3] for p in points)
    return tuple(fsum(p[k] * p[3] for p in points) / total for k in range(3))


def _box(points):
    """(weighted variance on the widest axis, that axis, its mean, points)."""
    mean = _mean(points)
    spread = [fsum((p[k] - mean[k]) ** 2 * p[3] for p in points) for k in range(3)]
    axis = max(range(3), key=lambda k: spread[k])
    if len(points) < 2:
        return (0.0, axis, mean[axis], points)
    return (spread[axis], axis, mean[axis], points)


def _refine(points, centres):
    """One k-means round: move every centre to the mean of its nearest points."""
    groups = [[] for _ in centres]
    for p in points:
        groups[_nearest(p, centres)].append(p)
    return [_mean(g) if g else c for g, c in zip(groups, centres, strict=True)]


def _nearest(p, colours):
    """Index of the colour nearest to p; green has the largest weight."""
    r, g, b = p[0], p[1], p[2]
    best, found = 1e18, 0
    for i, c in enumerate(colours):
        d = 3 * (r - c[0]) ** 2 + 4 * (g - c[1]) ** 2 + 2 * (b - c[2]) ** 2
        if d < best:
            best, found = d, i
    return found


def table(count, colours):
    """{colour: index in colours} for every colour in count."""
    exact = {c: i for i, c in enumerate(colours)}
    cells, out = {}, {}
    for p in count:
        if p in exact:
            out[p] = exact[p]
            continue
        key = (p[0] >> 1, p[1] >> 1, p[2] >> 1)
        if key not in cells:
            cells[key] = _nearest((key[0] * 2 + 0.5, key[1] * 2 + 0.5, key[2] * 2 + 0.5), colours)
        out[p] = cells[key]
    return out
