"""Toys: a bouncing beach ball, a dancing robot, a pixel-art slime, the classic plasma."""
from math import cos, pi, sin

from canvas import Canvas, hsv, mix, vgrad
from cats import INK, WHITE
from gifwriter import Scene
from shapes import arc, ellipse, outline, place, poly, rect, rrect, tube

PANELS = ((255, 70, 80), WHITE, (255, 206, 50), (50, 150, 250), WHITE, (60, 200, 110))


def ball(c, x, y, r, turn, squash):
    """A beach ball. turn is in radians; with a squash of 1 the ball is round, below 1 it is flatter."""
    how = (x, y, 0, 1 / squash ** 0.5, squash)
    c.fill(place(ellipse(0, 0, r + 2.4), *how), INK)
    hub = (0.32 * r * cos(turn + 2), 0.32 * r * sin(turn + 2))
    for k, shade in enumerate(PANELS):
        a = turn + 2 * pi * k / 6
        rim = [(r * cos(a + j * pi / 24), r * sin(a + j * pi / 24)) for j in range(9)]
        c.fill(place([[hub] + rim], *how), shade)
    c.fill(place(ellipse(*hub, 0.2 * r), *how), WHITE)
    low = [(r * cos(j * pi / 16), r * sin(j * pi / 16)) for j in range(17)]
    bow = [(-r * cos(j * pi / 16), r * 0.55 * sin(j * pi / 16)) for j in range(17)]
    c.fill(place([low + bow], *how), (40, 30, 110), 0.2)
    c.fill(place(ellipse(-0.42 * r, -0.5 * r, 0.25 * r, 0.15 * r, -0.7), *how), WHITE, 0.8)


@Scene("Bouncing ball", None, (112, 128), 26, 4, 48, "transparent background, disposal 2", mode="clear")
def bouncing_ball(c, t, i):
    """A beach ball bounces and turns over its shadow."""
    high = 4 * t * (1 - t)
    touch = max(0.0, 1 - high / 0.24)
    squash = 1 - 0.26 * touch ** 1.5 + 0.09 * min(1, high * 3) * abs(1 - 2 * t)
    c.fill(ellipse(56, 120, 34 - 15 * high, 5.2 - 2.2 * high), (70, 70, 96))
    ball(c, 56, 119 - 27 * squash - 62 * high, 27, 2 * pi * t, squash)


POSES = ((0.5, 0.2, 0.5, -1.2, 0), (-0.6, 1.2, 0.9, 0.2, 1), (0.5, -1.2, 0.5, 0.2, 0), (0.9, 0.2, -0.6, 1.2, -1))
STEEL, DARK, CYAN = (196, 206, 226), (112, 122, 158), (80, 246, 255)


def robot_arm(c, x, y, side, upper, fore):
    """An arm of two parts with a claw. The angles are from the horizontal; negative ones point up."""
    ex, ey = x + side * 21 * cos(upper), y + 21 * sin(upper)
    hx, hy = ex + side * 19 * cos(fore), ey + 19 * sin(fore)
    c.fill(tube([(x, y), (ex, ey), (hx, hy)], 13), INK)
    c.fill(tube([(x, y), (ex, ey), (hx, hy)], 7.5), DARK)
    c.fill(ellipse(ex, ey, 7), INK)
    c.fill(ellipse(ex, ey, 4.2), (255, 196, 60))
    way = fore if side > 0 else pi - fore
    claw = arc(hx + side * 6 * cos(fore), hy + 6 * sin(fore), 7, way + 0.75, way + 5.5, 5)
    c.fill(outline(claw, 2.5) + claw, INK)
    c.fill(claw, (255, 196, 60))


