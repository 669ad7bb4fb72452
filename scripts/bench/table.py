"""Tables, aligned for a terminal, as Markdown or as CSV."""
import csv

import verdicts

HEADINGS = ("GIF, pane", "player", "CPU of one loop, ms", "CPU of a further loop, ms", "first cell, ms", "peak, MiB",
            "KB per frame", "cells", "frames")


def number(value, factor=1.0, digits=1):
    return "–" if value is None else f"{value * factor:.{digits}f}"


def player_lines(row):
    for name, values in row["players"].items():
        label = f"{row['gif']}, {row['size']}"
        if not values:
            yield [label, name] + ["–"] * 7
            continue
        cells = "{}x{}".format(*values["cells"]) + ("" if values["cells"] == row["cells"] else " ≠")
        yield [label, name, number(values["cpu"], 1000), number(values["further"], 1000, 2), number(values["first"]),
               number(values["peak"]), number(values["frame"], 0.001, 2), cells, str(values["shown"])]
    floors = [number(row["decode"], 1000), number(row["write"], 1000, 2)]
    yield [f"{row['gif']}, {row['size']}", "floor", *floors] + ["–"] * 5


def verdict_lines(rows):
    for row in rows:
        cells = [f"{row['gif']}, {row['size']}"]
        for target in verdicts.TARGETS.values():
            verdict = target(row)
            cells.append(f"{verdict.ratio:.3f} {verdict.against} {verdict.word}" if verdict else "–")
        yield cells


def show(headings, lines, markdown):
    lines = [list(map(str, line)) for line in lines]
    if markdown:
        for line in [headings, ["---"] * len(headings), *lines]:
            print("| " + " | ".join(line) + " |")
        return
    widths = [max(len(line[column]) for line in [list(headings), *lines]) for column in range(len(headings))]
    for line in [headings, *lines]:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def write_csv(path, headings, lines):
    """Writes a table to a file in docs/bench."""
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([headings, *lines])


def report(rows, markdown):
    """Prints the figures, the verdicts, and how many rows meet each target."""
    if not rows:
        return
    show(HEADINGS, [line for row in rows for line in player_lines(row)], markdown)
    print()
    titles = ["GIF, pane", *verdicts.TARGETS] if markdown else ["GIF, pane", "one loop", "further loop", "first cell",
                                                                 "peak", "exact bytes"]
    if not markdown:
        print("Targets:", "; ".join(verdicts.TARGETS), end=".\n\n")
    show(titles, verdict_lines(rows), markdown)
    print()
    for title, target in verdicts.TARGETS.items():
        results = [verdict for verdict in map(target, rows) if verdict]
        worst = max((verdict.ratio for verdict in results), default=None)
        met = sum(verdict.passed for verdict in results)
        if results:
            print(f"- {title}: {met} of {len(results)} rows, worst {worst:.3f}")
    mean = verdicts.real_bytes(rows)
    if mean:
        print(f"- bytes at default fidelity, geometric mean over {mean[1]} rows of real GIFs relative to the best "
              f"peer: {mean[0]:.2f}, target 0.4, {'PASS' if mean[0] <= 0.4 else 'MISS'}")
