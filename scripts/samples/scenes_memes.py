"""What people post at work: 100, a table flip, popcorn, a ship that leaves, a room on fire."""
from math import cos, pi, sin

from canvas import phases, vgrad
from gifwriter import Scene
from scenes_faces import LINE, RED, WHITE, H, W, inked
from shapes import arc, blob, ellipse, outline, place, poly, rect, rrect, star, tube

WOOD, FUR = (190, 124, 66), (240, 186, 104)


def lean(shape):
    """The shape in italics."""
    return [[(x - 0.22 * y, y) for x, y in contour] for contour in shape]


ONE = tube([(-6, -10), (1, -16), (1, 16)], 9)
ZERO = tube([(9.5 * sin(pi * k / 12), -16.5 * cos(pi * k / 12)) for k in range(24)], 8.5, closed=True)


@Scene("100", (52, 44, 104), n=20, delay=6)
def hundred(c, t, i):
    """The number 100 beats over two strokes."""
    i = (i + 15) % 20  # the first frame is complete
    beat = max(0.0, 1 - abs(i - 8) / 3) if i < 12 else 0
    size = 1 + 0.13 * beat
    digits = place(lean(place(ONE, -27, 0) + place(ZERO, -7, 0) + place(ZERO, 21, 0)), 50, 30, -0.1, size)
    strokes = []
    for k, (x, y, length) in enumerate(((18, 65.5, 58), (30, 72.5, 36))):
        part = max(0.02, min(1, (i - 1 - 3 * k) / 4))
        if i > 3 * k:
            points = [(x + length * part * j / 6, y - 9 * part * j / 6 + 1.6 * sin(pi * j / 6)) for j in range(7)]
            strokes += tube(points, 5.6, 4)
    inked(c, digits + strokes, RED, 4.4, ink=WHITE)
    for k, (x, y) in enumerate(((12, 14), (86, 60), (88, 10), (8, 56))):
        glint = sin(pi * max(0.0, min(1, (i - 7 - k) / 6)))
        if glint > 0.1:
            c.fill(star(x, y, 8 * glint, 4, 0.3), (255, 230, 110))


def table(c, x, y, rot):
    """A table with two legs."""
    top, legs = rrect(-19, -3, 38, 6, 2), rect(-15, 2, 5, 18) + rect(10, 2, 5, 18)
    c.fill(place(outline(top + legs, 3.6), x, y, rot), LINE)
    c.fill(place(legs, x, y, rot), (140, 84, 44))
    c.fill(place(top, x, y, rot), WOOD)


@Scene("Table flip", (126, 150, 176), n=20, colours=20)
def table_flip(c, t, i):
    """Somebody angry throws a table."""
    c.fill(rect(0, 68, W, 12), (84, 72, 110))
    rage = 1 if 4 <= i < 17 else 0
    arms = max(0.0, min(1, (i - 4) / 3)) if i < 17 else max(0.0, 1 - (i - 16) / 3)
    x, shake = 24, 1.3 * sin(2.6 * i) * rage
    inked(c, rrect(x - 11, 48, 22, 24, 8), (60, 120, 230))
    for side in (-1, 1):
        hand = (x + side * (17 - 2 * arms) + 6 * arms, 60 - 42 * arms)
        inked(c, tube([(x + side * 9, 54), (x + side * 18, 58 - 16 * arms), hand], 7), (255, 222, 110), 3)
    head = 16
    c.fill(ellipse(x + shake, 34, head + 2), LINE)
    c.fill(ellipse(x + shake, 34, head), (255, 120, 70) if rage else (255, 208, 64))
    for side in (-1, 1):
        c.fill(ellipse(x + shake + side * 6 + 2, 32, 2.4, 3.2), LINE)
        if rage:
            c.fill(tube([(x + shake + side * 11 + 2, 25), (x + shake + side * 3 + 2, 29)], 2.6), LINE)
    c.fill(ellipse(x + shake + 2, 42, 6, 4.5) if rage else tube([(x - 2, 41), (x + 6, 41)], 2.6), LINE)
    if i < 6:
        table(c, 56, 48 - 2 * max(0, i - 4), -0.12 * max(0, i - 4))
    elif i < 17:
        p = min(1, (i - 5) / 6)
        table(c, 56 + 18 * p, 48 + 17 * p - 33 * sin(pi * p), -0.24 + (pi + 0.24 + 2 * pi) * p)
        if 11 <= i < 14:
            for side in (-1, 1):
                c.fill(ellipse(74 + side * (20 + 2 * (i - 11)), 66, 4 - (i - 11)), WHITE, 0.8)
    else:
        p = (i - 16) / 4
        table(c, 74 + 46 * p, 65, pi)
        table(c, 56, -24 + 72 * min(1, p * p * 1.2), 0)


