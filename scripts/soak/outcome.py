"""Runs a command with limits and returns the outcome; with or without a terminal, with or without piped input."""
import dataclasses
import fcntl
import os
import pty
import re
import resource
import select
import signal
import struct
import tempfile
import termios
import time
import tty

from player import REPLIES
from screen import PIECE, Screen

# The kernel ends the process beyond this limit; the checks use a lower one.
PROCESSOR_SECONDS = 12
WALL_SECONDS = 120
# So many bytes at either end are written one by one; the middle is written in no more than this many pieces.
EDGE, PIECES = 16 << 10, 30_000
BEGIN, END = b"\x1b[?1049h", b"\x1b[?1049l"


@dataclasses.dataclass
class Outcome:
    """The result of a run. A negative status is a signal, None means that it did not end in time. `stderr` is
    standard error."""
    status: int | None
    seconds: float
    megabytes: float
    stderr: str
    output: bytes

    def picture(self, columns, rows):
        """The cells at the moment when the player left the alternate screen; None if it never used that screen."""
        begin, end = self.output.find(BEGIN), self.output.rfind(END)
        if begin < 0 or end < 0:
            return None
        screen = Screen(columns, rows, stores_cells=True)
        screen.feed(self.output[begin:end + len(END)])
        return screen.last

    def unknown_output(self):
        """The output that is no known sequence, up to 60 bytes."""
        return PIECE.sub(b"", self.output)[:60]


def environment(**more):
    """Without a folder for the cache, so that every run uses HTTP."""
    variables = {name: value for name, value in os.environ.items() if name in ("PATH", "TMPDIR", "LD_LIBRARY_PATH")}
    return dict(variables, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8",
                GIFPLAY_OFFLINE="0", SWIFT_BACKTRACE="enable=no", **more)


def feed(path, descriptor):
    """Writes a file byte by byte. The middle of a long file is written in pieces of 1 to 7 bytes, or in longer ones
    if those would be too many."""
    data = memoryview(path.read_bytes())
    middle = max(0, len(data) - 2 * EDGE)
    longest = max(7, 2 * middle // PIECES)
    position, number = 0, 0
    try:
        while position < len(data):
            inside = EDGE <= position < EDGE + middle
            count = min(1 + number * 5 % longest, EDGE + middle - position) if inside else 1
            os.write(descriptor, data[position:position + count])
            position, number = position + count, number + 1
    except BrokenPipeError:
        pass


def feeder(path, close):
    """Returns the process that writes the file, and the descriptor from which to read it."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        for descriptor in (out, *close):
            os.close(descriptor)
        feed(path, into)
        os._exit(0)
    os.close(into)
    return pid, out


def run(command, size=None, piped=None):
    """Runs a command on a terminal of (columns, rows), or with its output going to a file; `piped` is its standard
    input."""
    master, slave = pty.openpty() if size else (None, None)
    terminal = [descriptor for descriptor in (master, slave) if descriptor is not None]
    if size:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], size[0] * 8, size[1] * 16))
        tty.setraw(slave)
    writer, source = feeder(piped, terminal) if piped else (None, None)
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as file:
        pid = os.fork()
        if pid == 0:
            try:
                start(command, slave, source, file.fileno(), errors.fileno())
            finally:
                # Only reached if exec failed.
                os._exit(127)
        for descriptor in (slave, source):
            if descriptor is not None:
                os.close(descriptor)
        output, status, usage = watch(pid, master)
        if master is not None:
            os.close(master)
        if writer:
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
        file.seek(0)
        errors.seek(0)
        return Outcome(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024,
                       errors.read().decode("utf-8", "replace"), output or file.read())


def start(command, slave, source, file, errors):
    """In the child: sets the limits, attaches the terminal and executes the command."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if slave is not None:
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(source if source is not None else slave if slave is not None else null, 0)
    os.dup2(slave if slave is not None else file, 1)
    os.dup2(errors, 2)
    os.closerange(3, 256)
    os.execve(command[0], command, environment())


def watch(pid, master):
    """Reads until the process ends. Returns its output, its status and its resource usage."""
    output, replied, deadline = bytearray(), set(), time.monotonic() + WALL_SECONDS
    while True:
        if master is not None and select.select([master], [], [], 0.005)[0]:
            if read_and_reply(master, output, replied) and time.monotonic() < deadline:
                continue
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > deadline:
            os.kill(pid, signal.SIGKILL)
            return bytes(output), None, os.wait4(pid, 0)[2]
        if master is None:
            time.sleep(0.002)
    while master is not None and select.select([master], [], [], 0)[0] and read_and_reply(master, output, replied):
        pass
    return bytes(output), os.waitstatus_to_exitcode(status), usage


def read_and_reply(master, output, replied):
    """Reads the available output and answers terminal queries. Returns whether there may be more."""
    try:
        data = os.read(master, 1 << 18)
    except OSError:
        # All processes on the other side have closed it, or none has opened it yet: the end of the process decides.
        time.sleep(0.001)
        return False
    output += data
    if len(replied) < len(REPLIES):
        for query, reply in REPLIES.items():
            if query not in replied and query in output[:4096]:
                replied.add(query)
                os.write(master, reply)
    return bool(data)


def named(stderr, *names):
    """An error message without the names of its subject; also replaces the wording that names the host of a URL."""
    for name in names:
        stderr = stderr.replace(name, "NAME")
    stderr = stderr.replace("127.0.0.1 sent no data", "the file is empty").replace(" from 127.0.0.1)", ")")
    return re.sub(r"\s+", " ", stderr).strip()
