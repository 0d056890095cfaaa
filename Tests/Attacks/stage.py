"""Where the attacks take place: namespaces with a loopback that no one else is at, and two users that no one else is."""

import fcntl
import os
import pathlib
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The variable that names the folder of everything, once it is there.
WORKSPACE = "ECHOTEXT_ATTACKS"

# The system's, which every user can run.
PYTHON = "/usr/bin/python3"

# Namespaces of the network, of mounts and of processes; who is in them ends with the first.
NAMESPACES = ["--net", "--ipc", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]

# All of it may take no longer, in seconds.
LIMIT = 300

# Where the project, or a file of it, is named for the program and those who run it.
NAMING = ("ECHOTEXT_PROGRAM", "ECHOTEXT_SHERPA_ONNX", "ECHOTEXT_FIXTURES")

# On the stage the project has a second place, which others than its owner get at too, wherever the first one is. The
# first process outlives all others and learns of their ends; what is left when it ends, ends with it.
SETTING = """
mount --bind "$1" "$2/project" || exit 2
python=$3 workspace=$2
shift 3
"$python" "$workspace/project/Tests/Attacks" "$@"
exit $?
"""


class Unable(Exception):
    """Why there can be no stage on this machine, and what would help."""


def perform(words: list[str]) -> int:
    """Sets the stage, has the attacks tried there, and clears it away, whatever happens."""
    try:
        command = administrator()
    except Unable as reason:
        print(f"attacks: {reason}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    workspace = tempfile.mkdtemp(prefix="attacks-")
    stage = None
    try:
        os.chmod(workspace, 0o755)
        os.mkdir(f"{workspace}/project")
        setting = ["sh", "-c", SETTING, "sh", str(ROOT), workspace, PYTHON, *words]
        stage = subprocess.Popen([*command, *setting], env=environment(workspace), stdin=subprocess.DEVNULL)
        return stage.wait(LIMIT)
    except subprocess.TimeoutExpired:
        print(f"attacks: not done after {LIMIT} seconds", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        if stage is not None:
            stage.kill()
            stage.wait()
        # The project was mounted for those on the stage only, and what they left may be theirs alone to remove.
        subprocess.run([*command, "rm", "-rf", "--one-file-system", workspace], check=False)


def administrator() -> list[str]:
    """The command that makes what the stage consists of, with two more users in it.

    Throws Unable where this user may make none.
    """
    for tool in ("unshare", "mount", "setpriv"):
        if shutil.which(tool) is None:
            raise Unable(f"needs “{tool}”, which the packages util-linux and mount bring")
    is_root = os.geteuid() == 0
    users = [] if is_root else ["--user", "--map-root-user", "--map-auto"]
    # Nor does it continue when this process is killed.
    command = ["setpriv", "--pdeathsig", "KILL", "unshare", *users, *NAMESPACES]
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return command
    reported = tried.stderr.strip()
    if is_root:
        raise Unable(f"this system lets not even root make namespaces, as in most containers ({reported})")
    raise Unable(
        "needs two users beside you: run it as root, or have the package uidmap, user namespaces and lines such as "
        f"“{os.geteuid()}:100000:65536” in /etc/subuid and /etc/subgid ({reported})"
    )


def environment(workspace: str) -> dict[str, str]:
    """The environment of those on the stage, with the project's second place for its first."""
    variables = {**os.environ, WORKSPACE: workspace, "PYTHONDONTWRITEBYTECODE": "1"}
    variables.setdefault("ECHOTEXT_PROGRAM", str(ROOT / ".build/release/echotext"))
    for name in NAMING:
        path = pathlib.Path(variables[name]).absolute() if name in variables else None
        if path and path.is_relative_to(ROOT):
            variables[name] = f"{workspace}/project/{path.relative_to(ROOT)}"
    return variables


def strangers() -> tuple[int, int]:
    """The numbers of two users that this machine does not have."""
    free = []
    number = 60_100
    while len(free) < 2:
        number += 1
        try:
            pwd.getpwuid(number)
        except KeyError:
            free.append(number)
    return free[0], free[1]


def raise_loopback() -> None:
    """A network namespace begins with its only device switched off."""
    get_flags, set_flags, is_up = 0x8913, 0x8914, 1
    with socket.socket() as any_socket:
        request = struct.pack("16sh22x", b"lo", 0)
        _, flags = struct.unpack("16sh22x", fcntl.ioctl(any_socket, get_flags, request))
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh22x", b"lo", flags | is_up))
