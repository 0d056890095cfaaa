"""Runs commands and measures their time and memory, including their children."""

import os
import pathlib
import subprocess
import tempfile
import threading
import time


class Failed(Exception):
    """A command failed; the message says which and why."""


def run(command, **options):
    """Seconds of wall-clock time."""
    with tempfile.TemporaryFile() as said:
        begun = time.monotonic()
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=said, **options)
        seconds = time.monotonic() - begun
        if ended.returncode != 0:
            said.seek(0)
            words = said.read().decode(errors="replace").strip().splitlines()
            raise Failed(f"{command[0]} ended with {ended.returncode}: {' '.join(words[-3:])}")
    return seconds


def peak_memory(command, **options):
    """Peak megabytes (of 10^6 bytes) of a command and all its children: the sum of the peaks of its processes.

    The kernel records each peak (VmHWM), so sampling cannot miss one. The sum is never less than what the process tree
    really used: shared pages count once per process, and peaks at different times are added up.
    """
    peaks, ended = {}, threading.Event()

    def watch(root):
        family = {root}
        while not ended.is_set():
            family |= descendants(family)
            for process in family:
                if (peak := high_water_mark(process)) is not None:
                    peaks[process] = peak
            ended.wait(0.02)

    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, **options)
        watcher = threading.Thread(target=watch, args=[process.pid])
        watcher.start()
        process.wait()
        ended.set()
        watcher.join()
        if process.returncode != 0:
            said.seek(0)
            words = said.read().decode(errors="replace").strip().splitlines()
            raise Failed(f"{command[0]} ended with {process.returncode}: {' '.join(words[-3:])}")
    return sum(peaks.values()) / 1e6


def descendants(family):
    """The processes whose parent or grandparent is one of `family`."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                status = pathlib.Path(entry.path, "stat").read_text()
            except OSError:
                continue  # it has ended since
            # The name, in parentheses, may contain anything; the fields after it may not.
            parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])
    found, grown = set(family), True
    while grown:
        more = {child for child, parent in parents.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return found


def high_water_mark(process):
    """Peak bytes of memory of `process`, or None when it has ended."""
    try:
        with open(f"/proc/{process}/status", encoding="utf-8", errors="replace") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return None


def machine():
    """Describes the machine and programs of the measurement, as (what, which) pairs."""

    def first(path, key):
        for line in pathlib.Path(path).read_text().splitlines():
            if line.startswith(key):
                return line.partition("=" if "=" in line else ":")[2].strip().strip('"')
        return "unknown"

    memory = int(first("/proc/meminfo", "MemTotal").split()[0]) * 1024 / 2**30
    return [
        ("processor", first("/proc/cpuinfo", "model name")),
        ("cores", str(len(os.sched_getaffinity(0)))),
        ("memory", f"{memory:.0f} GiB"),
        ("system", f"{first('/etc/os-release', 'PRETTY_NAME')}, Linux {os.uname().release}"),
    ]
