"""A small canvas that draws antialiased polygons into a list of colours.

A paint is an (r, g, b) tuple of ints 0-255, or a function (x, y) -> such a tuple.
A shape is a list of contours; a contour is a list of (x, y) points in pixels, y down.
Contours are filled by the non-zero rule, so overlapping parts of one shape unite.
"""
from functools import cache
from itertools import accumulate, pairwise
from math import ceil, floor

SUB = 4  # sub-scanlines for each row of pixels; coverage along x is exact


class Canvas:
    """w x h pixels. px holds the colours row by row, al their alpha; if al is None, all pixels are opaque."""

    def __init__(self, w, h, back=None):
        """back: a colour or paint function to fill with; None starts fully transparent."""
        self.w, self.h = w, h
        self.al = None
        if back is None:
            self.px = [(0, 0, 0)] * (w * h)
            self.al = [0.0] * (w * h)
        elif callable(back):
            self.px = [back(x + 0.5, y + 0.5) for y in range(h) for x in range(w)]
        else:
            self.px = [back] * (w * h)

    def copy(self):
        """An independent canvas with the same content."""
        other = Canvas.__new__(Canvas)
        other.w, other.h, other.px = self.w, self.h, self.px[:]
        other.al = self.al[:] if self.al is not None else None
        return other

    def fill(self, shape, paint, alpha=1.0):
        """Fill shape with paint, blended over the existing pixels."""
        rows = crossings(shape, self.h)
        for y, subrows in rows.items():
            diff = [0.0] * (self.w + 2)
            lo, hi = self.w, 0
            for hits in subrows:
                for xa, xb in spans(hits):
                    xa, xb = max(0.0, min(xa, self.w)), max(0.0, min(xb, self.w))
                    if xb <= xa:
                        continue
                    ia, ib = int(xa), int(xb)
                    diff[ia] += ia + 1 - xa
                    diff[ia + 1] += xa - ia
                    diff[ib] -= ib + 1 - xb
                    diff[ib + 1] -= xb - ib
                    lo, hi = min(lo, ia), max(hi, ib + 1)
            if lo < hi:
                self._row(y, lo, min(hi, self.w), diff, paint, alpha / SUB)

    def _row(self, y, lo, hi, diff, paint, scale):
        """Blend one row. The running sum of diff is the coverage, in units of 1/SUB."""
        base, px = y * self.w, self.px
        flat = None if callable(paint) else paint
        for x, cover in enumerate(accumulate(diff[lo:hi]), lo):
            c = cover * scale
            if c < 0.004:
                continue
            colour = flat or paint(x + 0.5, y + 0.5)
            if c > 0.996:
                px[base + x] = colour
                if self.al is not None:
                    self.al[base + x] = 1.0
            else:
                self._blend(base + x, colour, c)

    def _blend(self, i, colour, c):
        """Blend colour with coverage c over pixel i."""
        r, g, b = self.px[i]
        if self.al is not None:
            under = self.al[i] * (1 - c)
            self.al[i] = c + under
            c = c / (c + under)
        self.px[i] = (int(r + (colour[0] - r) * c + 0.5), int(g + (colour[1] - g) * c + 0.5),
                      int(b + (colour[2] - b) * c + 0.5))

    def glow(self, cx, cy, radius, colour, strength=1.0):
        """Blend a soft round light; strongest in the middle, nothing at radius."""
        for y in range(max(0, floor(cy - radius)), min(self.h, ceil(cy + radius))):
            for x in range(max(0, floor(cx - radius)), min(self.w, ceil(cx + radius))):
                d = ((x + 0.5 - cx) ** 2 + (y + 0.5 - cy) ** 2) / (radius * radius)
                if d < 1:
                    self._blend(y * self.w + x, colour, strength * (1 - d) ** 2)


def crossings(shape, height):
    """{row: [hits for each sub-scanline]}; a hit is (x, direction) of an edge that crosses it."""
    rows = {}
    for contour in shape:
        px, py = contour[-1]
        for x, y in contour:
            if y != py:
                (xa, ya, xb, yb, way) = (px, py, x, y, 1) if py < y else (x, y, px, py, -1)
                slope = (xb - xa) / (yb - ya)
                first = max(0, ceil(ya * SUB - 0.5))
                last = min(height * SUB, ceil(yb * SUB - 0.5))
                for s in range(first, last):
                    row = rows.get(s // SUB)
                    if row is None:
                        row = rows[s // SUB] = [[] for _ in range(SUB)]
                    row[s % SUB].append((xa + slope * ((s + 0.5) / SUB - ya), way))
            px, py = x, y
    return rows


def spans(hits):
    """The (from, to) stretches inside the shape along one sub-scanline."""
    if len(hits) == 2:
        a, b = hits[0][0], hits[1][0]
        return [(a, b) if a < b else (b, a)]
    out, wind = [], 0
    for x, way in sorted(hits):
        if wind == 0:
            start = x
        wind += way
        if wind == 0:
            out.append((start, x))
    return out


def mix(a, b, t):
    """The colour at t (0..1) of the way from a to b."""
    t = max(0.0, min(1.0, t))
    return tuple(int(p + (q - p) * t + 0.5) for p, q in zip(a, b, strict=True))


def ramp(colours, t):
    """The colour at position t (0..1) of a ramp through the colours."""
    n = len(colours) - 1
    for i, (a, b) in enumerate(pairwise(colours)):
        if t <= (i + 1) / n:
            return mix(a, b, (t - i / n) / ((i + 1) / n - i / n))
    return colours[-1]


def vgrad(y0, y1, *colours):
    """A paint that changes through the colours from y0 down to y1."""
    @cache
    def row(y):
        return ramp(colours, max(0.0, min(1.0, (y - y0) / (y1 - y0))))
    return lambda _x, y: row(y)


def rgrad(cx, cy, radius, *colours, steps=40):
    """A paint that changes through the colours from the centre to the radius. `steps` is the number of shades."""
    table = [ramp(colours, i / steps) for i in range(steps + 1)]

    def paint(x, y):
        d = ((x - cx) ** 2 + (y - cy) ** 2) ** 0.5 / radius
        return table[min(steps, int(d * steps + 0.5))]
    return paint


def hsv(h, s, v):
    """An (r, g, b) colour from hue, saturation and value, each 0..1 (hue wraps)."""
    h = (h % 1.0) * 6
    c = [max(0.0, min(1.0, abs((h + k) % 6 - 3) - 1)) for k in (0, 4, 2)]
    return tuple(int(255 * v * (1 - s + s * k) + 0.5) for k in c)


def phases(t, count):
    """`count` phases of a motion at time t, at equal distances; each is 0..1."""
    return [(t + k / count) % 1 for k in range(count)]
