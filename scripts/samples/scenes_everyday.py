"""Everyday things: a dog, snow, coffee, a cake, work and a rocket."""
from math import pi, sin
from random import Random

from canvas import hsv
from gifwriter import Scene
from scenes_faces import LINE, PINK, WHITE, H, W, X, inked
from shapes import arc, blob, ellipse, poly, rect, rrect, star, tube

BROWN, TAN = (176, 108, 56), (236, 190, 130)


@Scene("Happy dog", (120, 190, 130), colours=20)
def happy_dog(c, t, i):
    """A dog wags its tail and pants."""
    bob = 1.5 * abs(sin(4 * pi * t))
    wag = 12 * sin(8 * pi * t)
    inked(c, tube([(76, 66), (84, 54), (86 + wag * 0.5, 42)], 7, 5), BROWN)
    inked(c, ellipse(62, 66, 22, 16), BROWN)
    for x in (48, 74):
        inked(c, rrect(x, 66, 9, 16, 4), TAN)
    inked(c, ellipse(38, 38 + bob, 25, 23), BROWN)
    c.fill(ellipse(38, 46 + bob, 15, 12), TAN)
    for side in (-1, 1):
        inked(c, blob([(38 + side * 18, 20 + bob), (38 + side * 32, 26 + bob), (38 + side * 31, 48 + bob
                                                                                + side * wag * 0.1),
                       (38 + side * 22, 40 + bob)], 5), (128, 72, 34))
        c.fill(ellipse(38 + side * 10, 33 + bob, 4, 5), LINE)
        c.fill(ellipse(39 + side * 10, 31.5 + bob, 1.6), WHITE)
    c.fill(rrect(34, 49 + bob, 9, 10 + 3 * sin(8 * pi * t), 4), PINK)
    c.fill(ellipse(38, 42 + bob, 5.5, 4), LINE)
    c.fill(arc(33, 46 + bob, 5, 0, pi * 0.9, 2.4) + arc(43, 46 + bob, 5, pi * 0.1, pi, 2.4), LINE)


FLAKES = [(Random(k).random(), Random(k + 50).random(), 1 + k % 2, 1.4 + (k % 3) * 0.6) for k in range(26)]


@Scene("Snowman", (80, 120, 180), colours=16)
def snowman(c, t, i):
    """A snowman sways while snow falls."""
    c.fill(ellipse(X, 88, 70, 20), (225, 236, 250))
    for x, s in ((14, 1.0), (84, 0.8)):
        for k in range(3):
            y = 66 - k * 14 * s
            c.fill(poly((x - (16 - 4 * k) * s, y), (x + (16 - 4 * k) * s, y), (x, y - 24 * s)), (30, 110 + 14 * k, 80))
        c.fill(rect(x - 2, 66, 4, 8), BROWN)
        c.fill(star(x, 14 if s == 1 else 27, 5, 5, 0.45), (255, 220, 80))
    lean = 2 * sin(2 * pi * t)
    inked(c, ellipse(X, 62, 18, 16), WHITE, 2.4)
    inked(c, ellipse(X + lean, 36, 13, 12), WHITE, 2.4)
    c.fill(rrect(X - 13 + lean, 44, 26, 6, 3) + rrect(X + 4 + lean, 46, 6, 15, 2), (220, 50, 60))
    c.fill(rect(X - 14 + lean, 24, 28, 3.5) + rect(X - 9 + lean, 10, 18, 15), (40, 40, 60))
    for side in (-1, 1):
        c.fill(ellipse(X + side * 5 + lean, 34, 2), LINE)
        c.fill(tube([(X + side * 16, 58), (X + side * 30, 48 - lean * side)], 2.6), BROWN)
    c.fill(poly((X + lean, 37), (X + 13 + lean, 40), (X + lean, 41)), (255, 140, 40))
    for k in range(3):
        c.fill(ellipse(X, 54 + 7 * k, 1.8), LINE)
    for x, y, speed, size in FLAKES:
        c.fill(ellipse((x * W + 4 * sin(2 * pi * (t + y))) % W, (y + t * speed) % 1 * (H + 6) - 3, size), WHITE)


@Scene("Cup of coffee", (150, 104, 70))
def coffee(c, t, i):
    """A cup of coffee steams."""
    c.fill(ellipse(44, 73, 34, 5), (120, 78, 50))
    handle = arc(70, 52, 10, -pi * 0.5, pi * 0.5, 6)
    inked(c, handle, (240, 240, 245))
    inked(c, blob([(18, 36), (44, 34), (70, 36), (67, 60), (54, 71), (34, 71), (21, 60)], 5), (240, 240, 245))
    inked(c, ellipse(44, 37, 25, 6), (240, 240, 245), 2.4)
    c.fill(ellipse(44, 38, 21, 4.2), (92, 50, 24))
    c.fill(ellipse(44 + 6 * sin(2 * pi * t), 38, 7, 1.6), (150, 96, 50))
    for side in (-1, 1):
        c.fill(ellipse(44 + side * 8, 51, 2.6, 3.4), LINE)
        c.fill(ellipse(44 + side * 14, 57, 3.2, 2), PINK)
    c.fill(arc(44, 54, 5, 0.1 * pi, 0.9 * pi, 2.6), LINE)
    for k in range(3):
        x = 32 + 12 * k
        points = [(x + 3.4 * sin(2 * pi * (t + j / 6 + k / 3)), 30 - 4.2 * j) for j in range(7)]
        c.fill(tube(points, 4, 1.2), (230, 220, 214))


