"""`echotext serve` in a home of its own: started, ended, started again."""

import pathlib
import signal
import subprocess

from program import PROGRAM, Home, next_line


class Server(Home):
    """`echotext serve` in a folder that is also its home."""

    def __init__(self, folder: pathlib.Path):
        super().__init__(folder)
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.host = ""
        self.ticket = ""

    @property
    def command(self) -> list[str]:
        """The command that runs the server."""
        return [PROGRAM]

    @property
    def where(self) -> list[str]:
        """The arguments that say at which port it listens: the previous one."""
        return ["--port", str(self.port)]

    def start(self) -> "Server":
        """Starts the server."""
        self.process = subprocess.Popen(
            [*self.command, "serve", "--no-browser", *self.where],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=(self.folder / "errors").open("ab"),
            text=True,
            env=self.environment,
            cwd=self.folder,
            **self.ownership,
        )
        assert self.process.stdout is not None
        try:
            address = next_line(self.process, self.process.stdout, self.limit).strip()
        except AssertionError as silence:
            self.process = None
            raise AssertionError(f"{silence}: {(self.folder / 'errors').read_text()}") from None
        assert address, (self.folder / "errors").read_text()
        base, self.ticket = address.split("/open/")
        self.host = base.removeprefix("http://")
        self.port = int(self.host.rsplit(":", 1)[1])
        return self

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is None:
            return
        ended = self.process.poll()
        self.process.send_signal(how)
        try:
            self.process.wait(self.limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None
        assert ended is None, f"the server had ended by itself ({ended}): {(self.folder / 'errors').read_text()}"

    def close(self) -> None:
        """Ends the server and, by locking, the agent that keeps the library unlocked, whose files are in `run`."""
        try:
            self.stop()
        finally:
            if (self.folder / "library").exists() and any((self.folder / "run").rglob("*.*")):
                self.run("vault", "lock")

    def new_address(self) -> str:
        """An address that authorizes one more browser."""
        done = self.run("serve", "--no-browser")
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @property
    def base(self) -> str:
        return f"http://{self.host}"

    @property
    def local(self) -> str:
        """The address without the name, which only browsers resolve to this machine."""
        return f"http://127.0.0.1:{self.port}"
