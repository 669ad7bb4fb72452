"""Cats: one that dances on a lit floor with four beats in each loop, one asleep, one at a party, one that peeks in."""
from math import cos, pi, sin
from random import Random

from canvas import Canvas, hsv, mix, phases, rgrad, vgrad
from cats import BLACK, GINGER, GREY, INK, WHITE, Pen, head, limb, tail
from gifwriter import Scene
from shapes import crescent, curve, ellipse, note, poly, rect, rrect, star, tube

W, H = 192, 144
FLOOR = 112
BARS = (0.5, 0.9, 0.6, 1.0, 0.7, 0.85, 0.55, 0.95)


def beat_pulse(t):
    """1 on each of the four beats of the loop, falling to 0 before the next."""
    return (1 - (t * 4) % 1) ** 2


def backdrop(w, h):
    """The dark wall with a soft light behind the dancer."""
    return Canvas(w, h, rgrad(96, 66, 130, (104, 52, 170), (58, 26, 112), (24, 12, 58), steps=14))


def equaliser(c, t):
    """Bars of light that jump with the beat."""
    for i, tall in enumerate(BARS):
        x = 7 + i * 23
        jump = beat_pulse((t + 0.03 * ((i * 3) % 4)) % 1)
        if i % 2:
            jump = 0.45 * jump + 0.55 * beat_pulse((t + 0.125) % 1)
        level = int(2 + 6.4 * tall * (0.3 + 0.7 * jump))
        for k in range(level):
            shade = mix(hsv(0.52 + i * 0.06, 0.75, 0.95), (70, 30, 130), 0.28)
            c.fill(rrect(x, FLOOR - 10 - k * 11, 17, 8, 2), shade, 0.75)


def floor(c, t):
    """A chequered dance floor in perspective; its tiles change on the beat."""
    step = int(t * 4)
    edges = (FLOOR, 119, 129, H)
    for row in range(3):
        y0, y1 = edges[row], edges[row + 1]
        for col in range(-4, 4):
            xs = [96 + (col + k) * (15 + (y - 82) * 0.42) for k, y in ((0, y0), (1, y0), (1, y1), (0, y1))]
            hue = (0.78 + 0.13 * ((col * 2 + row + step * 3) % 5)) % 1
            lit = (col + row + step) % 2 == 0
            shade = hsv(hue, 0.7, 0.92) if lit else (62, 34, 112)
            c.fill(poly((xs[0], y0), (xs[1], y0), (xs[2], y1), (xs[3], y1)), shade)


def notes(c, t):
    """Quavers rising on both sides, growing and fading."""
    for i, (x, hue) in enumerate(((16, 0.15), (177, 0.5), (30, 0.92), (164, 0.3))):
        p = (t + i / 4) % 1
        size = 5.2 * min(1, p * 5, (1 - p) * 5)
        if size > 0.6:
            sway = 7 * sin(2 * pi * p + i)
            c.fill(note(x + sway, 86 - 62 * p, size, 0.25 * sin(4 * pi * p)), hsv(hue, 0.5, 1.0))


def pose(t):
    """The positions of the body parts at time t (0..1, four beats)."""
    sway = sin(4 * pi * t)
    drop = abs(cos(4 * pi * t)) ** 1.4
    second = t >= 0.5
    up = 0.5 + 0.5 * sin(4 * pi * t)
    return {"sway": sway, "hip": (96 + 6 * sway, 104 - 5 + 6 * drop), "drop": drop,
            "chest": (96 + 11 * sway, 86 - 6 + 8 * drop), "head": (96 + 15 * sway, 52 - 5 + 9 * drop),
            "tilt": 0.2 * sway, "left": up, "right": 1 - up, "clap": second}


def arm(pen, p, side):
    """One arm: down and out when low, over the head when up, pumping in the second half."""
    x, y = p["chest"]
    if p["clap"]:
        lift = 0.5 + 0.5 * (1 - p["drop"])
    else:
        lift = p["left"] if side < 0 else p["right"]
    a, bent = 1.0 - 2.0 * lift, 4 * lift * (1 - lift)
    elbow = (x + side * (13 + 20 * cos(a * 0.6)), y + 15 * sin(a * 0.9) + 1 + 8 * bent)
    reach = (28 if p["clap"] else 23) - 6 * bent
    hand = (elbow[0] + side * reach * cos(a), elbow[1] + 21 * sin(a) - 15 * bent)
    limb(pen, GINGER, curve([(x + side * 14, y), elbow, hand], steps=4), 15)
    pen.fill(ellipse(x + side * 10, y, 12, 7.5), GINGER["fur"])


