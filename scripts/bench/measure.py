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
    """Returns the row of the tables, or None if gifplay itself cannot play the GIF."""
    with tempfile.TemporaryDirectory() as folder:
        picture = fit_picture(binary, gif.with_short_delays(pathlib.Path(folder) / f"{gif.name}.gif"), pane)
        if not picture:
            return None
        recorded = record_frames(binary, picture)
        file = pathlib.Path(folder) / "frames"
        file.write_bytes(b"".join(struct.pack("<I", len(frame)) + frame for frame in recorded or []))
        runs = Runs(binary, picture)
        for repeat in range(options.repeats):
            for name in options.peers:
                runs.play_once(name, first=repeat == 0)
            runs.add("decode", run([build("decode"), picture.gif.path], pane))
            for name in options.peers:
                # Measure the further loops of other players only once. No target uses them, and some take as long as
                # all other runs together.
                if repeat == 0 or name in OURS:
                    runs.play_again(name, options.loops if name in OURS else options.peer_loops)
            for loops in (1, options.loops) if recorded is not None else ():
                runs.add(f"write {loops}", run([build("replay"), file, loops], pane))
        return {"gif": gif.name, "kind": kind, "size": f"{pane[0]}x{pane[1]}", "cells": list(picture.cells),
                "frames": gif.frames, "players": {name: runs.figures(name) for name in options.peers},
                "decode": runs.median("decode"),
                "write": runs.further_loop("write 1", f"write {options.loops}", options.loops)}


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
    """The runs for one GIF at one size. The players take turns in each repeat, so that other load affects all alike.
    `results` has the runs by name; the runs of several loops have the name of the player and "again"."""

    def __init__(self, binary, picture):
        self.binary, self.picture = binary, picture
        self.results, self.shown, self.boxes, self.loop_counts = {}, {}, {}, {}

    def add(self, name, result):
        self.results.setdefault(name, []).append(result)
        return result

    def has_failed(self, name):
        return name in self.results and self.results[name][0] is None

    def play(self, name, loops, keep):
        picture = dataclasses.replace(self.picture, wall=self.median(name, "wall") or 0)
        return run(PLAYERS[name](self.binary, picture, loops), self.picture.pane, keep=keep)

    def play_once(self, name, first):
        if not self.has_failed(name):
            result = self.add(name, self.play(name, 1, keep=first))
            if first and result:
                self.boxes[name], self.shown[name] = frames.box(result.output), frames.count(result.output)

    def play_again(self, name, loops):
        if self.has_failed(name) or self.has_failed(f"{name} again"):
            return
        result = self.add(f"{name} again", self.play(name, loops, keep=name not in OURS))
        self.loop_counts[name] = loops
        if name == "chafa" and result and self.shown.get(name):
            # chafa takes a duration, not a number of loops.
            self.loop_counts[name] = frames.count(result.output) / self.shown[name]

    def median(self, name, figure="cpu", runs=None):
        values = [getattr(result, figure) for result in self.results.get(name, [])[:runs] if result]
        return statistics.median(values) if values else None

    def further_loop(self, name, again, loops):
        times = len(self.results.get(again, []))
        # Of the runs of one loop, use only those from the repeats in which several loops were also played.
        once, many = self.median(name, runs=times), self.median(again)
        return None if once is None or many is None or loops < 1.2 else max(0, many - once) / (loops - 1)

    def figures(self, name):
        if not self.median(name):
            return None
        # gifplay's frames cannot be counted here, because they have no marks, but at full speed it drops none. timg
        # writes nothing for a frame without changes. Such a frame does not count as dropped.
        shown, cells = self.shown[name], list(self.boxes[name] or (0, 0))
        if name in OURS or (name == "timg" and shown <= self.picture.gif.frames):
            shown = self.picture.gif.frames
        if name in OURS and all(drawn <= wanted for drawn, wanted in zip(cells, self.picture.cells, strict=True)):
            # gifplay writes no transparent cells at the edge, so the box can be smaller than the picture.
            cells = list(self.picture.cells)
        figures = {figure: self.median(name, figure) for figure in FIGURES}
        return dict(figures, further=self.further_loop(name, f"{name} again", self.loop_counts.get(name, 1)),
                    cells=cells, shown=shown, frame=figures["count"] / max(1, shown))