@Scene("Birthday cake", (70, 60, 120), colours=20)
def birthday_cake(c, t, i):
    """A cake with candles, confetti falls."""
    for k in range(22):
        r = Random(k)
        x, y = r.random() * W, (r.random() + t * (1 + k % 2)) % 1 * (H + 8) - 4
        c.fill(ellipse(x + 3 * sin(2 * pi * (t + k / 9)), y, 2.4, 1.6, k), hsv(k / 7, 0.6, 1))
    inked(c, rrect(14, 56, 68, 20, 4), (245, 200, 140))
    inked(c, rrect(22, 38, 52, 19, 4), (250, 225, 180))
    for y, x0, n in ((56, 14, 8), (38, 22, 6)):
        c.fill(rrect(x0, y - 1, n * 8.6, 6, 3), PINK)
        for k in range(n):
            c.fill(ellipse(x0 + 4.5 + 8.5 * k, y + 5, 4.2, 3.4 + 1.8 * (k % 2)), PINK)
    for k in range(3):
        x, flick = 33 + 15 * k, sin(2 * pi * (2 * t + k / 3))
        c.fill(rect(x - 2, 24, 4, 14), hsv(0.55 + k * 0.17, 0.5, 1))
        c.fill(blob([(x + flick, 9), (x + 4, 18), (x, 23), (x - 4, 18)], 4), (255, 160, 40))
        c.fill(ellipse(x, 19, 2, 3), (255, 245, 170))


@Scene("Typing", (90, 110, 140), colours=20)
def typing(c, t, i):
    """Code fills a screen, two hands type."""
    inked(c, rrect(16, 6, 64, 46, 4), (60, 66, 84))
    c.fill(rect(21, 11, 54, 36), (18, 24, 36))
    shown = i * 2
    for k in range(6):
        length = max(0, min(12 + (k * 17) % 26, (shown - k * 5) * 6))
        c.fill(rrect(25 + 4 * (k % 3), 14 + 5.4 * k, length, 3, 1), hsv(0.3 + 0.16 * k, 0.5, 1))
        if 0 < length < 12 + (k * 17) % 26:
            c.fill(rect(27 + 4 * (k % 3) + length, 13 + 5.4 * k, 3, 5), WHITE)
    inked(c, poly((10, 56), (86, 56), (94, 74), (2, 74)), (150, 156, 172))
    for row in range(3):
        for k in range(9):
            c.fill(rrect(13 + 7.8 * k - row, 58.5 + 5 * row, 6, 3.4, 1), (225, 228, 236))
    for side in (-1, 1):
        y = 70 + 3 * sin(pi * i + (pi if side > 0 else 0))
        inked(c, tube([(X + side * 34, 88), (X + side * (15 + 3 * sin(i * 2.1)), y)], 13, 11), (255, 222, 110), 3)


@Scene("Rocket", (20, 24, 60), colours=20)
def rocket(c, t, i):
    """A rocket flies past stars."""
    for k in range(24):
        r = Random(k)
        x, y = r.random() * W, (r.random() + t * (1 + k % 3)) % 1 * H
        c.fill(rrect(x, y, 1.6, 2 + 3 * (k % 3), 0.8), (200, 210, 255))
    x, y = X + 2 * sin(4 * pi * t), 34 + sin(2 * pi * t)
    flame = 17 + 5 * sin(i * 2.4)
    c.fill(blob([(x - 8, y + 22), (x + 8, y + 22), (x + 4, y + 24 + flame * 0.6), (x, y + 24 + flame),
                 (x - 4, y + 24 + flame * 0.6)], 4), (255, 120, 30))
    c.fill(blob([(x - 4, y + 22), (x + 4, y + 22), (x, y + 22 + flame * 0.6)], 4), (255, 230, 110))
    for side in (-1, 1):
        inked(c, poly((x + side * 10, y + 6), (x + side * 22, y + 24), (x + side * 9, y + 20)), (225, 60, 60))
    inked(c, blob([(x, y - 32), (x + 11, y - 12), (x + 12, y + 10), (x + 8, y + 22), (x - 8, y + 22),
                   (x - 12, y + 10), (x - 11, y - 12)], 5), (235, 238, 245))
    c.fill(blob([(x, y - 32), (x + 8, y - 19), (x, y - 17), (x - 8, y - 19)], 4), (225, 60, 60))
    inked(c, ellipse(x, y - 3, 6), (110, 200, 255), 3)
    c.fill(ellipse(x - 2, y - 5, 1.8), WHITE)
