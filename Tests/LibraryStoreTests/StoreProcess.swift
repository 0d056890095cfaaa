import CProcess
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import LibraryStore

/// A StoreFixture at work on a library.
final class StoreProcess: Sendable {
    private let child: Child
    private let heard = Mutex(Heard())
    /// When it and all it has started are killed.
    private let deadline = ContinuousClock.now + .seconds(isLong ? 7_200 : 300)

    /// The process and our ends of its pipes, closed with the owner.
    private struct Child {
        /// Also the number of its process group.
        let pid: pid_t
        let pidfd: Int32
        let input: Int32
        let output: Int32
        let errors: Int32
    }

    private struct Heard {
        /// The unread part of its output.
        var unread: [UInt8] = []
        var errors: [UInt8] = []
        var hasMoreErrors = true
        /// It was killed at the deadline.
        var isLate = false
    }

    /// - Parameters:
    ///   - folder: The library.
    ///   - arguments: The fixture's arguments.
    ///   - injection: The fault for strace to inject, in the syntax of `-e inject=`.
    ///   - environment: Its only environment variables.
    /// - Throws: Errors of the system when it cannot be started.
    convenience init(
        _ folder: LibraryFolder,
        _ arguments: String...,
        traced injection: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        try self.init([folder.path] + arguments, traced: injection, environment: environment)
    }

    /// Starts a process whose calls are counted; see ``counts(in:)``.
    ///
    /// - Parameters:
    ///   - folder: The library.
    ///   - arguments: The fixture's arguments.
    ///   - calls: The calls to list.
    ///   - list: The path of the list.
    /// - Throws: Errors of the system when it cannot be started.
    convenience init(_ folder: LibraryFolder, _ arguments: String..., listing calls: [String], in list: String) throws {
        let tracer = ["/usr/bin/strace", "-f", "-qq", "-o", list, "-e", "trace=\(calls.joined(separator: ","))"]
        try self.init([folder.path] + arguments, under: tracer, traced: nil, environment: [:])
    }

    /// How often a process made each call, by the list that it has left.
    static func counts(in list: String) throws -> [String: Int] {
        let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        // After the number of the process; a call that was interrupted in the list is named again without a parenthesis.
        let calls = lines.compactMap { line -> String? in
            let call = line.drop { $0.isNumber || $0 == " " }
            guard let end = call.firstIndex(of: "("), !call.hasPrefix("<") else { return nil }
            return String(call[..<end])
        }
        return Dictionary(calls.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Starts a process that changes key slots, at the time of a room's clocks.
    ///
    /// - Parameters:
    ///   - room: The room with the slots.
    ///   - change: The change for the fixture to make.
    ///   - injection: The fault for strace to inject, in the syntax of `-e inject=`.
    /// - Throws: Errors of the system when it cannot be started.
    convenience init(keys room: KeyRoom, _ change: [String], traced injection: String? = nil) throws {
        let (wall, boottime) = room.clocks.withLock { ($0.wall, $0.boottime) }
        try self.init([room.path, "keys", "\(wall)", "\(boottime)"] + change, traced: injection, environment: [:])
    }

    /// Starts processes that fill their disk, one after another; the disk is removed afterwards.
    ///
    /// - Parameters:
    ///   - folder: The library, on a disk that only these processes see.
    ///   - megabytes: The size of the disk.
    ///   - commands: The fixture's arguments after the folder: usually it records until the disk is full, and then checks the
    ///     stored data.
    /// - Throws: Errors of the system when it cannot be started.
    convenience init(
        fillingDiskAt folder: LibraryFolder,
        megabytes: Int,
        by commands: [String] = ["record 0", "heard"]
    ) throws {
        let runs = commands.map { "\"$0\" \"$1\" \($0); " }.joined()
        let script = "mount -t tmpfs -o size=\(megabytes)m,mode=700 none \"$1\" && { \(runs)}"
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
        var command = starter + [BuiltPackage.program("StoreFixture")] + arguments
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
            input: child.input,
            output: child.output,
            errors: child.errors
        )
    }

    deinit {
        for descriptor in [child.pidfd, child.input, child.output, child.errors] { close(descriptor) }
    }

    /// Kills it as soon as `path` has other bytes than these; returns at its end, too.
    func kill(whenChanged path: String, from bytes: Data) async {
        await onThread { [child] in
            var end = pollfd(fd: child.pidfd, events: Int16(POLLIN), revents: 0)
            while FileManager.default.contents(atPath: path) == bytes, poll(&end, 1, 1) == 0 {}
            child_kill(child.pidfd)
        }
    }

    func kill() { child_kill(child.pidfd) }

    /// Waits for as many lines as `count`, or fewer when it ends before.
    func lines(_ count: Int) async -> [String] {
        let lines = await onThread { self.read(count) }
        recordIfLate()
        return lines
    }

    /// Waits until it has ended; only whole lines count.
    func rest() async -> [String] {
        let lines = await onThread {
            let lines = self.read(.max)
            self.heard.withLock { heard in
                while !heard.isLate, !self.waitForMore(at: self.child.pidfd, &heard) {}
            }
            _ = child_wait(self.child.pid)
            return lines
        }
        recordIfLate()
        return lines
    }

    private func recordIfLate() {
        let errors: String? = heard.withLock { $0.isLate ? String(decoding: $0.errors, as: UTF8.self) : nil }
        if let errors { Issue.record("the process was killed, its time was over: \(errors)") }
    }

    private func read(_ count: Int) -> [String] {
        var lines: [String] = []
        heard.withLock { heard in
            while lines.count < count, !heard.isLate {
                if let end = heard.unread.firstIndex(of: 0x0A) {
                    lines.append(String(decoding: heard.unread[..<end], as: UTF8.self))
                    heard.unread.removeSubrange(...end)
                    continue
                }
                guard waitForMore(at: child.output, &heard) else { continue }
                let bytes = Self.bytes(from: child.output)
                if bytes.isEmpty { break }
                heard.unread += bytes
            }
        }
        return lines
    }

    /// Waits for `descriptor`, or for what it says on standard error, which is taken: it could not write on otherwise.
    ///
    /// - Returns: Whether `descriptor` has something or has ended. At the deadline all is killed.
    private func waitForMore(at descriptor: Int32, _ heard: inout Heard) -> Bool {
        var ends = [descriptor, heard.hasMoreErrors ? child.errors : -1]
            .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        if poll(&ends, nfds_t(ends.count), Int32(max(0, left))) == 0 {
            heard.isLate = true
            Glibc.kill(-child.pid, SIGKILL)
            return false
        }
        if ends[1].revents != 0 {
            let bytes = Self.bytes(from: child.errors)
            heard.errors += bytes
            heard.hasMoreErrors = !bytes.isEmpty
        }
        return ends[0].revents != 0
    }

    /// Reads the available bytes; none at the end.
    private static func bytes(from descriptor: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let length = Glibc.read(descriptor, &buffer, buffer.count)
        return Array(buffer.prefix(max(0, length)))
    }
}

/// Runs blocking work on its own thread.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
