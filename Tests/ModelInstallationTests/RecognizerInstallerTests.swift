import EchoText
import EchoTextTesting
import Foundation
import ONNXFormat
import Testing

@testable import ModelInstallation

@Suite("Recognizers in a folder", .endsInTime)
struct RecognizerInstallerTests {
    private static let name = "sherpa-onnx-nemo-ctc-fixture-en"
    private static let source = "\(Fixtures.folder)/recognizers/\(name)"
    private static let id = Recognizer.ID(rawValue: "sherpa/nemo-ctc-fixture-en")

    private let folder = TemporaryFolder()

    /// Accepts every recognizer, or none.
    private struct Examiner: RecognizerExaminer, SpeakerModelExaminer {
        var verdict: (any Error)?

        func examine(_ recognizer: LocalRecognizer) async throws {
            if let verdict { throw verdict }
        }

        func examine(_ models: SpeakerModels) async throws {}
    }

    private func installer(_ verdict: (any Error)? = nil) -> FolderRecognizerInstaller {
        FolderRecognizerInstaller(
            in: folder("recognizers"),
            unpacker: LibarchiveUnpacker(),
            examiner: Examiner(verdict: verdict),
            speakers: Examiner()
        )
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("recognizers"))) ?? []).sorted()
    }

    @Test(arguments: ["\(RecognizerInstallerTests.source).tar.bz2", RecognizerInstallerTests.source])
    func `come from an archive and from a folder, which stay as they are`(path: String) async throws {
        let installer = installer()
        guard case .recognizer(let added) = try await installer.add(path, report: { _ in }) else {
            Issue.record("a recogniser")
            return
        }
        #expect(added.recognizer.id == Self.id && added.recognizer.languages == ["en"])
        #expect(names == [Self.name])
        let installed = try #require(await installer.installed().first)
        #expect(installed.recognizer == added && installed.receipt?.entry == nil)
        #expect(installed.receipt?.files.keys.sorted() == ["model.onnx", "tokens.txt"])
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(ModelReceipt(at: Self.source) == nil)

        _ = try await installer.add(path) { _ in }
        #expect(names == [Self.name], "one that is there is replaced")
        try await installer.remove(Self.id)
        #expect(names.isEmpty)
        await #expect(throws: RecognitionError.noSuchRecognizer(Self.id)) { try await installer.remove(Self.id) }
    }

    @Test
    func `that are several in one archive are refused, so that none is left out unsaid`() async throws {
        let all = [Self.name, "\(Self.name)-2"]
        try FileManager.default.createDirectory(atPath: folder("all"), withIntermediateDirectories: false)
        for name in all {
            try FileManager.default.copyItem(atPath: Self.source, toPath: "\(folder("all"))/\(name)")
        }
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/tar")
        tar.arguments = ["-C", folder("all"), "-cf", folder("all.tar")] + all
        try tar.run()
        tar.waitUntilExit()
        try #require(tar.terminationStatus == 0)
        await #expect(throws: ModelInstallError.several(all)) {
            _ = try await installer().add(folder("all.tar")) { _ in }
        }
        #expect(names.allSatisfy { $0.hasPrefix(".") }, "none is there")
    }

    @Test
    func `stay when another one comes that is called the same`() async throws {
        let installer = installer()
        let other = folder(Self.name)
        try FileManager.default.copyItem(atPath: Self.source, toPath: other)
        let model = try #require(FileHandle(forWritingAtPath: "\(other)/model.onnx"))
        _ = try model.seekToEnd()
        try model.write(contentsOf: ONNXMetadata.ending(adding: [(key: "author", value: "somebody")]))
        try model.close()
        _ = try await installer.add(Self.source) { _ in }
        await #expect(throws: ModelInstallError.nameTaken(Self.name)) { _ = try await installer.add(other) { _ in } }
        let isFirst = FileManager.default.contentsEqual(
            atPath: "\(folder("recognizers"))/\(Self.name)/model.onnx",
            andPath: "\(Self.source)/model.onnx"
        )
        #expect(isFirst && names == [Self.name])
        try await installer.remove(Self.id)
        _ = try await installer.add(other) { _ in }
        #expect(names == [Self.name])
    }

    @Test(arguments: ["model.onnx", "tiny-encoder.onnx"])
    func `make room where they are incomplete, as nobody can remove them then`(file: String) async throws {
        let installer = installer()
        let place = "\(folder("recognizers"))/\(Self.name)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data([0]).write(to: URL(filePath: "\(place)/\(file)"))
        #expect(await installer.installed().map(\.folder) == [Self.name])
        await #expect(throws: RecognitionError.noSuchRecognizer(Self.id)) { try await installer.remove(Self.id) }
        _ = try await installer.add(Self.source) { _ in }
        #expect(await installer.installed().map(\.recognizer?.recognizer.id) == [Self.id])
        #expect(names == [Self.name])
    }

    @Test(arguments: ["sherpa-onnx-nemo <b>x y", "sherpa-onnx-nemo-ctc-õ", "sherpa-onnx-nemo,ctc"])
    func `are not installed under a name that is no id`(name: String) async throws {
        try FileManager.default.copyItem(atPath: Self.source, toPath: folder(name))
        await #expect(throws: ModelInstallError.forbidden(.badName, name: name)) {
            _ = try await installer().add(folder(name)) { _ in }
        }
        #expect(names.isEmpty)
    }

    @Test
    func `are not installed with a list of tokens that no recognizer has`() async throws {
        try FileManager.default.copyItem(atPath: Self.source, toPath: folder(Self.name))
        let tokens = try #require(FileHandle(forWritingAtPath: folder("\(Self.name)/tokens.txt")))
        try tokens.truncate(atOffset: 16_000_001)
        try tokens.close()
        await #expect(throws: RecognitionError.badModel("tokens.txt")) {
            _ = try await installer().add(folder(Self.name)) { _ in }
        }
        #expect(names.isEmpty)
    }

    @Test
    func `of the catalogue keep where they came from, and their archives go`() async throws {
        let entry = CatalogueEntry(
            id: CatalogueEntry.ID(rawValue: Self.name),
            kind: .recognizer(.parakeet),
            language: "en",
            name: "fixture"
        )
        let path = folder("archive.tar.bz2")
        try FileManager.default.copyItem(atPath: "\(Self.source).tar.bz2", toPath: path)
        let archive = FetchedArchive(path: path, bytes: 800, sha256: "ab", url: "https://example.org/a")
        await #expect(throws: RecognitionError.cannotStart) {
            try await installer(RecognitionError.cannotStart).install(archive, of: entry) { _ in }
        }
        #expect(FileManager.default.fileExists(atPath: path), "what is not the archive's fault does not cost it")
        let trusting = installer()
        _ = try await trusting.install(archive, of: entry) { _ in }
        #expect(await trusting.installed().first?.receipt?.entry == entry.id)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test
    func `that do not open are not taken in, and nothing of them stays`() async throws {
        await #expect(throws: RecognitionError.badModel("model.onnx")) {
            try await installer(RecognitionError.badModel("model.onnx")).add(Self.source) { _ in }
        }
        #expect(names.isEmpty)
    }

    @Test
    func `other archives and folders are refused`() async throws {
        let installer = installer()
        let text = try folder.write("no archive", to: "text.tar.bz2")
        for path in [text, folder("nowhere"), folder.path] {
            await #expect(throws: RecognitionError.notARecognizer, "\(path)") { try await installer.add(path) { _ in } }
        }
        await #expect(throws: RecognitionError.unsupportedModel("en_US-fixture-low.onnx")) {
            try await installer.add(Fixtures.voice) { _ in }
        }
        #expect(names.isEmpty)
    }

    @Test
    func `whose files have changed are reported`() async throws {
        let installer = installer()
        _ = try await installer.add(Self.source) { _ in }
        try folder.write("other", to: "recognizers/\(Self.name)/tokens.txt")
        let installed = try #require(await installer.installed().first)
        #expect(installed.result == .failure(.missingFile("tokens.txt")))
    }
}
