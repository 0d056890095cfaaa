package import EchoText
import Foundation

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
