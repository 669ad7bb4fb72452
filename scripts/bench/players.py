"""The commands with which each player draws a picture in the same cells, once or several times."""
import dataclasses
import re
import shutil
import subprocess

from ptyrun import box, run


@dataclasses.dataclass(frozen=True)
class Picture:
    """A GIF, the pane in which it plays, and the columns and rows that the picture takes there."""
    gif: object
    pane: tuple
    cells: tuple
    timg_box: tuple = ()

    @property
    def size(self):
        return "{}x{}".format(*self.cells)

    @property
    def timg_size(self):
        return "-g{}x{}".format(*(self.timg_box or self.cells))


def gifplay(binary, picture, loops=1, *options):
    return [binary, "play", "--file", picture.gif.path, "--size", picture.size, "--upscale", "--bare", "--inline",
            "--loop", loops, "--speed", "max", *options]


def gifplay_exact(binary, picture, loops=1):
    return gifplay(binary, picture, loops, "--fidelity", "exact")


def chafa(_, picture):
    # With -d 0, chafa plays one loop.
    return ["chafa", "--format", "symbols", "--symbols", "vhalf", "--colors", "full", "--stretch",
            "--size", picture.size, "-d", "0", "--speed", "1000000fps", picture.gif.path]


def timg(_, picture):
    return ["timg", "-ph", "-b", "#000000", "-U", picture.timg_size, "--loops=1", picture.gif.path]


def mpv(_, picture):
    # --untimed and --framedrop=no make mpv show every frame, as fast as it can.
    columns, rows = picture.cells
    return ["mpv", "--no-config", "--vo=tct", "--really-quiet", "--no-audio", "--no-input-terminal", "--no-keepaspect",
            "--vo-tct-algo=half-blocks", f"--vo-tct-width={columns}", f"--vo-tct-height={rows}",
            "--loop-file=no", "--untimed", "--framedrop=no", picture.gif.path]


PLAYERS = {"gifplay": gifplay, "gifplay-exact": gifplay_exact, "chafa": chafa, "timg": timg, "mpv": mpv}
OURS = ("gifplay", "gifplay-exact")


def versions(names):
    """The name and version that each installed peer reports."""
    found = {}
    for name in names:
        if name not in OURS and shutil.which(name):
            output = subprocess.run([name, "--version"], capture_output=True, text=True)
            number = re.search(r"\d+\.\d[\d.]*", output.stdout + output.stderr)
            found[name] = f"{name} {number[0]}" if number else name
    return found


def fit_picture(binary, gif, pane):
    """The largest picture in a pane for which all players can draw the same cells.

    gifplay and timg keep the aspect ratio, but timg draws no half rows. If the two would draw different cells, the
    picture gets fewer columns or rows. The other players have options for the number of columns and rows."""
    first = None
    for size in boxes(gif, pane):
        trial = Picture(gif, pane, size)
        drawn = run(gifplay(binary, trial, 1, "--max-frames", 1, "--background", "#000000"), pane, keep=True)
        # The cursor is shown again after the picture. gifplay's message about the other frames follows.
        cells = drawn and box(drawn.output.rpartition(b"\x1b[?25h")[0])
        if not cells:
            break
        candidate = Picture(gif, pane, cells, timg_box(gif, pane, cells))
        if candidate.timg_box:
            return candidate
        first = first or candidate
    return first


def boxes(gif, pane):
    """The pane without its last row, then narrower boxes in which the number of half rows of the picture is even."""
    columns, rows = pane[0], pane[1] - 1
    yield columns, rows
    for narrower in range(columns - 1, columns - 13, -1):
        height = round(narrower * gif.height / gif.width)
        if height % 2 == 0 and height <= 2 * rows:
            yield narrower, rows
    yield columns, rows - 1


def timg_box(gif, pane, cells):
    """The size that makes timg draw these cells, or (). timg keeps the aspect ratio and rounds differently."""
    if not shutil.which("timg"):
        return ()
    for more in ((0, 0), (1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (2, 0), (2, 1)):
        size = cells[0] + more[0], cells[1] + more[1]
        *command, path = timg(None, Picture(gif, pane, cells, size))
        drawn = run([*command, "--frames=1", path], pane, keep=True, timeout=20)
        if drawn and box(drawn.output) == cells:
            return size
    return ()
