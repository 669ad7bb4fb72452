"""The C programs of scripts/bench-floors: what decoding alone and writing alone cost."""
import functools
import pathlib
import struct
import subprocess

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
BUILD = SCRIPTS.parent / ".build/bench"


@functools.cache
def build(name):
    """Compiles scripts/bench-floors/NAME.c where it is newer than its program -> the program's path."""
    source, program = SCRIPTS / f"bench-floors/{name}.c", BUILD / name
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
