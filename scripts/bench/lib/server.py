"""An HTTP server on loopback."""
import http.server
import socketserver
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection of a `Server`, whose function `respond` gets it for each request."""
    protocol_version = "HTTP/1.1"
    timeout = 120

    def do_GET(self):
        self.server.respond(self)

    def reply(self, body, kind, length=None, status=200, **headers):
        """Sends a response. A length over that of the body announces the bytes that the caller sends afterwards."""
        length = len(body) if length is None else length
        self.send_response(status)
        for name, value in {"Content-Length": length, "Content-Type": kind, **headers}.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    """Serves until the process ends. `base` is its URL."""
    daemon_threads = True
    request_queue_size = 128
    # The inherited function sends FIN first, so that a connection could not be reset.
    shutdown_request = socketserver.TCPServer.close_request

    def __init__(self, respond):
        super().__init__(("127.0.0.1", 0), Handler)
        self.respond, self.base = respond, f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(60,), daemon=True).start()

    def handle_error(self, *_):
        """Ignores errors: a client that needs no more bytes closes the connection."""
