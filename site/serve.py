"""Serves a folder on loopback, quietly: serve.py FOLDER PORT; port 0 is any free one."""
import functools
import http.server
import sys


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # the next build's pages have the same names
        super().end_headers()


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # that one: the browser has left the page
            super().handle_error(request, client_address)


folder, port = sys.argv[1], int(sys.argv[2])
try:
    server = Server(("127.0.0.1", port), functools.partial(Quiet, directory=folder))
except OSError as error:
    sys.exit(f"script/site: cannot listen on port {port}: {error.strerror}")
print(f"script/site: {folder} is at http://127.0.0.1:{server.server_port}/ until Ctrl-C", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
