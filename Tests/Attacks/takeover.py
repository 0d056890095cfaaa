"""A process that a stranger's file has taken over: its own instructions are replaced by calls of the attacker's choice.

The administrator's ptrace stands for the fault in a parser. The calls are the process's own, so that its confinement holds
for them. The registers are those of x86-64.
"""

import contextlib
import ctypes
import errno
import os
import pathlib
import platform
import signal
import socket
import struct

_C = ctypes.CDLL(None, use_errno=True)
_C.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_C.ptrace.restype = ctypes.c_long

ATTACH, STEP, GET_REGISTERS, SET_REGISTERS = 16, 9, 12, 13
EVERY_THREAD = 0x40000000  # __WALL

# The kernel's numbers of what is tried.
OPEN, SOCKET, CONNECT, KILL, UNLINK, EXECVE, READ_MEMORY, PRCTL = 2, 41, 42, 62, 87, 59, 310, 157


class Registers(ctypes.Structure):
    """The kernel's struct user_regs_struct."""

    _fields_ = [
        (name, ctypes.c_uint64)
        for name in (
            "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
            "fs_base gs_base ds es fs gs"
        ).split()
    ]


class TakenOver:
    """A process whose first thread does what is asked here; it ends with this."""

    def __init__(self, process: int) -> None:
        if platform.machine() != "x86_64":
            raise NotImplementedError("processes are taken over on x86-64 only")
        self.process = process
        self._trace(ATTACH)
        self._wait(signal.SIGSTOP)
        self._before = Registers()
        self._trace(GET_REGISTERS, ctypes.byref(self._before))
        self._entry = self._instruction()

    def __enter__(self) -> "TakenOver":
        return self

    def __exit__(self, *_: object) -> None:
        # Its parent learns of its end when the one who traces it has; it may have ended already.
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.process, signal.SIGKILL)
            while os.WIFSTOPPED(os.waitpid(self.process, EVERY_THREAD)[1]):
                pass

    def _trace(self, what: int, data=None) -> None:
        if _C.ptrace(what, self.process, None, data) < 0:
            number = ctypes.get_errno()
            raise OSError(number, f"ptrace: {os.strerror(number)}")

    def _wait(self, wanted: signal.Signals) -> None:
        while True:
            _, status = os.waitpid(self.process, EVERY_THREAD)
            if not os.WIFSTOPPED(status):
                raise ProcessLookupError(errno.ESRCH, "the process has ended")
            if os.WSTOPSIG(status) == wanted:
                return
            # Anything else it is sent is kept from it.
            self._trace(STEP)

    def _instruction(self) -> int:
        """Where in the process's C library a `syscall` stands."""
        for line in pathlib.Path(f"/proc/{self.process}/maps").read_text().splitlines():
            place, rights, *_, name = line.split(maxsplit=5) + [""] * (line.count(" ") == 0)
            if "x" not in rights or "libc.so" not in name:
                continue
            start, end = (int(number, 16) for number in place.split("-"))
            with open(f"/proc/{self.process}/mem", "rb", 0) as memory:
                memory.seek(start)
                found = memory.read(end - start).find(b"\x0f\x05")
            if found >= 0:
                return start + found
        raise LookupError("the process has no C library in its memory")

    def call(self, number: int, *arguments: int | bytes) -> int:
        """A call; its result, or an errno as a negative number. Bytes are put into its memory, and their address given."""
        registers = Registers.from_buffer_copy(self._before)
        # Below all that is in use.
        room = (self._before.rsp - 1_024) & ~15
        values = []
        for argument in arguments:
            if isinstance(argument, bytes):
                with open(f"/proc/{self.process}/mem", "r+b", 0) as memory:
                    memory.seek(room)
                    memory.write(argument)
                values.append(room)
                room += (len(argument) + 15) & ~15
            else:
                values.append(argument & (1 << 64) - 1)
        for name, value in zip(("rdi", "rsi", "rdx", "r10", "r8", "r9"), values, strict=False):
            setattr(registers, name, value)
        registers.rip, registers.rax, registers.orig_rax = self._entry, number, (1 << 64) - 1
        self._trace(SET_REGISTERS, ctypes.byref(registers))
        self._trace(STEP)
        self._wait(signal.SIGTRAP)
        self._trace(GET_REGISTERS, ctypes.byref(registers))
        return ctypes.c_int64(registers.rax).value

    def opens(self, path: pathlib.Path | str) -> bool:
        return self.call(OPEN, str(path).encode() + b"\0", os.O_RDONLY) >= 0

    def creates(self, path: pathlib.Path) -> bool:
        return self.call(OPEN, str(path).encode() + b"\0", os.O_WRONLY | os.O_CREAT, 0o600) >= 0

    def removes(self, path: pathlib.Path) -> bool:
        return self.call(UNLINK, str(path).encode() + b"\0") == 0

    def reaches(self, path: pathlib.Path) -> bool:
        """Whether somebody who listens at a socket in a folder is connected to."""
        if len(str(path).encode()) >= 108:
            raise ValueError("a socket's path is too long to be tried: set TMPDIR to a folder with a shorter one")
        end = self.call(SOCKET, socket.AF_UNIX, socket.SOCK_STREAM, 0)
        address = struct.pack("=H108s", socket.AF_UNIX, str(path).encode())
        return end >= 0 and self.call(CONNECT, end, address, len(address)) == 0

    def reaches_port(self, port: int) -> bool:
        end = self.call(SOCKET, socket.AF_INET, socket.SOCK_STREAM, 0)
        address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", port, bytes((127, 0, 0, 1)))
        return end >= 0 and self.call(CONNECT, end, address, len(address)) == 0

    def signals(self, process: int) -> bool:
        return self.call(KILL, process, 0) == 0

    def reads_memory(self, process: int) -> bool:
        """Whether another process's memory may be looked at; no address is anybody's, which is found out after that."""
        nowhere = struct.pack("QQ", 0, 1)
        return self.call(READ_MEMORY, process, nowhere, 1, nowhere, 1, 0) in (1, -errno.EFAULT)

    def outlives(self) -> bool:
        """Whether it need not end with the program that started it any more (PR_SET_PDEATHSIG)."""
        return self.call(PRCTL, 1, 0) == 0

    def becomes(self, path: str) -> bool:
        """Whether another program takes its place. Nothing else can be tried after that."""
        try:
            return self.call(EXECVE, path.encode() + b"\0", 0, 0) >= 0
        except (ProcessLookupError, OSError):
            return True