def body(pen, p):
    """Legs, body and belly."""
    x, y = p["hip"]
    for side in (-1, 1):
        step = max(0.0, -side * p["sway"])
        foot = (96 + side * (19 + 4 * step), 127 - 9 * step)
        knee = ((x + side * 14 + foot[0]) / 2 + side * 5, (y + foot[1]) / 2)
        limb(pen, GINGER, [(x + side * 11, y), knee, foot], 17, paw=False)
        pen.inked(ellipse(foot[0] + side * 3, foot[1] + 2, 12.5, 7.5), GINGER["light"], 3)
    cx, cy = p["chest"]
    parts = ellipse(x, y, 25, 20) + ellipse(cx, cy, 20, 18) + ellipse((x + cx) / 2, (y + cy) / 2, 22, 18)
    pen.inked(parts, GINGER["fur"])
    pen.fill(ellipse((x * 1.2 + cx) / 2.2, (y + cy) / 2 + 4, 15, 17), GINGER["light"])


@Scene("Dancing cat", backdrop, (W, H), 40, 5, 64, "delta rectangles, disposal 1, global palette, 120 bpm")
def dancing_cat(c, t, i):
    """A ginger cat dances to the beat on a disco floor."""
    equaliser(c, t)
    floor(c, t)
    c.fill(ellipse(98, 130, 48, 8), (30, 12, 60), 0.6)
    p = pose(t)
    pen = Pen(c)
    tail(pen, GINGER, (p["hip"][0] + 16, p["hip"][1] + 8), t * 2, 62, 1.25)
    body(pen, p)
    raised = p["clap"]
    face = Pen(c, *p["head"], p["tilt"], 1.0, 1.0 * (1 - 0.07 * p["drop"]))
    arm(pen, p, -1)
    arm(pen, p, 1)
    eyes = "happy" if raised else "open"
    if 0.22 < t < 0.36:
        eyes = "wink"
    head(face, GINGER, eyes, 0.9 * (1 - p["drop"]) if raised else 0.35 * (1 - p["drop"]))
    notes(c, t)


def night_room(w, h):
    """A window with moon and stars over a warm cushion."""
    c = Canvas(w, h, vgrad(0, h, (46, 40, 92), (74, 56, 116)))
    c.fill(rrect(96, 8, 68, 52, 5), (226, 178, 120))
    c.fill(rect(101, 13, 58, 42), vgrad(13, 55, (18, 24, 70), (52, 70, 150)))
    c.fill(crescent(142, 28, 9.5, 0.5), (255, 244, 190))
    for x, y, r in ((110, 22, 2.6), (122, 42, 2.0), (150, 46, 2.4), (117, 31, 1.4)):
        c.fill(star(x, y, r, 4, 0.35), WHITE)
    c.fill(rect(129, 13, 3, 42), (226, 178, 120))
    c.fill(rect(0, 98, w, h - 98), vgrad(98, h, (122, 70, 92), (86, 48, 78)))
    c.fill(ellipse(82, 104, 76, 17), INK)
    c.fill(ellipse(82, 103, 73, 14.5), (206, 66, 96))
    c.fill(ellipse(82, 99, 66, 10), (240, 106, 128))
    return c


def sleeper(c, breath):
    """The curled grey cat; breath 0..1 swells its back."""
    pen = Pen(c, 86, 96)
    rise = 5 * breath
    back = ellipse(14, -20 - rise / 2, 48 + breath, 27 + rise)
    pen.inked(back, GREY["fur"])
    for x, lean in ((12, 0), (26, 4), (40, 9)):
        pen.fill(tube([(x, -44 - rise + lean), (x + 2, -31 - rise + lean)], 6, 2.5), GREY["dark"])
    tail = [(58, -12), (64, 0), (44, 6), (18, 6), (0, 4)]
    pen.inked(tube(tail, 13), GREY["fur"])
    pen.fill(tube(tail[3:], 11), GREY["light"])
    face = Pen(c, 46, 82 - 1.6 * breath, -0.13, 0.92, 0.9)
    head(face, GREY, "sleepy")
    for x in (26, 48):
        pen.inked(ellipse(x - 62, 8, 11, 6.5), GREY["light"], 3)


def zed(x, y, s):
    """A letter Z about 2 * s wide."""
    return tube([(x - s, y - s), (x + s, y - s), (x - s, y + s), (x + s, y + s)], s * 0.55)


