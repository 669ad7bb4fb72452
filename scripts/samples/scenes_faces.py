"""Round faces with the reactions that people search for most."""
from math import cos, pi, sin

from canvas import mix, phases
from gifwriter import Scene
from shapes import arc, blob, ellipse, heart, outline, place, poly, rrect, star, tube

W, H, X, Y, R = 96, 80, 48, 42, 31
SKIN, SHADE, LINE, WHITE = (255, 208, 64), (240, 168, 40), (96, 52, 10), (255, 255, 255)
HOLD = [7] * 10 + [20] * 6
TEAR, RED, PINK = (90, 180, 255), (230, 50, 60), (255, 120, 140)


def eye(c, x, y, kind, look=(0, 0)):
    """One eye: "dot", "wide", "happy", "shut", "roll", "heart" or "squint"."""
    if kind == "dot":
        c.fill(ellipse(x + look[0], y + look[1], 4, 5.5), LINE)
    elif kind in ("wide", "roll"):
        c.fill(ellipse(x, y, 8 if kind == "wide" else 7.5), LINE)
        c.fill(ellipse(x, y, 6.6 if kind == "wide" else 6.2), WHITE)
        c.fill(ellipse(x + look[0], y + look[1], 3.2), LINE)
    elif kind == "happy":
        c.fill(arc(x, y + 3, 6, pi * 1.08, pi * 1.92, 3.6), LINE)
    elif kind == "shut":
        c.fill(arc(x, y - 3, 6, pi * 0.1, pi * 0.9, 3.4), LINE)
    elif kind == "heart":
        c.fill(heart(x, y, 8.5 + look[0]), RED)
    else:
        side = 1 if x < X else -1
        c.fill(tube([(x - 5 * side, y - 4), (x + 4 * side, y), (x - 5 * side, y + 4)], 3.2), LINE)


def mouth(c, x, y, kind, size=1.0):
    """A mouth: "smile", "grin", "sad", "flat", "open" or "wavy"."""
    if kind == "smile":
        c.fill(arc(x, y - 7, 12 * size, 0.15 * pi, 0.85 * pi, 3.6), LINE)
    elif kind == "grin":
        c.fill(blob([(x - 15, y - 5), (x, y - 3), (x + 15, y - 5), (x + 9, y + 7 * size), (x, y + 11 * size),
                     (x - 9, y + 7 * size)], 5), LINE)
        c.fill(ellipse(x, y + 6 * size, 7, 4 * size), PINK)
        c.fill(rrect(x - 10, y - 4, 20, 3.5, 1.5), WHITE)
    elif kind == "sad":
        c.fill(arc(x, y + 9, 11 * size, 1.18 * pi, 1.82 * pi, 3.6), LINE)
    elif kind == "flat":
        c.fill(tube([(x - 10 * size, y), (x + 10 * size, y)], 3.6), LINE)
    elif kind == "open":
        c.fill(ellipse(x, y + 2, 6.5 * size, 9 * size), LINE)
    else:
        c.fill(tube([(x - 12 + 3 * k, y + 2.5 * sin(k * 1.6)) for k in range(9)], 3.4), LINE)


def brows(c, x, y, tilt, lift=0.0):
    """Both eyebrows; a tilt above 0 is angry, below 0 worried."""
    for side in (-1, 1):
        c.fill(tube([(x + side * 19, y - 17 - lift - 4 * tilt), (x + side * 7, y - 17 - lift + 4 * tilt)], 3.6), LINE)


def face(c, eyes, lips, x=X, y=Y, skin=SKIN, look=(0, 0), size=1.0, tilt=None, lift=0.0):
    """A face at x, y. `tilt` and `lift` draw eyebrows."""
    c.fill(ellipse(x, y, R + 2), LINE)
    c.fill(ellipse(x, y, R), SHADE if skin == SKIN else mix(skin, LINE, 0.2))
    c.fill(ellipse(x - 1.5, y - 2, R - 3), skin)
    kinds = eyes if isinstance(eyes, tuple) else (eyes, eyes)
    eye(c, x - 12, y - 6, kinds[0], look)
    eye(c, x + 12, y - 6, kinds[1], look)
    mouth(c, x + look[0] * 0.3, y + 12, lips, size)
    if tilt is not None:
        brows(c, x, y, tilt, lift)


def inked(c, shape, colour, width=3.6, how=(), ink=LINE):
    """A shape with a line around it, placed as `how` says."""
    c.fill(place(outline(shape, width), *how), ink)
    c.fill(place(shape, *how), colour)


