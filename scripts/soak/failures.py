"""The ways in which a request can fail. The site uses them in turn.

Each one is a function of the site, the handler of the connection and the content of a success. The connection is closed
afterwards if the failure breaks the protocol."""
import socket
import struct

from services import fixture

# A time that is longer than all of gifplay's timeouts.
STALL_SECONDS = 45


def status(code, body=b"", kind=None, **headers):
    def fail(site, handler, content):
        handler.reply(body, kind, status=code, **headers)
    return fail


def redirect(target):
    return status(302, Location=target)


def partial(share, length, then=lambda site, handler: None):
    """Sends this share of the content, announces `length(size)` bytes, calls `then`, and closes the connection."""
    def fail(site, handler, content):
        handler.reply(content[:int(len(content) * share)], None, length(len(content)))
        then(site, handler)
        handler.close_connection = True
    return fail


def sends(data, then=lambda site, handler: None):
    """Sends these bytes in place of a response, calls `then`, and closes the connection."""
    def fail(site, handler, content):
        handler.wfile.write(data)
        then(site, handler)
        handler.close_connection = True
    return fail


def stall(site, handler):
    site.closing.wait(STALL_SECONDS)


def reset(site, handler):
    # With a linger time of 0, closing the connection discards unsent data and sends RST in place of FIN.
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


HTML = fixture("any/outage.html")
ANYWHERE = {
    "429 with Retry-After": status(429, b'{"meta":{"status":429,"msg":"rate limit"}}', Retry_After=1),
    "500": status(500, HTML, "text/html"),
    "503 with Retry-After": status(503, HTML, "text/html", Retry_After=2),
    "404": status(404, b"no such page"),
    "403": status(403, fixture("commons/error_403.txt")),
    "reset in the middle": partial(1 / 2, int, reset),
    "stall in the middle": partial(1 / 2, int, stall),
    "truncated body": partial(1 / 3, int),
    "Content-Length too long": partial(1, lambda size: size + 1000),
    # The client finds the second half of the body where it expects the next response.
    "Content-Length too short": partial(1, lambda size: size // 2),
    "HTML": status(200, HTML, "text/html"),
    "empty body": status(200),
    "closed without a response": sends(b""),
    "not HTTP": sends(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "bad chunks": sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + bytes(100)),
    "redirect to file:": redirect("file:///etc/passwd"),
    "redirect to ftp:": redirect("ftp://127.0.0.1/a.gif"),
    "endless redirect": redirect("/loop"),
    "redirect to a closed port": redirect("http://127.0.0.1:1/a.gif"),
}
MEDIA = dict(ANYWHERE, **{
    "not a GIF": status(200, b"\x89PNG\r\n\x1a\n" + bytes(5000), "image/gif"),
    "GIF header only": status(200, b"GIF89a" + bytes(7), "image/gif"),
})
SERVICE = dict(ANYWHERE, **{
    "silence": sends(b"", stall),
    "broken JSON": partial(0.9, lambda size: int(size * 0.9)),
    "unexpected JSON": status(200, b'{"hello":["world",1,null]}'),
    "error with status 200": status(200, fixture("commons/error_maxlag.json")),
    "429 from a gateway": status(429, fixture("giphy/error_429_gateway.json")),
})
