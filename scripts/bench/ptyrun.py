"""Runs a command on a pseudo terminal of a given size, reads all its output, and reports the cost."""
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import tempfile
import time

from lib import cli
from lib.screen import Screen
from lib.terminal import PLAIN, Terminal, environment

# A coloured cell. A block without a colour may be a measurement of its width.
COLOURED = re.compile(rb"[34]8;[25];")
# What would remove cells: the alternate screen, and the sequences that erase.
ERASING = re.compile(rb"\x1b\[\?1049[hl]|\x1b\[\d*[JK]")
# mpv's other form of a position. Screen does not know it, because gifplay must not write it.
POSITION = re.compile(rb"(\x1b\[\d*;\d*)f")


@dataclasses.dataclass
class Run:
    """Seconds of CPU time, bytes written, milliseconds from exec to the first coloured cell, peak MiB."""
    cpu: float
    count: int
    first: float
    peak: float
    output: bytes


@functools.cache
def build(name):
    """Compiles floors/NAME.c if it is newer than the compiled program. Returns the path of the program."""
    source, program = pathlib.Path(__file__).resolve().parent / f"floors/{name}.c", cli.BUILD / "bench" / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        libraries = ["-lgif"] if name == "decode" else []
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", program, source, *libraries], check=True)
    return program


def run(command, pane, timeout=180, keep=False, replies=PLAIN):
    """Returns a Run, or None if the command is missing, fails or exceeds the timeout. Keeps the output if `keep` is
    true."""
    shown, output = None, bytearray()
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report")
        terminal = Terminal([build("launch"), report, *command], pane,
                            environment(scratch, GIFPLAY_OFFLINE="1"), replies, raw=True)
        try:
            for data in terminal.output(timeout, 1 << 16):
                if shown is None and COLOURED.search(data):
                    shown = time.monotonic()
                if keep:
                    output += data
        finally:
            terminal.close()
        if terminal.status != 0:
            return None
        with open(report) as file:
            start, user, system, peak, status = map(float, file.read().split())
    if status != 0:
        return None
    first = (shown - start) * 1000 if shown else 0
    return Run(user + system, terminal.count, first, peak / 1024, bytes(output))


def box(output, limit=1_500_000):
    """(columns, rows) of the smallest rectangle that contains every written cell, including blanks; (0, 0) without."""
    # Do not cut the output in the middle of a sequence, because the start of the sequence would look like text.
    end = len(output) if len(output) <= limit else output.rfind(b"\x1b", 0, limit)
    screen = Screen(stores_cells=True)
    # Players expect that a line feed also moves to the first column, although the terminal is in raw mode.
    screen.feed(POSITION.sub(rb"\1H", ERASING.sub(b"", output[:end]).replace(b"\n", b"\r\n")))
    columns, rows = zip(*screen.cells or [(0, 0)], strict=True)
    return (max(columns) - min(columns) + 1, max(rows) - min(rows) + 1) if screen.cells else (0, 0)