def palm(c, x, y, rot=0.0, size=1.0):
    """An open hand with four fingers and a thumb."""
    how = (x, y, rot, size)
    fingers = [tube([(-11 + 7.4 * k, 2), (-13 + 8.6 * k, -19 - (3 if k in (1, 2) else 0))], 7.4) for k in range(4)]
    whole = rrect(-15, -4, 30, 24, 9) + [p for f in fingers for p in f] + tube([(12, 12), (22, 1)], 8)
    inked(c, whole, (255, 222, 110), 4, how)
    for k in range(3):
        c.fill(place(tube([(-7.3 + 7.4 * k, 0), (-7.8 + 8 * k, -11)], 1.4), *how), SHADE)


def drop(c, x, y, size=1.0, colour=TEAR):
    """A tear."""
    c.fill(blob([(x, y - 7 * size), (x + 4 * size, y + 1), (x, y + 5 * size), (x - 4 * size, y + 1)], 4), colour)


@Scene("Facepalm", (70, 96, 150))
def facepalm(c, t, i):
    """A hand meets a face, which shakes."""
    up = min(1, i / 5)
    shake = 1.5 * sin(i * 1.7) if i > 5 else 0
    face(c, "shut" if i > 3 else "dot", "flat" if i > 3 else "sad", X + shake, Y, tilt=-0.4)
    palm(c, X + 5 + shake, 84 - 40 * up, -0.25, 1.05)


@Scene("Crying with laughter", (40, 110, 130))
def laughing_face(c, t, i):
    """A face rocks with laughter."""
    lift = 3 * abs(sin(2 * pi * t * 2))
    face(c, "squint", "grin", X + 2 * sin(2 * pi * t * 2), Y + 2 - lift, size=0.9 + 0.25 * abs(sin(4 * pi * t)),
         tilt=-0.3, lift=2)
    for side in (-1, 1):
        for p in phases(t * 2, 2):
            drop(c, X + side * (24 + 20 * p), 30 - 14 * sin(pi * p) + 22 * p, 1.1)


@Scene("Crying face", (60, 70, 110))
def crying_face(c, t, i):
    """Streams of tears run down a face."""
    face(c, "shut", "sad", X, Y + sin(4 * pi * t), size=0.9 + 0.1 * sin(4 * pi * t), tilt=-0.9)
    for side in (-1, 1):
        c.fill(rrect(X + side * 12 - 4.5, 38, 9, 36, 4), TEAR)
        for p in phases(t * 2, 3):
            c.fill(ellipse(X + side * 12, 40 + 32 * p, 3, 2.4), WHITE)
    c.fill(ellipse(X, 77, 30 + 2 * sin(2 * pi * t), 4), TEAR)


@Scene("Mind blown", (92, 70, 160), delay=HOLD)
def mind_blown(c, t, i):
    """The top of a head explodes."""
    burst = max(0.0, min(1.0, (i - 3) / 5))
    fade = max(0.0, (i - 9) / 7)
    x = X + (1.5 * sin(i * 3) if i < 9 else 0)
    face(c, "wide", "open", x, Y + 9, size=0.8 + 0.3 * burst, look=(0, -2 * burst))
    if not burst:
        return
    reach = 10 + 20 * burst
    c.fill(rrect(x - 34, 0, 68, 30, 1), (92, 70, 160))
    c.fill(poly((x - 30, 38), (x - 25, 28), (x - 17, 34), (x - 9, 26), (x, 33), (x + 9, 26), (x + 17, 34), (x + 25, 28),
                (x + 30, 38)), SKIN)
    for colour, size in (((255, 120, 40), 1), ((255, 220, 80), 0.66)):
        c.fill(star(x, 12, reach * size * 0.8, 9, 0.55, 0.3 * t), colour)
    for k in range(7):
        a = pi * (1.02 + 0.96 * k / 6)
        c.fill(ellipse(x + (reach + 6 * fade) * cos(a), 22 + (reach + 3 * fade) * sin(a) * 0.7, 7 - 3 * fade),
               (235, 225, 225))


@Scene("Shocked face", (70, 60, 130))
def shocked_face(c, t, i):
    """Eyes grow and a jaw drops."""
    p = min(1, i / 4)
    face(c, "wide", "open", X + (1.6 * sin(i * 2.6) if i > 3 else 0), Y, size=0.5 + 0.8 * p, look=(0, 0), tilt=-0.3,
         lift=1 + 4 * p)
    for side in (-1, 1):
        for k in range(3):
            a = (k - 1) * 0.5
            x0, y0 = X + side * 38 * cos(a), Y + 38 * sin(a)
            c.fill(tube([(x0, y0), (x0 + side * (2 + 7 * p * abs(sin(i))) * cos(a), y0 + 8 * sin(a))], 3),
                   (255, 240, 120))