def robot(c, p, t):
    """The robot in pose p: the angles of left upper arm, left forearm, right upper arm, right forearm, and lean."""
    lean = p[4]
    x, y = 80 + 7 * lean, 82 + 2.5 * abs(sin(4 * pi * t))
    for side in (-1, 1):
        foot = 80 + side * 15
        c.fill(tube([(x + side * 11, y + 16), (foot, 118)], 13), INK)
        c.fill(tube([(x + side * 11, y + 16), (foot, 118)], 7.5), DARK)
        c.fill(rrect(foot - 14, 113, 28, 13, 5), INK)
        c.fill(rrect(foot - 11.5, 115.5, 23, 8, 3), (255, 110, 90))
    robot_arm(c, x - 24, y - 10, -1, p[0], p[1])
    robot_arm(c, x + 24, y - 10, 1, p[2], p[3])
    c.fill(rrect(x - 27, y - 22, 54, 46, 8), INK)
    c.fill(rrect(x - 24, y - 19, 48, 40, 6), STEEL)
    c.fill(rrect(x - 17, y - 12, 34, 20, 4), (40, 44, 84))
    for k in range(4):
        tall = 3 + 12 * abs(sin(2 * pi * (2 * t + k * 0.19)))
        c.fill(rect(x - 13 + k * 7, y + 5 - tall, 5, tall), hsv(0.33 - 0.09 * k, 0.7, 1))
    for k in range(3):
        lit = int(t * 12) % 3 == k
        c.fill(ellipse(x - 10 + k * 10, y + 14.5, 3.2), (255, 80, 90) if lit else (150, 156, 186))
    robot_head(c, x + 5 * lean, y - 46, 0.16 * lean, t)


def robot_head(c, x, y, tilt, t):
    """Head with aerial, visor and grille."""
    def put(shape, paint):
        c.fill(place(shape, x, y, tilt), paint)

    put(rect(-6, 18, 12, 10), INK)
    put(tube([(0, -18), (0, -30)], 6), INK)
    put(ellipse(0, -31, 7), INK)
    put(ellipse(0, -31, 4.4), mix((255, 60, 90), (255, 230, 120), 0.5 + 0.5 * sin(8 * pi * t)))
    for side in (-1, 1):
        put(rrect(side * 31 - 6, -9, 12, 18, 4), INK)
        put(rrect(side * 31 - 3.5, -6.5, 7, 13, 2.5), (255, 196, 60))
    put(rrect(-31, -21, 62, 42, 11), INK)
    put(rrect(-28, -18, 56, 36, 8.5), STEEL)
    put(rrect(-28, -18, 56, 9, 4.5), WHITE)
    put(rrect(-22, -11, 44, 17, 7), (30, 32, 66))
    blink = 0.4 < t < 0.46
    for side in (-1, 1):
        if blink:
            put(rect(side * 10 - 5, -3.5, 10, 3), CYAN)
        else:
            put(ellipse(side * 10, -2.5, 5.6), CYAN)
            put(ellipse(side * 10 - 1.5, -4.2, 2), WHITE)
    for k in range(4):
        put(rrect(-13 + k * 7, 9.5, 5, 5.5, 1.5), DARK)


def stage(w, h):
    """A floor with a shadow, and slanting light."""
    c = Canvas(w, h, vgrad(0, 108, (18, 150, 160), (30, 196, 178), (150, 232, 170)))
    for k in range(9):
        c.fill(poly((k * 36 - 100, 0), (k * 36 - 82, 0), (k * 36 - 142, 112), (k * 36 - 160, 112)), WHITE, 0.1)
    c.fill(rect(0, 110, w, 22), vgrad(110, 132, (70, 64, 130), (44, 38, 96)))
    c.fill(ellipse(80, 123, 50, 7), (28, 22, 66))
    return c


@Scene("Dancing robot", stage, (160, 132), 32, 4 * ([4] * 6 + [9] * 2), 64,
       "delta rectangles, unequal delays (4 and 9 cs)")
def dancing_robot(c, t, i):
    """A robot snaps from pose to pose."""
    k, part = divmod(i, 8)
    move = min(1, part / 5)
    move = move * move * (3 - 2 * move) + 0.12 * sin(pi * move) * move
    robot(c, [p + (q - p) * move for p, q in zip(POSES[k], POSES[(k + 1) % 4], strict=True)], t)


SLIME = ((20, 92, 70), (42, 168, 92), (96, 220, 110), (190, 250, 160))


