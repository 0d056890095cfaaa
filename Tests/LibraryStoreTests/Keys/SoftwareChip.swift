import CProcess
import CTPM
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// A software TPM 2.0, whose state outlives its process.
final class SoftwareChip: Sendable {
    private static let program = "/usr/bin/swtpm"
    static var isInstalled: Bool { access(program, X_OK) == 0 }

    private let folder = TemporaryFolder()
    /// Names the chip's process; `nil` while it has no power.
    private let process = Mutex<Int32?>(nil)

    init() throws { try powerOn() }

    deinit { powerOff() }

    var address: String { "swtpm:path=\(folder("tpm"))" }
    var chip: TPMChip { TPMChip(address: address) }

    func powerOn() throws {
        // The command returns when the chip listens; a relative folder would be looked for at the root from then on.
        let command = [
            Self.program, "socket", "--tpm2", "--daemon", "--flags", "not-need-init,startup-clear",
            "--tpmstate", "dir=\(folder.path)", "--pid", "file=\(folder("pid"))", "--log", "file=\(folder("log"))",
            "--server", "type=unixio,path=\(folder("tpm"))", "--ctrl", "type=unixio,path=\(folder("tpm.ctrl"))",
        ]
        // Foundation's Process would wait for the chip itself, which inherits its pipe.
        var starter = child_process()
        let failure = withArrayOfCStrings(command) { command in
            withArrayOfCStrings([]) { environment in
                command[0].map { child_spawn(&starter, $0, command, environment, 0) } ?? ENOEXEC
            }
        }
        try #require(failure == 0, "swtpm could not be run")
        let status = child_wait(starter.pid)
        for descriptor in [starter.input, starter.output, starter.errors, starter.pidfd] { close(descriptor) }
        try #require(status == 0, "swtpm did not start")
        let text = try String(contentsOfFile: folder("pid"), encoding: .utf8)
        let pid = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        let descriptor = child_descriptor(pid)
        try #require(descriptor >= 0)
        process.withLock { $0 = descriptor }
    }

    /// Ends the chip's process as a cut of the power would, by SIGKILL.
    func powerOff() {
        process.withLock { process in
            guard let descriptor = process else { return }
            child_kill(descriptor)
            var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&ended, 1, -1) < 0, errno == EINTR {}
            close(descriptor)
            process = nil
        }
    }

    func cutPower() throws {
        powerOff()
        try powerOn()
    }

    // MARK: Looking into it

    struct Contents: Hashable {
        var objects: UInt32 = 0
        var sessions: UInt32 = 0
        var counters: UInt32 = 0
    }

    func contents() throws -> Contents {
        try connected { chip in
            var found = Contents()
            try #require(ctpm_count_contents(chip, &found.objects, &found.sessions, &found.counters) == CTPM_OK)
            return found
        }
    }

    /// The wrong tries at a counter, and the most of them there may be.
    func tries(at index: UInt32) throws -> [UInt32] {
        try connected { chip in
            var (count, limit): (UInt32, UInt32) = (0, 0)
            try #require(ctpm_read_counter(chip, index, &count, &limit) == CTPM_OK)
            return [count, limit]
        }
    }

    private func connected<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        var chip: OpaquePointer?
        try #require(ctpm_open(address, &chip) == CTPM_OK)
        defer { ctpm_close(chip) }
        return try body(try #require(chip))
    }
}
