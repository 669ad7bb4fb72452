"""Pure colour: the classic plasma."""
from math import cos, pi, sin

from canvas import Canvas, hsv
from gifwriter import scene

W, H, FRAMES, SHADES = 112, 84, 36, 60


def plasma(t, colours):
    """One frame at t (0..1). The sum of four waves selects the colour of each pixel."""
    c = Canvas(W, H, colours[0])
    turn = 2 * pi * t
    ax, ay = 56 + 40 * cos(turn), 42 + 30 * sin(turn)
    across = [sin(x / 15 + turn) for x in range(W)]
    for y in range(H):
        down = sin(y / 11 - turn)
        for x in range(W):
            ring = sin(((x - ax) ** 2 + (y - ay) ** 2) ** 0.5 / 12)
            slant = sin((x + y) / 21 + 2 * sin(turn))
            v = (across[x] + down + ring + slant) / 8 + t
            c.px[y * W + x] = colours[int(v * SHADES) % SHADES]
    return c


@scene("Rainbow plasma", colours=64, features="full frames, delays of 3 and 4 cs by turns")
def rainbow_plasma():
    """Colours of the rainbow flow into each other."""
    colours = [hsv(i / SHADES, 0.78, 0.82 + 0.18 * cos(4 * pi * i / SHADES)) for i in range(SHADES)]
    for i in range(FRAMES):
        yield plasma(i / FRAMES, colours), 4 - i % 2
