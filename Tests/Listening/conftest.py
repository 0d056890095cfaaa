"""A judge and a home with the voice for all tests, and each text spoken once."""

import pathlib

import pytest

from judge import Judge
from sound import Recording
from speaker import Speaker

# From the browser tests.
pytest_plugins = ["records"]

TEXTS = pathlib.Path(__file__).parent / "texts"


@pytest.fixture(scope="session")
def judge() -> Judge:
    return Judge()


@pytest.fixture(scope="session")
def speaker(tmp_path_factory: pytest.TempPathFactory) -> Speaker:
    return Speaker(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="session")
def short(speaker: Speaker) -> Recording:
    """Forty short texts, each a paragraph."""
    return speaker.speak(TEXTS / "short.txt")


@pytest.fixture(scope="session")
def long(speaker: Speaker) -> Recording:
    """Ten long sentences, each a paragraph."""
    return speaker.speak(TEXTS / "long.txt")


@pytest.fixture(scope="session")
def page(speaker: Speaker) -> Recording:
    """A page with headings, numbers, dates and abbreviations."""
    return speaker.speak(TEXTS / "page.txt")