def kernel(c, x, y, rot, size=1.0):
    """One popped kernel."""
    puffs = [p for a in (0.3, 1.9, 3.5, 5.0) for p in ellipse(3.1 * cos(a), 3.1 * sin(a), 3.5)]
    shape = place(puffs + ellipse(0, 0, 3.5), x, y, rot, size)
    inked(c, shape, (255, 248, 220), 2.2, ink=(150, 96, 40))
    c.fill(place(ellipse(1, 1, 2), x, y, rot, size), (250, 206, 96))


@Scene("Popcorn", (64, 80, 140))
def popcorn(c, t, i):
    """Popcorn jumps out of a striped bucket."""
    for k, p in enumerate(phases(t, 6)):
        side = (-1, 1)[k % 2] * (0.35 + 0.3 * (k % 3))
        kernel(c, 48 + side * 58 * p, 42 - 42 * 3.2 * p * (1 - p) + 34 * p * p, 6 * p + k, 1.1)
    for k, (x, y) in enumerate(((30, 30), (42, 25), (54, 25), (66, 30), (36, 22), (48, 17), (60, 21), (27, 36),
                                (69, 36), (48, 30), (38, 33), (58, 33))):
        kernel(c, x, y + 1.4 * sin(2 * pi * (2 * t + k / 5)), k, 1.25)
    bucket = poly((22, 36), (74, 36), (66, 77), (30, 77))
    inked(c, bucket, WHITE)
    for k in range(4):
        a, b = 22 + 52 * (2 * k) / 7, 22 + 52 * (2 * k + 1) / 7
        c.fill(poly((a, 36), (b, 36), (48 + (b - 48) * 18 / 26, 77), (48 + (a - 48) * 18 / 26, 77)), RED)
    c.fill(tube([(21, 37), (75, 37)], 4.6), LINE)
    c.fill(tube([(21, 36.6), (75, 36.6)], 2.6), WHITE)


@Scene("Ship it", (150, 205, 235), colours=28)
def ship_it(c, t, i):
    """A ship full of containers goes to sea."""
    c.fill(ellipse(80, 13, 8), (255, 236, 130))
    for p in phases(t, 3):
        c.fill(ellipse(21 - 22 * p, 22 - 16 * p, 3 + 5 * p), WHITE, 0.9 * (1 - p) ** 0.5)
    bob, rock = 1.6 * sin(2 * pi * t), 0.045 * cos(2 * pi * t)

    def at(shape):
        return place(shape, 48, 46 + bob, rock)
    inked(c, at(rect(-30, -22, 8, 14)), (230, 70, 60), 3)
    c.fill(at(rect(-30, -18, 8, 3.5)), WHITE)
    inked(c, at(rrect(-36, -10, 20, 18, 2)), WHITE, 3)
    for k in range(3):
        c.fill(at(rect(-33 + 5.5 * k, -6, 3.5, 4)), (70, 130, 200))
    colours = ((240, 180, 50), (70, 170, 110), (230, 90, 70), (120, 110, 220), (60, 150, 220), (240, 130, 60))
    for k, (x, y) in enumerate(((-13, -3), (2, -3), (17, -3), (-13, -14), (2, -14), (2, -25))):
        inked(c, at(rect(x, y, 14, 10)), colours[k], 2.4)
        c.fill(at(rect(x + 4, y + 2, 1.5, 6) + rect(x + 8.5, y + 2, 1.5, 6)), LINE, 0.35)
    inked(c, at(poly((-42, 7), (44, 7), (34, 27), (-34, 27))), (200, 50, 60), 3.4)
    c.fill(at(poly((-42, 7), (44, 7), (41.5, 12), (-40, 12))), WHITE)
    for k, (y, colour) in enumerate(((62, (40, 120, 200)), (68, (28, 92, 172)))):
        points = [(x, y + 2.6 * sin(2 * pi * (x / 32 + t + k * 0.4))) for x in range(-4, W + 8, 4)]
        c.fill([points + [(W + 4, H), (-4, H)]], colour)
        if k == 0:
            for side in (0, 1):
                x = 10 + 78 * side + 3 * sin(2 * pi * t)
                c.fill(ellipse(x, 64, 6, 2), WHITE, 0.8)


