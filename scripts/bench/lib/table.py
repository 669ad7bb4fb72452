"""Tables, aligned for a terminal, as Markdown or as CSV."""
import csv


def number(value, factor=1.0, digits=1):
    return "–" if value is None else f"{value * factor:.{digits}f}"


def word(passed):
    return "PASS" if passed else "MISS"


def show(headings, lines, markdown=True):
    lines = [list(map(str, line)) for line in [headings, *lines]]
    if markdown:
        lines.insert(1, ["---"] * len(headings))
        print("\n".join(f"| {' | '.join(line)} |" for line in lines))
        return
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def write_csv(path, headings, lines):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([headings, *lines])


class Table:
    """A Markdown table that prints each line at once. `write` also writes it to a file, unless `path` is None."""

    def __init__(self, headings):
        self.headings, self.lines = headings, []
        show(headings, [])

    def add(self, cells):
        self.lines.append(cells)
        print(f"| {' | '.join(cells)} |", flush=True)

    def write(self, path):
        if path:
            write_csv(path, self.headings, self.lines)
