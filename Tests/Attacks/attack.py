"""An attack, and how one ends."""

import dataclasses
import pathlib


class Succeeded(Exception):
    """The attack did what it must not do; says what shows it."""


def refused(is_so: bool, evidence: str) -> None:
    """Continues where the attack was refused.

    Throws Succeeded with the evidence otherwise.
    """
    if not is_so:
        raise Succeeded(evidence)


@dataclasses.dataclass(frozen=True)
class Stage:
    """The participants: the person whose library it is, and another user of the machine."""

    people: pathlib.Path
    person: int
    neighbour: int


class Attack:
    """A single attack."""

    # In a few words.
    name: str
    # The attempt in words.
    tries: str

    def attempt(self, stage: Stage) -> str:
        """Tries it.

        Gives what was seen when all of it was refused; throws Succeeded when it was not, and anything else when it could not
        be tried.
        """
        raise NotImplementedError
