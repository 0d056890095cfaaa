import CProcess
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
    init(
        _ folder: LibraryFolder,
        _ arguments: String...,
        traced injection: String? = nil,
        environment: [String: String] = [:]
    ) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let fixture = URL(filePath: tests).deletingLastPathComponent().appending(path: "StoreFixture").path
        var command = [fixture, folder.path] + arguments
        if let injection {
            let call = String(injection.prefix { $0 != ":" })
            command =
                ["/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(injection)"]
                + command
        }
        let variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
        var child = child_process()
        let status = withPointers(to: command) { command in
            withPointers(to: variables.map { "\($0)=\($1)" }) { variables in
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
private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

func withPointers<Result>(
    to strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(&pointers)
}
