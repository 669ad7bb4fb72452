"""The simulated users of scripts/soak/many: they play, search and browse at once. Each one has a command, decides
its next step, and reports problems. On a slow machine, they wait longer, and requests can time out."""
import os
import re
import time

import leftovers
from player import HANG_SECONDS, Player

QUERIES = ("octopus", "dancing cat", "teapot", "snail", "campfire", "robot", "rain")
# Texts with which the browser reports a failure. None may appear, because the site lets no request fail.
FAILURES = ("library error", "failed", "cannot", "not saved", "server error", "unavailable", "offline",
            "nothing found", "invalid response")
# A message that is not seen for this time has disappeared again: on a slow machine, it may not even have been drawn.
MESSAGE_SECONDS = 10
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

    def press(self, keys):
        self.player.press(keys)

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
    """Plays the results of one search and sometimes asks for the next one."""

    def step(self):
        self.press(b"n")
        return self.chance.uniform(1, 3)


class BrowseUser(Actor):
    """Types queries, opens GIFs, adds favourites, dismisses GIFs and restores them.

    Waits for the effect of most keys on the screen. All users share `favourites` and `presses`. `favourites` are the
    titles that the browser confirmed as favourites. `presses` counts how often 'f' was pressed on each title: a
    second press removes the favourite, even if the user is killed before the browser confirms that. Until the site
    answers, the browser shows built-in GIFs, whose titles are `samples`."""
    size, stores_cells = (80, 24), True

    def __init__(self, command, environment, chance, samples, favourites, presses):
        self.samples, self.favourites, self.presses = samples, favourites, presses
        super().__init__(command, environment, chance)

    def start(self):
        super().start()
        # All texts of the last row since the last key. They are collected because messages disappear after a while.
        self.plan, self.messages = self.steps(), []

    def read(self):
        # In small pieces, because the message of an update can be gone after the next ones.
        for _ in range(32):
            if not self.player.read(0, 1 << 12):
                break
            self.last_output = time.monotonic()
            row = self.player.screen.line(-1)
            if row not in self.messages[-1:]:
                self.messages.append(row)

    def press(self, keys):
        super().press(keys)
        self.messages = []

    def step(self):
        # In the middle of an update, a row can contain half of a title, which would count as another favourite.
        if not self.player.screen.is_complete():
            return 0
        self.look()
        return next(self.plan)

    def look(self):
        for line in map(self.player.screen.line, range(self.size[1])):
            if any(failure in line for failure in FAILURES):
                self.report(f"message: {line.strip()}")

    def add_favourite(self):
        """Presses 'f' and records the outcome. The last row begins with the title.

        Returns whether there was a message."""
        title = self.player.screen.line(-1).strip().removeprefix("\u2605 ").split(" \u00b7 ")[0]
        if not re.match(r"Soak \d{6}", title) and title not in self.samples:
            self.report(f"unexpected title {title!r}")
        title = title[:leftovers.TITLE_LENGTH]
        self.presses[title] += 1
        self.press(b"f")
        is_seen = yield from self.wait_for("favourite")
        if any("added to favourites" in row for row in self.messages):
            self.favourites.add(title)
        return is_seen

    def steps(self):
        """Presses keys; yields the seconds to wait before the next step."""
        # Until the browser has set up the terminal, Enter would arrive as a line feed.
        yield from self.wait_for_view("grid")
        self.press(b"/")
        yield from self.wait_for_view("field")
        while True:
            for letter in self.chance.choice(QUERIES):
                self.press(letter.encode())
                yield self.chance.uniform(0.02, 0.1)
            self.press(b"\r")
            yield from self.wait_for_view("grid")
            yield self.chance.uniform(0.3, 1.5)
            self.press(b"\x1b[B")
            yield 0.2
            for _ in range(self.chance.randint(1, 4)):
                # After a message that was not seen, wait for the search line, so that it is not taken for the next one.
                if not (yield from self.open_and_dismiss()):
                    break
                self.has_worked = True
            self.press(b"/")
            yield from self.wait_for_view("field")
            self.press(b"\x15")
            yield 0.1

    def open_and_dismiss(self):
        """Returns whether each message was seen."""
        self.press(self.chance.choice((b"l", b"j", b"h", b"k")))
        yield 0.2
        self.press(b"\r")
        yield from self.wait_for_view("picture")
        yield self.chance.uniform(0.1, 0.5)
        if not (yield from self.add_favourite()):
            return False
        self.press(b"\x1b")
        yield from self.wait_for_view("grid")
        self.press(b"d")
        if not (yield from self.wait_for("dismissed")):
            return False
        # 'u' also removes the message about this favourite, which must not be taken for that of the next one.
        self.press(b"u")
        return (yield from self.wait_for("restored"))

    @property
    def view(self):
        """The first row of the grid has the search field, which has the cursor while the user types."""
        if not self.player.screen.line(0).startswith("/"):
            return "picture"
        return "field" if b"25" in self.player.screen.modes else "grid"

    def wait_for_view(self, name):
        """Reports if that takes so long that the program hangs."""
        is_there = yield from self.wait(lambda: self.player.screen.is_complete() and self.view == name, HANG_SECONDS)
        if not is_there:
            self.report(f"no {name}; the last row shows {self.player.screen.line(-1).strip()!r}")

    def wait_for(self, text):
        """Waits until a message in the last row contains the text, and returns whether it did."""
        return self.wait(lambda: any(text in row for row in self.messages), MESSAGE_SECONDS)

    def wait(self, is_there, seconds):
        """Yields until the condition holds, and returns whether it did in this time."""
        start = time.monotonic()
        while not is_there():
            if time.monotonic() - start > seconds:
                return False
            yield 0.05
        return True
