#!/usr/bin/python3
"""Imitates a transcription service on loopback, with faults on request.

    transcription-server.py

prints one line of JSON with the port of its HTTP server, and serves until its standard input is closed. An address is
/SCENARIO/v1/audio/transcriptions: SCENARIO says how it answers, as words separated by commas; words without meaning
make scenarios differ. /SCENARIO alone returns the requests for it that have come whole, /SCENARIO/count how many have
begun and how many of these have ended in whatever way, and /SCENARIO/go opens its gate.

Its transcript is a sentence whose words divide the sound's length: “Hello, world.” by default. With `echo` the text
contains the length of the sound in seconds.

    text=T         the transcript, percent-encoded twice
    plain          verbose_json is refused with 400, as by gpt-4o-transcribe; json is answered
    strict         verbose_json is refused with 422, as by FastAPI
    bare           verbose_json is answered as json
    inside         the words are within the segments, as in whisper.cpp
    unworded       there are segments and no words
    silent-parts   the model marks the last segment as silence
    language=L     the detected language; default: “english”
    chunked        without a length
    slow=MS        waits that many milliseconds before it sends anything
    gate           answers when the gate is open
    status=S       the answer is only status S; retry=V with Retry-After, percent-encoded twice; code=C with an error
                   of that code
    to=URL         redirects to URL, percent-encoded twice
    cut=N          the connection ends after N bytes of the body
    stall=N        nothing comes after N bytes of the body
    drip=MS        200 with a blank after so many milliseconds each, without an end
    unread         does not read the request before the gate is open
    hang           reads the request and never answers
    close          reads the request, and closes without an answer
    garbage        200 with bytes that are not JSON
    html           200 with a page
    wrong          200 with JSON that is not a transcription
    odd            200 with a text, and wrong types for everything else
    huge=N         200 with N bytes of JSON
    words=N        200 with N words of a letter beside the segments; within=N within one segment, segments=N as many
                   segments, letters=N in the text alone
    times=K        of the above, all that goes wrong does so only for the first K requests
    key=K          other keys are refused with 401
    limit=N        files of more than N bytes are refused with 413
"""

import email.parser
import email.policy
import http.server
import json
import select
import struct
import sys
import threading
import time
import urllib.parse