def flame(c, x, y, size, sway, colour):
    """A flame whose foot is at x, y."""
    c.fill(blob([(x - 9 * size, y), (x - 8 * size, y - 12 * size), (x - 3 * size + sway, y - 17 * size),
                 (x + sway * 2, y - 30 * size), (x + 5 * size + sway, y - 17 * size), (x + 8 * size, y - 12 * size),
                 (x + 9 * size, y)], 5), colour)


@Scene("This is fine", (120, 40, 40), colours=24)
def this_is_fine(c, t, i):
    """A dog smiles over its coffee while the room burns."""
    c.fill(rect(0, 0, W, H), vgrad(0, 80, (96, 30, 40), (220, 96, 30)))
    for k in range(7):
        x, lick = 2 + 15.4 * k, sin(2 * pi * (2 * t + k * 0.37))
        far = abs(k - 3) / 3
        size = 1.1 + 0.9 * far + 0.16 * lick
        flame(c, x, 82, size, 2.4 * lick, (255, 120, 30))
        flame(c, x, 82, size * 0.62, 2 * lick, (255, 214, 80))
    for k, p in enumerate(phases(t, 5)):
        c.fill(ellipse(8 + 20 * k + 4 * sin(9 * p + k), 60 - 60 * p, 1.6 * (1 - p) + 0.4), (255, 220, 110))
    bob = 0.6 * sin(2 * pi * t)
    inked(c, rrect(30, 46, 26, 30, 9), FUR, 3)
    inked(c, ellipse(43, 32 + bob, 18, 16), FUR, 3)
    c.fill(ellipse(45, 37 + bob, 11, 8.5), (255, 232, 190))
    for side in (-1, 1):
        inked(c, blob([(43 + side * 13, 20 + bob), (43 + side * 23, 25 + bob), (43 + side * 21, 42 + bob),
                       (43 + side * 16, 35 + bob)], 5), (128, 72, 34), 3)
        shut = i in (9, 10)
        c.fill(ellipse(44 + side * 7, 28 + bob, 3.2, 0.9 if shut else 4), LINE)
        if not shut:
            c.fill(ellipse(45 + side * 7, 26.8 + bob, 1.3), WHITE)
    c.fill(ellipse(45, 34 + bob, 3.8, 2.8), LINE)
    c.fill(arc(45, 35.5 + bob, 7, 0.12 * pi, 0.88 * pi, 2.4), LINE)
    inked(c, rect(14, 62, 70, 5) + rect(20, 66, 5, 16) + rect(74, 66, 5, 16), WOOD, 3)
    inked(c, tube([(36, 56), (50, 58), (58, 55)], 6.5), FUR, 2.6)
    inked(c, arc(72, 54, 4, -pi / 2, pi / 2, 2.6), WHITE, 2.4)
    inked(c, rrect(60, 47, 12, 14, 2), WHITE, 2.8)
    c.fill(rect(61, 48.5, 10, 2.4), (92, 50, 24))
    for k in range(2):
        points = [(64 + 5 * k + 1.4 * sin(2 * pi * (t + j / 4 + k / 2)), 43 - 3 * j) for j in range(4)]
        c.fill(tube(points, 2.2, 1), (240, 226, 210), 0.9)
