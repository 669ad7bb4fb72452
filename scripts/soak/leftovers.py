"""Checks what playing and browsing left on the disk: the media cache and the library."""
import fcntl
import hashlib
import os
import re
import sqlite3
import subprocess

from player import HANG_SECONDS

# The number of letters of a title by which favourites are compared: what follows in a title can be hostile.
TITLE_LENGTH = 11
TEMPORARY = re.compile(r"\.(\d+)-\d+-\d+\.tmp")


def is_intact(path):
    """Whether a file of the cache, a GIF or a listing, has the format of MediaCache.swift."""
    data = path.read_bytes()
    content = data[48:]
    header = b"GIFPLAY\x01" + len(content).to_bytes(8, "little") + hashlib.sha256(content).digest()
    return data[:48] == header


def check_cache(folder, limit, killed):
    """Returns the problems in the media folder, and the numbers of entries and unfinished files."""
    problems, unfinished, sizes = [], 0, []
    for path in sorted(folder.iterdir()):
        match = TEMPORARY.fullmatch(path.name)
        if match:
            unfinished += 1
            if int(match[1]) not in killed:
                problems.append(f"{path.name} was left by a process that was not killed")
        elif re.fullmatch("[0-9a-f]{64}", path.name):
            sizes.append(path.stat().st_size)
            if not is_intact(path):
                problems.append(f"cache entry {path.name} is damaged")
        else:
            problems.append(f"unknown file in the cache: {path.name}")
    # A process that was killed after it renamed its entry has evicted none, so the cache may exceed its limit by it.
    total = sum(sizes)
    if total > limit + (max(sizes) if killed else 0):
        problems.append(f"the cache has {total} bytes; the limit is {limit}")
    return problems, len(sizes), unfinished


def check_next_start(gifplay, variables, folder):
    """Starts gifplay again. Returns their errors, and the unfinished files that still exist."""
    problems = []
    for command in (["cache"], ["library"]):
        done = subprocess.run([gifplay, *command], env=variables, capture_output=True, text=True, timeout=HANG_SECONDS)
        if done.returncode or done.stderr:
            problems.append(f"gifplay {command[0]} after the run: exit status {done.returncode}: {done.stderr.strip()}")
    return problems + [f"the next start did not remove {path.name}" for path in folder.glob(".*.tmp")]


def held_locks(folder):
    """Returns the files and folders below the folder that are still locked."""
    locked = []
    for path in [folder, *folder.rglob("*")]:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            locked.append(f"{path} is still locked")
        os.close(descriptor)
    return locked


def check_library(path, favourites):
    """Checks the library with SQLite. `favourites` are titles that the browser confirmed. Returns the problems."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        problems = [f"integrity_check: {row[0]}"
                    for row in database.execute("PRAGMA integrity_check") if row[0] != "ok"]
        problems += [f"foreign_key_check: {row}" for row in database.execute("PRAGMA foreign_key_check")]
        database.execute("BEGIN EXCLUSIVE")
        stored = {row[0][:TITLE_LENGTH] for row in database.execute(
            "SELECT title FROM work JOIN mark ON mark.work = work.id WHERE favourite IS NOT NULL")}
        database.execute("COMMIT")
    except sqlite3.Error as error:
        return [f"library: {error}"]
    finally:
        database.close()
    return problems + [f"{title} was reported as a favourite but is not in the library"
                       for title in sorted(favourites - stored)]
