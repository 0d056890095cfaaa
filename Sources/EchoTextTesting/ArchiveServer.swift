import Foundation
import Testing

/// `Tests/Fixtures/archive-server.py`, in a process of its own, that serves a folder of archives as badly as a scenario says.
package final class ArchiveServer: Sendable {
    package let ports: Ports
    /// The folder that it serves; archives are in `tts-models` and `asr-models`.
    package let folder = TemporaryFolder()
    private let process = Process()
    private let input = Pipe()

    package struct Ports: Decodable, Sendable {
        package let http: Int
        package let https: Int?
    }

    /// A request as the server has seen it: headers by name in lower case, and the path as `path`.
    package typealias Seen = [String: String]

    /// - Parameter certificate: The paths of a certificate and its key; with them there is an HTTPS server too.
    /// - Throws: When it does not start.
    package init(certificate: (path: String, key: String)? = nil) throws {
        for name in ["tts-models", "asr-models"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        let script = URL(filePath: #filePath).appending(path: "../../../Tests/Fixtures/archive-server.py")
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments =
            [script.standardizedFileURL.path, folder.path] + (certificate.map { [$0.path, $0.key] } ?? [])
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
        let output = Pipe()
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the server did not start")
            line += more
        }
        ports = try JSONDecoder().decode(Ports.self, from: line)
    }

    deinit {
        // It ends when its input does.
        _ = try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// A scenario that no other test has: `words`, and one of no meaning.
    package static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// Where a scenario's mirror is.
    package func address(_ scenario: String = "plain") -> String { "http://127.0.0.1:\(ports.http)/\(scenario)" }

    /// What was asked in a scenario so far.
    package func requests(_ scenario: String = "plain") throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: try ask(scenario))
    }

    /// Resumes the requests that wait at a scenario's gate.
    package func openGate(_ scenario: String) throws { _ = try ask("\(scenario)/go") }

    /// By a program of its own, so that the tests' own questions do not depend on what is tested.
    private func ask(_ path: String) throws -> Data {
        let asking = Process()
        asking.executableURL = URL(filePath: "/usr/bin/python3")
        asking.arguments = [
            "-c", "import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1]).read())",
            address(path),
        ]
        asking.environment = ["no_proxy": "*"]
        let output = Pipe()
        asking.standardOutput = output
        try asking.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        asking.waitUntilExit()
        return data
    }
}
