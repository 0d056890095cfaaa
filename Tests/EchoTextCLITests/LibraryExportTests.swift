import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("echotext library export", .endsInTime)
struct LibraryExportTests {
    /// A library with three recordings, of which the second has a damaged sound.
    private func damagedLibrary() async throws -> (Library, [String]) {
        let library = MemoryVault().library
        var ids: [AudioItem.ID] = []
        for name: ItemName in ["A", "B", "C"] {
            let order = try RecordingOrder(name: name, sampleRate: 8_000, source: .microphone)
            let session = try await library.recordings.begin(order).id
            let chunk = try RecordingChunk(number: 0, samples: [Int16](repeating: 1, count: 8_000))
            try await library.recordings.append(chunk, to: session)
            ids.append(try await library.recordings.finish(session).id)
        }
        let recordings = try #require(library.audio as? MemoryLibrary)
        await recordings.damageSound(of: ids[1])
        return (library, ids.map(\.rawValue))
    }

    @Test("writes the other recordings where one is damaged, and ends with the exit code of damage")
    func damaged() async throws {
        let (library, ids) = try await damagedLibrary()
        let folder = TemporaryFolder()
        let command = try LibraryExport.parse(ids + ["-o", "\(folder.path)/out"])
        let end = await #expect(throws: ExitCode.self) { try await command.run(in: library) }
        #expect(end?.rawValue == ExitStatus.damaged.rawValue)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out")) == ["A.wav", "C.wav"])
    }

    @Test("writes nothing where a part of a joined file, or the only recording, is damaged")
    func damagedPart() async throws {
        let (library, ids) = try await damagedLibrary()
        let folder = TemporaryFolder()
        for arguments in [ids + ["--join"], [ids[1]]] {
            let command = try LibraryExport.parse(arguments + ["-o", "\(folder.path)/out.wav"])
            await #expect(throws: VaultError.contentDamaged) { try await command.run(in: library) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("so do documents: the others are written where one is damaged, and a single one is refused")
    func damagedDocument() async throws {
        let library = MemoryVault().library
        var ids: [String] = []
        for sample in SampleDocument.all { ids.append(try await library.documents.add(sample.new).id.rawValue) }
        let documents = try #require(library.documents as? MemoryDocuments)
        await documents.damageOriginal(of: Document.ID(rawValue: ids[0]))
        let folder = TemporaryFolder()
        let command = try DocumentsExport.parse(ids + ["-o", "\(folder.path)/out"])
        let end = await #expect(throws: ExitCode.self) { try await command.run(in: library) }
        #expect(end?.rawValue == ExitStatus.damaged.rawValue)
        let written = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out")
        #expect(Set(written) == ["élan.pdf", "Zebra.epub", "apple Pie.md"], "\(written)")
        let single = try DocumentsExport.parse([ids[0], "-o", "\(folder.path)/one.txt"])
        await #expect(throws: VaultError.contentDamaged) { try await single.run(in: library) }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/one.txt"))
    }
}
