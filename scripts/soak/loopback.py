"""A site on loopback that answers for all services and serves the GIFs that they list; some requests fail."""
import itertools
import re
import socket
import threading
import urllib.parse

import failures
from media import Media, number_of
from services import BATCH, Services

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
    """Serves until `close`. `media_schedule` and `service_schedule` count the requests and their failures.

    The transfer of a GIF takes `pace` seconds."""

    def __init__(self, share=0.05, batch=BATCH, pace=0):
        self.media, self.batch, self.pace = Media(), batch, pace
        self.media_schedule = FailureSchedule(failures.MEDIA, share)
        self.service_schedule = FailureSchedule(failures.SERVICE, share)
        self.closing, self.lock, self.numbers = threading.Event(), threading.Lock(), itertools.count(1)
        self.listeners = [socket.create_server(("127.0.0.1", 0), backlog=128) for _ in range(1 + MEDIA_HOSTS)]
        bases = [f"http://127.0.0.1:{listener.getsockname()[1]}" for listener in self.listeners]
        self.base = bases[0]
        self.services = Services(self.media, bases[1:])
        for listener in self.listeners:
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def environment(self, keys=True):
        endpoints = {f"GIFPLAY_ENDPOINT_{name.upper()}": f"{self.base}/{name}" for name in NAMES}
        endpoints["GIFPLAY_ENDPOINT_GIFCITIES"] = ",".join(f"{self.base}/gifcities{part}" for part in ("", 1, 2, 3))
        keys_by_name = {"GIPHY_API_KEY": "SoakGiphyKey0123", "KLIPY_API_KEY": "SoakKlipyKey0123"} if keys else {}
        return dict(endpoints, GIFPLAY_OFFLINE="0", **keys_by_name)

    def close(self):
        self.closing.set()
        for listener in self.listeners:
            listener.close()

    def accept(self, listener):
        while not self.closing.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        connection.settimeout(120)
        received = b""
        with connection:
            try:
                while not self.closing.is_set():
                    while b"\r\n\r\n" not in received:
                        data = connection.recv(65536)
                        if not data:
                            return
                        received += data
                    head, _, received = received.partition(b"\r\n\r\n")
                    if not self.answer(connection, head.decode("latin-1")):
                        return
            except OSError:
                return

    def answer(self, connection, head):
        """Responds to one request. Returns whether the connection stays open."""
        target = head.split(" ", 2)[1]
        path = urllib.parse.urlsplit(target).path
        service = next((name for name in NAMES if path.startswith(f"/{name}/")), None)
        number = number_of(path) if service is None else None
        if path == "/loop":
            return failures.ANYWHERE["endless redirect"](self, connection, b"")
        if service is None and number is None:
            return failures.status(404, b"no such page")(self, connection, b"")
        with self.lock:
            failure = (self.service_schedule if service else self.media_schedule).next_failure()
            wanted = list(itertools.islice(self.numbers, self.batch)) if service and not failure else [1]
        content = self.services.answer(service, wanted) if service else self.media.gif(number)
        if failure:
            return failure(self, connection, content)
        return self.send(connection, head, content, number)

    def send(self, connection, head, content, number):
        begin = re.search(r"(?im)^range: bytes=(\d+)-", head)
        if begin is None or number is None:
            kind = "image/gif" if number is not None else "application/json"
            tag = f'ETag: "{number}"\r\n' if number is not None else ""
            first = content if number is None or not self.pace else b""
            headers = f"Content-Type: {kind}\r\nAccept-Ranges: bytes\r\n{tag}"
            failures.reply(connection, 200, first, headers, len(content))
            for begin in range(0, len(content) - len(first), len(content) // 8 + 1):
                connection.sendall(content[begin:begin + len(content) // 8 + 1])
                self.closing.wait(self.pace / 8)
            return True
        first = min(int(begin[1]), len(content))
        part = content[first:]
        connection.sendall((f"HTTP/1.1 206 Partial Content\r\nContent-Length: {len(part)}\r\nETag: \"{number}\"\r\n"
                            f"Content-Range: bytes {first}-{len(content) - 1}/{len(content)}\r\n\r\n").encode() + part)
        return True