def meadow(w, h):
    """The ground, the sky and two clouds, pixel by pixel."""
    puffs = ((6, 5), (9, 4), (24, 9), (27, 8))

    def shade(x, y):
        x, y = int(x), int(y)
        if y > 26:
            return (116, 72, 48) if (x * 7 + y * 5) % 11 else (86, 50, 40)
        if y == 26 or (y == 25 and x % 5 == 1):
            return (70, 150, 60)
        cloud = min(((x - a) / 4.5) ** 2 + ((y - b) / 1.9) ** 2 for a, b in puffs)
        return WHITE if cloud < 1 else (94, 190, 240)
    return Canvas(w, h, shade)


def slime_shape(t):
    """(height above the ground 0..1, stretch, 1 at rest) of the slime at time t: it squats, leaps and lands."""
    if t <= 0.2:
        return 0.0, 1 - 0.24 * sin(pi * t / 0.2)
    if t >= 0.8:
        return 0.0, 1 - 0.2 * sin(pi * (t - 0.8) / 0.2)
    return sin(pi * (t - 0.2) / 0.6), 1 + 0.16 * abs(cos(pi * (t - 0.2) / 0.6)) * sin(
        pi * min(1, (t - 0.2) * 8, (0.8 - t) * 8) / 2)


def slime_shade(u, v, low):
    """The slime's colour at u across and v up (-1..1); None outside. low: whether this is its lowest row."""
    d = u * u + v * v * (1 if v > 0 else 30)
    if d >= 1:
        return None
    if d > 0.8 or low:
        return SLIME[0]
    if (u + 0.45) ** 2 + (v - 0.6) ** 2 < 0.03:
        return SLIME[3]
    return SLIME[2] if u + v < 0.62 and v > 0.22 else SLIME[1]


@Scene("Hopping slime (pixel art)", meadow, (32, 32), 20, 5 * [0, 1, 1, 1], 16,
       "32x32 pixel art, delays of 0 and 1 cs (played as 100 ms)")
def pixel_slime(c, t, i):
    """A green slime hops: pixel art for --pixelated."""
    air, flat = slime_shape(t)
    foot, rx, ry = 26 - round(11 * air), 9.6 / flat ** 0.6, 14.5 * flat
    if air:
        for x in range(int(16.5 - rx), int(16.5 + rx)):
            c.px[26 * 32 + x] = (44, 104, 52)
    for y in range(foot):
        for x in range(32):
            shade = slime_shade((x - 15.5) / rx, (foot - 0.5 - y) / ry, y == foot - 1)
            if shade:
                c.px[y * 32 + x] = shade
    eye, awake = foot - round(ry * 0.52), flat > 0.85
    marks = [(x, y, INK) for x in (11, 12, 19, 20) for y in ((0, 1, 2) if awake else (1,))]
    marks += [(11, 0, WHITE), (19, 0, WHITE)] if awake else []
    marks += [(14, 3, INK), (15, 4, INK), (16, 4, INK), (17, 3, INK)]
    for x, y, shade in marks:
        c.px[(eye + y) * 32 + x] = shade


SHADES = [hsv(k / 60, 0.78, 0.82 + 0.18 * cos(4 * pi * k / 60)) for k in range(60)]


@Scene("Rainbow plasma", SHADES[0], (112, 84), 36, 18 * [4, 3], 64, "full frames, delays of 3 and 4 cs by turns")
def rainbow_plasma(c, t, i):
    """Colours of the rainbow flow into each other."""
    turn = 2 * pi * t
    ax, ay = 56 + 40 * cos(turn), 42 + 30 * sin(turn)
    across = [sin(x / 15 + turn) for x in range(c.w)]
    # The sum of four waves selects the colour of each pixel.
    for y in range(c.h):
        down = sin(y / 11 - turn)
        for x in range(c.w):
            ring = sin(((x - ax) ** 2 + (y - ay) ** 2) ** 0.5 / 12)
            slant = sin((x + y) / 21 + 2 * sin(turn))
            c.px[y * c.w + x] = SHADES[int(((across[x] + down + ring + slant) / 8 + t) * 60) % 60]
