"""Homes of servers in which something has been done already: made once by each process of the tests, and copied."""

import copy
import datetime
import pathlib
import shutil
import tempfile
from collections.abc import Callable
from typing import Any

# What is of one run: sockets and locks, tickets and the server's name, and what it has said.
OF_A_RUN = {"run", "web", "errors"}
# The room that a library holds on its disk; each takes its own when it is opened.
RESERVE = "library/locks/reserve"

# A function of a studio, and what it is called with besides.
Step = tuple[Callable[..., Any], tuple[Any, ...]]


class Homes:
    """Makes a home when it is first asked for."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        self._made: dict[tuple[Any, ...], tuple[pathlib.Path, Any]] = {}

    def copy(self, kind: type, steps: tuple[Step, ...], folder: pathlib.Path) -> Any:
        """Puts what the steps leave in a library of that kind of studio into its folder; gives what the last of them gives."""
        home, result = self._home(kind, steps)
        put(home, folder)
        return copy.deepcopy(result)

    def _home(self, kind: type, steps: tuple[Step, ...]) -> tuple[pathlib.Path, Any]:
        # Lists can be narrowed to what was made today.
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
    """Copies a home whose server has ended; what else is in the folder stays."""
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
