"""Homes of servers with prepared content: each process of the tests makes them once, and copies them."""

import copy
import datetime
import pathlib
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

# The files of a single run: sockets and locks, tickets and the server's name, and its output.
OF_A_RUN = {"run", "web", "errors"}
# The space that a library reserves on disk; each reserves its own when it is opened.
RESERVE = "library/locks/reserve"

# A function of a studio, and its further arguments.
Step = tuple[Callable[..., Any], tuple[Any, ...]]


class Homes:
    """Makes homes on demand."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        self._made: dict[tuple[Any, ...], tuple[pathlib.Path, Any]] = {}

    def copy(self, kind: type, steps: tuple[Step, ...], folder: pathlib.Path) -> Any:
        """Copies a prepared library of that kind of studio into its folder; returns the last step's result."""
        home, result = self._home(kind, steps)
        put(home, folder)
        return copy.deepcopy(result)

    def _home(self, kind: type, steps: tuple[Step, ...]) -> tuple[pathlib.Path, Any]:
        # Some lists are filtered by today's date.
        key = (datetime.date.today(), kind, steps)
        if key not in self._made:
            folder = pathlib.Path(tempfile.mkdtemp(dir=self._folder))
            studio = kind(folder)
            if steps[:-1]:
                put(self._home(kind, steps[:-1])[0], folder)
            step, arguments = steps[-1]
            try:
                result = step(studio.start(), *arguments)
            finally:
                studio.close()
            self._made[key] = (folder, result)
        return self._made[key]


def put(home: pathlib.Path, folder: pathlib.Path) -> None:
    """Copies a home whose server has ended; other files in the folder stay."""
    for entry in home.iterdir():
        if entry.name in OF_A_RUN:
            continue
        there = folder / entry.name
        if there.is_dir() and not there.is_symlink():
            shutil.rmtree(there)
        else:
            there.unlink(missing_ok=True)

    def left_out(place: str, names: list[str]) -> set[str]:
        if pathlib.Path(place) == home:
            return OF_A_RUN & set(names)
        return {name for name in names if pathlib.Path(place, name) == home / RESERVE}

    shutil.copytree(home, folder, symlinks=True, ignore=left_out, dirs_exist_ok=True)
