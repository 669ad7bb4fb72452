"""Hands and people: applause, greetings, thanks."""
from math import cos, pi, sin

from canvas import phases
from gifwriter import Scene
from scenes_faces import LINE, RED, SHADE, WHITE, X, inked, palm
from scenes_reactions import hand
from shapes import ellipse, heart, outline, place, rrect, star, tube

SKIN, BLUE, GREEN = (255, 222, 110), (70, 120, 230), (60, 180, 110)


def spark(c, x, y, size, colour=(255, 240, 120)):
    """A small star."""
    if size > 0.5:
        c.fill(star(x, y, size, 4, 0.35), colour)


def mitten(c, x, y, rot, side=1):
    """A flat hand from the side, with a thumb and a sleeve."""
    how = (x, y, rot, side, 1)
    whole = rrect(-8, -26, 16, 42, 8) + tube([(6, 2), (14, -10)], 7.5)
    sleeve = rrect(-10, 14, 20, 22, 3)
    c.fill(place(outline(whole + sleeve, 4), *how), LINE)
    c.fill(place(sleeve, *how), BLUE)
    c.fill(place(whole, *how), SKIN)


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
        how = (X + side * 5.5, y, side * 0.1, side, 1)
        whole = rrect(-6, -24, 12, 42, 6) + tube([(3, 8), (2, -8)], 7)
        sleeve = rrect(-7, 16, 18, 26, 3)
        c.fill(place(outline(whole + sleeve, 3.6), *how), LINE)
        c.fill(place(sleeve, *how), (150, 80, 190))
        c.fill(place(whole, *how), SKIN)
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