@Scene("Sleeping cat", night_room, (168, 126), 32, 7, 128, "delta rectangles, odd delay of 7 cs")
def sleeping_cat(c, t, i):
    """A grey cat breathes on its cushion, Zs rise."""
    sleeper(c, 0.5 - 0.5 * cos(2 * pi * t))
    for p in phases(t, 3):
        fade = min(1, p * 6, (1 - p) * 4)
        c.fill(zed(64 + 26 * p + 5 * sin(5 * p), 54 - 46 * p, 2 + 7.5 * p), (210, 226, 255), fade)


def rays(c, hue):
    """Coloured rays from the middle of the picture."""
    cx, cy = c.w / 2, c.h * 0.62
    for k in range(12):
        a, b = 2 * pi * k / 12, 2 * pi * (k + 1) / 12
        shade = hsv(hue + k / 12, 0.62, 0.98)
        c.fill(poly((cx, cy), (cx + 200 * cos(a), cy + 200 * sin(a)), (cx + 200 * cos(b), cy + 200 * sin(b))), shade)


def party_hat(pen):
    """A striped hat with a pompom, on the cat's head."""
    pen.inked(poly((-15, -25), (0, -62), (15, -25)), (80, 220, 240), 3)
    pen.fill(poly((-11.5, -33), (-7.6, -43), (11.5, -33), (13.8, -27)), (255, 90, 170))
    pen.fill(poly((-5, -50), (-2.5, -56), (5, -50), (7.5, -44)), (255, 90, 170))
    pen.inked(ellipse(0, -63, 6.5), (255, 240, 110), 3)


@Scene("Party cat", WHITE, (144, 120), 24, 6, 64, "a local palette for every frame, no global one", local=True)
def party_cat(c, t, i):
    """A black cat in a party hat nods in rainbow light."""
    rays(c, t)
    rnd = Random(7)
    for _ in range(26):
        x, y0, hue, speed = rnd.random() * c.w, rnd.random(), rnd.random(), rnd.choice((1, 2))
        y = ((y0 + t * speed) % 1) * (c.h + 12) - 6
        s = 3.4 * abs(cos(2 * pi * (t * 2 + hue))) + 0.6
        c.fill(rect(x - 3, y - s / 2, 6, s), mix(hsv(hue, 0.9, 1), WHITE, 0.25))
    nod = abs(sin(2 * pi * t))
    pen = Pen(c, 72 + 4 * sin(2 * pi * t), 84 - 8 * nod, 0.14 * sin(2 * pi * t))
    head(pen, BLACK, "happy" if 0.25 < t < 0.5 else "open", 0.2 + 0.8 * nod)
    party_hat(pen)
    for side in (-1, 1):
        limb(Pen(c), BLACK, [(72 + side * 34, 124), (72 + side * 50, 104 - 10 * nod)], 19)


def peek_height(t):
    """How far the peeking cat has risen (0..1) at time t."""
    up = min(1, max(0, (t - 0.06) / 0.16))
    down = min(1, max(0, (0.97 - t) / 0.1))

    def ease(v):
        return v * v * (3 - 2 * v)

    return 0.13 + 0.87 * ease(up) * ease(down) + 0.07 * sin(pi * min(1, max(0, (t - 0.16) / 0.12)))


@Scene("Peeking cat", None, (128, 96), 36, [60] + [5] * 26 + [30] + [5] * 8, 48,
       "transparent background, disposal 2, loop count 3, unequal delays", mode="clear", loop=3)
def peeking_cat(c, t, i):
    """A white cat rises over the edge, looks round, winks and goes."""
    up = peek_height(t)
    gaze = 3 * (sin(2 * pi * (t - 0.3) / 0.4) if 0.3 < t < 0.7 else 0)
    if up <= 0:
        return
    coat = {"fur": (250, 240, 228), "dark": (226, 170, 120), "light": WHITE, "eye": (66, 150, 220)}
    face = Pen(c, 64 + gaze, 122 - 66 * up, 0.02 * gaze, 1.18)
    head(face, coat, "wink" if 0.74 < t < 0.84 else "open", 0.5 * (0.72 < t < 0.86), (gaze * 0.6, 0))
    for side in (-1, 1):
        paw = Pen(c, 64 + side * 33, c.h + 14 - 20 * min(1, (up - 0.13) * 1.5))
        paw.inked(ellipse(0, 0, 13, 11), WHITE)
        for k in (-4.5, 0, 4.5):
            paw.fill(tube([(k, -6), (k, -1)], 2), INK)
