"""Water: a sunset over waves, an aquarium."""
from math import cos, pi, sin
from random import Random

from canvas import Canvas, hsv, mix, vgrad
from cats import INK, WHITE
from gifwriter import Scene
from shapes import arc, blob, curve, ellipse, outline, place, poly, rect, tube

HORIZON = 64
SKY = ((46, 32, 104), (150, 56, 130), (250, 110, 98), (255, 190, 98))


def evening(w, h):
    """The sky with a banded sun. `sunset_waves` draws the sea over it."""
    c = Canvas(w, h, vgrad(0, HORIZON, *SKY))
    c.glow(80, HORIZON - 8, 76, (255, 206, 120), 0.75)
    sun = vgrad(HORIZON - 43, HORIZON, (255, 244, 150), (255, 176, 70), (255, 92, 110))
    c.fill(ellipse(80, HORIZON - 8, 35), sun)
    for x, y, s in ((26, 22, 1.0), (134, 15, 1.3), (112, 34, 0.7)):
        cloud = ellipse(x, y, 17 * s, 3.6 * s) + ellipse(x - 5 * s, y - 3 * s, 8 * s, 4 * s)
        c.fill(cloud, (255, 170, 150), 0.55)
    return c


def boat(c, t):
    """A small sailing boat rocking on the water."""
    x, y, tilt = 122, 71 + 1.6 * sin(2 * pi * t), 0.08 * sin(2 * pi * t + 1)
    for shape, paint in ((poly((-13, 0), (14, 0), (9, 7), (-9, 7)), (64, 30, 66)),
                         (poly((-1, -2), (-1, -27), (12, -3)), (255, 236, 214)),
                         (poly((-3, -2), (-3, -22), (-11, -3)), (255, 150, 140)),
                         (rect(-2.5, -28, 1.8, 29), (64, 30, 66))):
        c.fill(place(shape, x, y, tilt), paint)


def wave_line(row, t):
    """The crest of a row of waves."""
    y, high = HORIZON + 3 + row * row * 0.7 + row * 4, 1 + row * 0.8
    turns, way = (7, 5, 4, 4, 3, 2, 2)[row], 1 if row % 2 else -1
    return [(x, y + high * sin(2 * pi * (turns * x / 160 + way * t + row * 0.37))
             + high * 0.4 * sin(2 * pi * (2 * turns * x / 160 - way * t))) for x in range(-4, 165, 4)]


@Scene("Sunset over the waves", evening, (160, 120), 30, 6, 128, "every frame interlaced", interlace=True)
def sunset_waves(c, t, i):
    """The sun sets behind rolling waves and a boat."""
    c.fill(rect(0, HORIZON, c.w, c.h), (196, 76, 116))
    for row in range(7):
        shade = mix((182, 66, 120), (30, 24, 82), row / 6)
        wave = wave_line(row, t)
        c.fill([wave + [(164, 124), (-4, 124)]], shade)
        c.fill(tube(wave, 0.9 + row * 0.1), mix(shade, (255, 176, 150), 0.42), 0.8)
        for k in range(4):
            gleam = sin(2 * pi * (t * (1 + k % 2) + row * 0.31 + k * 0.27))
            wide = (9 - row * 0.5) * max(0, gleam)
            x, y = 80 + (k - 1.5) * (9 + row * 1.2), HORIZON + 3 + row * row * 0.7 + row * 4
            c.fill(ellipse(x, y + 4, wide, 1.1 + row * 0.12), (255, 214, 130), 0.85)
        if row == 1:
            boat(c, t)


