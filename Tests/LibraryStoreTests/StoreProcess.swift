import CProcess
import EchoText
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// A StoreFixture at work on a library.
final class StoreProcess: Sendable {
    private let child: Child
    private let unread = Mutex<[UInt8]>([])

    /// The process and our ends of its pipes, closed with the owner.
    private struct Child {
        let pid: pid_t
        let pidfd: Int32
        let output: Int32
        let others: [Int32]
    }

    /// - Parameters:
    ///   - folder: The library.
    ///   - arguments: What the fixture is to do.
    ///   - injection: What strace does to it: a call and a fault, as after `-e inject=`.
    ///   - environment: Variables it has, beside none.
    /// - Throws: An error of the system's when it cannot be started.
    convenience init(
        _ folder: LibraryFolder,
        _ arguments: String...,
        traced injection: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        try self.init([folder.path] + arguments, traced: injection, environment: environment)
    }

    /// One that changes key slots, at the time of a room's clocks.
    ///
    /// - Parameters:
    ///   - room: Where the slots are.
    ///   - change: What the fixture is to do.
    ///   - injection: As above.
    /// - Throws: An error of the system's when it cannot be started.
    convenience init(keys room: KeyRoom, _ change: [String], traced injection: String? = nil) throws {
        let (wall, boottime) = room.clocks.withLock { ($0.wall, $0.boottime) }
        try self.init([room.path, "keys", "\(wall)", "\(boottime)"] + change, traced: injection, environment: [:])
    }

    /// One that records until its disk is full, and another that looks at what is kept; the disk is gone after that.
    ///
    /// - Parameters:
    ///   - folder: The library, on a disk that only these two have.
    ///   - megabytes: The size of the disk.
    /// - Throws: An error of the system's when it cannot be started.
    convenience init(fillingDiskAt folder: LibraryFolder, megabytes: Int) throws {
        let script = """
            mount -t tmpfs -o size=\(megabytes)m,mode=700 none "$1" && { "$0" "$1" record 0; "$0" "$1" heard; }
            """
        let shell = ["/usr/bin/unshare", "-rm", "/bin/sh", "-c", script]
        try self.init([folder.path], under: shell, traced: nil, environment: [:])
    }

    /// Whether file systems can be mounted for one process and its children; containers often forbid it.
    static let canMount: Bool = {
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", "unshare -rm sh -c 'mount -t tmpfs -o size=64k none /mnt' 2>/dev/null"]
        guard (try? shell.run()) != nil else { return false }
        shell.waitUntilExit()
        return shell.terminationStatus == 0
    }()

    static let hasTracer = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    private init(
        _ arguments: [String],
        under starter: [String] = [],
        traced injection: String?,
        environment: [String: String]
    ) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let fixture = URL(filePath: tests).deletingLastPathComponent().appending(path: "StoreFixture").path
        var command = starter + [fixture] + arguments
        if let injection {
            let call = String(injection.prefix { $0 != ":" })
            command =
                ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(injection)"]
                + command
        }
        let variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
        var child = child_process()
        let status = withArrayOfCStrings(command) { command in
            withArrayOfCStrings(variables.map { "\($0)=\($1)" }) { variables in
                command[0].map { child_spawn(&child, $0, command, variables, 0) } ?? ENOEXEC
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOEXEC) }
        self.child = Child(
            pid: child.pid,
            pidfd: child.pidfd,
            output: child.output,
            others: [child.input, child.errors]
        )
    }

    deinit {
        for descriptor in [child.output, child.pidfd] + child.others { close(descriptor) }
    }

    /// Ends it as soon as `path` has other bytes than these; comes back at its own end, too.
    func kill(whenChanged path: String, from bytes: Data) async {
        await onThread { [child] in
            var end = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
            while FileManager.default.contents(atPath: path) == bytes, poll(&end, 1, 1) == 0 {}
            child_kill(child.pidfd)
        }
    }

    func kill() { child_kill(child.pidfd) }

    /// Waits for as many lines as `count`, or fewer when it ends before.
    func lines(_ count: Int) async -> [String] { await onThread { self.read(count) } }

    /// Waits until it has ended; only whole lines count.
    func rest() async -> [String] {
        await onThread {
            let lines = self.read(.max)
            _ = child_wait(self.child.pid)
            return lines
        }
    }

    private func read(_ count: Int) -> [String] {
        var lines: [String] = []
        unread.withLock { unread in
            while lines.count < count {
                if let end = unread.firstIndex(of: 0x0A) {
                    lines.append(String(decoding: unread[..<end], as: UTF8.self))
                    unread.removeSubrange(...end)
                    continue
                }
                var buffer = [UInt8](repeating: 0, count: 4_096)
                let length = Glibc.read(child.output, &buffer, buffer.count)
                if length <= 0 { break }
                unread += buffer[..<length]
            }
        }
        return lines
    }
}

/// Runs what blocks on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
