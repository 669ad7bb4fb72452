"""Hands, people and a heart: thumbs, applause, greetings, thanks."""
from math import cos, exp, pi, sin

from canvas import Canvas, hsv, phases, rgrad
from cats import INK
from gifwriter import Scene
from scenes_faces import LINE, RED, SHADE, WHITE, X, inked, palm
from shapes import blob, ellipse, heart, outline, place, rrect, star, tube

SKIN, BLUE, GREEN = (255, 222, 110), (70, 120, 230), (60, 180, 110)


def spark(c, x, y, size, colour=(255, 240, 120)):
    """A small star."""
    if size > 0.5:
        c.fill(star(x, y, size, 4, 0.35), colour)


def sleeved(c, flat, sleeve, how, colour, width):
    """A flat hand from the side, with a sleeve."""
    c.fill(place(outline(flat + sleeve, width), *how), LINE)
    c.fill(place(sleeve, *how), colour)
    c.fill(place(flat, *how), SKIN)


def mitten(c, x, y, rot, side=1):
    """A hand that claps."""
    flat = rrect(-8, -26, 16, 42, 8) + tube([(6, 2), (14, -10)], 7.5)
    sleeved(c, flat, rrect(-10, 14, 20, 22, 3), (x, y, rot, side, 1), BLUE, 4)


@Scene("Applause", (50, 70, 120))
def applause(c, t, i):
    """Two hands clap."""
    gap = 11 * (0.5 + 0.5 * cos(4 * pi * t))
    mitten(c, X - 8 - gap, 46, 0.28 + gap * 0.012, -1)
    mitten(c, X + 8 + gap, 46, -0.28 - gap * 0.012, 1)
    for k in range(5):
        a = pi * (1.15 + 0.7 * k / 4)
        reach = 30 + 10 * (1 - gap / 11)
        spark(c, X + reach * cos(a), 42 + reach * sin(a), 7 * (1 - gap / 11))


@Scene("Waving hand", (60, 130, 190))
def waving_hand(c, t, i):
    """A hand waves."""
    rot = 0.42 * sin(4 * pi * t)
    base = (X, 66)
    inked(c, tube([(X, 66), (X, 90)], 17), GREEN, 4)
    palm(c, base[0] + 24 * sin(rot), base[1] - 22 * cos(rot), rot, 1.25)
    for side in (-1, 1):
        for k in range(2):
            y = 20 + 10 * k
            c.fill(tube([(X + side * (36 + 4 * k), y), (X + side * (40 + 4 * k + 3 * sin(4 * pi * t)), y + 9)], 3),
                   WHITE)


@Scene("Shrug", (40, 120, 110), delay=8)
def shrug(c, t, i):
    """A figure raises its shoulders and hands."""
    up = (0.5 - 0.5 * cos(2 * pi * t)) ** 0.7
    inked(c, rrect(26, 58 - 5 * up, 44, 40, 14), BLUE, 4)
    for side in (-1, 1):
        elbow, wrist = (X + side * 28, 72 - 4 * up), (X + side * 38, 66 - 26 * up)
        arm = tube([(X + side * 18, 66 - 5 * up), elbow, wrist], 9)
        inked(c, arm, BLUE, 4)
        inked(c, ellipse(wrist[0] + side * 2, wrist[1] - 4, 8, 5, side * -0.3), SKIN, 3)
    c.fill(ellipse(X + 2 * sin(2 * pi * t), 32, 24, 23), LINE)
    c.fill(ellipse(X + 2 * sin(2 * pi * t), 32, 22, 21), (255, 208, 64))
    x = X + 2 * sin(2 * pi * t)
    for side in (-1, 1):
        c.fill(ellipse(x + side * 8, 30, 3, 4), LINE)
        c.fill(tube([(x + side * 5, 23 - 3 * up), (x + side * 12, 22 - 2 * up)], 2.6), LINE)
    c.fill(tube([(x - 7, 42), (x, 40 - up), (x + 7, 42 - 2 * up)], 3), LINE)


