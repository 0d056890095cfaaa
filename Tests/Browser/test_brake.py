"""The brake with which tests keep a server speaking lets its engines work, but little."""

import os
import pathlib
import subprocess
import time

import pytest

from brake import AT_ONCE, SHARE, Brake, processor_time
from studio import LIMIT


@pytest.fixture
def engine(tmp_path: pathlib.Path):
    """A process that looks like an engine of this one, and works without end."""
    (tmp_path / "worker").write_text("while :; do :; done")
    process = subprocess.Popen(["sh", "worker", "engine"], cwd=tmp_path)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def wait_for(condition) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def is_held(process: int) -> bool:
    return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def test_an_engine_begins_freely_is_held_works_on_a_little_and_is_let_go(engine: int):
    brake = Brake(os.getpid)
    try:
        wait_for(lambda: is_held(engine))
        assert (used := processor_time(engine)) >= AT_ONCE
        wait_for(lambda: processor_time(engine) > used)
        wait_for(lambda: is_held(engine))
    finally:
        brake.let_go()
    used = processor_time(engine)
    wait_for(lambda: processor_time(engine) > used + 2 * AT_ONCE)
    assert not is_held(engine)


def test_an_engine_of_a_server_that_has_ended_is_let_go(engine: int):
    servers = [os.getpid()]
    brake = Brake(lambda: servers[0] if servers else None)
    try:
        wait_for(lambda: is_held(engine))
        servers.clear()
        used = processor_time(engine)
        wait_for(lambda: processor_time(engine) > used + 2 * AT_ONCE)
    finally:
        brake.let_go()


def test_an_engine_that_has_worked_before_is_held_and_works_on_a_little(engine: int):
    # To earn that by its share takes longer than this test waits.
    wait_for(lambda: processor_time(engine) > AT_ONCE + 1.1 * SHARE * LIMIT)
    brake = Brake(os.getpid)
    try:
        wait_for(lambda: is_held(engine))
        used = processor_time(engine)
        wait_for(lambda: processor_time(engine) > used)
    finally:
        brake.let_go()
