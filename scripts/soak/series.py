"""Reads the samples of a soak test from CSV, evaluates them and plots them."""
import csv
import statistics

from lib import gnuplot

FIELDS = ("seconds", "rss_kib", "descriptors", "threads", "cpu_seconds", "cache_bytes", "drawn_bytes", "written_bytes",
          "switches", "longest_switch", "requests", "failed")
PLOT = """set title "{title}" font ",14"
set border 11
set xlabel "minutes"
set ylabel "resident memory, MiB" textcolor rgb "#0b6e99"
set y2label "open descriptors" textcolor rgb "#c4532d"
set y2tics
set yrange [0:{memory}]
set y2range [0:{descriptors}]
set xrange [0:{minutes}]
set key bottom right
plot $rows using 1:2 with lines lc rgb "#0b6e99" title "memory", \\
     $rows using 1:3 axes x1y2 with lines lc rgb "#c4532d" title "descriptors"
"""


def read(path):
    with open(path, newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def quarters(rows, name):
    """The medians of a column in the four quarters of the run."""
    length = max(1, len(rows) // 4)
    return [statistics.median(row[name] for row in rows[part * length:(part + 1) * length] or rows)
            for part in range(4)]


def growth(rows):
    """Messages about resources that grew from the second quarter to the last. The first quarter is the warm-up."""
    found = []
    for name, share, slack, unit in (("rss_kib", 0.10, 4096, "KiB of memory"), ("descriptors", 0, 2, "descriptors"),
                                     ("threads", 0, 2, "threads")):
        _, second, _, fourth = quarters(rows, name)
        if fourth > second * (1 + share) + slack:
            found.append(f"{unit} grew from {second:.0f} in the second quarter to {fourth:.0f} in the last")
    return found


def summary(rows):
    memory, descriptors = quarters(rows, "rss_kib"), quarters(rows, "descriptors")
    last = rows[-1]
    longest = max(row["longest_switch"] for row in rows)
    return (f"{last['seconds']:.0f} s, {last['switches']:.0f} switches, the longest {longest:.2f} s; "
            f"{last['requests']:.0f} requests, {last['failed']:.0f} failed\n"
            f"medians of the quarters: memory {', '.join(f'{m / 1024:.1f}' for m in memory)} MiB, descriptors "
            f"{', '.join(f'{d:.0f}' for d in descriptors)}; maximum {max(r['rss_kib'] for r in rows) / 1024:.1f} MiB, "
            f"{max(r['descriptors'] for r in rows):.0f} descriptors, {max(r['threads'] for r in rows):.0f} threads\n"
            f"CPU {last['cpu_seconds'] / max(1, last['seconds']) * 100:.1f} %, output "
            f"{last['drawn_bytes'] / max(1, last['seconds']) / 1000:.0f} kB/s, cache at most "
            f"{max(r['cache_bytes'] for r in rows) / 1e6:.1f} MB")


def plot(rows, out):
    last = rows[-1]
    title = (f"{last['seconds'] / 60:.0f} minutes at random: {last['switches']:.0f} switches, "
             f"{last['failed']:.0f} of {last['requests']:.0f} requests failed")
    script = PLOT.format(title=title, minutes=max(0.1, last["seconds"] / 60),
                         memory=1.3 * max(r["rss_kib"] for r in rows) / 1024,
                         descriptors=1.6 * max(r["descriptors"] for r in rows))
    points = [(r["seconds"] / 60, r["rss_kib"] / 1024, r["descriptors"]) for r in rows]
    gnuplot.draw(out, (1200, 640), script, rows=points)
