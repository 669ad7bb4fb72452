"""Runs a program on a pseudo terminal that reads its output and replies to its queries."""
import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import tty

# The replies of a plain truecolour terminal.
PLAIN = {b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b]10;?": b"\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
         b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?62;22c", b"\x1b[0c": b"\x1b[?62;22c"}
# The replies of a terminal with synchronized updates.
SYNCHRONIZED = {b"\x1b[?2026$p": b"\x1b[?2026;2$y", **PLAIN}
KEPT = re.compile("PATH|TMPDIR|LD_LIBRARY_PATH|[A-Z]+SAN_OPTIONS")


def environment(folder=None, **more):
    """The variables of a truecolour terminal, without the user's settings; gifplay's folders are below `folder`."""
    kept = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    folders = {f"XDG_{name.upper()}_HOME": f"{folder}/{name}" for name in ("config", "cache", "data") if folder}
    return dict(kept, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8",
                SWIFT_BACKTRACE="enable=no", **folders, **more)


class Program:
    """A process in a session of its own. `streams` are its standard input, output and error. `status` is negative for a
    signal, and None until the process has ended; `usage` is then its resource usage."""

    def __init__(self, command, variables, streams, prepare=None):
        self.status = self.usage = None
        stdin, stdout, stderr = streams
        self.process = subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=stdout, stderr=stderr,
                                        env=variables, start_new_session=True, preexec_fn=prepare)
        self.pid = self.process.pid
        # Readable when the process has ended.
        self.exit = os.pidfd_open(self.pid)

    def ended(self):
        if self.status is None:
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.status, self.usage = os.waitstatus_to_exitcode(status), usage
                self.process.returncode = self.status
        return self.status is not None

    def wait(self, seconds):
        select.select([self.exit], [], [], seconds)
        return self.ended()

    def processor_seconds(self):
        """CPU seconds of all threads, in nanosecond resolution. Computes the clock ID as clock_getcpuclockid does."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def kill(self):
        """Kills the process and those that it started. Returns when it has ended."""
        if not self.ended():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self.wait(None)

    def close(self):
        self.kill()
        os.close(self.exit)


class Terminal(Program):
    """A program on a pseudo terminal of `size` (columns, rows) with cells of 8x16 pixels. `replies` maps queries to
    replies. `stdin` and `stderr` replace the terminal as standard input and standard error."""

    def __init__(self, command, size, variables, replies=SYNCHRONIZED, raw=False, stdin=None, stderr=None,
                 prepare=lambda: None):
        columns, rows = size
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 16))
        if raw:
            tty.setraw(self.slave)
        self.before = termios.tcgetattr(self.slave)
        self.replies, self.queries = replies, re.compile(b"|".join(map(re.escape, replies)))
        self.tail, self.count = b"", 0

        def attach():
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            prepare()
        streams = [self.slave if given is None else given for given in (stdin, None, stderr)]
        super().__init__(command, variables, streams, attach)

    def read(self, seconds, size=1 << 18):
        """Waits up to `seconds` for output, or for the end of the program. Returns the bytes that were read."""
        watched = [self.master, self.exit] if self.status is None else [self.master]
        if self.master not in select.select(watched, [], [], max(0, seconds))[0]:
            return b""
        data = os.read(self.master, size)
        self.count += len(data)
        # A query can be divided between two reads.
        window, end = self.tail + data, 0
        if any(query in window for query in self.replies):
            for query in self.queries.finditer(window):
                os.write(self.master, self.replies[query[0]])
                end = query.end()
        self.tail = window[max(end, len(window) - 16):]
        return data

    def output(self, seconds, size=1 << 18):
        """Yields the output until the program has ended, or until `seconds` have passed."""
        end = time.monotonic() + seconds
        while (remaining := end - time.monotonic()) > 0:
            ended = self.ended()
            data = self.read(0 if ended else min(remaining, 0.5), size)
            if data:
                yield data
            elif ended:
                return

    def press(self, keys):
        os.write(self.master, keys)

    def close(self):
        super().close()
        os.close(self.master)
        os.close(self.slave)
