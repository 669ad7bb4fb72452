"""The ways in which a request can fail, each as a function of the connection; the site uses them in turn."""
import socket
import struct

from services import fixture

LINE = {200: "OK", 302: "Found", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests",
        500: "Internal Server Error", 503: "Service Unavailable"}
# Longer than all of gifplay's timeouts.
STALL_SECONDS = 45


def reply(connection, status, body=b"", headers="", count=None):
    count = len(body) if count is None else count
    head = f"HTTP/1.1 {status} {LINE[status]}\r\nContent-Length: {count}\r\n{headers}\r\n"
    connection.sendall(head.encode() + body)


def status(code, body=b"", headers=""):
    def fail(site, connection, whole):
        reply(connection, code, body, headers)
        return True
    return fail


def reset(site, connection, whole):
    reply(connection, 200, whole[:len(whole) // 2], count=len(whole))
    # Without lingering, the remaining data is discarded and the peer gets RST instead of an orderly end.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


def stall(site, connection, whole):
    reply(connection, 200, whole[:len(whole) // 2], count=len(whole))
    site.closing.wait(STALL_SECONDS)
    return False


def silence(site, connection, whole):
    site.closing.wait(STALL_SECONDS)
    return False


def cut(site, connection, whole):
    reply(connection, 200, whole[:len(whole) // 3], count=len(whole))
    return False


def too_long(site, connection, whole):
    reply(connection, 200, whole, count=len(whole) + 1000)
    return False


def too_short(site, connection, whole):
    # The rest of the body is where the next response should begin.
    reply(connection, 200, whole, count=len(whole) // 2)
    return False


def bad_chunks(site, connection, whole):
    head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection.sendall(head.encode() + b"zz\r\n" + whole[:100])
    return False


def no_http(site, connection, whole):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    return False


def closed(site, connection, whole):
    return False


def broken(site, connection, whole):
    reply(connection, 200, whole[:-20], "Content-Type: application/json\r\n")
    return True


def redirect(target):
    return lambda site, connection, whole: (reply(connection, 302, b"", f"Location: {target(site)}\r\n"), True)[1]


HTML = fixture("any/outage.html")
ANYWHERE = {
    "429 with Retry-After": status(429, b'{"meta":{"status":429,"msg":"rate limit"}}', "Retry-After: 1\r\n"),
    "500": status(500, HTML, "Content-Type: text/html\r\n"),
    "503 with Retry-After": status(503, HTML, "Retry-After: 2\r\nContent-Type: text/html\r\n"),
    "404": status(404, b"no such page"),
    "403": status(403, fixture("commons/error_403.txt")),
    "reset in the middle": reset,
    "stall in the middle": stall,
    "cut body": cut,
    "length too long": too_long,
    "length too short": too_short,
    "HTML": status(200, HTML, "Content-Type: text/html\r\n"),
    "nothing": status(200, b""),
    "closed at once": closed,
    "no HTTP": no_http,
    "bad chunks": bad_chunks,
    "redirect to file:": redirect(lambda site: "file:///etc/passwd"),
    "redirect to ftp:": redirect(lambda site: "ftp://127.0.0.1/a.gif"),
    "redirect without end": redirect(lambda site: f"{site.base}/loop"),
    "redirect to a closed port": redirect(lambda site: "http://127.0.0.1:1/a.gif"),
}
MEDIA = dict(ANYWHERE, **{
    "no GIF": status(200, b"\x89PNG\r\n\x1a\n" + bytes(5000), "Content-Type: image/gif\r\n"),
    "a GIF's head alone": status(200, b"GIF89a" + bytes(7)),
})
SERVICE = dict(ANYWHERE, **{
    "silence": silence,
    "broken JSON": broken,
    "JSON of another shape": status(200, b'{"hello":["world",1,null]}'),
    "an error in 200": status(200, fixture("commons/error_maxlag.json")),
    "429 of a gateway": status(429, fixture("giphy/error_429_gateway.json")),
})
