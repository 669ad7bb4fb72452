"""The environment of the gallery benchmark: a service on loopback that lists thousands of GIFs, and a terminal that
reads everything at once and records the updates."""
import json
import os
import re
import time
import urllib.parse

from frames import BEGIN, END
from lib.server import Server
from lib.terminal import Terminal, environment

# The title of the selected tile is reversed in the accent colour; sent only when the selection moves.
MARK = b"\x1b[7;36m"


class Service:
    """Lists `items` GIFs for any query, in the documented format of Wikimedia Commons. Each GIF has its own URL."""

    def __init__(self, gifs, items):
        self.gifs, self.items, self.media_requests, self.last_request = gifs, items, 0, time.monotonic()
        self.base = Server(self.respond).base

    def respond(self, handler):
        address = urllib.parse.urlsplit(handler.path)
        if address.path.endswith(".gif"):
            self.media_requests += 1
            self.last_request = time.monotonic()
            handler.reply(self.gifs[int(re.sub(r"\D", "", address.path)) % len(self.gifs)].bytes, "image/gif")
        else:
            handler.reply(self.page(urllib.parse.parse_qs(address.query)), "application/json")

    def page(self, fields):
        first, length = int(fields.get("gsroffset", ["0"])[0]), int(fields.get("gsrlimit", ["20"])[0])
        numbers = range(first + 1, min(first + length, self.items) + 1)
        answer = {"batchcomplete": True, "query": {"pages": [self.item(number) for number in numbers]}}
        if first + length < self.items:
            answer["continue"] = {"gsroffset": first + length, "continue": "gsroffset||"}
        return json.dumps(answer).encode()

    def item(self, number):
        gif = self.gifs[number % len(self.gifs)]
        image = {
            "timestamp": "2024-05-04T10:11:12Z", "size": len(gif.bytes), "width": gif.width, "height": gif.height,
            "url": f"{self.base}/media/Clip_{number:05}.gif", "mime": "image/gif", "mediatype": "BITMAP",
            "descriptionurl": f"https://commons.wikimedia.org/wiki/File:Clip_{number:05}.gif",
            "metadata": [{"name": "frameCount", "value": 50}],
            "extmetadata": {"Artist": {"value": "Inkwell"}, "LicenseShortName": {"value": "CC0"}}}
        return {"pageid": 7000 + number, "ns": 6, "title": f"File:Clip {number:05}.gif", "index": number,
                "imageinfo": [image]}

    def is_idle(self, seconds):
        return time.monotonic() - self.last_request > seconds


class Browser(Terminal):
    """Reads the output of the browser as soon as it arrives."""

    def __init__(self, command, size, scratch, base):
        settings = scratch / "config/gifplay"
        settings.mkdir(parents=True)
        (settings / "config").write_text("--sources commons\n")
        self.pending = b""
        super().__init__(command, size, environment(scratch, GIFPLAY_OFFLINE="0",
                                                    GIFPLAY_ENDPOINT_COMMONS=f"{base}/commons"))

    def watch(self, seconds, until=None):
        """Reads for this long, or until an update satisfies `until`. Returns [(time, update)]."""
        end, seen = time.monotonic() + seconds, []
        while (remaining := end - time.monotonic()) > 0:
            data, now = self.read(remaining, 1 << 16), time.monotonic()
            if not data and self.ended():
                raise SystemExit("bench/gallery: the browser ended early")
            *updates, self.pending = (self.pending + data).split(END)
            updates = [update[update.find(BEGIN) + len(BEGIN):] for update in updates]
            seen += [(now, update) for update in updates]
            if until and any(map(until, updates)):
                break
        return seen

    def reaction(self, key, timeout=5.0):
        """Presses a key. Returns the seconds until the end of the update that shows the new selection; None on a
        timeout."""
        start = time.monotonic()
        self.press(key)
        seen = self.watch(timeout, until=lambda update: MARK in update)
        return next((when - start for when, update in seen if MARK in update), None)

    def resident(self):
        """The resident memory in MiB."""
        return int(open(f"/proc/{self.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def quit(self):
        """Quits the browser. Returns its exit status."""
        self.press(b"q")
        for _ in self.output(10):
            pass
        self.close()
        return self.status
