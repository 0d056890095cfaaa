"""The two questions pip asks of a source distribution before it keeps it, answered without running its set-up.

See PEP 517. The package's own answers would fetch more from the network.
"""

import pathlib


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    (version,) = [
        line.removeprefix("Version: ")
        for line in pathlib.Path("PKG-INFO").read_text(encoding="utf-8").splitlines()
        if line.startswith("Version: ")
    ]
    folder = pathlib.Path(metadata_directory, f"apsw_sqlite3mc-{version}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: apsw-sqlite3mc\nVersion: {version}\n")
    (folder / "WHEEL").write_text("Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    return folder.name
