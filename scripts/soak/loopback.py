"""A site on loopback that answers for all services and serves the GIFs that they list; some requests fail."""
import itertools
import re
import threading
import urllib.parse

import failures
from lib.server import Server
from services import BATCH, Media, Services, number_of

# gifplay avoids a media host for a minute after a failure. With many hosts, enough remain for further failures.
MEDIA_HOSTS = 100
NAMES = ("giphy", "klipy", "commons", "gifcities", "openverse")


class FailureSchedule:
    """Decides for each request whether it fails, according to `share`, and how: the failures are used in turn."""

    def __init__(self, failures, share):
        self.failures, self.share = itertools.cycle(failures.items()), share
        self.requests, self.failed, self.counts = 0, 0, {name: 0 for name in failures}

    def next_failure(self):
        self.requests += 1
        if not self.share or int(self.requests * self.share) == int((self.requests - 1) * self.share):
            return None
        self.failed += 1
        name, failure = next(self.failures)
        self.counts[name] += 1
        return failure


class Site:
    """`media_schedule` and `service_schedule` count the requests and their failures.

    The transfer of a GIF takes `pace` seconds."""

    def __init__(self, share=0.05, batch=BATCH, pace=0):
        self.media, self.batch, self.pace = Media(), batch, pace
        self.media_schedule = FailureSchedule(failures.MEDIA, share)
        self.service_schedule = FailureSchedule(failures.SERVICE, share)
        self.closing, self.lock, self.numbers = threading.Event(), threading.Lock(), itertools.count(1)
        self.base, *media_bases = (Server(self.answer).base for _ in range(1 + MEDIA_HOSTS))
        self.services = Services(self.media, media_bases)

    def environment(self, keys=True):
        endpoints = {f"GIFPLAY_ENDPOINT_{name.upper()}": f"{self.base}/{name}" for name in NAMES}
        endpoints["GIFPLAY_ENDPOINT_GIFCITIES"] = ",".join(f"{self.base}/gifcities{part}" for part in ("", 1, 2, 3))
        keys_by_name = {"GIPHY_API_KEY": "SoakGiphyKey0123", "KLIPY_API_KEY": "SoakKlipyKey0123"} if keys else {}
        return dict(endpoints, GIFPLAY_OFFLINE="0", **keys_by_name)

    def close(self):
        """Ends the responses that wait."""
        self.closing.set()

    def answer(self, handler):
        """Responds to one request."""
        path = urllib.parse.urlsplit(handler.path).path
        service = next((name for name in NAMES if path.startswith(f"/{name}/")), None)
        number = number_of(path) if service is None else None
        if path == "/loop":
            return failures.ANYWHERE["endless redirect"](self, handler, b"")
        if service is None and number is None:
            return failures.ANYWHERE["404"](self, handler, b"")
        with self.lock:
            failure = (self.service_schedule if service else self.media_schedule).next_failure()
            wanted = list(itertools.islice(self.numbers, self.batch)) if service and not failure else [1]
        content = self.services.answer(service, wanted) if service else self.media.gif(number)
        if failure:
            return failure(self, handler, content)
        return handler.reply(content, "application/json") if service else self.send(handler, content, number)

    def send(self, handler, content, number):
        headers = {"ETag": f'"{number}"', "Accept-Ranges": "bytes"}
        begin = re.match(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        if begin:
            first = min(int(begin[1]), len(content))
            headers["Content-Range"] = f"bytes {first}-{len(content) - 1}/{len(content)}"
            return handler.reply(content[first:], "image/gif", status=206, **headers)
        step = len(content) // 8 + 1
        handler.reply(b"" if self.pace else content, "image/gif", len(content), **headers)
        for position in range(0, len(content), step) if self.pace else ():
            handler.wfile.write(content[position:position + step])
            self.closing.wait(self.pace / 8)
