import CProcess
import EchoText
import Foundation

/// A Python process, which is killed with the last reference, and waited for no longer than a minute.
///
/// It inherits no descriptors of the tests except its pipes, so that no test waits for it by mistake.
final class PythonProcess: Sendable {
    struct Silent: Error, CustomStringConvertible {
        let description: String
    }

    private static let limit = Duration.seconds(60)

    private let pid: pid_t
    private let pidfd: Int32
    private let input: Int32
    private let output: Int32
    private let errors: Int32

    /// - Parameter arguments: As for `python3`.
    /// - Throws: An error of the system's when it cannot be started.
    init(_ arguments: [String]) throws {
        let program = "/usr/bin/python3"
        var child = child_process()
        let status = withArrayOfCStrings([program] + arguments) { arguments in
            withArrayOfCStrings(["PYTHONDONTWRITEBYTECODE=1", "no_proxy=*"]) { variables in
                child_spawn(&child, program, arguments, variables, 0)
            }
        }
        guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOEXEC) }
        (pid, pidfd) = (child.pid, child.pidfd)
        (input, output, errors) = (child.input, child.output, child.errors)
    }

    /// A program of `Tests/Fixtures`.
    convenience init(fixture name: String, _ arguments: [String] = []) throws {
        let script = URL(filePath: #filePath).appending(path: "../../../Tests/Fixtures/\(name)")
        try self.init([script.standardizedFileURL.path] + arguments)
    }

    deinit {
        child_kill(pidfd)
        _ = child_wait(pid)
        for descriptor in [pidfd, input, output, errors] { close(descriptor) }
    }

    /// Returns a server's response to another process, so that tests do not depend on the code under test.
    static func answer(at address: String) throws -> Data {
        let question = """
            import sys, urllib.request
            sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1], timeout=50).read())
            """
        let process = try PythonProcess(["-c", question, address])
        return try withExtendedLifetime(process) { try process.all() }
    }

    /// Reads its first line.
    ///
    /// - Throws: ``Silent``, with its standard error, when there is none.
    func line() throws -> Data {
        let line = try take(from: output) { $0.last == UInt8(ascii: "\n") }
        guard !line.isEmpty else {
            let said = try take(from: errors) { _ in false }
            throw Silent(description: "a program of the tests did not start: \(String(decoding: said, as: UTF8.self))")
        }
        return line
    }

    /// All that it writes until it ends.
    func all() throws -> Data { try take(from: output) { _ in false } }

    private func take(from descriptor: Int32, until isEnough: (Data) -> Bool) throws -> Data {
        let deadline = ContinuousClock.now + Self.limit
        var data = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(data) {
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            var end = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&end, 1, Int32(max(0, left))) > 0 else {
                throw Silent(description: "a program of the tests said nothing for a minute")
            }
            let count = read(descriptor, &block, block.count)
            guard count > 0 else { break }
            data.append(contentsOf: block[..<count])
        }
        return data
    }
}