@Scene("Angry face", (90, 110, 120))
def angry_face(c, t, i):
    """A face turns red, steam comes out."""
    heat = 0.5 - 0.5 * cos(2 * pi * t)
    face(c, "dot", "wavy", X + 1.6 * heat * sin(i * 2.7), Y + 2, skin=mix(SKIN, (235, 60, 40), round(heat * 5) / 5),
         tilt=1.1)
    for side in (-1, 1):
        for p in phases(t * 2, 3):
            c.fill(ellipse(X + side * (36 + 9 * p), 30 - 20 * p, 2 + 5 * p * (1.2 - p)), WHITE, 0.9)


@Scene("Thinking face", (50, 100, 160))
def thinking_face(c, t, i):
    """A finger at the chin, question marks rise."""
    side = 4 * sin(2 * pi * t)
    face(c, "roll", "flat", X - 4, Y + 4, look=(side * 0.7, -3), size=0.7, tilt=0.3, lift=3)
    inked(c, rrect(24, 62, 26, 15, 7), (255, 222, 110), 4)
    inked(c, tube([(44, 68), (56, 60)], 8), (255, 222, 110), 3)
    for k, p in enumerate(phases(t, 2)):
        x, y, s = 78 + 6 * k, 44 - 34 * p, 0.7 + 0.4 * p
        c.fill(place(arc(0, 0, 6, -pi, pi * 0.4, 3.4) + tube([(1, 5), (0, 10)], 3.4) + ellipse(0, 15.5, 2.4), x, y, 0,
                     s), WHITE)


@Scene("Eye roll", (96, 84, 140))
def eye_roll(c, t, i):
    """Eyes make a slow round."""
    a = -pi / 2 + 2 * pi * min(1, max(0, (i - 3) / 9))
    face(c, "roll", "flat", look=(3.4 * cos(a), 3.2 * sin(a) - 0.4), size=0.9, tilt=-0.1, lift=1 + 2 * abs(sin(pi * t)))
    c.fill(rrect(X - 21, Y - 15, 18, 5 - 2 * sin(pi * t), 2), SKIN)
    c.fill(rrect(X + 3, Y - 15, 18, 5 - 2 * sin(pi * t), 2), SKIN)


@Scene("No", (40, 60, 90))
def shaking_no(c, t, i):
    """A head shakes beside a red cross."""
    x = 40 + 7 * sin(4 * pi * t)
    face(c, "dot", "sad", x, Y, look=(3 * sin(4 * pi * t), 0), tilt=0.5)
    s = 10 + 1.5 * sin(4 * pi * t)
    cross = tube([(80 - s, 20 - s), (80 + s, 20 + s)], 7) + tube([(80 - s, 20 + s), (80 + s, 20 - s)], 7)
    inked(c, cross, RED, 1, ink=WHITE)


@Scene("Heart eyes", (120, 60, 120))
def heart_eyes(c, t, i):
    """The eyes are beating hearts."""
    for k, p in enumerate(phases(t, 4)):
        c.fill(heart(12 + 24 * k + 3 * sin(2 * pi * p), 80 - 84 * p, 5), RED)
    face(c, "heart", "grin", look=(1.6 * sin(4 * pi * t), 0), size=0.8)


@Scene("Deal with it", (30, 120, 140), delay=HOLD)
def deal_with_it(c, t, i):
    """Dark glasses slide onto a face."""
    y = -14 + (Y + 5) * min(1, i / 9)
    face(c, "dot", "smile" if i > 9 else "flat", size=0.9)
    for side in (-1, 1):
        c.fill(poly((X + side * 2, y), (X + side * 25, y), (X + side * 25, y + 7), (X + side * 19, y + 13),
                    (X + side * 9, y + 13), (X + side * 2, y + 6)), (16, 16, 24))
        c.fill(poly((X + side * 13 - 5, y + 3), (X + side * 13 - 1, y + 3), (X + side * 13 - 4, y + 8),
                    (X + side * 13 - 8, y + 8)), WHITE)
    c.fill(rrect(X - 30, y - 2, 60, 4, 1), (16, 16, 24))
    if i > 10:
        c.fill(star(X + 26, y + 1, 9 - abs(i - 13) * 2.2, 4, 0.25), WHITE)
