import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import VoiceShelf

@Suite("Inbox of voices")
struct InboxTests {
    @Test("keeps the contract, and leaves nothing on the shelf")
    func contract() async throws {
        let folder = TemporaryFolder()
        try await verifyContract(of: FolderVoiceInbox(in: folder("voices")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("voices")).isEmpty)
    }

    @Test("is swept when a program ended over it, and not before")
    func swept() async throws {
        let folder = TemporaryFolder()
        let shelf = folder("voices")
        try await FolderVoiceInbox(in: shelf).hold(named: "a.tar.bz2") {
            try await $0([1])
        } _: { path in
            #expect(Quarantine.sweep(shelf) == 0, "whoever works there holds it")
            #expect(FileManager.default.fileExists(atPath: path))
        }
        try FileManager.default.createDirectory(atPath: "\(shelf)/.incoming-left", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(filePath: "\(shelf)/.incoming-left/a.tar.bz2"))
        #expect(Quarantine.sweep(shelf) == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf).isEmpty)
    }

    @Test("says that there is no place to write to")
    func unwritable() async throws {
        let folder = TemporaryFolder()
        try Data().write(to: URL(filePath: folder("voices")))
        await #expect(throws: VoiceInstallError.self) {
            try await FolderVoiceInbox(in: folder("voices")).hold(named: "a") {
                try await $0([1])
            } _: { _ in
            }
        }
    }
}
