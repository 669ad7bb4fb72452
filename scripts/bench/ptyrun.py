"""Runs a command on a pseudo terminal of a given size, reads all its output, and reports the cost."""
import base64
import contextlib
import dataclasses
import fcntl
import os
import pty
import re
import select
import signal
import struct
import tempfile
import termios
import time
import tty

import floors

COLOURED = re.compile(rb"[34]8;2;|\xe2\x96[\x80-\x9f]")
# The replies of a plain truecolour terminal. SYNCHRONIZED also reports support for synchronized updates, and does so
# before it reports the attributes, which players query last.
REPLIES = {b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
           b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;22c", b"\x1b[0c": b"\x1b[?62;22c"}
SYNCHRONIZED = {b"\x1b[?2026$p": b"\x1b[?2026;2$y", **REPLIES}
# The replies of a terminal with sixels and kitty graphics, and cells of 8x16 pixels.
PIXEL_REPLIES = {**SYNCHRONIZED, b"\x1b[c": b"\x1b[?62;4;22c", b"\x1b[16t": b"\x1b[6;16;8t",
                 b"\x1b[?1;3;256S": b"\x1b[?1;0;256S", b"\x1b[?2;4;0S": b"\x1b[?2;0;4000;4000S",
                 b"\x1b_Gi=31,": b"\x1b_Gi=31;OK\x1b\\"}
# The replies of the same terminal if it runs on this machine: it also shows images in shared memory.
LOCAL_REPLIES = {**PIXEL_REPLIES, b"\x1b_Gi=32,": b"\x1b_Gi=32;OK\x1b\\"}
SHARED = re.compile(rb"\x1b_G[^;\x1b]*t=s[^;\x1b]*;([A-Za-z0-9+/=]+)\x1b")


@dataclasses.dataclass
class Run:
    """Seconds of CPU and wall time, bytes written, milliseconds from exec to the first coloured cell, peak MiB."""
    cpu: float
    wall: float
    count: int
    first: float
    peak: float
    status: int
    output: bytes


def environment(scratch):
    variables = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8",
                     XDG_CONFIG_HOME=scratch, XDG_CACHE_HOME=scratch, GIFPLAY_OFFLINE="1")
    for name in ("TMUX", "TERM_PROGRAM", "COLUMNS", "LINES", "NO_COLOR", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"):
        variables.pop(name, None)
    return variables


def run(command, columns, rows, timeout=180, keep=False, bytes_per_second=None, synchronized=False, replies=None):
    """Returns a Run, or None if the command is missing, fails, shows nothing or exceeds the timeout.

    `replies` maps terminal queries to replies (default: those of a plain terminal)."""
    replies = replies or (SYNCHRONIZED if synchronized else REPLIES)
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report")
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 16))
        tty.setraw(slave)
        launch, variables = str(floors.build("launch")), environment(scratch)
        pid = os.fork()
        if pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for descriptor in (0, 1, 2):
                os.dup2(slave, descriptor)
            os.closerange(3, 256)
            os.execve(launch, [launch, report, *map(str, command)], variables)
        os.close(slave)
        ended = False
        try:
            ended, count, shown, output = read(master, timeout, keep, bytes_per_second, replies)
        finally:
            if not ended:
                # Kill the process group that only the launcher and the player belong to.
                os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(master)
        if not ended or not os.path.exists(report):
            return None
        with open(report) as file:
            start, user, system, peak, status = file.read().split()
        if int(status) != 0:
            return None
        first = (shown - float(start)) * 1000 if shown else 0
        return Run(float(user) + float(system), time.monotonic() - float(start), count, first, int(peak) / 1024,
                   int(status), output)


def remove_shared(data):
    """Removes the images in shared memory that `data` names, as a terminal does after it has read them. Returns the
    end of `data`, which may be the beginning of a command."""
    end = 0
    for command in SHARED.finditer(data):
        with contextlib.suppress(FileNotFoundError):
            os.unlink("/dev/shm" + base64.b64decode(command[1]).decode())
        end = command.end()
    return data[max(end, len(data) - 200):]


def read(master, timeout, keep, bytes_per_second, replies):
    """Reads the output until the command ends. Returns whether it ended in time, the number of bytes, the time of the
    first cell, and the bytes if `keep` is true."""
    start, count, shown, output, cut = time.monotonic(), 0, None, bytearray(), b""
    while time.monotonic() - start < timeout:
        if not select.select([master], [], [], 0.5)[0]:
            continue
        try:
            data = os.read(master, 4096 if bytes_per_second else 65536)
        except OSError:
            return True, count, shown, bytes(output)
        if not data:
            return True, count, shown, bytes(output)
        if shown is None and COLOURED.search(data):
            shown = time.monotonic()
        count += len(data)
        if keep:
            output += data
        if replies is LOCAL_REPLIES:
            cut = remove_shared(cut + data)
        for query, reply in replies.items():
            if query in data:
                os.write(master, reply)
        if bytes_per_second:
            time.sleep(max(0, start + count / bytes_per_second - time.monotonic()))
    return False, count, shown, bytes(output)
