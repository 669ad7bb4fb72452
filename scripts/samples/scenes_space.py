"""Space: the turning earth."""
from math import asin, atan2, cos, hypot, pi, sin, sqrt
from random import Random

from canvas import Canvas, mix
from gifwriter import scene
from shapes import ellipse, star
from worldmap import world


def sphere(w, h, radius):
    """For each pixel of the globe: (pixel number, longitude in degrees, map row, light)."""
    out = []
    for py in range(h):
        for px in range(w):
            x, y = (px + 0.5 - w / 2) / radius, (py + 0.5 - h / 2) / radius
            if x * x + y * y >= 1:
                continue
            z = sqrt(1 - x * x - y * y)
            tilt = 0.36
            x, y = x * cos(tilt) + y * sin(tilt), -x * sin(tilt) + y * cos(tilt)
            z, y = z * cos(0.25) + y * sin(0.25), y * cos(0.25) - z * sin(0.25)
            light = (-0.55 * (px + 0.5 - w / 2) - 0.5 * (py + 0.5 - h / 2)) / radius
            light = max(0.2, min(1.0, 0.76 + 0.56 * light))
            row = 90 + asin(max(-1, min(1, y))) * 180 / pi
            out.append((py * w + px, atan2(x, z) * 180 / pi, row, int(light * 24) / 24))
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


@scene("Spinning earth", delay=7, colours=96, features="delta rectangles, odd delay of 7 cs")
def spinning_earth():
    """The earth turns once, stars twinkle."""
    n, w, h, radius = 36, 132, 112, 48
    chart, dots, rnd = world(), sphere(w, h, radius), Random(9)
    back = Canvas(w, h, (10, 10, 34))
    for k, shade in ((8, 0.16), (4.5, 0.3), (2, 0.5)):
        back.fill(ellipse(w / 2, h / 2, radius + k), (60, 150, 255), shade)
    sky = [(rnd.random() * w, rnd.random() * h, rnd.random(), rnd.uniform(1.2, 2.8)) for _ in range(34)]
    sky = [s for s in sky if hypot(s[0] - w / 2, s[1] - h / 2) > radius + 11]
    full = Canvas(w, h)
    full.fill(ellipse(w / 2, h / 2, radius), (255, 255, 255))
    for i in range(n):
        c, t = back.copy(), i / n
        for x, y, shift, r in sky:
            c.fill(star(x, y, r * (0.75 + 0.4 * sin(2 * pi * (2 * t + shift))), 4, 0.3), (240, 240, 255))
        for k, lon, row, light in dots:
            shade = mix((6, 10, 40), sample(chart, lon + 200 - 360 * t, row), light)
            c.px[k] = mix(c.px[k], shade, full.al[k])
        yield c
