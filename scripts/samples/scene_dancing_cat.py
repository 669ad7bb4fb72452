"""The first sample of the list: a ginger cat that dances on a lit floor, with four beats in each loop."""
from math import cos, pi, sin

from canvas import Canvas, hsv, mix, rgrad
from cats import GINGER, Pen, head, limb, tail
from gifwriter import scene
from shapes import curve, ellipse, note, poly, rrect

W, H, FRAMES = 192, 144, 40
FLOOR = 112
BARS = (0.5, 0.9, 0.6, 1.0, 0.7, 0.85, 0.55, 0.95)


def beat_pulse(t):
    """1 on each of the four beats of the loop, falling to 0 before the next."""
    return (1 - (t * 4) % 1) ** 2


def backdrop():
    """The dark wall with a soft light behind the dancer."""
    return Canvas(W, H, rgrad(96, 66, 130, (104, 52, 170), (58, 26, 112), (24, 12, 58), steps=14))


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


def frame(base, t):
    """The picture at t (0..1)."""
    c = base.copy()
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
    return c


@scene("Dancing cat", delay=5, colours=64, features="delta rectangles, disposal 1, global palette, 120 bpm")
def dancing_cat():
    """A ginger cat dances to the beat on a disco floor."""
    base = backdrop()
    for i in range(FRAMES):
        yield frame(base, i / FRAMES)
