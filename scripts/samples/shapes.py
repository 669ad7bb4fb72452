"""Shapes for the canvas: functions that return lists of contours (see canvas.py)."""
from math import cos, hypot, pi, sin


def ellipse(cx, cy, rx, ry=None, rot=0.0):
    """An ellipse (a circle without ry), turned by rot radians."""
    ry = rx if ry is None else ry
    n = max(12, int(3 * (rx + ry) ** 0.5 + 8))
    c, s = cos(rot), sin(rot)
    out = []
    for i in range(n):
        a = 2 * pi * i / n
        x, y = rx * cos(a), ry * sin(a)
        out.append((cx + x * c - y * s, cy + x * s + y * c))
    return [out]


def poly(*points):
    """A polygon through the points."""
    return [list(points)]


def rect(x, y, w, h):
    """An upright rectangle."""
    return [[(x, y), (x + w, y), (x + w, y + h), (x, y + h)]]


def rrect(x, y, w, h, r):
    """An upright rectangle with corners rounded by r."""
    out = []
    for cx, cy, start in ((x + w - r, y + r, -pi / 2), (x + w - r, y + h - r, 0),
                          (x + r, y + h - r, pi / 2), (x + r, y + r, pi)):
        out += [(cx + r * cos(start + k * pi / 12), cy + r * sin(start + k * pi / 12)) for k in range(7)]
    return [out]


def curve(points, closed=False, steps=6):
    """Points of a smooth (Catmull-Rom) line through the given points."""
    n = len(points)
    out = []
    for i in range(n if closed else n - 1):
        if closed:
            a, b, c, d = (points[(i + k) % n] for k in (-1, 0, 1, 2))
        else:
            a, b, c, d = (points[max(0, min(n - 1, i + k))] for k in (-1, 0, 1, 2))
        for k in range(steps):
            out.append(tuple(_catmull(p, q, r, s, k / steps) for p, q, r, s in zip(a, b, c, d, strict=True)))
    if not closed:
        out.append(tuple(points[-1]))
    return out


def _catmull(a, b, c, d, t):
    """One coordinate of a Catmull-Rom segment from b to c at t."""
    return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t ** 3)


def blob(points, steps=6):
    """A smooth closed shape through the points."""
    return [curve(points, True, steps)]


def tube(points, width, end=None, closed=False):
    """A thick line along the points, with round ends. Its width changes to `end`, if given."""
    end = width if end is None else end
    line = list(points) + ([points[0]] if closed else [])
    n = len(line) - 1
    out = []
    for i, (x, y) in enumerate(line):
        r = (width + (end - width) * i / max(1, n)) / 2
        out += ellipse(x, y, r)
        if i < n:
            q = (width + (end - width) * (i + 1) / n) / 2
            out += _link(x, y, r, *line[i + 1], q)
    return out


def _link(x, y, r, u, v, q):
    """The quadrangle that joins two discs, with its points in the same direction as those of ellipse()."""
    d = hypot(u - x, v - y)
    if d < 1e-6:
        return []
    nx, ny = -(v - y) / d, (u - x) / d
    return [[(x - nx * r, y - ny * r), (u - nx * q, v - ny * q), (u + nx * q, v + ny * q), (x + nx * r, y + ny * r)]]


def arc(cx, cy, r, a0, a1, width, ry=None):
    """A thick arc from angle a0 to a1 (radians, clockwise on screen)."""
    n = max(4, int(abs(a1 - a0) * 6))
    ry = r if ry is None else ry
    return tube([(cx + r * cos(a0 + (a1 - a0) * i / n), cy + ry * sin(a0 + (a1 - a0) * i / n))
                 for i in range(n + 1)], width)


def star(cx, cy, r, points=5, inner=0.45, rot=0.0):
    """A star with its first point up."""
    out = []
    for i in range(points * 2):
        q = r if i % 2 == 0 else r * inner
        a = rot - pi / 2 + pi * i / points
        out.append((cx + q * cos(a), cy + q * sin(a)))
    return [out]


def heart(cx, cy, size, rot=0.0):
    """A heart about 2 * size wide, centred on cx, cy."""
    c, s = cos(rot), sin(rot)
    out = []
    for i in range(48):
        a = 2 * pi * i / 48
        x = size * (sin(a) ** 3 + 0.13 * sin(a) * (1 - cos(a)) / 2)
        y = -size * (13 * cos(a) - 5 * cos(2 * a) - 2 * cos(3 * a) - cos(4 * a)) / 16 - size * 0.1
        out.append((cx + x * c - y * s, cy + x * s + y * c))
    return [out]


def place(shape, x=0.0, y=0.0, rot=0.0, sx=1.0, sy=None):
    """The shape scaled, then turned, then moved."""
    sy = sx if sy is None else sy
    c, s = cos(rot), sin(rot)
    return [[(x + a * sx * c - b * sy * s, y + a * sx * s + b * sy * c) for a, b in contour] for contour in shape]


def outline(shape, width):
    """A line of the given width along the edge of every contour."""
    out = []
    for contour in shape:
        out += tube(contour, width, closed=True)
    return out


def crescent(cx, cy, r, rot=0.0, width=0.75):
    """A crescent moon of radius r, open to the left. Its thickness is width * r."""
    tip = 1.0
    out = [(-r * cos(tip + k * 0.15), r * sin(tip + k * 0.15)) for k in range(30) if tip + k * 0.15 < 2 * pi - tip]
    top, edge = r * sin(tip), -r * cos(tip)
    for k in range(13):
        v = -1 + k / 6
        out.append((edge + (r * (1 - width) - edge) * (1 - v * v), top * v))
    return place([out], cx, cy, rot)


def note(x, y, size, rot=0.0):
    """A musical quaver with its head at x, y."""
    out = ellipse(0, 0, 1.0, 0.75, -0.3) + rect(0.62, -3.2, 0.36, 3.2)
    out += [curve([(0.62, -3.2), (1.6, -2.4), (1.9, -1.2), (1.2, -1.9), (0.7, -2.1)], True)]
    return place(out, x, y, rot, size)
