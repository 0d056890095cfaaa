"""Prepared libraries are made once and copied: each is complete, as private as the first, and used by one test."""

import stat

import pytest
from homes import RESERVE, Homes
from studio import Studio


def test_copies_of_a_library_are_whole_and_know_nothing_of_each_other(studio: Studio, homes: Homes, tmp_path_factory):
    other = Studio(tmp_path_factory.mktemp("other"), homes).start_later()
    try:
        for one in (studio, other):
            recordings, documents = one.seed(1), one.seed_documents()
            checked = one.run("vault", "check")
            assert checked.returncode == 0, checked.stdout + checked.stderr
            assert [item["id"] for item in one.get("/library")["items"]] == recordings
            assert {found["name"]: found["id"] for found in one.get("/documents")["documents"]} == documents
            assert stat.S_IMODE((one.folder / "device").stat().st_mode) == 0o700
            assert (one.folder / RESERVE).stat().st_size == 16 << 20
        studio.send("POST", "/library/delete", {"ids": recordings})
        assert [one.get("/library")["total"] for one in (studio, other)] == [0, 1]
        assert studio.host != other.host
    finally:
        other.close()
    assert (other.folder / "library").exists() and not (other.folder / RESERVE).exists()


def one_recording(studio: Studio) -> None:
    studio.seed(1)


SHARED: list[Studio] = []


@pytest.mark.only_looks(after=one_recording)
@pytest.mark.parametrize("turn", [1, 2])
def test_tests_that_only_look_share_a_server(studio: Studio, turn: int):
    SHARED.append(studio)
    # After tests of another module in between, the shared one has ended and is another.
    assert all(one is studio for one in SHARED if one.process is not None)
    assert studio.get("/library")["total"] == 1


@pytest.mark.parametrize("turn", [1, 2])
def test_others_share_none(studio: Studio, turn: int):
    assert all(one is not studio for one in SHARED)
    assert studio.get("/library")["total"] == 0
