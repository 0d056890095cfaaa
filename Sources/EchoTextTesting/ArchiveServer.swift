import Foundation

/// `Tests/Fixtures/archive-server.py`, in a process of its own, that serves a folder of archives as badly as a scenario says.
package final class ArchiveServer: Sendable {
    package let ports: Ports
    /// The folder that it serves; archives are in `tts-models` and `asr-models`.
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
        for name in ["tts-models", "asr-models"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
        }
        let arguments = [folder.path] + (certificate.map { [$0.path, $0.key] } ?? [])
        process = try PythonProcess(fixture: "archive-server.py", arguments)
        ports = try JSONDecoder().decode(Ports.self, from: try process.line())
    }

    /// A scenario that no other test has: `words`, and one of no meaning.
    package static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// Where a scenario's mirror is.
    package func address(_ scenario: String = "plain") -> String { "http://127.0.0.1:\(ports.http)/\(scenario)" }

    /// What was asked in a scenario so far.
    package func requests(_ scenario: String = "plain") throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: try PythonProcess.answer(at: address(scenario)))
    }

    /// Resumes the requests that wait at a scenario's gate.
    package func openGate(_ scenario: String) throws { _ = try PythonProcess.answer(at: address("\(scenario)/go")) }
}
