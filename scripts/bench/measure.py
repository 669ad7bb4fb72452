"""Measures a GIF at one size, with every player and with the C programs in floors/."""
import dataclasses
import pathlib
import statistics
import struct
import tempfile

import frames
from lib.terminal import SYNCHRONIZED
from players import OURS, PLAYERS, fit_picture, gifplay
from ptyrun import build, run

FIGURES = ("cpu", "first", "peak", "count")


def row(binary, gif, kind, pane, options):
    """Returns the row as it is written to JSON, or None if gifplay itself cannot play the GIF."""
    with tempfile.TemporaryDirectory() as folder:
        picture = fit_picture(binary, gif.with_delay(pathlib.Path(folder) / f"{gif.name}.gif"), pane)
        if not picture:
            return None
        recorded = record_frames(binary, picture)
        file = pathlib.Path(folder) / "frames"
        file.write_bytes(b"".join(struct.pack("<I", len(frame)) + frame for frame in recorded or []))
        runs = Runs(binary, picture, file if recorded is not None else None, options)
        for repeat in range(options.repeats):
            runs.run_all(first=repeat == 0)
        return {"gif": gif.name, "kind": kind, "size": f"{pane[0]}x{pane[1]}", "cells": list(picture.cells),
                "frames": gif.frames, "pixels": [gif.width, gif.height], "players": runs.players(),
                "decode": runs.median("decode"), "write": runs.write_floor()}


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
    for frame in reversed(frames.updates(marked.output)):
        if remaining <= tolerance:
            break
        found.insert(0, frame)
        remaining -= len(frame)
    return found if abs(remaining) <= tolerance else None


class Runs:
    """The runs for one GIF at one size. The players take turns in each repeat, so that other load affects all alike."""

    def __init__(self, binary, picture, frames, options):
        self.binary, self.picture, self.frames, self.options = binary, picture, frames, options
        self.results, self.shown, self.boxes, self.loop_counts = {}, {}, {}, {}

    def run_all(self, first):
        for name in self.options.peers:
            self.measure_one_loop(name, keep=first)
        self.add("decode", run([build("decode"), self.picture.gif.path], self.picture.pane))
        for name in self.options.peers:
            # Measure the further loops of other players only once. No target uses them, and some take as long as all
            # other runs together.
            if first or name in OURS:
                self.measure_more_loops(name, keep=first and name not in OURS)
        if self.frames is not None:
            for loops in (1, self.options.loops):
                self.add(f"write{loops}", run([build("replay"), self.frames, loops], self.picture.pane))

    def add(self, name, result):
        self.results.setdefault(name, []).append(result)
        return result

    def command(self, name, loops):
        wall = self.median(name, "wall") or 0
        return PLAYERS[name](self.binary, dataclasses.replace(self.picture, wall=wall), loops)

    def measure_one_loop(self, name, keep):
        if not keep and self.results[name][0] is None:
            return
        result = self.add(name, run(self.command(name, 1), self.picture.pane, keep=keep))
        if keep and result:
            self.boxes[name] = frames.box(result.output)
            self.shown[name] = frames.count(result.output)

    def measure_more_loops(self, name, keep):
        if not self.results[name][0]:
            return
        loops = self.options.loops if name in OURS else self.options.peer_loops
        key = f"{name} again"
        if key in self.results and self.results[key][0] is None:
            return
        result = self.add(key, run(self.command(name, loops), self.picture.pane, keep=keep))
        self.loop_counts.setdefault(name, loops)
        if name == "chafa" and result and self.shown.get(name):
            # chafa takes a duration, not a number of loops.
            self.loop_counts[name] = frames.count(result.output) / self.shown[name]

    def median(self, name, figure="cpu", runs=None):
        values = [getattr(result, figure) for result in self.results.get(name, [])[:runs] if result]
        return statistics.median(values) if values else None

    def further_loop_cost(self, name, again, loops):
        times = len(self.results.get(again, []))
        # Of the runs of one loop, use only those from the repeats in which several loops were also played.
        once, many = self.median(name, runs=times), self.median(again)
        return None if once is None or many is None or loops < 1.2 else max(0, many - once) / (loops - 1)

    def write_floor(self):
        return self.further_loop_cost("write1", f"write{self.options.loops}", self.options.loops)

    def players(self):
        figures = {}
        for name in self.options.peers:
            if not self.median(name):
                figures[name] = None
                continue
            # gifplay's frames cannot be counted here, because they have no marks, but at full speed it drops none. timg
            # writes nothing for a frame without changes. Such a frame does not count as dropped.
            all_frames, shown = self.picture.gif.frames, self.shown[name]
            shown = all_frames if name in OURS or (name == "timg" and shown <= all_frames) else shown
            figures[name] = {figure: self.median(name, figure) for figure in FIGURES}
            cells = list(self.boxes[name] or (0, 0))
            if name in OURS and cells[0] <= self.picture.cells[0] and cells[1] <= self.picture.cells[1]:
                # gifplay writes no transparent cells at the edge, so the box can be smaller than the picture.
                cells = list(self.picture.cells)
            figures[name].update(further=self.further_loop_cost(name, f"{name} again", self.loop_counts.get(name, 1)),
                               cells=cells, shown=shown, frame=figures[name]["count"] / max(1, shown))
        return figures
