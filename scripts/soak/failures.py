"""The ways in which a request can fail. The site uses them in turn.

Each one is a function that writes to the connection and returns whether the connection stays open."""
import socket
import struct

from services import fixture

LINE = {200: "OK", 302: "Found", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests",
        500: "Internal Server Error", 503: "Service Unavailable"}
# A time that is longer than all of gifplay's timeouts.
STALL_SECONDS = 45


def reply(connection, status, body=b"", headers="", count=None):
    count = len(body) if count is None else count
    head = f"HTTP/1.1 {status} {LINE[status]}\r\nContent-Length: {count}\r\n{headers}\r\n"
    connection.sendall(head.encode() + body)


def status(code, body=b"", headers=""):
    def fail(site, connection, content):
        reply(connection, code, body, headers)
        return True
    return fail


def reset(site, connection, content):
    reply(connection, 200, content[:len(content) // 2], count=len(content))
    # With a linger time of 0, closing the connection discards unsent data and sends RST in place of FIN.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return False


def stall(site, connection, content):
    reply(connection, 200, content[:len(content) // 2], count=len(content))
    site.closing.wait(STALL_SECONDS)
    return False


def silence(site, connection, content):
    site.closing.wait(STALL_SECONDS)
    return False


def truncate(site, connection, content):
    reply(connection, 200, content[:len(content) // 3], count=len(content))
    return False


def too_long(site, connection, content):
    reply(connection, 200, content, count=len(content) + 1000)
    return False


def too_short(site, connection, content):
    # The client finds the second half of the body where it expects the next response.
    reply(connection, 200, content, count=len(content) // 2)
    return False


def bad_chunks(site, connection, content):
    head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    connection.sendall(head.encode() + b"zz\r\n" + content[:100])
    return False


def not_http(site, connection, content):
    connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
    return False


def closed(site, connection, content):
    return False


def broken(site, connection, content):
    reply(connection, 200, content[:-20], "Content-Type: application/json\r\n")
    return True


def redirect(target):
    return lambda site, connection, content: (reply(connection, 302, b"", f"Location: {target(site)}\r\n"), True)[1]


HTML = fixture("any/outage.html")
ANYWHERE = {
    "429 with Retry-After": status(429, b'{"meta":{"status":429,"msg":"rate limit"}}', "Retry-After: 1\r\n"),
    "500": status(500, HTML, "Content-Type: text/html\r\n"),
    "503 with Retry-After": status(503, HTML, "Retry-After: 2\r\nContent-Type: text/html\r\n"),
    "404": status(404, b"no such page"),
    "403": status(403, fixture("commons/error_403.txt")),
    "reset in the middle": reset,
    "stall in the middle": stall,
    "truncated body": truncate,
    "Content-Length too long": too_long,
    "Content-Length too short": too_short,
    "HTML": status(200, HTML, "Content-Type: text/html\r\n"),
    "empty body": status(200, b""),
    "closed without a response": closed,
    "not HTTP": not_http,
    "bad chunks": bad_chunks,
    "redirect to file:": redirect(lambda site: "file:///etc/passwd"),
    "redirect to ftp:": redirect(lambda site: "ftp://127.0.0.1/a.gif"),
    "endless redirect": redirect(lambda site: f"{site.base}/loop"),
    "redirect to a closed port": redirect(lambda site: "http://127.0.0.1:1/a.gif"),
}
MEDIA = dict(ANYWHERE, **{
    "not a GIF": status(200, b"\x89PNG\r\n\x1a\n" + bytes(5000), "Content-Type: image/gif\r\n"),
    "GIF header only": status(200, b"GIF89a" + bytes(7)),
})
SERVICE = dict(ANYWHERE, **{
    "silence": silence,
    "broken JSON": broken,
    "unexpected JSON": status(200, b'{"hello":["world",1,null]}'),
    "error with status 200": status(200, fixture("commons/error_maxlag.json")),
    "429 from a gateway": status(429, fixture("giphy/error_429_gateway.json")),
})
