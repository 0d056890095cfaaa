import Foundation

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