requests, counts, gates = {}, {}, {}
lock = threading.Lock()
FAULTS = (
    "status", "to", "cut", "stall", "hang", "close", "garbage", "html", "wrong", "odd", "huge", "words", "within",
    "drip", "segments", "letters", "slow", "limit",
)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 120

    def log_message(self, *_):
        pass

    def do_GET(self):
        name, _, path = self.path[1:].partition("/")
        if path == "go":
            gate(name).set()
            return self.answer(200, b"")
        if path == "count":
            with lock:
                return self.answer(200, json.dumps(counts.get(name, {"begun": 0, "ended": 0})).encode())
        with lock:
            seen = list(requests.get(name, []))
        return self.answer(200, json.dumps(seen).encode())

    def do_POST(self):
        name, _, path = self.path[1:].partition("/")
        count(name, "begun")
        try:
            self.take(name, path)
        finally:
            count(name, "ended")

    def take(self, name, path):
        words = dict((word.split("=", 1) + [""])[:2] for word in name.split(","))
        if "unread" in words:
            gate(name).wait(600)
        body = self.rfile.read(int(self.headers["Content-Length"]))
        fields, file = form(self.headers["Content-Type"], body)
        seen = {k.lower(): v for k, v in self.headers.items()}
        seen |= {"path": path, "fields": fields, "bytes": len(file), "seconds": seconds(file)}
        with lock:
            requests.setdefault(name, []).append(seen)
            number = len(requests[name])
        if number > int(words.get("times", 1 << 30)):
            words = {word: words[word] for word in words if word not in FAULTS}
        if path != "v1/audio/transcriptions":
            return self.answer(404, b'{"error":{"code":null}}')
        if "gate" in words:
            gate(name).wait(600)
        if "slow" in words:
            time.sleep(int(words["slow"]) / 1000)
        if "key" in words and self.headers.get("Authorization") != f"Bearer {words['key']}":
            return self.answer(401, b'{"error":{"code":"invalid_api_key","type":"invalid_request_error"}}')
        if len(file) > int(words.get("limit", 1 << 40)):
            return self.answer(413, b"")
        if self.go_wrong(words):
            return None
        return self.transcribe(words, fields, file)

    def go_wrong(self, words):
        """Sends a faulty answer, if asked for; returns whether it did."""
        if "hang" in words:
            self.wait()
        elif "close" in words:
            self.close_connection = True
        elif "to" in words:
            self.answer(302, b"", {"Location": urllib.parse.unquote(urllib.parse.unquote(words["to"]))})
        elif "status" in words:
            headers = {"Retry-After": urllib.parse.unquote(urllib.parse.unquote(words["retry"]))} if "retry" in words else {}
            self.answer(int(words["status"]), json.dumps({"error": {"code": words.get("code")}}).encode(), headers)
        elif "drip" in words:
            self.drip(int(words["drip"]) / 1000)
        elif "garbage" in words:
            self.answer(200, bytes(range(256)) * 4)
        elif "html" in words:
            self.answer(200, b"<html>log in</html>", {"Content-Type": "text/html"})
        elif "wrong" in words:
            self.answer(200, b'{"words":[{"word":"Hello"}],"text":7}')
        elif "huge" in words:
            self.answer(200, b'{"text":"' + b"a" * int(words["huge"]) + b'"}')
        elif kind := next((word for word in ("words", "within", "segments", "letters") if word in words), None):
            self.answer(200, json.dumps(crowd(kind, int(words[kind]))).encode())
        else:
            return False
        return True

    def transcribe(self, words, fields, file):
        is_verbose = fields.get("response_format") == ["verbose_json"]
        if is_verbose and "plain" in words:
            return self.answer(
                400,
                b'{"error":{"message":"response_format \'verbose_json\' is not compatible with this model.",'
                b'"type":"invalid_request_error","param":"response_format","code":"unsupported_value"}}',
            )
        if is_verbose and "strict" in words:
            return self.answer(422, b'{"detail":[{"loc":["body","response_format"],"msg":"unexpected value"}]}')
        text = urllib.parse.unquote(urllib.parse.unquote(words.get("text", "Hello, world.")))
        if "echo" in words:
            text = f"{seconds(file):.3f} seconds."
        content = {"text": text}
        if is_verbose and "bare" not in words:
            content = verbose(text, seconds(file), words)
        if "odd" in words:
            content |= {"segments": "none", "words": {"a": 1}, "language": 7}
        body = json.dumps(content).encode()
        stop = next((int(words[word]) for word in ("cut", "stall") if word in words), len(body))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        if "chunked" in words:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(body), body[:stop]))
            if stop == len(body):
                self.wfile.write(b"0\r\n\r\n")
        else:
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:stop])
        self.wfile.flush()
        if "stall" in words:
            self.wait()
        if "cut" in words:
            self.close_connection = True
        return None

    def wait(self):
        """Until the other side has closed."""
        self.close_connection = True
        while True:
            select.select([self.connection], [], [], 60)
            if not self.connection.recv(1 << 16):
                return

    def drip(self, pause):
        """Until the other side has gone."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Length", "20000")
        self.end_headers()
        try:
            while True:
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(pause)
        except OSError:
            return

    def answer(self, status, body, headers=None):
        self.send_response(status)
        for key, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)


def crowd(kind, count):
    """A `verbose_json` with as many of a kind, in few bytes each."""
    if kind == "letters":
        return {"text": "a " * count}
    if kind == "segments":
        return {"text": "a", "segments": [{"text": "a", "start": 0, "end": 1}] * count}
    words = [{"word": "a", "start": 0, "end": 1}] * count
    if kind == "within":
        return {"text": "a", "segments": [{"text": "a", "start": 0, "end": 1, "words": words}]}
    return {"text": "a", "words": words}


def verbose(text, length, words):
    """A `verbose_json` of two segments, whose words divide the sound's length."""
    parts = text.split()
    times = [(length * place / len(parts), length * (place + 1) / len(parts)) for place in range(len(parts))]
    half = (len(parts) + 1) // 2
    segments = []
    for number, (first, last) in enumerate(((0, half), (half, len(parts)))):
        if first == last:
            continue
        segment = {
            "id": number, "seek": 0, "start": times[first][0], "end": times[last - 1][1],
            "text": " " + " ".join(parts[first:last]), "tokens": [1, 2], "temperature": 0.0, "avg_logprob": -0.1,
            "compression_ratio": 1.1, "no_speech_prob": 0.01,
        }
        if "inside" in words:
            segment["words"] = [
                {"word": " " + parts[place], "start": times[place][0], "end": times[place][1], "t_dtw": -1,
                 "probability": 0.5}
                for place in range(first, last)
            ]
        segments.append(segment)
    if "silent-parts" in words:
        segments[-1] |= {"no_speech_prob": 0.9, "avg_logprob": -1.5}
    content = {
        "task": "transcribe", "language": words.get("language", "english"), "duration": length, "text": text,
        "segments": segments,
    }
    if "inside" not in words and "unworded" not in words:
        content["words"] = [
            {"word": part.strip(".,!?"), "start": start, "end": end} for part, (start, end) in zip(parts, times)
        ]
    return content


def form(kind, body):
    """The fields of a form, each with all its values, and its file."""
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(
        b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body
    )
    fields, file = {}, b""
    for part in message.iter_parts():
        name = part.get_param("name", header="content-disposition")
        if part.get_filename():
            file = part.get_payload(decode=True)
        else:
            fields.setdefault(name, []).append(part.get_payload(decode=True).decode())
    return fields, file


def seconds(file):
    """The length of a WAV file with a plain PCM header; 0 for anything else."""
    if file[:4] != b"RIFF" or file[8:16] != b"WAVEfmt " or file[36:40] != b"data" or len(file) < 44:
        return 0
    (kind, channels, rate, _, _, bits) = struct.unpack("<HHIIHH", file[20:36])
    (size,) = struct.unpack("<I", file[40:44])
    return size / 2 / rate if (kind, channels, bits, size) == (1, 1, 16, len(file) - 44) else 0


def count(name, what):
    with lock:
        counts.setdefault(name, {"begun": 0, "ended": 0})[what] += 1


def gate(name):
    with lock:
        return gates.setdefault(name, threading.Event())


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass  # the client has gone, which does not matter


def main():
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"http": server.server_address[1]}), flush=True)
    sys.stdin.buffer.read()


if __name__ == "__main__":
    main()
