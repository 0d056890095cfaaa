"""A server that an attacker may have listening on a port of this machine."""

import http.server
import threading

# The limit of every wait, in seconds.
LIMIT = 60


class Thief:
    """An attacker's server on the port of one that has ended: it records its requests, and leaves scripts behind."""

    PAGE = b"<!doctype html><title>Thief</title><script src=/app.js></script>"
    SCRIPT = b"""window.isThief = true;
        navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => { window.isKept = true; });"""
    WORKER = b"""addEventListener("install", () => skipWaiting()); addEventListener("activate", (event) => event.waitUntil(clients.claim()));
        addEventListener("fetch", (event) => event.respondWith(fetch(event.request)));"""

    def __init__(self, port: int) -> None:
        asked: list[dict] = []
        was_asked = threading.Condition()

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with was_asked:
                    asked.append({"path": self.path, "cookie": self.headers.get("Cookie", ""), "body": body})
                    was_asked.notify_all()
                if self.path.startswith("/api/"):
                    kind, content = "application/json", b'{"proof":"00","vault":{"state":"locked"},"version":"1"}'
                elif self.path == "/worker.js":
                    kind, content = "text/javascript", Thief.WORKER
                elif self.path.endswith(".js"):
                    kind, content = "text/javascript", Thief.SCRIPT
                else:
                    kind, content = "text/html", Thief.PAGE
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "public, max-age=31536000, immutable")
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *_: object) -> None:
                pass

        self.asked, self._was_asked = asked, was_asked
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def wait_for(self, path: str) -> None:
        with self._was_asked:
            assert self._was_asked.wait_for(lambda: any(one["path"].startswith(path) for one in self.asked), LIMIT)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
