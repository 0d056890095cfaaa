import API
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

    @Test(
        "says which of several files are written where the disk is full, and which one is not",
        arguments: [true, false]
    )
    func fullDisk(isAnswered: Bool) async throws {
        let full = AudioFileError.diskFull
        var exported = ExportedFiles(ofSeveral: true, isAnswered: isAnswered)
        try await exported.add("out/A.wav") {}
        do {
            try await exported.add("out/B.wav") { throw full }
            Issue.record("the export continues")
        } catch let error as FileFailure {
            #expect(!isAnswered && error.path == "out/B.wav" && error.failure.code == full.failure.code)
        } catch let error as ExitCode {
            #expect(isAnswered && error.rawValue == ExitStatus.inputOutput.rawValue)
            #expect(exported.failures.map(\.file) == ["out/B.wav"])
        }
        #expect(exported.written == ["out/A.wav"])
        var single = ExportedFiles(ofSeveral: false, isAnswered: isAnswered)
        do {
            try await single.add("A.wav") { throw full }
            Issue.record("nothing is thrown")
        } catch AudioFileError.diskFull {
            #expect(single.written.isEmpty && single.failures.isEmpty)
        }
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
        #expect(Set(written) == ["apple Pie.md", "Zebra.epub", "élan.pdf"], "\(written)")
        let single = try DocumentsExport.parse([ids[0], "-o", "\(folder.path)/one.txt"])
        await #expect(throws: VaultError.contentDamaged) { try await single.run(in: library) }
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/one.txt"))
    }
}
