"""Runs the set-up tests, three classes at a time, each in a process of its own: most tests wait for processes.

Arguments are options of unittest that choose among the tests.
"""

import concurrent.futures
import pathlib
import subprocess
import sys
import unittest
from collections import Counter
from collections.abc import Iterator

AT_ONCE = 3


def names(suite: unittest.TestSuite) -> Iterator[str]:
    """For each test, what unittest is given to run its class."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from names(test)
        elif type(test).__module__ == "unittest.loader":
            yield test.id().rsplit(".", 1)[1]  # A module that cannot be imported, which running it reports.
        else:
            yield f"{type(test).__module__}.{type(test).__qualname__}"


def main(folder: pathlib.Path, options: list[str]) -> int:
    counts = Counter(names(unittest.defaultTestLoader.discover(str(folder))))

    def run(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "unittest", *options, name]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    passes = True
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        # The largest first, so that none begins when all others have ended.
        for ended in concurrent.futures.as_completed([pool.submit(run, name) for name, _ in counts.most_common()]):
            result = ended.result()
            if options and "\nRan 0 tests in" in result.stdout:
                continue  # none of the class was chosen, which Python 3.12 and later take for a failure
            print(result.stdout, end="", flush=True)
            passes = passes and result.returncode == 0
    return 0 if passes else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(__file__).parent, sys.argv[1:]))
