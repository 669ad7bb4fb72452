"""Runs a player on a separate pseudo terminal, reads its output, measures its resources, and ends it."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time

from screen import INITIAL, Screen, SequenceChecker, Titles

REPLIES = {b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b[?2026$p": b"\x1b[?2026;2$y",
           b"\x1b[c": b"\x1b[?62;22c"}


def environment(folder, site, cache_bytes, keys=False):
    """Returns an environment with the URLs of the site in place of the services', with all of gifplay's folders below
    `folder`, and with a limit for the cache."""
    config = folder / "config/gifplay"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f"cache-size = {cache_bytes}\n")
    variables = {name: value for name, value in os.environ.items()
                 if name not in ("TMUX", "TERM_PROGRAM", "COLUMNS", "LINES", "NO_COLOR", "http_proxy", "all_proxy",
                                 "ALL_PROXY", "GIPHY_API_KEY", "KLIPY_API_KEY")}
    return dict(variables, TERM="xterm-256color", COLORTERM="truecolor", LANG="C.UTF-8", LC_ALL="C.UTF-8",
                XDG_CONFIG_HOME=str(folder / "config"), XDG_CACHE_HOME=str(folder / "cache"),
                XDG_DATA_HOME=str(folder / "data"), **site.environment(keys))


class Player:
    """Runs `command`. `read` reads its output, `sample` measures it, `quit` ends it and checks the terminal state."""

    def __init__(self, command, environment, columns=80, rows=24, on_title=lambda title: None, stores_cells=False,
                 checks_only=False):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 16))
        self.before = termios.tcgetattr(self.slave)
        self.screen = SequenceChecker() if checks_only else Screen(columns, rows, stores_cells)
        self.titles = Titles(on_title)
        self.status, self.end = None, b""
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for descriptor in (0, 1, 2):
                os.dup2(self.slave, descriptor)
            os.closerange(3, 1024)
            os.execve(command[0], command, environment)

    def read(self, seconds):
        """Waits at most `seconds` for output. Returns the bytes that were read."""
        if not select.select([self.master], [], [], seconds)[0]:
            return b""
        data = os.read(self.master, 1 << 18)
        for query, reply in REPLIES.items():
            # A query can be divided between two reads.
            for _ in range((self.end[1 - len(query):] + data).count(query)):
                os.write(self.master, reply)
        self.end = (self.end + data)[-16:]
        self.screen.feed(data)
        self.titles.feed(data)
        return data

    def ended(self):
        """Returns whether the process has ended. If so, `status` is set."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def sample(self):
        """Returns resident KiB, open descriptors, threads, CPU seconds, and bytes written to all descriptors."""
        base = f"/proc/{self.pid}"
        with open(f"{base}/status") as file:
            lines = dict(line.split(":", 1) for line in file)
        with open(f"{base}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"{base}/io") as file:
            written = next(int(line.split()[1]) for line in file if line.startswith("wchar"))
        seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return (int(lines["VmRSS"].split()[0]), len(os.listdir(f"{base}/fd")), int(lines["Threads"]), seconds, written)

    def quit(self, key=b"q", expected=0, seconds=10):
        """Ends the process with a key. Returns the problems."""
        if not self.ended():
            os.write(self.master, key)
        deadline = time.monotonic() + seconds
        while not self.ended() and time.monotonic() < deadline:
            self.read(0.05)
        while self.read(0.05):
            pass
        problems = list(self.screen.problems)
        if self.status is None:
            self.kill()
            problems.append(f"did not exit within {seconds} s of the key")
        elif self.status != expected:
            problems.append(f"exited with status {self.status}")
        if termios.tcgetattr(self.slave) != self.before:
            problems.append("the terminal settings were not restored")
        if self.screen.messages:
            problems.append(f"printed: {self.screen.messages.decode('utf-8', 'replace')[:300]}")
        if self.screen.modes != INITIAL:
            problems.append(f"terminal modes not restored: {sorted(self.screen.modes ^ INITIAL)}")
        if self.screen.unparsed:
            problems.append(f"the last sequence is unfinished: {self.screen.unparsed!r}")
        self.close()
        return problems

    def kill(self):
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def close(self):
        os.close(self.master)
        os.close(self.slave)
