import EchoText
import Foundation

/// An inbox that keeps a file in a folder of its own as long as it is lent.
package struct TemporaryInbox: VoiceInbox {
    package init() {}

    package func hold<Output: Sendable>(
        named name: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void,
        _ work: (_ path: String) async throws -> Output
    ) async throws -> Output {
        let folder = FileManager.default.temporaryDirectory.appending(path: "echotext-inbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What stays of it the system clears away.
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
