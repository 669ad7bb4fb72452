"""The targets of scripts/bench/run. Each one compares gifplay with another program in the same run."""
import dataclasses
import math

from players import OURS

MICROSECONDS_PER_FRAME = 20
SMALL = 1e-6


@dataclasses.dataclass
class Verdict:
    """gifplay's value and the bound that it must not exceed. `against` names the program whose value sets the bound;
    `ratio` is relative to that value, without the factor of the target."""
    ours: float
    bound: float
    ratio: float
    against: str

    @property
    def passed(self):
        return self.ours <= self.bound

    @property
    def word(self):
        return "PASS" if self.passed else "MISS"


def best(row, figure, same_cells=False):
    """The peer with the lowest figure as (figure, name); with same_cells only peers that drew the row's cells."""
    candidates = [(values[figure], name) for name, values in row["players"].items()
             if name not in OURS and values and values[figure] is not None
             and (not same_cells or values["cells"] == row["cells"])]
    return min(candidates, default=None)


def ours(row, figure, name="gifplay"):
    values = row["players"].get(name)
    return values and values[figure]


def one_loop(row):
    mine, peer, floor = ours(row, "cpu"), best(row, "cpu"), row["decode"]
    if mine is None or not peer:
        return None
    bounds = [(0.45 * peer[0], peer[1])] + ([(1.4 * floor, "giflib")] if floor else [])
    bound, against = max(bounds)
    return Verdict(mine, bound, mine / (peer[0] if against != "giflib" else floor), against)


def further_loop(row):
    mine, floor = ours(row, "further"), row["write"]
    if mine is None or floor is None:
        return None
    bound = 1.5 * floor + MICROSECONDS_PER_FRAME * 1e-6 * row["frames"]
    return Verdict(mine, bound, mine / max(bound, SMALL), "bound")


def first_cell(row):
    return against_best(row, "first", 0.5)


def peak(row):
    return against_best(row, "peak", 1)


def exact_bytes(row):
    return against_best(row, "frame", 1, name="gifplay-exact", same_cells=True)


def against_best(row, figure, factor, name="gifplay", same_cells=False):
    mine, peer = ours(row, figure, name), best(row, figure, same_cells)
    if mine is None or not peer:
        return None
    return Verdict(mine, factor * peer[0], mine / max(peer[0], SMALL), peer[1])


TARGETS = {
    "CPU of one loop: ≤ 0.45 of the best peer or 1.4 of giflib": one_loop,
    "CPU of a further loop: ≤ 1.5 × writing the same bytes + 20 µs per frame": further_loop,
    "first cell: ≤ 0.5 of the best peer": first_cell,
    "peak memory: ≤ the best peer": peak,
    "exact bytes: ≤ the best peer": exact_bytes,
}


def real_bytes(rows):
    """Returns the geometric mean of gifplay's bytes per frame relative to the best peer's, over the real GIFs, and the
    number of ratios in it. Target: 0.4."""
    ratios = []
    for row in rows:
        verdict = against_best(row, "frame", 0.4, same_cells=True) if row["kind"] == "real" else None
        if verdict:
            ratios.append(max(verdict.ratio, SMALL))
    return (math.exp(sum(map(math.log, ratios)) / len(ratios)), len(ratios)) if ratios else None
