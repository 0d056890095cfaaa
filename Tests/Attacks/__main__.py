"""Ten attacks on the built program by another person, a stranger's file and whoever sits at the keyboard; all have to be refused.

    Tests/Attacks [WORDS ...]      all, or those whose names have one of these words
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Those tests know how to run the program in a home of its own, to be a thief, and to make documents.
sys.path[:0] = [str(HERE), str(HERE.parent / "Browser")]

import stage


def main() -> int:
    words = sys.argv[1:]
    if stage.WORKSPACE not in os.environ:
        return stage.perform(words)
    # The modules imported here look for the program where only the stage has it.
    import performance

    return performance.run(words)


sys.exit(main())
