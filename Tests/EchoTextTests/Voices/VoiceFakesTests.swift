import EchoText
import EchoTextTesting
import Foundation
import Testing

/// The fakes keep the contracts of their ports, so that tests with them are valid.
@Suite("Fakes of voices")
struct VoiceFakesTests {
    @Test("the scripted catalogue keeps the contract")
    func catalogue() async throws {
        let catalogue = ScriptedCatalogue(["vits-piper-et_EE-new-medium.tar.bz2", "kokoro.tar.bz2"])
        try await verifyContract(of: catalogue, release: .voices) { catalogue.add("vits-piper-et_EE-more-low.tar.bz2") }
    }

    @Test("the catalogue in memory keeps the contract")
    func memory() async throws {
        let memory = MemoryCatalogue()
        try await verifyContract(of: memory, reopened: memory)
    }

    @Test("the installer in memory keeps the contract")
    func installer() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "echotext-fakes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { _ = try? FileManager.default.removeItem(at: folder) }
        let archive = folder.appending(path: "vits-piper-en_US-lessac-medium.tar.bz2")
        try Data("BZh9".utf8).write(to: archive)
        let entry = try #require(CatalogueEntry(archive: archive.lastPathComponent))
        let voicesFolder = folder.appending(path: "voices").path
        try await verifyContract(of: MemoryInstaller(), in: voicesFolder, with: archive.path, of: entry)
    }

    @Test("the temporary inbox keeps the contract")
    func inbox() async throws { try await verifyContract(of: TemporaryInbox()) }
}
