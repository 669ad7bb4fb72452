"""The simulated users of scripts/soak/many: they play, search and browse at once. Each one has a command, decides
its next step, and reports problems."""
import os
import time

from player import Player

QUERIES = ("octopus", "dancing cat", "teapot", "snail", "campfire", "robot", "rain")
# Texts with which the browser reports a failure. None may appear, because the site lets no request fail.
FAILURES = ("library error", "failed", "cannot", "not saved", "server error", "unavailable", "offline", "timed out",
            "nothing found", "paused after", "invalid response")
# A longer time without output is a problem, because all GIFs that the site serves are animated.
SILENCE_SECONDS = 20


class Actor:
    """Starts its player, and starts it again after a kill."""
    size, stores_cells = (30, 10), False

    def __init__(self, command, environment, chance):
        self.command, self.environment, self.chance = command, environment, chance
        self.switches, self.problems = 0, []
        self.start()

    def start(self):
        self.player = Player(self.command, self.environment, self.size, self.on_title, self.stores_cells,
                             not self.stores_cells)
        self.last_output = self.began = time.monotonic()
        self.next = self.began + 1
        self.switches = 0

    @property
    def name(self):
        return " ".join([os.path.basename(self.command[0]), *self.command[1:]])

    def report(self, what):
        if len(self.problems) < 10:
            self.problems.append(f"{self.name}: {what}")

    def on_title(self, title):
        self.switches += 1

    def read(self):
        if self.player.read(0):
            self.last_output = time.monotonic()

    def work(self):
        """Takes the next step if it is due."""
        now = time.monotonic()
        if self.player.ended():
            self.report(f"ended unexpectedly with status {self.player.status}: {self.player.screen.messages[:200]!r}")
            self.player.close()
            self.start()
        elif now - self.last_output > SILENCE_SECONDS:
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

    def quit(self):
        lifetime = time.monotonic() - self.began
        if self.switches < lifetime // 15:
            self.report(f"only {self.switches} switches in {lifetime:.0f} s")
        super().quit()


class SearchUser(Actor):
    """Plays the results of one search and sometimes asks for the next one."""

    def step(self):
        self.press(b"n")
        return self.chance.uniform(1, 3)


class BrowseUser(Actor):
    """Types queries, opens GIFs, adds favourites, dismisses GIFs and restores them.

    Waits for the effect of most keys on the screen. All users share `favourites` and `presses`. `favourites` are the
    titles that the browser confirmed as favourites. `presses` counts how often 'f' was pressed on each title: a
    second press removes the favourite, even if the user is killed before the browser confirms that."""
    size, stores_cells = (80, 24), True

    def __init__(self, command, environment, chance, favourites, presses):
        self.favourites, self.presses = favourites, presses
        super().__init__(command, environment, chance)

    def start(self):
        super().start()
        # All texts of the last row since the last key. They are collected because messages disappear after a while.
        self.plan, self.messages = self.steps(), []

    def read(self):
        super().read()
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
        """Presses 'f' and records the outcome. The last three rows are the title, the credit and the message."""
        title = self.player.screen.line(-3).strip().removeprefix("\u2605 ")[:11]
        if not title.startswith("Soak "):
            self.report(f"unexpected title {title!r}")
        self.presses[title] += 1
        self.press(b"f")
        yield from self.wait_for("favourite")
        if any("added to favourites" in row for row in self.messages):
            self.favourites.add(title)

    def steps(self):
        """Presses keys; yields the seconds to wait before the next step."""
        # Until the browser has set up the terminal, Enter would arrive as a line feed.
        yield from self.wait_for("/ search")
        self.press(b"/")
        yield from self.wait_for("Enter search")
        while True:
            for letter in self.chance.choice(QUERIES):
                self.press(letter.encode())
                yield self.chance.uniform(0.02, 0.1)
            self.press(b"\r")
            yield from self.wait_for("/ search")
            yield self.chance.uniform(0.3, 1.5)
            self.press(b"\x1b[B")
            yield 0.2
            for _ in range(self.chance.randint(1, 4)):
                yield from self.open_and_dismiss()
            self.press(b"/")
            yield from self.wait_for("Enter search")
            self.press(b"\x15")
            yield 0.1

    def open_and_dismiss(self):
        self.press(self.chance.choice((b"l", b"j", b"h", b"k")))
        yield 0.2
        self.press(b"\r")
        yield from self.wait_for("Esc back")
        yield self.chance.uniform(0.1, 0.5)
        yield from self.add_favourite()
        self.press(b"\x1b")
        yield from self.wait_for("/ search")
        self.press(b"d")
        yield from self.wait_for("dismissed")
        # 'u' also removes the message about this favourite, which must not be taken for that of the next one.
        self.press(b"u")
        yield from self.wait_for("restored")

    def wait_for(self, text):
        """Waits until the text appears in the last row."""
        start = time.monotonic()
        while not any(text in row for row in self.messages):
            if time.monotonic() - start > SILENCE_SECONDS:
                self.report(f"{text!r} is not in the last row, which shows {self.player.screen.line(-1).strip()!r}")
                return
            yield 0.05
