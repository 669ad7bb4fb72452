"""gifplay on a pseudo terminal whose output is checked."""
import os
import re
import termios

from lib.screen import INITIAL, Screen, SequenceChecker
from lib.terminal import Terminal, environment

# A process that does not react for this time hangs. No machine is too slow for it.
HANG_SECONDS = 300
STATUS = re.compile(rb"\x1b\[(\d+);?H\x1b\[0;2m([^\x1b]*)\x1b\[0m\x1b\[K\r")


def soak_environment(folder, site, cache_bytes, keys=False):
    """An environment with the URLs of the site in place of the services', with all of gifplay's folders below `folder`,
    and with a limit for the cache."""
    config = folder / "config/gifplay"
    config.mkdir(parents=True)
    (config / "config").write_text(f"--cache-size {cache_bytes}\n")
    return environment(folder, **site.environment(keys))


class Player(Terminal):
    """Checks the output that it reads, and reports each new title in the status line. `sample` measures the process,
    `quit` ends it and checks the terminal state."""

    def __init__(self, command, variables, size=(80, 24), on_title=lambda title: None, stores_cells=False,
                 checks_only=False):
        self.screen = SequenceChecker() if checks_only else Screen(*size, stores_cells)
        self.on_title, self.title, self.status_bytes = on_title, None, b""
        super().__init__(command, size, variables)

    def read(self, seconds, size=1 << 18):
        output = super().read(seconds, size)
        self.screen.feed(output)
        data, end = self.status_bytes + output, 0
        for match in STATUS.finditer(data):
            title = match[2].split(" \u00b7 ".encode())[0].decode("utf-8", "replace")
            # If the status line has no other text, only spaces separate the title from the time.
            title, before = re.sub(r"\s+\d+:\d\d$", "", title.strip()), self.title
            self.title, end = title, match.end()
            if title != before:
                self.on_title(title)
        self.status_bytes = data[max(end, len(data) - 4096):]
        return output

    def sample(self):
        """Returns resident KiB, open descriptors, and threads."""
        with open(f"/proc/{self.pid}/status") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["VmRSS"].split()[0]), len(os.listdir(f"/proc/{self.pid}/fd")), int(lines["Threads"])

    def state_problems(self):
        """What the process that has ended did not restore."""
        problems = []
        if termios.tcgetattr(self.slave) != self.before:
            problems.append("the terminal settings were not restored")
        if self.screen.modes != INITIAL:
            problems.append(f"terminal modes not restored: {sorted(self.screen.modes ^ INITIAL)}")
        return problems

    def quit(self, key=b"q", expected=0, seconds=HANG_SECONDS):
        """Ends the process with a key. Returns the problems."""
        if not self.ended():
            self.press(key)
        for _ in self.output(seconds):
            pass
        problems = list(self.screen.problems)
        if self.status is None:
            self.kill()
            problems.append(f"did not exit within {seconds} s of the key")
        elif self.status != expected:
            problems.append(f"exited with status {self.status}")
        if self.screen.messages:
            problems.append(f"printed: {self.screen.messages.decode('utf-8', 'replace')[:300]}")
        if self.screen.unparsed:
            problems.append(f"the last sequence is unfinished: {self.screen.unparsed!r}")
        problems += self.state_problems()
        self.close()
        return problems
