"""Reduces many colours to a palette: cuts boxes by weighted variance, then does two rounds of k-means."""
from collections import Counter
from math import fsum  # gives the same sums in every version of Python


def histogram(frames):
    """Counter of the visible (r, g, b) colours in a list of canvases."""
    count = Counter()
    for f in frames:
        if f.al is None:
            count.update(f.px)
        else:
            count.update(p for p, a in zip(f.px, f.al, strict=True) if a >= 0.5)
    return count


def palette(count, size):
    """At most size colours that represent those in count."""
    if len(count) <= size:
        return sorted(count)
    cells = {}
    for (r, g, b), n in count.items():
        cell = cells.setdefault((r >> 2, g >> 2, b >> 2), [0, 0, 0, 0])
        cell[0] += r * n
        cell[1] += g * n
        cell[2] += b * n
        cell[3] += n
    points = [(c[0] / c[3], c[1] / c[3], c[2] / c[3], c[3] ** 0.55) for _, c in sorted(cells.items())]
    boxes = [_box(points)]
    while len(boxes) < size:
        boxes.sort(key=lambda b: b[0])
        spread, axis, mean, members = boxes[-1]
        if spread < 1e-9:
            break
        low = [p for p in members if p[axis] <= mean]
        high = [p for p in members if p[axis] > mean]
        boxes[-1:] = [_box(low), _box(high)]
    centres = [_mean(b[3]) for b in boxes]
    for _ in range(2):
        centres = _refine(points, centres)
    return sorted({tuple(int(v + 0.5) for v in c) for c in centres})


def _mean(points):
    """Weighted mean colour."""
    total = fsum(p[3] for p in points)
    return tuple(fsum(p[k] * p[3] for p in points) / total for k in range(3))


def _box(points):
    """(weighted variance on the widest axis, that axis, its mean, points)."""
    mean = _mean(points)
    spread = [fsum((p[k] - mean[k]) ** 2 * p[3] for p in points) for k in range(3)]
    axis = max(range(3), key=lambda k: spread[k])
    if len(points) < 2:
        return (0.0, axis, mean[axis], points)
    return (spread[axis], axis, mean[axis], points)


def _refine(points, centres):
    """One k-means round: move every centre to the mean of its nearest points."""
    groups = [[] for _ in centres]
    for p in points:
        groups[_nearest(p, centres)].append(p)
    return [_mean(g) if g else c for g, c in zip(groups, centres, strict=True)]


def _nearest(p, colours):
    """Index of the colour nearest to p; green has the largest weight."""
    r, g, b = p[0], p[1], p[2]
    best, found = 1e18, 0
    for i, c in enumerate(colours):
        d = 3 * (r - c[0]) ** 2 + 4 * (g - c[1]) ** 2 + 2 * (b - c[2]) ** 2
        if d < best:
            best, found = d, i
    return found


def table(count, colours):
    """{colour: index in colours} for every colour in count."""
    exact = {c: i for i, c in enumerate(colours)}
    cells, out = {}, {}
    for p in count:
        if p in exact:
            out[p] = exact[p]
            continue
        key = (p[0] >> 1, p[1] >> 1, p[2] >> 1)
        if key not in cells:
            cells[key] = _nearest((key[0] * 2 + 0.5, key[1] * 2 + 0.5, key[2] * 2 + 0.5), colours)
        out[p] = cells[key]
    return out