def fish(c, x, y, size, hue, wag, way=1):
    """A round striped fish swimming to the right (way 1) or left (-1)."""
    main, dark = hsv(hue, 0.8, 1.0), hsv(hue - 0.04, 0.85, 0.8)
    how = (x, y, 0.06 * sin(2 * pi * wag), size * way, size)
    swing = 3.4 * sin(2 * pi * wag)
    fin = blob([(-12, 0), (-24, -11 + swing), (-21, swing), (-24, 11 + swing)], 4)
    back = blob([(-9, -8), (-2, -18), (8, -10)], 4)
    body = blob([(18, 0), (12, -8), (0, -12), (-13, -4), (-15, 0), (-13, 4), (0, 12), (12, 8)])
    c.fill(place(outline(fin, 2.6) + outline(body, 2.6) + outline(back, 2.6), *how), INK)
    c.fill(place(fin, *how), dark)
    c.fill(place(back, *how), dark)
    c.fill(place(body, *how), main)
    for sx, tall in ((2, 11), (-6.5, 8)):
        c.fill(place(tube([(sx, -tall), (sx + 2, 0), (sx, tall)], 3.4), *how), WHITE)
    c.fill(place(blob([(2, 3), (-5, 8 + swing / 2), (-3, 2)], 4), *how), dark)
    c.fill(place(ellipse(10, -3, 3.8), *how), WHITE)
    c.fill(place(ellipse(11, -3, 2.2), *how), INK)
    c.fill(place(arc(15, 3, 2.6, pi * 0.5, pi * 1.1, 1.3), *how), INK)


def tank(w, h):
    """Blue water with light from above, sand and stones."""
    c = Canvas(w, h, vgrad(0, h, (96, 216, 246), (26, 132, 214), (14, 62, 146)))
    for x, wide in ((14, 20), (60, 30), (112, 18), (146, 26)):
        c.fill(poly((x, -2), (x + wide, -2), (x + wide - 34, h), (x - 54, h)), (190, 240, 255), 0.16)
    sand = [(x, h - 15 + 3 * sin(x / 15)) for x in range(-4, w + 8, 4)]
    c.fill([sand + [(w + 4, h + 4), (-4, h + 4)]], vgrad(h - 18, h, (250, 222, 150), (214, 164, 96)))
    for x, y, r, shade in ((122, h - 10, 13, (120, 110, 150)), (138, h - 7, 9, (92, 84, 126)),
                           (28, h - 6, 7, (120, 110, 150))):
        c.fill(ellipse(x, y, r, r * 0.7), shade)
        c.fill(ellipse(x - r * 0.25, y - r * 0.25, r * 0.5, r * 0.25), mix(shade, WHITE, 0.3))
    return c


def weed(c, x, foot, tall, t, shade):
    """A waving water plant."""
    stem = curve([(x + 1.4 * k * sin(2 * pi * (t - k * 0.13)), foot - tall * k / 5) for k in range(6)], steps=4)
    c.fill(tube(stem, 8, 2.5), shade)


@Scene("Aquarium fish", tank, (168, 120), 40, 5, 112, "delta rectangles, disposal 1")
def aquarium(c, t, i):
    """Striped fish swim past weeds and bubbles."""
    for x, tall, shift, shade in ((16, 52, 0, (28, 150, 96)), (28, 38, 0.3, (70, 190, 90)),
                                  (150, 56, 0.6, (28, 150, 96)), (140, 34, 0.2, (70, 190, 90))):
        weed(c, x, c.h - 8, tall, t + shift, shade)
    span = c.w + 84
    fish(c, (0.08 + t) % 1 * span - 42, 30 + 4 * sin(4 * pi * t), 0.95, 0.14, t * 6)
    fish(c, c.w - ((0.3 + t) % 1 * span - 42), 58 + 4 * cos(2 * pi * t), 1.2, 0.93, t * 5, -1)
    fish(c, (0.6 + t) % 1 * span - 42, 84 + 3 * sin(2 * pi * t + 1), 1.35, 0.07, t * 5)
    rnd = Random(4)
    for _ in range(9):
        x, y0, r = rnd.random() * c.w, rnd.random(), rnd.uniform(1.8, 4.2)
        y = c.h - 14 - ((y0 + t) % 1) * c.h
        x += 2.5 * sin(4 * pi * (t + y0))
        c.fill(ellipse(x, y, r), (206, 244, 255), 0.6)
        c.fill(ellipse(x - r * 0.3, y - r * 0.3, r * 0.35), WHITE)
