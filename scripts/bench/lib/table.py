"""Tables in Markdown and CSV."""
import csv


def number(value, factor=1.0, digits=1):
    return "–" if value is None else f"{value * factor:.{digits}f}"


def word(passed):
    return "PASS" if passed else "MISS"


def show(headings, lines):
    for line in [headings, ["---"] * len(headings), *lines]:
        print(f"| {' | '.join(map(str, line))} |")


def write_csv(path, headings, lines):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([headings, *lines])
