"""Reactions: a beating heart, a thumb up."""
from math import cos, exp, pi, sin

from canvas import Canvas, hsv, rgrad
from cats import INK, WHITE
from gifwriter import Scene
from shapes import blob, ellipse, heart, outline, place, rrect, star, tube

LUB_DUB = ((1.0, 22), (1.02, 4), (1.1, 4), (1.19, 4), (1.24, 4), (1.2, 4), (1.11, 4), (1.04, 4),
           (1.0, 5), (1.03, 4), (1.1, 4), (1.14, 4), (1.11, 4), (1.06, 5), (1.02, 6), (0.99, 6),
           (0.97, 8), (0.98, 10), (0.99, 12), (1.0, 14))


@Scene("Beating heart", None, (120, 104), len(LUB_DUB), [delay for _, delay in LUB_DUB], 48,
       "transparent background, disposal 2, a delay for each frame (4-22 cs)", mode="clear")
def beating_heart(c, t, i):
    """A glossy heart beats twice, then rests."""
    for k, (x, begin, tall) in enumerate(((18, 3, 44), (102, 4, 52), (30, 9, 50), (92, 10, 40))):
        p = (i - begin) / 9
        if 0 < p < 1:
            s = 9 * min(1, p * 4, (1 - p) * 3)
            small = heart(x + 4 * sin(5 * p + k), 56 - tall * p, s, 0.3 * sin(4 * p + k))
            c.fill(outline(small, 2.2) + small, (150, 14, 60))
            c.fill(small, (255, 120, 170))
    s = 36 * LUB_DUB[i][0]
    large = heart(60, 56, s)
    c.fill(outline(large, 5) + large, (128, 8, 48))
    c.fill(large, rgrad(60 - s * 0.35, 56 - s * 0.5, s * 1.7, (255, 112, 134), (244, 36, 78), (186, 10, 62), steps=12))
    c.fill(ellipse(60 - s * 0.46, 56 - s * 0.5, s * 0.24, s * 0.13, -0.6), WHITE, 0.85)
    c.fill(ellipse(60 - s * 0.72, 56 - s * 0.2, s * 0.07, s * 0.1, 0.3), WHITE, 0.7)


def hand(c, x, y, size, rot):
    """A yellow hand, thumb up, with a blue sleeve; x, y is the middle of the fist."""
    how = (x, y, rot, size)
    skin, shade = (255, 206, 72), (238, 158, 40)
    sleeve = rrect(-46, -9, 20, 40, 4)
    thumb = blob([(-14, -6), (-6, -18), (-4, -34), (2, -40), (9, -36), (10, -24), (7, -10), (2, 4)], 5)
    palm = rrect(-28, -8, 36, 38, 11)
    fingers = [rrect(-2, -11 + k * 11, 31 - abs(k - 1.2) * 2.5, 12.5, 6) for k in range(4)]
    whole = sleeve + thumb + palm + [p for f in fingers for p in f]
    c.fill(place(outline(whole, 6), *how), INK)
    c.fill(place(whole, *how), INK)
    c.fill(place(sleeve, *how), (60, 120, 240))
    c.fill(place(rrect(-32, -9, 6, 40, 2.5), *how), WHITE)
    c.fill(place(palm, *how), skin)
    c.fill(place(thumb, *how), skin)
    for k, f in enumerate(fingers):
        c.fill(place(f, *how), skin)
        if k < 3:
            c.fill(place(tube([(6, 0.8 + k * 11), (24, 0.8 + k * 11)], 2.4), *how), shade)
    c.fill(place(tube([(1, -30), (0, -20)], 4.2), *how), (255, 236, 160))


def lawn(w, h):
    """A green ground."""
    return Canvas(w, h, rgrad(72, 60, 96, (142, 236, 150), (40, 186, 120), (14, 120, 104), steps=16))


@Scene("Thumbs up", lawn, (144, 120), 30, [4] * 29 + [200], 64, "no loop extension (plays once), last frame held 2 s",
       loop=None)
def thumbs_up(c, t, i):
    """A thumb springs up, stars fly off, it stays."""
    t = i / 29
    spring = 1 - exp(-5.2 * t) * cos(13 * t)
    reach = 48 * min(1.12, max(0.0, spring))
    c.fill(ellipse(72, 60, reach), (255, 255, 255), 0.22)
    c.fill(ellipse(72, 60, reach * 0.84), (255, 255, 255), 0.25)
    p = min(1, max(0, (t - 0.16) / 0.72))
    out = 1 - (1 - p) ** 3
    size = 8.5 * min(1, p * 8) * (1 - 0.3 * p)
    for k in range(10 if size > 0.3 else 0):
        a = 2 * pi * (k + 0.5) / 10
        x, y = 72 + (24 + 38 * out) * cos(a) * 1.08, 60 + (20 + 30 * out) * sin(a)
        shape = star(x, y, size, 5, 0.45, 3 * out + k)
        c.fill(outline(shape, 2), (16, 110, 100))
        c.fill(shape, hsv(0.13 + 0.02 * (k % 2), 0.6, 1))
    hand(c, 76, 68 + 70 * (1 - spring), 1.04, -0.5 * (1 - spring))
