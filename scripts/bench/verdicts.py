"""The targets of scripts/bench/run. Each one compares gifplay with another program in the same run."""
import math
from typing import NamedTuple

from lib.table import word
from players import OURS

MICROSECONDS_PER_FRAME = 20
SMALL = 1e-6


class Verdict(NamedTuple):
    """gifplay's value and the bound that it must not exceed. `against` names the program whose value sets the bound;
    `ratio` is relative to that value, without the factor of the target."""
    ours: float
    bound: float
    ratio: float
    against: str

    @property
    def passed(self):
        return self.ours <= self.bound

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
    bounds = [(0.45 * peer[0], *peer)] + ([(1.4 * floor, floor, "giflib")] if floor else [])
    bound, value, against = max(bounds)
    return Verdict(mine, bound, mine / value, against)


def further_loop(row):
    mine, floor = ours(row, "further"), row["write"]
    if mine is None or floor is None:
        return None
    bound = 1.5 * floor + MICROSECONDS_PER_FRAME * 1e-6 * row["frames"]
    return Verdict(mine, bound, mine / max(bound, SMALL), "bound")


def against_best(figure, factor, name="gifplay", same_cells=False):
    """The target that a figure is at most `factor` times that of the best peer."""
    def target(row):
        mine, peer = ours(row, figure, name), best(row, figure, same_cells)
        if mine is None or not peer:
            return None
        return Verdict(mine, factor * peer[0], mine / max(peer[0], SMALL), peer[1])
    return target


# By the heading of their column: the whole condition, and the function.
TARGETS = {
    "one loop": ("CPU of one loop: ≤ 0.45 of the best peer or 1.4 of giflib", one_loop),
    "further loop": ("CPU of a further loop: ≤ 1.5 × writing the same bytes + 20 µs per frame", further_loop),
    "first cell": ("first cell: ≤ 0.5 of the best peer", against_best("first", 0.5)),
    "peak": ("peak memory: ≤ the best peer", against_best("peak", 1)),
    "exact bytes": ("exact bytes: ≤ the best peer", against_best("frame", 1, name="gifplay-exact", same_cells=True)),
}
TITLES = [title for title, _ in TARGETS.values()]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def real_bytes(rows):
    """gifplay's bytes per frame relative to the best peer's, for each row of a real GIF. Target: a mean of 0.4."""
    verdicts = map(against_best("frame", 0.4, same_cells=True), (row for row in rows if row["kind"] == "real"))
    return [max(verdict.ratio, SMALL) for verdict in verdicts if verdict]


def lines(rows):
    for row in rows:
        yield [f"{row['gif']}, {row['size']}", *(target(row) or "–" for _, target in TARGETS.values())]