@Scene("High five", (90, 60, 130))
def high_five(c, t, i):
    """Two hands meet, stars fly off."""
    p = min(1, i / 5)
    back = max(0, (i - 8) / 8)
    gap = 30 * (1 - p) ** 2 + 12 * back
    for side, sleeve in ((-1, BLUE), (1, RED)):
        x = X + side * (15 + gap)
        arm = tube([(x + side * 4, 56), (x + side * 16, 88)], 16)
        inked(c, arm, sleeve, 4)
        how = (x, 42, -side * 0.12, -side, 1)
        whole = rrect(-12, -6, 24, 26, 9) + [q for k in range(4) for q in tube([(-8 + 5.4 * k, 0), (-8 + 5.8 * k,
                                                                                                    -19)], 5.6)]
        inked(c, whole, SKIN, 4, how)
    if 5 <= i < 13:
        q = (i - 5) / 8
        for k in range(8):
            a = 2 * pi * k / 8
            spark(c, X + (10 + 30 * q) * cos(a), 32 + (8 + 22 * q) * sin(a), 9 * (1 - q))


@Scene("Please and thank you", (60, 60, 110))
def folded_hands(c, t, i):
    """Folded hands in light."""
    y = 42 + 3 * sin(2 * pi * t)
    for k in range(10):
        a = 2 * pi * k / 10 + 2 * pi * t / 10
        c.fill(tube([(X + 30 * cos(a), y + 26 * sin(a)), (X + (38 + 3 * sin(4 * pi * t)) * cos(a), y + 33 * sin(a))],
                    3.4), (255, 230, 140))
    for side in (-1, 1):
        flat = rrect(-6, -24, 12, 42, 6) + tube([(3, 8), (2, -8)], 7)
        sleeved(c, flat, rrect(-7, 16, 18, 26, 3), (X + side * 5.5, y, side * 0.1, side, 1), (150, 80, 190), 3.6)
    c.fill(tube([(X, y - 20), (X, y + 14)], 2), SHADE)


@Scene("Thumbs down", (110, 70, 80), n=12, colours=16)
def thumbs_down(c, t, i):
    """A thumb points down."""
    y = 40 + 4 * sin(4 * pi * t)
    hand(c, X - 4, y, 0.92, pi + 0.12 * sin(4 * pi * t))


@Scene("Hug", (110, 90, 150), delay=9)
def hug(c, t, i):
    """Two round friends hold each other."""
    gap = 17 + 12 * max(0, cos(2 * pi * t)) ** 2
    for side, coat in ((-1, (120, 190, 255)), (1, (255, 170, 190))):
        x = X + side * gap
        c.fill(ellipse(x, 50, 22, 26), LINE)
        c.fill(ellipse(x, 50, 20, 24), coat)
        for k in (-1, 1):
            c.fill(tube([(x + 6 * k - side * 5 - 3, 42), (x + 6 * k - side * 5, 39), (x + 6 * k - side * 5 + 3, 42)],
                        2.6), LINE)
        c.fill(ellipse(x - side * 5, 48, 3, 2), LINE)
    for side, coat in ((-1, (120, 190, 255)), (1, (255, 170, 190))):
        x = X + side * gap
        arm = tube([(x - side * 2, 58 + 2 * side), (x - side * (14 + 14 * (1 - (gap - 17) / 12)), 60 + 3 * side)], 9)
        inked(c, arm, coat, 3)
    for k, p in enumerate(phases(t, 3)):
        c.fill(heart(X + 12 * (k - 1), 26 - 24 * p, 5 * (1 - 0.4 * p)), RED)


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
            inked(c, small, (255, 120, 170), 2.2, ink=(150, 14, 60))
    s = 36 * LUB_DUB[i][0]
    shade = rgrad(60 - s * 0.35, 56 - s * 0.5, s * 1.7, (255, 112, 134), (244, 36, 78), (186, 10, 62), steps=12)
    inked(c, heart(60, 56, s), shade, 5, ink=(128, 8, 48))
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
    inked(c, whole, INK, 6, how, INK)
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
        inked(c, shape, hsv(0.13 + 0.02 * (k % 2), 0.6, 1), 2, ink=(16, 110, 100))
    hand(c, 76, 68 + 70 * (1 - spring), 1.04, -0.5 * (1 - spring))
