"""Lights in the dark: campfire, fireworks over a town, rain on a city."""
from math import cos, pi, sin
from random import Random

from canvas import Canvas, hsv, mix, vgrad
from gifwriter import Scene
from shapes import blob, crescent, ellipse, poly, rect, star, tube


def wood(w, h):
    """A night wood with the ground lit by the fire."""
    c = Canvas(w, h, vgrad(0, 92, (12, 16, 52), (44, 36, 96), (110, 58, 106)))
    rnd = Random(3)
    for _ in range(34):
        c.fill(ellipse(rnd.random() * w, rnd.random() * 60, 0.5 + rnd.random() * 0.8), (230, 230, 255))
    for x, size in ((8, 66), (30, 48), (132, 52), (154, 72), (112, 34), (50, 32)):
        for k in range(3):
            y = 92 - size * (0.18 + 0.27 * k)
            half = size * (0.32 - 0.07 * k)
            c.fill(poly((x - half, y + size * 0.1), (x, y - size * 0.3),
                        (x + half, y + size * 0.1)), (14, 26 + 3 * k, 46))
    c.fill(rect(0, 90, w, h - 90), vgrad(90, h, (46, 36, 40), (22, 20, 32)))
    c.glow(80, 76, 84, (255, 120, 40), 0.62)
    return c


FLAMES = ((1.0, (226, 50, 22), 0.0), (0.8, (255, 122, 22), 0.2), (0.58, (255, 196, 52), 0.45),
          (0.34, (255, 248, 190), 0.7))


def flame(cx, base, wide, tall, t, shift):
    """A flickering tongue of fire; t runs 0..1 over the loop."""
    stretch = 1 + 0.1 * sin(2 * pi * (3 * t + shift)) + 0.06 * sin(2 * pi * (5 * t + shift))
    flick = 0.08 * sin(2 * pi * (4 * t + shift))

    def lean(k):
        return 0.16 * wide * sin(2 * pi * (2 * t - k * 0.7 + shift)) * k

    def y(k):
        return base - tall * stretch * k

    return blob([(cx, base + 3), (cx + wide * 0.42, y(0.1)), (cx + wide * 0.48 + lean(0.4), y(0.34)),
                 (cx + wide * (0.26 + flick) + lean(0.9), y(0.58)), (cx + lean(1.6) + wide * 0.1, y(1.0)),
                 (cx - wide * 0.1 + lean(1.1), y(0.66)), (cx - wide * (0.3 - flick) + lean(1), y(0.78)),
                 (cx - wide * 0.47 + lean(0.4), y(0.34)), (cx - wide * 0.42, y(0.1))])


@Scene("Campfire", wood, (160, 120), 30, 6, 144, "delta rectangles, disposal 1")
def campfire(c, t, i):
    """Flames over crossed logs, sparks rise in a wood at night."""
    pulse = 1 + 0.07 * sin(2 * pi * 3 * t)
    for k in range(3):
        size = (1 - k * 0.28) * pulse
        c.fill(ellipse(80, 104, 72 * size, 13 * size), (190 + 20 * k, 92 + 24 * k, 40), 0.34)
    for x0, x1 in ((50, 106), (110, 54)):
        c.fill(tube([(x0, 106), (x1, 97)], 11), (92, 50, 32))
        c.fill(tube([(x0, 104), (x1, 95)], 3), (150, 86, 48))
        c.fill(ellipse(x0, 106, 4.4, 5.4), (204, 140, 84))
    for size, shade, lift in FLAMES:
        for dx, part, s in ((-15, 0.62, 0.3), (15, 0.66, 0.63), (0, 1.0, 0.0)):
            wide, tall = 36 * size * (0.6 + part * 0.4), 74 * part * size
            c.fill(flame(80 + dx * (0.4 + 0.6 * size), 101 - lift * 3, wide, tall, t, s), shade)
    rnd = Random(11)
    for _ in range(16):
        x, y0, drift, speed = 80 + rnd.uniform(-18, 18), rnd.random(), rnd.uniform(-14, 14), rnd.choice((1, 1, 2))
        p = (y0 + t * speed) % 1
        c.fill(ellipse(x + drift * p + 4 * sin(9 * p), 84 - 80 * p, 1.9 * (1 - p) + 0.4), (255, 210, 90), 1 - p * p)


def town(w, h):
    """A quiet town under a dark sky."""
    c = Canvas(w, h, vgrad(0, h, (8, 8, 36), (22, 20, 74), (70, 40, 110)))
    c.fill(crescent(158, 20, 10, 0.5), (255, 240, 200))
    rnd = Random(5)
    x = -4
    while x < w:
        wide, tall = rnd.randint(14, 24), rnd.randint(16, 40)
        c.fill(rect(x, h - tall, wide, tall), (14, 12, 34))
        for wy in range(h - tall + 4, h - 4, 7):
            for wx in range(x + 3, x + wide - 4, 6):
                if rnd.random() < 0.5:
                    c.fill(rect(wx, wy, 3, 3.5), (255, 206, 110))
        x += wide
    return c


