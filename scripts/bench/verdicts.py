"""The targets of scripts/bench/run. Each one compares gifplay with another program in the same run."""
import math
from typing import NamedTuple

from players import OURS

SMALL = 1e-6


def word(passed):
    return "PASS" if passed else "MISS"


class Verdict(NamedTuple):
    """gifplay's value relative to that of the program `against`, and whether the target is met."""
    ratio: float
    against: str
    passed: bool

    def __str__(self):
        return f"{self.ratio:.3f} {self.against} {word(self.passed)}"


def best(row, figure, same_cells=False):
    """The peer with the lowest figure as (figure, name); with same_cells only peers that drew the row's cells."""
    candidates = [(values[figure], name) for name, values in row["players"].items() if name not in OURS and values
                  and values[figure] is not None and (not same_cells or values["cells"] == row["cells"])]
    return min(candidates, default=None)


def ours(row, figure, name="gifplay"):
    values = row["players"].get(name)
    return values and values[figure]


def one_loop(row):
    mine, peer, floor = ours(row, "cpu"), best(row, "cpu"), row["decode"]
    if mine is None or not peer:
        return None
    bound, value, against = max((0.45 * peer[0], *peer), (1.4 * (floor or 0), floor, "giflib"))
    return Verdict(mine / value, against, mine <= bound)


def further_loop(row):
    mine, floor = ours(row, "further"), row["write"]
    if mine is None or floor is None:
        return None
    bound = 1.5 * floor + 20e-6 * row["frames"]
    return Verdict(mine / max(bound, SMALL), "bound", mine <= bound)


def against_best(figure, factor, name="gifplay", same_cells=False):
    """The target that a figure is at most `factor` times that of the best peer."""
    def target(row):
        mine, peer = ours(row, figure, name), best(row, figure, same_cells)
        if mine is None or not peer:
            return None
        return Verdict(mine / max(peer[0], SMALL), peer[1], mine <= factor * peer[0])
    return target


# By the whole condition, which is also the heading of its column.
TARGETS = {
    "CPU of one loop: ≤ 0.45 of the best peer or 1.4 of giflib": one_loop,
    "CPU of a further loop: ≤ 1.5 × writing the same bytes + 20 µs per frame": further_loop,
    "first cell: ≤ 0.5 of the best peer": against_best("first", 0.5),
    "peak memory: ≤ the best peer": against_best("peak", 1),
    "exact bytes: ≤ the best peer": against_best("frame", 1, name="gifplay-exact", same_cells=True),
}


def real_bytes(rows):
    """The geometric mean of gifplay's bytes per frame relative to the best peer's, and the number of rows, which are
    those of real GIFs."""
    verdicts = map(against_best("frame", 0.4, same_cells=True), (row for row in rows if row["kind"] == "real"))
    ratios = [max(verdict.ratio, SMALL) for verdict in verdicts if verdict]
    return math.exp(sum(map(math.log, ratios)) / max(1, len(ratios))), len(ratios)


def lines(rows):
    for row in rows:
        yield [f"{row['gif']}, {row['size']}", *(target(row) or "–" for target in TARGETS.values())]
