"""Runs a command with limits on time, and returns the outcome. A terminal and piped input are optional."""
import dataclasses
import os
import resource
import signal
import tempfile

from lib.terminal import Program, Terminal, environment

# The kernel ends a process that takes more CPU time. The checks use a lower limit.
PROCESSOR_SECONDS = 12
WALL_SECONDS = 120
# The limits that each file must observe.
SECONDS, MEGABYTES = 5, 256
# The first and last EDGE bytes of a file are written one by one, the bytes between them in about PIECES pieces at most.
EDGE, PIECES = 16 << 10, 30_000


@dataclasses.dataclass
class Outcome:
    """The result of a run. A negative status is the number of a signal; None means that the command did not end in
    time. `seconds` of CPU time, because a slow run on a busy machine is not a hang."""
    status: int | None
    seconds: float
    megabytes: float
    stderr: str
    output: bytes

    def problems(self):
        """Checks the limits that every run must observe, whatever its input."""
        wrong = []
        if self.status is None:
            wrong.append(f"did not exit within {WALL_SECONDS} s")
        elif self.status not in (0, 1):
            wrong.append(f"status {self.status}")
        if self.seconds > SECONDS:
            wrong.append(f"{self.seconds:.1f} s of CPU time")
        if self.megabytes > MEGABYTES:
            wrong.append(f"{self.megabytes:.0f} MiB")
        if self.status == 1 and len(self.stderr.strip() or self.output.strip()) < 10:
            wrong.append("failed without an error message")
        return wrong


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


def feeder(path):
    """Returns the process that writes the file, and the descriptor from which to read it."""
    out, into = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.close(out)
        feed(path, into)
        os._exit(0)
    os.close(into)
    return pid, out


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS + 2))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, size=None, piped=None):
    """Runs a command on a terminal of `size` (columns, rows); without a size, its output goes to a file. `piped` is a
    file that is piped into its standard input.

    There is no cache folder, so that every run uses HTTP. COLORFGBG gives the background from the start, so that the
    picture does not depend on the time at which the terminal reports it."""
    variables = environment(COLORFGBG="15;0", GIFPLAY_OFFLINE="0")
    writer, source = feeder(piped) if piped else (None, None)
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as file, open(os.devnull) as null:
        if size:
            program = Terminal(command, size, variables, raw=True, stdin=source, stderr=errors.fileno(), prepare=limit)
        else:
            streams = null.fileno() if source is None else source, file.fileno(), errors.fileno()
            program = Program(command, variables, streams, limit)
        if writer:
            os.close(source)
        output = b"".join(program.output(WALL_SECONDS)) if size else b""
        status = program.status if program.wait(0 if size else WALL_SECONDS) else None
        program.close()
        if writer:
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
        file.seek(0)
        errors.seek(0)
        return Outcome(status, program.usage.ru_utime + program.usage.ru_stime, program.usage.ru_maxrss / 1024,
                       errors.read().decode("utf-8", "replace"), output or file.read())
