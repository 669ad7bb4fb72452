"""The environment of the gallery benchmark: GIFs of mixed kinds, a service on loopback that lists thousands of them,
and a terminal that reads everything at once and records the updates."""
import fcntl
import http.server
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios
import threading
import time
import urllib.parse

import ptyrun

# The heights of the GIFs, in pixels. A pane of 50 rows has 45 rows for tiles; five rows of these tiles fit into them.
HEIGHTS = (84, 72, 90, 84, 84, 90)
BEGIN, END = b"\x1b[?2026h", b"\x1b[?2026l"
# The title of the selected tile is reversed in the accent colour; sent only when the selection moves.
MARK = b"\x1b[7;36m"


def make_gifs(folder, count=24):
    """Makes the GIFs, all 200 pixels wide. Two of three have 25 frames per second and many colours, the others have 10
    frames per second and few colours."""
    folder.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        path = folder / f"grid-{index:02}.gif"
        if path.exists():
            continue
        size = f"200x{HEIGHTS[index % len(HEIGHTS)]}"
        if index % 3 < 2:
            source = f"gradients=s={size}:rate=25:seed={index + 1}:speed=0.03:nb_colors=6"
            picture, colours = f"format=rgb24,noise=alls=4:allf=t:all_seed={index + 1}", "stats_mode=full"
        else:
            source, picture, colours = f"testsrc2=size={size}:rate=10", f"hue=h={index * 40}", "max_colors=64"
        part = path.with_suffix(".part")
        # The source has a limited length. The memory limit protects against a source without a limited length.
        subprocess.run(
            ["bash", "-c", 'ulimit -v 4000000; exec "$@"', "-", "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
             "-bitexact", "-threads", "1", "-t", "2", "-f", "lavfi", "-i", source, "-filter_complex",
             f"[0:v]{picture},split[x][y];[x]palettegen={colours}[p];[y][p]paletteuse=dither=bayer:diff_mode=rectangle",
             "-loop", "0", "-f", "gif", part], check=True)
        os.replace(part, path)
    return [path.read_bytes() for path in sorted(folder.glob("grid-*.gif"))[:count]]


class Service:
    """Lists `items` GIFs for any query, in the documented format of Wikimedia Commons. Each GIF has its own URL."""

    def __init__(self, gifs, items):
        self.gifs, self.items, self.media_requests, self.last_request = gifs, items, 0, time.monotonic()
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                address = urllib.parse.urlsplit(self.path)
                if address.path.endswith(".gif"):
                    service.media_requests += 1
                    service.last_request = time.monotonic()
                    body, kind = service.gifs[int(re.sub(r"\D", "", address.path)) % len(service.gifs)], "image/gif"
                else:
                    body, kind = service.page(urllib.parse.parse_qs(address.query)), "application/json"
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                """Ignores errors: the browser cancels requests for GIFs that are no longer visible."""

        self.server = Server(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def page(self, fields):
        first, length = int(fields.get("gsroffset", ["0"])[0]), int(fields.get("gsrlimit", ["20"])[0])
        numbers = range(first + 1, min(first + length, self.items) + 1)
        answer = {"batchcomplete": True, "query": {"pages": [self.item(number) for number in numbers]}}
        if first + length < self.items:
            answer["continue"] = {"gsroffset": first + length, "continue": "gsroffset||"}
        return json.dumps(answer).encode()

    def item(self, number):
        gif = self.gifs[number % len(self.gifs)]
        width, height = struct.unpack("<HH", gif[6:10])
        image = {
            "timestamp": "2024-05-04T10:11:12Z", "size": len(gif), "width": width, "height": height,
            "url": f"{self.base}/media/Clip_{number:05}.gif", "mime": "image/gif", "mediatype": "BITMAP",
            "descriptionurl": f"https://commons.wikimedia.org/wiki/File:Clip_{number:05}.gif",
            "metadata": [{"name": "frameCount", "value": 50}],
            "extmetadata": {"Artist": {"value": "Inkwell"}, "LicenseShortName": {"value": "CC0"}}}
        return {"pageid": 7000 + number, "ns": 6, "title": f"File:Clip {number:05}.gif", "index": number,
                "imageinfo": [image]}

    def is_idle(self, seconds):
        return time.monotonic() - self.last_request > seconds


class Terminal:
    """Runs the browser on a pseudo terminal and reads its output as soon as it arrives."""

    def __init__(self, command, columns, rows, scratch, base):
        settings = scratch / "config/gifplay"
        settings.mkdir(parents=True)
        (settings / "config.toml").write_text('sources = ["commons"]\n')
        folders = {f"XDG_{name.upper()}_HOME": str(scratch / name) for name in ("config", "data", "cache")}
        variables = dict(ptyrun.environment(str(scratch)), **folders, GIFPLAY_OFFLINE="0",
                         GIFPLAY_ENDPOINT_COMMONS=f"{base}/commons")
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * 8, rows * 16))
            os.execve(command[0], list(map(str, command)), variables)
        self.pending, self.tail, self.count, self.updates = bytearray(), b"", 0, 0

    def read(self, seconds):
        """Waits at most `seconds` for output. Returns (time of reading, completed updates), or None if the browser has
        ended."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return time.monotonic(), []
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:
            return None
        now = time.monotonic()
        if not data:
            return None
        self.count += len(data)
        # gifplay also queries later, and pauses its output until the reply. A query can be divided between two reads.
        window = self.tail + data
        for query, reply in ptyrun.SYNCHRONIZED.items():
            if window.count(query) > self.tail.count(query):
                os.write(self.master, reply)
        self.tail = window[-16:]
        self.pending += data
        *updates, self.pending = self.pending.split(END)
        self.updates += len(updates)
        return now, [update[update.find(BEGIN) + len(BEGIN):] for update in updates]

    def send(self, data):
        os.write(self.master, data)

    def watch(self, seconds, until=None):
        """Reads for this long, or until an update satisfies `until`. Returns [(time, update)]."""
        end, seen = time.monotonic() + seconds, []
        while (remaining := end - time.monotonic()) > 0:
            result = self.read(remaining)
            if result is None:
                raise SystemExit("bench/gallery: the browser ended early")
            seen += [(result[0], update) for update in result[1]]
            if until and any(until(update) for update in result[1]):
                break
        return seen

    def press(self, key, timeout=5.0):
        """Returns the seconds from the key to the end of the update that shows the new selection; None on a
        timeout."""
        start = time.monotonic()
        self.send(key)
        seen = self.watch(timeout, until=lambda update: MARK in update)
        return next((when - start for when, update in seen if MARK in update), None)

    def processor_seconds(self):
        """CPU seconds of all threads, in nanosecond resolution. Computes the clock ID as clock_getcpuclockid does."""
        return time.clock_gettime(~self.pid << 3 | 2)

    def resident(self):
        """The resident memory in MiB."""
        return int(open(f"/proc/{self.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def close(self):
        """Quits the browser. Returns its exit status."""
        self.send(b"q")
        end = time.monotonic() + 10
        while self.read(0.5) is not None and time.monotonic() < end:
            pass
        if time.monotonic() >= end:
            os.kill(self.pid, 9)
        os.close(self.master)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
