"""Measures a GIF at one size, with every player and with the C programs in floors/."""
import pathlib
import re
import statistics
import struct
import tempfile

from lib.terminal import SYNCHRONIZED
from players import OURS, PLAYERS, fit_picture, gifplay
from ptyrun import box, build, run

FIGURES = ("cpu", "first", "peak", "count")
UPDATE = re.compile(rb"\x1b\[\?2026h(.*?)\x1b\[\?2026l", re.DOTALL)


def row(binary, gif, kind, pane, options):
    """Returns the row of the tables, or None if gifplay itself cannot play the GIF."""
    with tempfile.TemporaryDirectory() as folder:
        picture = fit_picture(binary, gif.with_short_delays(pathlib.Path(folder) / f"{gif.name}.gif"), pane)
        if not picture:
            return None
        commands = {name: PLAYERS[name](binary, picture) for name in options.peers}
        commands["decode"] = [build("decode"), picture.gif.path]
        for name in filter(OURS.__contains__, options.peers):
            commands[f"{name} again"] = PLAYERS[name](binary, picture, options.loops)
        recorded = record_frames(binary, picture)
        if recorded is not None:
            file = pathlib.Path(folder) / "frames"
            file.write_bytes(b"".join(struct.pack("<I", len(frame)) + frame for frame in recorded))
            commands |= {"write": [build("replay"), file, 1], "write again": [build("replay"), file, options.loops]}
        results = run_in_turns(commands, pane, options)
    figures = {name: player_figures(name, picture, results, options.loops) for name in options.peers}
    return {"gif": gif.name, "kind": kind, "size": "{}x{}".format(*pane), "cells": picture.cells, "frames": gif.frames,
            "players": figures, "decode": median(results["decode"]),
            "write": further_loop("write", results, options.loops)}


def record_frames(binary, picture):
    """The bytes of each frame of one further loop, or None if they cannot be determined.

    The frames come from a run with synchronized updates, which enclose each frame in marks; the marks are removed. The
    number of bytes of a further loop is the difference between three loops and two without marks. Counted from the end
    of the recording, it shows where the last loop begins."""
    two, three = (run(gifplay(binary, picture, loops), picture.pane) for loops in (2, 3))
    marked = run(gifplay(binary, picture, 4), picture.pane, keep=True, replies=SYNCHRONIZED)
    if not (two and three and marked):
        return None
    remaining, found = three.count - two.count, []
    # The queries between the frames, and the sequences that move the cursor, can differ by some bytes between loop
    # iterations. A larger difference means that the frames are not those of the loop that was measured.
    tolerance = 0.01 * remaining
    for frame in reversed(UPDATE.findall(marked.output)):
        if remaining <= tolerance:
            break
        found.insert(0, frame)
        remaining -= len(frame)
    return found if abs(remaining) <= tolerance else None


def run_in_turns(commands, pane, options):
    """The runs of each command. They take turns in each repeat, so that other load affects all alike. The first run of
    a player keeps its output. A command that fails does not run again."""
    results = {name: [] for name in commands}
    for repeat in range(options.repeats):
        for name, command in commands.items():
            if None not in results[name]:
                results[name].append(run(command, pane, keep=repeat == 0 and name in PLAYERS))
    return results


def median(results, figure="cpu"):
    values = [getattr(result, figure) for result in results if result]
    return statistics.median(values) if values else None


def further_loop(name, results, loops):
    once, many = (median(results.get(key, [])) for key in (name, f"{name} again"))
    return None if once is None or many is None else max(0, many - once) / (loops - 1)


def player_figures(name, picture, results, loops):
    first = results[name][0]
    if not first:
        return None
    cells = box(first.output)
    if name in OURS and all(drawn <= wanted for drawn, wanted in zip(cells, picture.cells, strict=True)):
        # gifplay writes no transparent cells at the edge, so the box can be smaller than the picture.
        cells = picture.cells
    figures = {figure: median(results[name], figure) for figure in FIGURES}
    return dict(figures, further=further_loop(name, results, loops), cells=cells,
                frame=figures["count"] / picture.gif.frames)
