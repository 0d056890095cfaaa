import Crypto
import EchoText
import Foundation
import LibraryStore
import Testing

/// A file of C2SP's CCTV vectors: `key: value` lines, an empty line, an age file.
private struct AgeVector {
    let name: String
    private(set) var values: [String: [String]] = [:]
    let file: [UInt8]

    init(contentsOf path: String) throws {
        name = URL(filePath: path).lastPathComponent
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            guard !line.isEmpty, let colon = line.firstRange(of: ": ") else { break }
            values[String(line[..<colon.lowerBound]), default: []].append(String(line[colon.upperBound...]))
        }
        guard values["compressed"] == ["zlib"] else {
            file = Array(rest)
            return
        }
        let inflate =
            "import sys, zlib; b = open(sys.argv[1], 'rb').read(); i = b.index(b'\\n\\n') + 2; "
            + "sys.stdout.buffer.write(zlib.decompress(b[i:]))"
        file = Array(try InstalledProgram.run("/usr/bin/python3", ["-c", inflate, path]))
    }

    /// Whether it concerns binary files for identities, the only ones supported here.
    var isKnown: Bool {
        values.keys.allSatisfy { ["expect", "payload", "identity", "file key", "comment", "compressed"].contains($0) }
    }

    /// The names of the outcomes that are right.
    func outcome() -> (names: Set<String>, released: [UInt8]) {
        do {
            let identities = (values["identity"] ?? []).filter { $0.hasPrefix("AGE-SECRET-KEY-1") }
            let (released, error) = AgeFiles.opened(file, try identities.map { try AgeIdentity($0) })
            return (Self.names(of: error as? AgeError), released)
        } catch {
            return (Self.names(of: error as? AgeError), [])
        }
    }

    private static func names(of error: AgeError?) -> Set<String> {
        switch error {
        case nil: ["success"]
        case .header, .badIdentity: ["header failure"]
        case .noMatch: ["no match"]
        case .headerAltered: ["HMAC failure"]
        case .payload: ["payload failure"]
        case .unsupported: ["success", "no match", "header failure", "HMAC failure", "payload failure"]
        }
    }

    func check() throws {
        let (names, released) = outcome()
        let expected = try #require(values["expect"]?.first)
        #expect(names.contains(expected), "\(name): \(names)")
        guard names.count == 1 else { return #expect(released.isEmpty, "\(name)") }
        // A vector states what a streaming reader may release; this reader releases nothing of an incomplete file.
        guard expected == "success", let payload = values["payload"]?.first else {
            return #expect(released.isEmpty, "\(name) released \(released.count) bytes")
        }
        #expect(SHA256.hash(data: released).map { String(format: "%02x", $0) }.joined() == payload, "\(name)")
    }
}

@Suite struct AgeVectors {
    private static let folder = ProcessInfo.processInfo.environment["ECHOTEXT_AGE_VECTORS"]

    @Test(.enabled(if: folder != nil, "ECHOTEXT_AGE_VECTORS names no folder with C2SP's vectors"))
    func `every vector of C2SP has its outcome`() throws {
        let folder = try #require(Self.folder)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            let vector = try AgeVector(contentsOf: folder + "/" + name)
            if vector.isKnown { try vector.check() }
        }
    }

    /// The same files as text, so that the runner itself is run everywhere.
    @Test func `vectors made here have their outcome`() throws {
        let folder = try ScratchFolder()
        let identity = try AgeIdentity()
        let bytes = AgeFiles.bytes(100_000)
        let file = try AgeFiles.seal(bytes, for: identity)
        func write(_ name: String, _ expect: String, released: Int?, _ file: [UInt8]) throws {
            let hash = released.map { count in
                "payload: " + SHA256.hash(data: bytes[..<count]).map { String(format: "%02x", $0) }.joined() + "\n"
            }
            let head = "expect: \(expect)\n\(hash ?? "")identity: \(try identity.exported())\n\n"
            try folder.write(Array(head.utf8) + file, to: name)
        }
        try write("good", "success", released: 100_000, file)
        try write("cut", "payload failure", released: 65_536, Array(file.dropLast()))
        try write("no-chunk", "payload failure", released: 0, Array(file[..<AgeFiles.start]))
        try write("short-nonce", "header failure", released: nil, Array(file[..<(AgeFiles.start - 1)]))
        try write(
            "hmac",
            "HMAC failure",
            released: nil,
            Array(file[..<130] + [AgeFiles.otherLetter(file[130])] + file[131...])
        )
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try AgeVector(contentsOf: folder(name)).check()
        }
    }
}
