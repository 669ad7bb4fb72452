"""The simulated users of scripts/soak/many: they play, search and browse at once. Each one has a command, decides
its next step, and reports what is wrong."""
import os
import time

from player import Player

WORDS = ("octopus", "dancing cat", "teapot", "snail", "campfire", "robot", "rain")
# Texts with which the browser reports a failure. None may appear: the site answers every request.
FAILURES = ("not remembered", "failed", "cannot", "not saved", "out of order", "offline", "takes too long",
            "that can be read", "nothing found", "rests after", "what came is no listing")
# The longest time without output: the GIFs that the site serves are all animated.
SILENCE_SECONDS = 20


class Actor:
    """Starts its player, and starts it again after a kill."""
    columns, rows, keeps = 30, 10, False

    def __init__(self, command, environment, chance):
        self.command, self.environment, self.chance = command, environment, chance
        self.turns, self.wrong = 0, []
        self.start()

    def start(self):
        self.player = Player(self.command, self.environment, self.columns, self.rows, self.turn, self.keeps,
                             not self.keeps)
        self.heard = self.began = time.monotonic()
        self.next = self.began + 1
        self.turns = 0

    @property
    def name(self):
        return " ".join([os.path.basename(self.command[0]), *self.command[1:]])

    def complain(self, what):
        if len(self.wrong) < 10:
            self.wrong.append(f"{self.name}: {what}")

    def turn(self, title):
        self.turns += 1

    def read(self):
        try:
            if self.player.read(0):
                self.heard = time.monotonic()
        except OSError:
            pass

    def work(self):
        """Takes the next step if it is due."""
        now = time.monotonic()
        if self.player.ended():
            self.complain(f"it ended by itself with status {self.player.status}: {self.player.drawn.said[:200]!r}")
            self.player.close()
            self.start()
        elif now - self.heard > SILENCE_SECONDS:
            self.complain(f"it has drawn nothing for {now - self.heard:.0f} s")
            self.heard = now
        elif now >= self.next:
            self.next = now + self.step()

    def step(self):
        return 60

    def press(self, keys):
        os.write(self.player.master, keys)

    def kill(self):
        """Kills the player. Returns its process ID; its output up to that point is checked too."""
        pid = self.player.pid
        self.player.kill()
        self.take_complaints()
        self.player.close()
        self.start()
        return pid

    def take_complaints(self):
        for complaint in self.player.drawn.complaints:
            self.complain(complaint)

    def quit(self):
        self.wrong += [f"{self.name}: {what}" for what in self.player.quit(b"\x03", expected=130)]


class Random(Actor):
    """Plays at random, a new GIF every second."""

    def quit(self):
        lived = time.monotonic() - self.began
        if self.turns < lived // 15:
            self.complain(f"only {self.turns} turns in {lived:.0f} s")
        super().quit()


class Searching(Actor):
    """Plays the results of one search and sometimes asks for the next one."""

    def step(self):
        self.press(b"n")
        return self.chance.uniform(1, 3)


class Browsing(Actor):
    """Types queries, opens GIFs, adds favourites, dismisses GIFs and undoes that.

    After each key it waits for the effect on the screen. `favourites` are the titles that the browser confirmed as
    favourites. `presses` counts how often any user pressed f on each title: a second press removes the favourite,
    and a user may be killed before the browser confirms it."""
    columns, rows, keeps = 80, 24, True

    def __init__(self, command, environment, chance, favourites, presses):
        self.favourites, self.presses = favourites, presses
        super().__init__(command, environment, chance)

    def start(self):
        super().start()
        # The texts of the last row since the last key; they are collected because messages disappear after a while.
        self.plan, self.told = self.steps(), []

    def read(self):
        super().read()
        row = self.player.drawn.line(-1)
        if row not in self.told[-1:]:
            self.told.append(row)

    def press(self, keys):
        super().press(keys)
        self.told = []

    def step(self):
        # In the middle of an update a row can hold half of a title, which no favourite has.
        if not self.player.drawn.whole():
            return 0
        self.look()
        return next(self.plan)

    def look(self):
        screen = [self.player.drawn.line(row) for row in range(self.rows)]
        for line in screen:
            if any(failure in line for failure in FAILURES):
                self.complain(f"it says: {line.strip()}")

    def favour(self):
        """Presses f and records the outcome. Below the picture are the title, details, link, credit and message."""
        title = self.player.drawn.line(-5).removeprefix("\u2605 ")[:11]
        if not title.startswith("Soak "):
            self.complain(f"it shows the title {title!r}")
        self.presses[title] += 1
        self.press(b"f")
        yield from self.until("favourite")
        if any(row.startswith("kept as a favourite") for row in self.told):
            self.favourites.add(title)

    def steps(self):
        """Presses keys; yields the seconds to wait before the next step."""
        # Before the browser has set up the terminal, Enter would arrive as another key.
        yield from self.until("/ search")
        self.press(b"/")
        yield from self.until("Enter search")
        while True:
            for letter in self.chance.choice(WORDS):
                self.press(letter.encode())
                yield self.chance.uniform(0.02, 0.1)
            self.press(b"\r")
            yield from self.until("/ search")
            yield self.chance.uniform(0.3, 1.5)
            self.press(b"\x1b[B")
            yield 0.2
            for _ in range(self.chance.randint(1, 4)):
                yield from self.visit()
            self.press(b"/")
            yield from self.until("Enter search")
            self.press(b"\x15")
            yield 0.1

    def visit(self):
        self.press(self.chance.choice((b"l", b"j", b"h", b"k")))
        yield 0.2
        self.press(b"\r")
        yield from self.until("Esc back")
        yield self.chance.uniform(0.1, 0.5)
        yield from self.favour()
        self.press(b"\x1b")
        yield from self.until("/ search")
        self.press(b"d")
        yield from self.until("dismissed")
        # This key replaces the message about the favourite in the last row.
        self.press(b"u")
        yield from self.until("back again")

    def until(self, words):
        """Waits until the text appears in the last row."""
        asked = time.monotonic()
        while not any(words in row for row in self.told):
            if time.monotonic() - asked > SILENCE_SECONDS:
                self.complain(f"it does not show {words!r}, but {self.player.drawn.line(-1).strip()!r}")
                return
            yield 0.05
