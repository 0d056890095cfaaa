package import EchoText
import Foundation
import Testing

/// `Tests/Fixtures/transcription-server.py`, in a process of its own, that transcribes as badly as a scenario says.
package final class TranscriptionServer: Sendable {
    package let port: Int
    private let process = Process()
    private let input = Pipe()

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
        let script = URL(filePath: #filePath).appending(path: "../../../Tests/Fixtures/transcription-server.py")
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.standardizedFileURL.path]
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
        port = try JSONDecoder().decode(Ports.self, from: line).http
    }

    deinit {
        // It ends when its input does.
        _ = try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// A scenario that no other test has: `words`, and one of no meaning.
    package static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// Where a scenario's service is.
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

    /// What was asked in a scenario so far.
    package func requests(_ scenario: String) throws -> [Seen] {
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
