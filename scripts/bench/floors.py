"""Builds the C programs of scripts/bench/floors, and returns the commands that run them."""
import functools
import pathlib
import struct
import subprocess

from lib import cli

HERE = pathlib.Path(__file__).resolve().parent
BUILD = cli.BUILD / "bench"


@functools.cache
def build(name):
    """Compiles floors/NAME.c if it is newer than the compiled program. Returns the path of the program."""
    source, program = HERE / f"floors/{name}.c", BUILD / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        BUILD.mkdir(parents=True, exist_ok=True)
        libraries = ["-lgif"] if name == "decode" else []
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-o", program, source, *libraries], check=True)
    return program


def decode(gif):
    return [build("decode"), gif.path]


def replay(frames, loops):
    return [build("replay"), frames, loops]


def write_frames(path, frames):
    path.write_bytes(b"".join(struct.pack("<I", len(frame)) + frame for frame in frames))
