"""Draws the plot of scripts/bench/scaling with gnuplot."""
import pathlib
import subprocess
import tempfile

TITLES = {"cells": "against cells", "canvas": "against the canvas", "frames": "against frames"}
HEAD = """set terminal pngcairo size 1560,600 font "DejaVu Sans,12" linewidth 1.2 background "#ffffff"
set output "{out}"
set multiplot layout 1,3 title "Cost of a loop: linear or better runs below the dashed lines of slope 1" font ",15"
set logscale xy
set grid xtics ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror
set key top left reverse Left samplen 2 font ",11"
set format y "10^{{%T}}"
set lmargin 9
set rmargin 3
set yrange [{low}:{high}]
"""
PANEL = """set title "{title}" font ",13"
set xlabel "{label}"
set ylabel "{ylabel}"
set format x {format}
set xtics {ticks}
set xrange [{first}:{last}]
plot {curves}
"""


def scaling(points, unit, factor, path):
    names = list(dict.fromkeys(point["series"] for point in points))
    values = [point[key] * factor for point in points for key in ("one", "further") if point[key]]
    if not values:
        return
    with tempfile.TemporaryDirectory() as folder:
        script = HEAD.format(out=path, low=min(values) / 2, high=max(values) * 6)
        for index, name in enumerate(names):
            mine = [point for point in points if point["series"] == name]
            data = pathlib.Path(folder) / f"{name}.data"
            data.write_text("".join(f"{p['x']} {p['one'] * factor} {p['further'] * factor or 'NaN'}\n" for p in mine))
            curve = f'"{data}" using 1:{{}} with linespoints lw 2 pt {{}} ps {{}} lc rgb "{{}}" title "{{}}"'
            curves = [curve.format(2, 7, 1.1, "#0b6e99", "one loop, start included"),
                      curve.format(3, 5, 1.0, "#c4532d", "a further loop")]
            for key, colour in (("one", "#0b6e99"), ("further", "#c4532d")):
                if mine[0][key]:
                    slope = mine[0][key] * factor / mine[0]["x"]
                    curves.append(f'[{mine[0]["x"]}:{mine[-1]["x"]}] {slope}*x '
                                  f'with lines dt 2 lw 1 lc rgb "{colour}" notitle')
            script += PANEL.format(title=TITLES.get(name, name), label=mine[0]["label"], curves=", ".join(curves),
                                   ylabel=f"{unit} per loop" if index == 0 else "", first=mine[0]["x"] / 1.4,
                                   last=mine[-1]["x"] * 1.4, **axis(name, mine))
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["gnuplot"], input=script + "unset multiplot\n", text=True, check=True)


def axis(name, points):
    if name == "canvas":
        ticks = ", ".join(f'"{round(p["x"] ** 0.5)}²" {p["x"]}' for p in points)
        return {"format": '"%g"', "ticks": f"({ticks})"}
    if name == "cells":
        ticks = ", ".join(f'"{p["x"]:,}" {p["x"]}' for p in points[:: 2 if len(points) > 4 else 1])
        return {"format": '"%g"', "ticks": f"({ticks})"}
    return {"format": '"10^{%T}"', "ticks": "autofreq"}
