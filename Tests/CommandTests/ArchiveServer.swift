import Foundation
import Testing

/// `archive-server.py`, in a process of its own, that serves the fixture voice's archive as badly as a scenario says.
final class ArchiveServer: Sendable {
    /// What it serves; archives lie in `tts-models`.
    let folder = TemporaryFolder()
    private let process = Process()
    private let input = Pipe()
    private let port: Int

    init() throws {
        let place = folder("tts-models")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let archive = (VoiceShelfHome.archive as NSString).lastPathComponent
        try FileManager.default.copyItem(atPath: VoiceShelfHome.archive, toPath: "\(place)/\(archive)")
        let script = URL(filePath: #filePath).appending(path: "../../Fixtures/archive-server.py").standardizedFileURL
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path, folder.path]
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
        port = try JSONDecoder().decode([String: Int].self, from: line)["http"] ?? 0
    }

    deinit {
        // It ends when its input does.
        _ = try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Where a scenario's mirror is.
    func address(_ scenario: String = "plain") -> String { "http://127.0.0.1:\(port)/\(scenario)" }

    /// What was asked for in a scenario so far: headers by name in lower case, and the path as `path`.
    func requests(_ scenario: String = "plain") throws -> [[String: String]] {
        let asking = Process()
        asking.executableURL = URL(filePath: "/usr/bin/python3")
        asking.arguments = [
            "-c", "import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1]).read())",
            address(scenario),
        ]
        asking.environment = ["no_proxy": "*"]
        let output = Pipe()
        asking.standardOutput = output
        try asking.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        asking.waitUntilExit()
        return try JSONDecoder().decode([[String: String]].self, from: data)
    }
}
