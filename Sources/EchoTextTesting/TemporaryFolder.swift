import EchoText
package import Foundation

/// A private folder for one test, which is removed with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.path + "/echotext-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            preconditionFailure("no folder for a test: \(error)")
        }
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    /// The path of `name` in it.
    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Its content, including hidden files, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// All files and folders in it and below, sorted.
    package var namesBelow: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(filePath: self(name)))
        return self(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    package func data(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: self(name))) }

    package func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }
}

/// Makes a pipe with a name, which is waited at like one that another program made.
package func makeFIFO(at path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// Runs `body` with the path of a FIFO, which is removed afterwards.
package func withFIFO<Output>(_ body: (_ path: String) async throws -> Output) async throws -> Output {
    let folder = TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try makeFIFO(at: folder("fifo"))
    return try await body(folder("fifo"))
}

/// An inbox that stores a file in its own folder while it is in use.
package struct TemporaryInbox: VoiceInbox {
    package init() {}

    package func hold<Output: Sendable>(
        named name: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void,
        _ work: (_ path: String) async throws -> Output
    ) async throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "echotext-inbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The system cleans up what remains.
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let last = name.split(separator: "/").last ?? ""
        let safe = String(
            last.filter { $0.isLetter || $0.isNumber || "-_.".contains($0) }.drop { $0 == "." }.prefix(100)
        )
        let file = folder.appending(path: safe.isEmpty ? "voice" : safe)
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try await fill { try handle.write(contentsOf: $0) }
        try handle.close()
        return try await work(file.path)
    }
}
