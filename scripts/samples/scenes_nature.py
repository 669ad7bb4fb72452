"""Water and space: a sunset over waves, an aquarium, the turning earth."""
from functools import cache
from math import asin, atan2, cos, hypot, pi, sin, sqrt
from random import Random

from canvas import Canvas, hsv, mix, vgrad
from cats import INK, WHITE
from gifwriter import Scene
from shapes import arc, blob, curve, ellipse, outline, place, poly, rect, star, tube

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


RADIUS = 48
# A rough map, sketched by hand as outlines of (longitude, latitude).
NORTH_AMERICA = [(-168, 66), (-156, 71), (-125, 70), (-95, 72), (-82, 68), (-94, 60), (-90, 57), (-80, 52), (-78, 60),
                 (-70, 62), (-64, 58), (-56, 52), (-66, 45), (-70, 42), (-75, 36), (-81, 31), (-80, 25), (-84, 30),
                 (-90, 29), (-97, 27), (-97, 20), (-91, 18), (-87, 21), (-88, 16), (-83, 10), (-78, 8), (-82, 8),
                 (-92, 15), (-105, 20), (-112, 29), (-118, 34), (-124, 40), (-124, 48), (-135, 58), (-150, 60),
                 (-163, 55), (-158, 58), (-166, 62)]
GREENLAND = [(-73, 78), (-55, 82), (-25, 83), (-18, 76), (-25, 70), (-42, 60), (-52, 65), (-56, 73)]
SOUTH_AMERICA = [(-78, 8), (-72, 12), (-60, 9), (-50, 1), (-35, -6), (-39, -15), (-42, -23), (-48, -27), (-54, -34),
                 (-62, -39), (-66, -47), (-69, -54), (-75, -50), (-73, -38), (-70, -20), (-77, -12), (-81, -5),
                 (-79, 1)]
AFRICA = [(-6, 35), (10, 37), (20, 32), (32, 31), (37, 22), (43, 12), (51, 12), (46, 3), (40, -6), (40, -16),
          (35, -22), (32, -29), (26, -34), (18, -34), (14, -24), (12, -15), (13, -7), (9, 0), (8, 4), (-4, 5),
          (-9, 5), (-16, 13), (-17, 21), (-10, 30)]
EURASIA = [(-9, 38), (-9, 43), (-2, 44), (-4, 48), (2, 51), (8, 54), (10, 57), (5, 59), (6, 63), (15, 69), (26, 71),
           (40, 67), (45, 68), (60, 69), (70, 73), (80, 73), (105, 78), (115, 74), (140, 73), (160, 70), (180, 69),
           (180, 65), (172, 61), (163, 58), (160, 52), (156, 57), (160, 61), (142, 59), (135, 54), (140, 50),
           (132, 43), (128, 39), (129, 35), (126, 36), (122, 40), (118, 38), (122, 32), (121, 27), (115, 22),
           (108, 21), (109, 13), (105, 9), (101, 13), (103, 2), (99, 8), (97, 16), (92, 22), (87, 21), (80, 14),
           (78, 8), (73, 17), (70, 22), (62, 25), (56, 26), (50, 30), (56, 24), (60, 22), (53, 16), (44, 13),
           (39, 21), (35, 28), (35, 33), (36, 36), (28, 37), (27, 40), (23, 38), (20, 40), (14, 45), (18, 40),
           (16, 38), (10, 44), (4, 43), (0, 39), (-4, 37)]
AUSTRALIA = [(114, -22), (122, -18), (130, -12), (136, -12), (136, -16), (141, -11), (146, -19), (153, -26),
             (150, -37), (144, -38), (138, -34), (131, -32), (118, -35), (115, -33)]
ISLANDS = [[(-5, 50), (1, 51), (0, 54), (-3, 58), (-6, 57), (-4, 54)], [(44, -25), (47, -25), (50, -15), (44, -17)]]
CHAINS = [([(131, 32), (140, 36), (142, 44)], 4), ([(96, 5), (105, -5)], 5), ([(106, -7), (116, -8)], 3),
          ([(173, -36), (176, -40), (168, -46)], 4), ([(-84, 22), (-75, 20)], 2.5)]
SPOTS = [(114, 1, 5, 5), (140, -5, 9, 4), (123, 12, 3, 6), (-19, 65, 6, 2.5), (121, -2, 3, 4)]
DESERTS = [(8, 23, 22, 6), (46, 23, 7, 6), (130, -25, 11, 5), (100, 42, 16, 4), (-111, 34, 6, 4), (64, 40, 10, 4)]
CLOUDS = [(-140, 40, 24, 4), (-120, 2, 26, 3), (-40, 42, 22, 4), (-30, -22, 20, 3.5), (70, -32, 26, 4),
          (85, -2, 17, 3), (165, 20, 18, 3.5), (-160, -30, 22, 4), (10, 55, 15, 3), (150, 46, 15, 3),
          (-70, -2, 12, 3), (30, -50, 26, 3), (-100, -52, 26, 3), (130, -52, 20, 3)]


