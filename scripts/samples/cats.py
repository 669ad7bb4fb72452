"""The parts of a cat. Sizes are in pixels of a cat whose head is about 76 pixels wide."""
from math import cos, hypot, pi, sin

from shapes import arc, blob, ellipse, outline, place, poly, tube

INK = (58, 28, 38)
WHITE = (255, 255, 255)
PINK = (255, 140, 160)
GINGER = {"fur": (255, 158, 56), "dark": (214, 98, 24), "light": (255, 236, 206), "eye": (40, 22, 30)}
GREY = {"fur": (150, 160, 190), "dark": (98, 106, 142), "light": (236, 240, 252), "eye": (30, 30, 50)}
BLACK = {"fur": (62, 58, 84), "dark": (40, 36, 60), "light": (120, 112, 150), "eye": (255, 214, 64)}


class Pen:
    """Draws on a canvas through one translation, rotation and scale."""

    def __init__(self, canvas, x=0.0, y=0.0, rot=0.0, sx=1.0, sy=None):
        self.canvas, self.how = canvas, (x, y, rot, sx, sx if sy is None else sy)

    def fill(self, shape, paint, alpha=1.0):
        """Fill shape, given in the pen's own coordinates."""
        self.canvas.fill(place(shape, *self.how), paint, alpha)

    def inked(self, shape, paint, width=3.4, ink=INK):
        """Fill shape with an inked edge around it."""
        self.canvas.fill(place(outline(shape, width) + shape, *self.how), ink)
        self.fill(shape, paint)


def ear(side, twitch=0.0):
    """(outer, inner) shapes of the ear on side -1 (left) or 1 (right)."""
    tip = (34 + twitch, -47)
    outer = blob([(9, -24), (20, -36), tip, (38, -28), (37, -8), (20, -10)], 5)
    inner = poly((18, -26), (31 + twitch, -40), (34, -16))
    return tuple([[(x * side, y) for x, y in c] for c in shape] for shape in (outer, inner))


HEAD = blob([(0, -29), (20, -26), (35, -9), (38, 8), (28, 22), (0, 27), (-28, 22), (-38, 8), (-35, -9), (-20, -26)], 6)


def head(pen, coat, eyes="open", mouth=0.0, look=(0, 0), twitch=0.0):
    """A cat's head centred on 0, 0. mouth: 0 (shut) to 1 (wide open); look: the offset of the pupils."""
    for side in (-1, 1):
        outer, inner = ear(side, twitch)
        pen.inked(outer, coat["fur"])
        pen.fill(inner, PINK)
    pen.inked(HEAD, coat["fur"])
    for x, top, low in ((-10, -25, -14), (0, -28, -13), (10, -25, -14)):
        pen.fill(tube([(x, top), (x * 0.7, low)], 5.5, 2), coat["dark"])
    for side in (-1, 1):
        for y in (2, 11):
            pen.fill(tube([(side * 36, y), (side * 27, y + 1)], 5, 1.5), coat["dark"])
    pen.fill(ellipse(-8, 14, 12.5, 9) + ellipse(8, 14, 12.5, 9), coat["light"])
    for side in (-1, 1):
        pen.fill(ellipse(side * 26, 13, 6.5, 4.2), PINK, 0.8)
    _mouth(pen, mouth)
    _eyes(pen, coat, eyes, look)
    _whiskers(pen)


def _mouth(pen, wide):
    """Nose and mouth."""
    if wide > 0.05:
        pen.fill(blob([(-8, 14), (0, 15), (8, 14), (5, 16 + 8 * wide), (0, 18 + 9 * wide), (-5, 16 + 8 * wide)]), INK)
        pen.fill(ellipse(0, 16.5 + 6.5 * wide, 4 * wide, 3 * wide), (255, 96, 110))
    pen.fill(arc(-5, 12.5, 5, 0.1, pi * 0.95, 2.4) + arc(5, 12.5, 5, 0.05 * pi, pi - 0.1, 2.4), INK)
    pen.fill(blob([(-5, 6.5), (0, 5.5), (5, 6.5), (0, 11.5)]), (255, 92, 122))


def _eyes(pen, coat, kind, look):
    """Both eyes. kind: "open", "happy", "sleepy", or "wink", in which only the right eye is happy."""
    for side in (-1, 1):
        x, y = side * 17, -1
        shape = "happy" if kind == "wink" and side == 1 else kind
        if shape in ("open", "wink"):
            pen.fill(ellipse(x, y, 7.2, 9), coat["eye"])
            if coat["eye"][0] > 128:
                pen.fill(ellipse(x + look[0], y + look[1], 3.6, 7), INK)
            pen.fill(ellipse(x - 2 + look[0], y - 3.6 + look[1], 2.9), WHITE)
            pen.fill(ellipse(x + 2.6 + look[0], y + 3.4 + look[1], 1.5), WHITE)
        elif shape == "happy":
            pen.fill(arc(x, y + 3, 7, pi * 1.08, pi * 1.92, 3.6), _lid(coat))
        else:
            pen.fill(arc(x, y - 3, 7, pi * 0.1, pi * 0.9, 3.4), _lid(coat))


def _lid(coat):
    """The colour of a closed eye: that of an open eye on dark fur, otherwise ink."""
    return coat["eye"] if sum(coat["fur"]) < 300 else INK


def _whiskers(pen):
    """Three whiskers on each side."""
    for side in (-1, 1):
        for y, out in ((8, 4), (13, 12), (18, 20)):
            pen.fill(tube([(side * 24, y + 3), (side * 49, out)], 2.2, 1.3), WHITE)


def limb(pen, coat, points, width=17, paw=True, end=None):
    """An arm or leg along the points, with a light paw at the last point."""
    pen.inked(tube(points, width, end), coat["fur"])
    if paw:
        x, y = points[-1]
        pen.fill(ellipse(x, y, width * 0.47), coat["light"])


def tail(pen, coat, root, phase, length=58, lift=1.0, width=13):
    """A striped tail that begins at root and waves; one wave is a phase from 0 to 1."""
    points, x, y, a = [], root[0], root[1], 0.25
    for i in range(13):
        points.append((x, y))
        a = 0.15 - lift * i / 9 + 0.5 * sin(2 * pi * phase - i / 3.2) * (i / 12)
        x += length / 12 * cos(a)
        y += length / 12 * sin(a)
    pen.inked(tube(points, width, width * 0.8), coat["fur"])
    for i in (3, 6, 9):
        (ax, ay), (bx, by), (x, y) = points[i - 1], points[i + 1], points[i]
        far = width * 0.36 / max(1e-6, hypot(bx - ax, by - ay))
        across = ((by - ay) * far, (ax - bx) * far)
        pen.fill(tube([(x - across[0], y - across[1]), (x + across[0], y + across[1])], 4.4), coat["dark"])
    pen.fill(tube(points[11:], width * 0.82), coat["light"])
