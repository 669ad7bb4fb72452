"""A site on loopback that answers for all services and serves the GIFs that they list; some requests fail."""
import itertools
import re
import socket
import threading
import urllib.parse

import failures
from media import Media, number_of
from services import BATCH, Services

# After a failure gifplay does not use a media host for a minute: with many hosts, failures continue to happen.
MEDIA_HOSTS = 100
NAMES = ("giphy", "klipy", "commons", "gifcities", "openverse")


class Turns:
    """Decides for each request whether and how it fails: every n-th fails, in the next of the given ways."""

    def __init__(self, ways, share):
        self.ways, self.share = itertools.cycle(ways.items()), share
        self.asked, self.failed, self.done = 0, 0, {name: 0 for name in ways}

    def take(self):
        self.asked += 1
        if not self.share or int(self.asked * self.share) == int((self.asked - 1) * self.share):
            return None
        self.failed += 1
        name, way = next(self.ways)
        self.done[name] += 1
        return way


class Site:
    """Serves until `close`. `media_turns` and `service_turns` count the requests and their failures.

    The transfer of a GIF takes `pace` seconds."""

    def __init__(self, share=0.05, batch=BATCH, pace=0):
        self.media, self.batch, self.pace = Media(), batch, pace
        self.media_turns, self.service_turns = Turns(failures.MEDIA, share), Turns(failures.SERVICE, share)
        self.closing, self.lock, self.numbers = threading.Event(), threading.Lock(), itertools.count(1)
        self.listeners = [socket.create_server(("127.0.0.1", 0), backlog=128) for _ in range(1 + MEDIA_HOSTS)]
        bases = [f"http://127.0.0.1:{listener.getsockname()[1]}" for listener in self.listeners]
        self.base = bases[0]
        self.services = Services(self.media, bases[1:])
        for listener in self.listeners:
            threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def environment(self, keys=True):
        places = {f"GIFPLAY_ENDPOINT_{name.upper()}": f"{self.base}/{name}" for name in NAMES}
        places["GIFPLAY_ENDPOINT_GIFCITIES"] = ",".join(f"{self.base}/gifcities{part}" for part in ("", 1, 2, 3))
        known = {"GIPHY_API_KEY": "SoakGiphyKey0123", "KLIPY_API_KEY": "SoakKlipyKey0123"} if keys else {}
        return dict(places, GIFPLAY_OFFLINE="0", **known)

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
        kept = b""
        with connection:
            try:
                while not self.closing.is_set():
                    while b"\r\n\r\n" not in kept:
                        data = connection.recv(65536)
                        if not data:
                            return
                        kept += data
                    head, _, kept = kept.partition(b"\r\n\r\n")
                    if not self.answer(connection, head.decode("latin-1")):
                        return
            except OSError:
                return

    def answer(self, connection, head):
        """Returns whether the connection stays open."""
        target = head.split(" ", 2)[1]
        path = urllib.parse.urlsplit(target).path
        service = next((name for name in NAMES if path.startswith(f"/{name}/")), None)
        number = number_of(path) if service is None else None
        if path == "/loop":
            return failures.ANYWHERE["redirect without end"](self, connection, b"")
        if service is None and number is None:
            return failures.status(404, b"no such page")(self, connection, b"")
        with self.lock:
            way = (self.service_turns if service else self.media_turns).take()
            wanted = list(itertools.islice(self.numbers, self.batch)) if service and not way else [1]
        whole = self.services.answer(service, wanted) if service else self.media.gif(number)
        if way:
            return way(self, connection, whole)
        return self.send(connection, head, whole, number)

    def send(self, connection, head, whole, number):
        begin = re.search(r"(?im)^range: bytes=(\d+)-", head)
        if begin is None or number is None:
            kind = "image/gif" if number is not None else "application/json"
            tag = f'ETag: "{number}"\r\n' if number is not None else ""
            first = whole if number is None or not self.pace else b""
            failures.reply(connection, 200, first, f"Content-Type: {kind}\r\nAccept-Ranges: bytes\r\n{tag}", len(whole))
            for begin in range(0, len(whole) - len(first), len(whole) // 8 + 1):
                connection.sendall(whole[begin:begin + len(whole) // 8 + 1])
                self.closing.wait(self.pace / 8)
            return True
        first = min(int(begin[1]), len(whole))
        part = whole[first:]
        connection.sendall((f"HTTP/1.1 206 Partial Content\r\nContent-Length: {len(part)}\r\nETag: \"{number}\"\r\n"
                            f"Content-Range: bytes {first}-{len(whole) - 1}/{len(whole)}\r\n\r\n").encode() + part)
        return True
