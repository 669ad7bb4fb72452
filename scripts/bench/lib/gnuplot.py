"""Draws a plot with gnuplot."""
import subprocess

HEAD = """set terminal pngcairo size {size[0]},{size[1]} font "DejaVu Sans,12" linewidth 1.2 background "#ffffff"
set output "{path}"
set grid xtics ytics lc rgb "#dddddd" lt 1
set border 3
set tics nomirror
"""


def draw(path, size, script, **blocks):
    """Runs a script after the common settings. Each block is a list of points, which the script names $NAME."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = "".join(f"${name} << END\n" + "".join(" ".join(map(str, point)) + "\n" for point in points) + "END\n"
                   for name, points in blocks.items())
    subprocess.run(["gnuplot"], input=HEAD.format(path=path, size=size) + data + script, text=True, check=True)
