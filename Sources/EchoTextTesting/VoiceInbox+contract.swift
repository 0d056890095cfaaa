package import EchoText
import Foundation
import Testing

/// The error that a test throws in the middle.
private struct CallerError: Error {}

/// Checks every promise ``VoiceInbox`` makes.
///
/// - Parameter inbox: The inbox to check.
/// - Throws: Unexpected errors of the inbox.
package func verifyContract(of inbox: some VoiceInbox) async throws {
    let pieces = [Array("BZh".utf8), [UInt8](repeating: 7, count: 100_000), []]
    let (path, content) = try await inbox.hold(named: "../../mine.tar.bz2") { take in
        for piece in pieces { try await take(piece) }
    } _: { path in
        (path, try Data(contentsOf: URL(filePath: path)))
    }
    let isSame = content == Data(pieces.joined())
    #expect(isSame, "the handed-in file is there")
    #expect(path.hasSuffix("/mine.tar.bz2") && !path.contains(".."), "a name is no path")
    #expect(!FileManager.default.fileExists(atPath: path), "it is gone afterwards")

    for name in ["", ".", "..", "/", "a/", "\u{0}", ".hidden.tar.bz2", String(repeating: "x", count: 5_000)] {
        try await inbox.hold(named: name) {
            try await $0([1])
        } _: { path in
            let file = path.split(separator: "/").last ?? ""
            #expect(!file.hasPrefix(".") && file.utf8.count <= 255, "\(name)")
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
    }
    await #expect(throws: CallerError.self) {
        try await inbox.hold(named: "a") {
            try await $0([1])
        } _: { _ in
            throw CallerError()
        }
    }
    await #expect(throws: CallerError.self) {
        try await inbox.hold(named: "a") { take in
            try await take([1])
            throw CallerError()
        } _: { _ in
            Issue.record("a file that is not whole is lent to nobody")
        }
    }
}
