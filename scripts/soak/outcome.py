"""Runs a command with limits on time, and returns the outcome. A terminal and piped input are optional."""
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

# The kernel ends a process that takes more CPU time. The checks use a lower limit.
PROCESSOR_SECONDS = 12
WALL_SECONDS = 120
# The first and last EDGE bytes of a file are written one by one, the bytes between them in about PIECES pieces at most.
EDGE, PIECES = 16 << 10, 30_000
BEGIN, END = b"\x1b[?1049h", b"\x1b[?1049l"


@dataclasses.dataclass
class Outcome:
    """The result of a run. A negative status is the number of a signal; None means that the command did not end in
    time."""
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
        """The first 60 bytes of the output that do not belong to a known sequence."""
        return PIECE.sub(b"", self.output)[:60]


def environment(**more):
    """Returns an environment without a cache folder, so that every run uses HTTP. COLORFGBG gives the background from
    the start, so that the picture does not depend on the time at which the terminal reports it."""
    variables = {name: value for name, value in os.environ.items() if name in ("PATH", "TMPDIR", "LD_LIBRARY_PATH")}
    return dict(variables, TERM="xterm-256color", COLORTERM="truecolor", COLORFGBG="15;0", LANG="C.UTF-8",
                LC_ALL="C.UTF-8", GIFPLAY_OFFLINE="0", SWIFT_BACKTRACE="enable=no", **more)


def feed(path, descriptor):
    """Writes a file byte by byte. The middle of a long file is written in pieces of 1 to 7 bytes, and that of a very
    long file in longer pieces."""
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
    """Runs a command on a terminal of `size` (columns, rows); without a size, its output goes to a file. `piped` is a
    file that is piped into its standard input."""
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
    """Runs in the child process: sets the limits, attaches the terminal and executes the command."""
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
    output, replied, deadline = bytearray(), {}, time.monotonic() + WALL_SECONDS
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
    """Reads the available output and replies to each terminal query. For each kind of query, `replied` has the position
    after the last one. Returns whether there may be more output."""
    try:
        data = os.read(master, 1 << 18)
    except OSError:
        # No process has the terminal open, either no longer or not yet. The caller checks whether the command ended.
        time.sleep(0.001)
        return False
    begin = len(output)
    output += data
    for query, reply in REPLIES.items():
        position = output.find(query, max(replied.get(query, 0), begin - len(query) + 1))
        while position >= 0:
            os.write(master, reply)
            replied[query] = position + len(query)
            position = output.find(query, replied[query])
    return bool(data)


def named(stderr, *names):
    """Replaces the subject of an error message, and wording that only URLs have, so that messages can be compared."""
    for name in names:
        stderr = stderr.replace(name, "NAME")
    stderr = stderr.replace("127.0.0.1 sent no data", "the file is empty").replace(" from 127.0.0.1)", ")")
    return re.sub(r"\s+", " ", stderr).strip()
