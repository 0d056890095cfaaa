#!/usr/bin/python3
"""Serves archives on loopback, with faults on request.

    archive-server.py FOLDER [CERTIFICATE KEY]

prints one line of JSON with the port of its HTTP server and, given a certificate, of its HTTPS server, and serves until
its standard input is closed. An address is /SCENARIO/PATH: PATH is a file in FOLDER, or RELEASE.json, a list of the
folder RELEASE in GitHub's format. SCENARIO says what goes wrong, as words separated by commas; words without meaning
make scenarios differ. /SCENARIO alone returns the requests for it, and /SCENARIO/go opens its gate.

    cut=N        the connection ends after N bytes of the body
    stall=N      nothing is sent after N bytes
    gate=N       nothing is sent after N bytes until the gate is open
    silent       nothing is ever answered
    status=S     only status S is sent; retry=V with Retry-After, spent=T with GitHub's headers for an exceeded limit
    length=N     Content-Length is N too large
    times=K      the above applies only to the first K requests
    noranges     Range is ignored
    blind        If-Range is ignored
    shifted      a range starts one byte too early
    change       the file changes with the second request
    weak, untagged, dated   its ETag is weak; there is none; Last-Modified replaces it
    chunked      without a length
    html         a page instead of the file
    to=URL       redirects to URL, percent-encoded twice; loop redirects to itself forever; hop to the plain scenario

Both are also proxies for CONNECT, and route every connection to the HTTPS server.
"""

import hashlib
import http.server
import json
import os
import pathlib
import select
import socket
import ssl
import sys
import threading
import urllib.parse

root = pathlib.Path(sys.argv[1])
requests, counts, gates = {}, {}, {}
lock = threading.Lock()
ports = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def log_message(self, *_):
        pass

    def do_GET(self):
        parts = self.path.split("/", 2)
        name, path = parts[1], parts[2] if len(parts) > 2 else ""
        if not path:
            with lock:
                seen = list(requests.get(name, []))
            return self.answer(200, json.dumps(seen).encode(), {})
        if path == "go":
            gate(name).set()
            return self.answer(200, b"", {})
        words = dict((word.split("=", 1) + [""])[:2] for word in name.split(","))
        with lock:
            requests.setdefault(name, []).append({"path": path, **{k.lower(): v for k, v in self.headers.items()}})
            counts[name, path] = count = counts.get((name, path), 0) + 1
        is_bad = count <= int(words.get("times", 1 << 30))
        if "loop" in words:
            return self.answer(302, b"", {"Location": self.path})
        if "hop" in words:
            return self.answer(302, b"", {"Location": f"/plain{name.replace(',', '').replace('=', '')}/{path}"})
        if "to" in words:
            return self.answer(302, b"", {"Location": urllib.parse.unquote(urllib.parse.unquote(words["to"]))})
        if "silent" in words and is_bad:
            return self.wait()
        if "status" in words and is_bad:
            headers = {"Retry-After": urllib.parse.unquote(words["retry"])} if "retry" in words else {}
            if "spent" in words:
                headers.update({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": words["spent"]})
            return self.answer(int(words["status"]), b"no", headers)
        if "html" in words:
            return self.answer(200, b"<html>log in</html>", {"Content-Type": "text/html"})
        body = content(path, is_changed="change" in words and count > 1)
        if body is None:
            return self.answer(404, b"no", {})
        if not is_bad:
            words = {word: words[word] for word in words if word not in ("cut", "stall", "gate", "length")}
        self.give(body, words, name)

    def give(self, body, words, name):
        tag = f'"{hashlib.sha1(body).hexdigest()}"'
        headers = {"ETag": ("W/" if "weak" in words else "") + tag, "Accept-Ranges": "bytes"}
        if "untagged" in words or "dated" in words:
            del headers["ETag"]
        if "dated" in words:
            tag = headers["Last-Modified"] = "Sat, 21 Nov 2026 10:00:00 GMT"
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, b"", headers)
        status, start, whole = 200, 0, body
        wanted, condition = self.headers.get("Range"), self.headers.get("If-Range")
        if wanted and "noranges" not in words and ("blind" in words or condition in (None, tag)):
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
            if start >= len(whole):
                return self.answer(416, b"", {"Content-Range": f"bytes */{len(whole)}"})
            start -= "shifted" in words
            status, body = 206, whole[start:]
            headers["Content-Range"] = f"bytes {start}-{len(whole) - 1}/{len(whole)}"
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key, value)
        if "chunked" in words:
            self.send_header("Transfer-Encoding", "chunked")
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in pieces(body)) + b"0\r\n\r\n"
        else:
            self.send_header("Content-Length", str(len(body) + int(words.get("length", 0))))
        self.end_headers()
        stop = next((int(words[word]) for word in ("cut", "stall", "gate") if word in words), len(body))
        self.wfile.write(body[:stop])
        self.wfile.flush()
        if "stall" in words:
            return self.wait()
        if "gate" in words:
            gate(name).wait(600)
            self.wfile.write(body[stop:])
        if "cut" in words or "length" in words:
            self.close_connection = True

    def wait(self):
        """Until the other side has closed."""
        self.close_connection = True
        while True:
            select.select([self.connection], [], [], 60)
            if not self.connection.recv(1 << 16):
                return

    def do_CONNECT(self):
        with lock:
            requests.setdefault("proxy", []).append(
                {"path": self.path, **{k.lower(): v for k, v in self.headers.items()}}
            )
        self.close_connection = True
        if self.path.startswith("refused."):
            return self.answer(407, b"", {})
        self.send_response(200)
        self.end_headers()
        with socket.create_connection(("127.0.0.1", ports["https"])) as server:
            sides = {self.connection: server, server: self.connection}
            while True:
                for side in select.select(list(sides), [], [], 60)[0]:
                    data = side.recv(1 << 16)
                    if not data:
                        return
                    sides[side].sendall(data)

    def answer(self, status, body, headers):
        self.send_response(status)
        for key, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)


def gate(name):
    with lock:
        return gates.setdefault(name, threading.Event())


def pieces(body):
    return [body[start:start + 10_000] for start in range(0, len(body), 10_000)]


def content(path, is_changed):
    file = root / path
    if file.is_file():
        body = file.read_bytes()
        return body[:4] + bytes(255 - byte for byte in body[4:]) if is_changed else body
    folder = root / path.removesuffix(".json")
    if not path.endswith(".json") or not folder.is_dir():
        return None
    names = sorted(os.listdir(folder)) + (["vits-piper-et_EE-new-medium.tar.bz2"] if is_changed else [])
    assets = []
    for name in names:
        asset = {"name": name, "state": "uploaded", "browser_download_url": f"https://nowhere.invalid/{name}"}
        if (folder / name).is_file():
            body = (folder / name).read_bytes()
            asset |= {"size": len(body), "digest": "sha256:" + hashlib.sha256(body).hexdigest()}
        assets.append(asset)
    return json.dumps({"tag_name": folder.name, "assets": assets}).encode()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass  # the client has gone, which does not matter


def serve(name, context=None):
    server = Server(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    ports[name] = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()


def main():
    serve("http")
    if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        serve("https", context)
    print(json.dumps(ports), flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
