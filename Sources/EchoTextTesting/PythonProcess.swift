import CProcess
package import EchoText
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

    /// Asks one of the servers, without the code under test, and blocks until it answers.
    ///
    /// - Parameter address: Of this machine, such as `http://127.0.0.1:8000/plain`.
    /// - Returns: The response.
    /// - Throws: ``Silent``, and errors of the system.
    static func answer(at address: String) throws -> Data {
        let parts = address.dropFirst("http://127.0.0.1:".count).split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let port = UInt16(parts[0]) else {
            throw Silent(description: "\(address) is no address of a server of the tests")
        }
        let connection = try connection(to: port)
        defer { close(connection) }
        let question = Array("GET /\(parts[1]) HTTP/1.0\r\n\r\n".utf8)
        guard send(connection, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let answer = try take(from: connection) { _ in false }
        guard answer.starts(with: Data("HTTP/1.1 200 ".utf8)), let head = answer.range(of: Data("\r\n\r\n".utf8)) else {
            throw Silent(description: "a server of the tests did not answer at \(address)")
        }
        return Data(answer[head.upperBound...])
    }

    private static func connection(to port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let problem = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EIO)
        }
        return descriptor
    }

    /// Reads its first line.
    ///
    /// - Throws: ``Silent``, with its standard error, when there is none.
    func line() throws -> Data {
        let line = try Self.take(from: output) { $0.last == UInt8(ascii: "\n") }
        guard !line.isEmpty else {
            let said = try Self.take(from: errors) { _ in false }
            throw Silent(description: "a program of the tests did not start: \(String(decoding: said, as: UTF8.self))")
        }
        return line
    }

    private static func take(from descriptor: Int32, until isEnough: (Data) -> Bool) throws -> Data {
        let deadline = ContinuousClock.now + limit
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

/// Runs `Tests/Fixtures/archive-server.py`, which serves a folder of archives with the faults of a scenario.
package final class ArchiveServer: Sendable {
    package let ports: Ports
    /// The folder that it serves; archives are in folders named after their releases.
    package let folder = TemporaryFolder()
    private let process: PythonProcess

    package struct Ports: Decodable, Sendable {
        package let http: Int
        package let https: Int?
    }

    /// A request as the server has seen it: headers by name in lower case, and the path as `path`.
    package typealias Seen = [String: String]

    /// - Parameter certificate: The paths of a certificate and its key; with them there is an HTTPS server too.
    /// - Throws: When it does not start.
    package init(certificate: (path: String, key: String)? = nil) throws {
        for name in ["tts-models", "asr-models", "speaker-recongition-models"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        let arguments = [folder.path] + (certificate.map { [$0.path, $0.key] } ?? [])
        process = try PythonProcess(fixture: "archive-server.py", arguments)
        ports = try JSONDecoder().decode(Ports.self, from: try process.line())
    }

    /// Returns a scenario that no other test has: `words` and a unique suffix.
    package static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// The address of a scenario's mirror.
    package func address(_ scenario: String = "plain") -> String { "http://127.0.0.1:\(ports.http)/\(scenario)" }

    /// The requests in a scenario so far.
    package func requests(_ scenario: String = "plain") throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: try PythonProcess.answer(at: address(scenario)))
    }

    /// Resumes the requests that wait at a scenario's gate.
    package func openGate(_ scenario: String) throws { _ = try PythonProcess.answer(at: address("\(scenario)/go")) }
}

/// Runs `Tests/Fixtures/transcription-server.py`, which transcribes with the faults of a scenario.
package final class TranscriptionServer: Sendable {
    package let port: Int
    private let process: PythonProcess

    /// A request as the server has seen it.
    package struct Seen: Decodable, Sendable {
        package let path: String
        /// The fields of the form but the file, each with its values.
        package let fields: [String: [String]]
        /// The size of the file.
        package let bytes: Int
        /// The length of its sound.
        package let seconds: Double
        package let authorization: String?
    }

    /// - Throws: When it does not start.
    package init() throws {
        struct Ports: Decodable { let http: Int }
        process = try PythonProcess(fixture: "transcription-server.py")
        port = try JSONDecoder().decode(Ports.self, from: try process.line()).http
    }

    /// Returns a scenario that no other test has: `words` and a unique suffix.
    package static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// The address of a scenario's service.
    package func address(_ scenario: String) -> String { "http://127.0.0.1:\(port)/\(scenario)" }

    /// The service that answers as `scenario` says.
    package func service(
        _ scenario: String,
        language: String? = nil,
        prompt: String? = nil,
        key: ServiceKey? = nil
    ) throws -> TranscriptionService {
        try TranscriptionService(
            name: try ServiceName("office"),
            address: try ServiceAddress(address(scenario)),
            model: "whisper-1",
            language: language,
            prompt: prompt,
            key: key
        )
    }

    /// The requests in a scenario so far that have come whole.
    package func requests(_ scenario: String) throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: try PythonProcess.answer(at: address(scenario)))
    }

    /// How many requests there were in a scenario, also those that did not come whole.
    package struct Counts: Decodable, Sendable {
        package let begun: Int
        /// How many of them the server has done with: answered, or lost to a closed connection.
        package let ended: Int
    }

    /// The requests in a scenario so far, of which some may be under way.
    package func counts(_ scenario: String) throws -> Counts {
        try JSONDecoder().decode(Counts.self, from: try PythonProcess.answer(at: address("\(scenario)/count")))
    }

    /// Resumes the requests that wait at a scenario's gate.
    package func openGate(_ scenario: String) throws { _ = try PythonProcess.answer(at: address("\(scenario)/go")) }
}