@cache
def world():
    """A 360 x 180 canvas: column = longitude + 180, row = 90 - latitude."""
    c = Canvas(360, 180, (30, 116, 232))

    def at(points):
        return [(x + 180, 90 - y) for x, y in points]

    land = (70, 184, 82)
    for coast in (NORTH_AMERICA, SOUTH_AMERICA, AFRICA, EURASIA, AUSTRALIA, *ISLANDS):
        c.fill([at(coast)], land)
    for line, wide in CHAINS:
        c.fill(tube(at(line), wide), land)
    for x, y, rx, ry in SPOTS:
        c.fill(ellipse(x + 180, 90 - y, rx, ry), land)
    for x, y, rx, ry in DESERTS:
        c.fill(ellipse(x + 180, 90 - y, rx, ry), (232, 206, 120))
    for x, y, rx, ry in ((-60, -8, 10, 7), (22, 0, 9, 5), (105, 60, 30, 5), (-110, 58, 16, 4)):
        c.fill(ellipse(x + 180, 90 - y, rx, ry), (36, 140, 70))
    c.fill([at(GREENLAND)], (240, 248, 255))
    ice = [(x, 162 + 3 * ((x // 20) % 3 - 1)) for x in range(0, 361, 20)]
    c.fill([ice + [(360, 180), (0, 180)]], (240, 248, 255))
    c.fill([[(0, 0), (360, 0), (360, 6), (0, 6)]], (240, 248, 255))
    for x, y, rx, ry in CLOUDS:
        for dx in (-360, 0, 360):
            shape = ellipse(x + 180 + dx, 90 - y, rx, ry) + ellipse(
                x + 180 + rx * 0.4 + dx, 90 - y - ry, rx * 0.6, ry * 0.9)
            c.fill(shape, (255, 255, 255), 0.82)
    return c


@cache
def sphere(w, h):
    """For each pixel of the globe: (pixel number, longitude in degrees, map row, light, coverage)."""
    out, disc = [], Canvas(w, h)
    disc.fill(ellipse(w / 2, h / 2, RADIUS), (255, 255, 255))
    for py in range(h):
        for px in range(w):
            x, y = (px + 0.5 - w / 2) / RADIUS, (py + 0.5 - h / 2) / RADIUS
            if x * x + y * y >= 1:
                continue
            z = sqrt(1 - x * x - y * y)
            tilt = 0.36
            x, y = x * cos(tilt) + y * sin(tilt), -x * sin(tilt) + y * cos(tilt)
            z, y = z * cos(0.25) + y * sin(0.25), y * cos(0.25) - z * sin(0.25)
            light = (-0.55 * (px + 0.5 - w / 2) - 0.5 * (py + 0.5 - h / 2)) / RADIUS
            light = max(0.2, min(1.0, 0.76 + 0.56 * light))
            row = 90 + asin(max(-1, min(1, y))) * 180 / pi
            k = py * w + px
            out.append((k, atan2(x, z) * 180 / pi, row, int(light * 24) / 24, disc.al[k]))
    return out


def sample(chart, lon, row):
    """The map's colour at a longitude (degrees from its left edge) and row, bilinear."""
    x, y = lon - 0.5, max(0.0, min(178.99, row - 0.5))
    x0, y0 = int(x // 1), int(y)
    fx, fy = x - x0, y - y0
    row0, row1 = y0 * 360, y0 * 360 + 360
    a, b = chart.px[row0 + x0 % 360], chart.px[row0 + (x0 + 1) % 360]
    c, d = chart.px[row1 + x0 % 360], chart.px[row1 + (x0 + 1) % 360]
    if a is b is c is d:
        return a
    return mix(mix(a, b, fx), mix(c, d, fx), fy)


def space(w, h):
    """The light around the globe."""
    c = Canvas(w, h, (10, 10, 34))
    for k, shade in ((8, 0.16), (4.5, 0.3), (2, 0.5)):
        c.fill(ellipse(w / 2, h / 2, RADIUS + k), (60, 150, 255), shade)
    return c


@Scene("Spinning earth", space, (132, 112), 36, colours=96, features="delta rectangles, odd delay of 7 cs")
def spinning_earth(c, t, i):
    """The earth turns once, stars twinkle."""
    rnd = Random(9)
    for _ in range(34):
        x, y, shift, r = rnd.random() * c.w, rnd.random() * c.h, rnd.random(), rnd.uniform(1.2, 2.8)
        if hypot(x - c.w / 2, y - c.h / 2) > RADIUS + 11:
            c.fill(star(x, y, r * (0.75 + 0.4 * sin(2 * pi * (2 * t + shift))), 4, 0.3), (240, 240, 255))
    for k, lon, row, light, cover in sphere(c.w, c.h):
        shade = mix((6, 10, 40), sample(world(), lon + 200 - 360 * t, row), light)
        c.px[k] = mix(c.px[k], shade, cover)
