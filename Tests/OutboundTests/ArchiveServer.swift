import Crypto
import EchoText
import Foundation
import Outbound
import Testing

/// `archive-server.py`, in a process of its own, that serves a folder of archives as badly as a scenario says.
final class ArchiveServer: Sendable {
    let ports: Ports
    /// What it serves; archives lie in `tts-models` and `asr-models`.
    let folder: TemporaryFolder
    private let process: Process
    private let input: Pipe

    struct Ports: Decodable, Sendable {
        let http: Int
        let https: Int?
    }

    /// A request as the server has seen it: headers by name in lower case, and the path as `path`.
    typealias Seen = [String: String]

    static let voice = sample("vits-piper-en_US-sample-medium")
    static let other = sample("vits-piper-de_DE-other-low")

    /// Starts it; with a certificate, of `localhost` and `mirror.example`, there is an HTTPS server too.
    init(certificate: Certificate? = nil) throws {
        folder = TemporaryFolder()
        for (entry, bytes) in [Self.voice, Self.other] {
            let place = folder("tts-models")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try bytes.write(to: URL(filePath: "\(place)/\(entry.archive)"))
        }
        try Data("text".utf8).write(to: URL(filePath: folder("tts-models/espeak-ng-data.tar.bz2")))
        try FileManager.default.createDirectory(atPath: folder("asr-models"), withIntermediateDirectories: true)
        let script = URL(filePath: #filePath).appending(path: "../../Fixtures/archive-server.py").standardizedFileURL
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [script.path, folder.path] + (certificate.map { [$0.path, $0.key] } ?? [])
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1"]
        input = Pipe()
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

    /// An archive of one megabyte, the same in every run, that is none but for its first bytes.
    private static func sample(_ id: String) -> (entry: CatalogueEntry, bytes: Data) {
        var (bytes, state) = (Data("BZh9".utf8), UInt32(truncatingIfNeeded: id.utf8.count))
        while bytes.count < 1_000_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(state >> 24))
        }
        guard var entry = CatalogueEntry(archive: id + ".tar.bz2") else { preconditionFailure("\(id) is no voice") }
        entry.archiveBytes = Int64(bytes.count)
        entry.sha256 = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        return (entry, bytes)
    }

    /// A scenario that no other test has: `words`, and one of no meaning.
    static func scenario(_ words: String) -> String { "\(words),\(UUID().uuidString.prefix(8))" }

    /// Where a scenario's mirror is.
    func address(_ scenario: String) -> String { "http://127.0.0.1:\(ports.http)/\(scenario)" }

    /// What was asked in a scenario so far.
    func requests(_ scenario: String) throws -> [Seen] {
        try JSONDecoder().decode([Seen].self, from: try ask(scenario))
    }

    /// Lets go on what waits at a scenario's gate.
    func openGate(_ scenario: String) throws { _ = try ask("\(scenario)/go") }

    /// By hand, so that the tests' own questions do not depend on what is tested.
    private func ask(_ path: String) throws -> Data {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/python3")
        curl.arguments = [
            "-c", "import sys, urllib.request as r; sys.stdout.buffer.write(r.urlopen(sys.argv[1]).read())",
            "http://127.0.0.1:\(ports.http)/\(path)",
        ]
        curl.environment = ["no_proxy": "*"]
        let output = Pipe()
        curl.standardOutput = output
        try curl.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        return data
    }
}

/// A certificate for `localhost` and `mirror.example` that nobody has signed but itself.
final class Certificate: Sendable {
    private let folder = TemporaryFolder()

    var path: String { folder("certificate.pem") }
    var key: String { folder("key.pem") }

    init() throws {
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/openssl")
        openssl.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=EchoText tests", "-addext", "subjectAltName=DNS:localhost,DNS:mirror.example",
            "-keyout", key, "-out", path,
        ]
        (openssl.standardOutput, openssl.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")
}