def burst(c, x, y, radius, hue, p, arms=14):
    """One firework at time p (0..1): it rises until 0.25, then opens and fades."""
    if p < 0.25:
        k = p / 0.25
        top = c.h - 20 + (y - c.h + 20) * k
        c.fill(tube([(x, top + 12), (x, top)], 1, 3.4), (255, 230, 170))
        return
    k = (p - 0.25) / 0.75
    open_to, fade = 1 - (1 - k) ** 3, max(0.0, 1 - k ** 2.5)
    for part in (1.12, 0.8):
        c.fill(ellipse(x, y, radius * part * open_to), hsv(hue, 0.7, 1), 0.08 * fade)
    for ring, part in enumerate((1.0, 0.7, 0.4)):
        for a in range(arms):
            angle = 2 * pi * (a + 0.5 * ring) / arms
            far = radius * part * open_to
            near = radius * part * max(0, open_to - 0.5 * (1 - k) ** 2 - 0.16)
            drop = 16 * k * k
            ends = [(x + q * cos(angle), y + q * sin(angle) + drop) for q in (near, far)]
            shade = mix((255, 255, 255), hsv(hue + 0.09 * ring, 0.75, 1), 0.3 + k)
            c.fill(tube(ends, 1.2, 5.2 * fade + 0.4), shade, fade)
    if k < 0.15:
        c.fill(star(x, y, 26 * (1 - k * 5), 8, 0.45), (255, 255, 240))


SHOW = ((38, 44, 38, 0.0, 0.0, 0.52), (112, 40, 42, 0.55, 0.14, 0.68), (148, 52, 32, 0.12, 0.32, 0.8),
        (62, 54, 36, 0.8, 0.42, 0.92), (92, 40, 42, 0.33, 0.5, 1.0))


@Scene("Fireworks over the town", town, (176, 120), 45, [35] + [5] * 44, 160,
       "disposal 3 over a first frame that stays, long first delay", mode="restore")
def fireworks(c, t, i):
    """Rockets burst over a town at night."""
    t = (i - 1) / 44
    for x, y, radius, hue, start, end in SHOW:
        if start < t < end:
            burst(c, x, y, radius, hue, (t - start) / (end - start))


def street(w, h):
    """A city at dusk: three layers of buildings."""
    c = Canvas(w, h, vgrad(0, 78, (30, 30, 84), (120, 60, 140), (255, 120, 120), (255, 170, 110)))
    rnd = Random(21)
    for layer, shade in enumerate(((88, 58, 128), (52, 38, 96), (26, 22, 62))):
        x = -6 - layer * 5
        while x < w:
            wide = rnd.randint(16, 26)
            tall = rnd.randint(40, 74) - layer * 14
            c.fill(rect(x, h - 10 - tall, wide, tall + 10), shade)
            for wy in range(h - 6 - tall, h - 16, 8):
                for wx in range(x + 3, x + wide - 5, 7):
                    if layer and rnd.random() < 0.48:
                        glow = rnd.choice(((255, 214, 120), (255, 170, 90), (130, 220, 255)))
                        c.fill(rect(wx, wy, 4, 4.5), mix(shade, glow, 0.5 + layer * 0.22))
            x += wide + 1
    c.fill(rect(0, h - 12, w, 12), (22, 18, 48))
    return c


@Scene("Rain in the city", street, (160, 120), 24, 5, 96, "delta rectangles, disposal 0", disposal=0)
def city_rain(c, t, i):
    """Rain falls over a lit city at dusk."""
    rnd = Random(2)
    drops = [(rnd.random() * (c.w + 30), rnd.random(), rnd.choice((1, 1, 2)), rnd.uniform(9, 15)) for _ in range(44)]
    for _ in range(14):
        x, y, p0 = rnd.random() * c.w, c.h - 2 - 8 * rnd.random(), rnd.random()
        p = (p0 + t * 2) % 1
        c.fill(ellipse(x, y, 1 + 9 * p, (1 + 9 * p) * 0.3), (130, 150, 220), 0.5 * (1 - p))
    for x, y0, speed, length in drops:
        y = ((y0 + t * speed) % 1) * (c.h + 30) - 15
        x1 = x - (y + 15) * 0.18
        c.fill(tube([(x1, y), (x1 - length * 0.18, y + length)], 0.8, 2.2), (190, 214, 255), 0.75)
