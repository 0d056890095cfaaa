import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import ModelInstallation

@Suite("Inbox of voices")
struct InboxTests {
    @Test("keeps the contract, and leaves nothing in the folder")
    func contract() async throws {
        let folder = TemporaryFolder()
        try await verifyContract(of: FolderVoiceInbox(in: folder("voices")))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder("voices")).isEmpty)
    }

    @Test("is swept when a program ended over it, and not before")
    func swept() async throws {
        let folder = TemporaryFolder()
        let voicesFolder = folder("voices")
        try await FolderVoiceInbox(in: voicesFolder).hold(named: "a.tar.bz2") {
            try await $0([1])
        } _: { path in
            #expect(Quarantine.sweep(voicesFolder) == 0, "whoever works there holds it")
            #expect(FileManager.default.fileExists(atPath: path))
        }
        try FileManager.default.createDirectory(
            atPath: "\(voicesFolder)/.incoming-left",
            withIntermediateDirectories: true
        )
        try Data([1]).write(to: URL(filePath: "\(voicesFolder)/.incoming-left/a.tar.bz2"))
        #expect(Quarantine.sweep(voicesFolder) == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: voicesFolder).isEmpty)
    }

    @Test("says that there is no place to write to")
    func unwritable() async throws {
        let folder = TemporaryFolder()
        try Data().write(to: URL(filePath: folder("voices")))
        await #expect(throws: ModelInstallError.self) {
            try await FolderVoiceInbox(in: folder("voices")).hold(named: "a") {
                try await $0([1])
            } _: { _ in
            }
        }
    }
}
