"""The simulated users of scripts/soak/many: they play, search and browse at once. Each one has a command, decides
its next step, and reports problems. On a slow machine, they wait longer, and requests can time out."""
import os
import re
import time

from player import HANG_SECONDS, Player

QUERIES = ("octopus", "dancing cat", "teapot", "snail", "campfire", "robot", "rain")
# Texts with which the browser reports a failure. None may appear, because the site lets no request fail.
FAILURES = ("library error", "failed", "cannot", "not saved", "server error", "unavailable", "offline",
            "nothing found", "invalid response")
# The number of letters of a title by which favourites are compared: what follows in a title can be hostile.
TITLE_LENGTH = 11
# The errors of a process that ended because the site was too slow for its timeouts.
TIMEOUTS = re.compile(rb"timed out|sent less than 1 kB in|paused after")


class Actor:
    """Starts its player, and starts it again after a kill. Sets `has_worked` after each complete piece of work."""
    # A narrower pane would not show the title.
    size, stores_cells = (60, 10), False

    def __init__(self, command, environment, chance):
        self.command, self.environment, self.chance = command, environment, chance
        self.problems = []
        self.start()

    def start(self):
        self.player = Player(self.command, self.environment, self.size, self.on_title, self.stores_cells,
                             not self.stores_cells)
        self.last_output = time.monotonic()
        self.next = self.last_output + 1
        self.switches, self.has_worked = 0, False

    @property
    def name(self):
        return " ".join([os.path.basename(self.command[0]), *self.command[1:]])

    def report(self, what):
        if len(self.problems) < 10:
            self.problems.append(f"{self.name}: {what}")

    def on_title(self, title):
        self.switches += 1
        self.has_worked = True

    def read(self):
        if self.player.read(0):
            self.last_output = time.monotonic()

    def work(self):
        """Takes the next step if it is due."""
        now = time.monotonic()
        if self.player.ended():
            if not TIMEOUTS.search(self.player.screen.messages):
                self.report(f"ended unexpectedly with status {self.player.status}: "
                            f"{self.player.screen.messages[:200]!r}")
            self.player.close()
            self.start()
        elif now - self.last_output > HANG_SECONDS:
            self.report(f"no output for {now - self.last_output:.0f} s")
            self.last_output = now
        elif now >= self.next:
            self.next = now + self.step()

    def step(self):
        return 60

    def kill(self):
        """Kills the player, checks its output so far, and starts it again. Returns the ID of the killed process."""
        pid = self.player.pid
        self.player.close()
        for problem in self.player.screen.problems:
            self.report(problem)
        self.start()
        return pid

    def quit(self):
        self.problems += [f"{self.name}: {what}" for what in self.player.quit(b"\x03", expected=130)]


class RandomUser(Actor):
    """Plays at random, a new GIF every second."""


class SearchUser(Actor):
    """Plays the results of a search, adds each to the favourites, and then asks for the next one.

    All users share the titles in `favourites`, which gifplay confirmed, and in `tried`, for which 'f' was pressed. A
    second press would remove the favourite, even if the user is killed before it is confirmed."""

    def __init__(self, command, environment, chance, favourites, tried):
        self.favourites, self.tried = favourites, tried
        super().__init__(command, environment, chance)

    def start(self):
        super().start()
        # The GIF that plays, and how many times 'n' was pressed since the one before.
        self.title, self.requests = None, 1

    def on_title(self, title):
        if re.match(r"Soak \d{6}", title):
            super().on_title(title)
            self.title, self.requests, self.next = title[:TITLE_LENGTH], 0, time.monotonic() + 0.5
        elif title == "added to favourites":
            self.favourites.add(self.title)
            self.next = time.monotonic()

    def step(self):
        # After a second 'n', another GIF could take the place of this one before 'f' arrives.
        if self.title and self.requests == 0 and self.title not in self.tried:
            self.tried.add(self.title)
            self.player.press(b"f")
        else:
            self.requests += 1
            self.player.press(b"n")
        return 10


class BrowseUser(Actor):
    """Types queries, opens GIFs, dismisses GIFs and restores them."""
    size, stores_cells = (80, 24), True

    def start(self):
        super().start()
        self.keys = self.session()

    def session(self):
        """The keys, and the seconds to wait before the next ones. None of them can end the browser."""
        while True:
            yield b"/", 0.3
            yield b"\x15", 0.1
            for letter in self.chance.choice(QUERIES):
                yield letter.encode(), self.chance.uniform(0.02, 0.1)
            yield b"\r", self.chance.uniform(0.3, 1.5)
            yield b"\x1b[B", 0.2
            for _ in range(self.chance.randint(1, 4)):
                for key in (self.chance.choice((b"l", b"j", b"h", b"k")), b"\r", b"d", b"u", b"\r"):
                    yield key, self.chance.uniform(0.2, 0.8)

    def step(self):
        screen = self.player.screen
        # Until the browser has set up the terminal, Enter would arrive as a line feed.
        if b"1049" not in screen.modes or not screen.is_complete():
            return 0.02
        for line in map(screen.line, range(self.size[1])):
            if any(failure in line for failure in FAILURES):
                self.report(f"message: {line.strip()}")
        if "restored" in screen.line(-1):
            self.has_worked = True
        keys, seconds = next(self.keys)
        self.player.press(keys)
        return seconds
