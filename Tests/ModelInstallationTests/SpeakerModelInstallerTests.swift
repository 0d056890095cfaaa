import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import ModelInstallation

@Suite("Models that tell speakers apart, in the folder of recognizers", .endsInTime)
struct SpeakerModelInstallerTests {
    private static let segmentation = "sherpa-onnx-pyannote-segmentation-fixture"
    private static let source = "\(Fixtures.folder)/models/speakers/\(segmentation)"
    private static let voices = "\(Fixtures.folder)/models/speakers/speakers-fixture.onnx"

    private let folder = TemporaryFolder()

    /// Accepts everything, unless a verdict is given, and records which models it tried together.
    private final class Examiner: RecognizerExaminer, SpeakerModelExaminer {
        private let pairs = Mutex<[String]>([])
        private let verdict: (any Error)?

        init(_ verdict: (any Error)? = nil) {
            self.verdict = verdict
        }

        var tried: [String] { pairs.withLock { $0 } }

        func examine(_ recognizer: LocalRecognizer) async throws {}

        func examine(_ models: SpeakerModels) async throws {
            pairs.withLock { $0.append("\(models.segmentation.name) \(models.embedding.name)") }
            if let verdict { throw verdict }
        }
    }

    private func installer(_ examiner: Examiner = Examiner()) -> FolderRecognizerInstaller {
        FolderRecognizerInstaller(
            in: folder("recognizers"),
            unpacker: LibarchiveUnpacker(),
            examiner: examiner,
            speakers: examiner
        )
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("recognizers"))) ?? []).sorted()
    }

    @Test(arguments: ["\(SpeakerModelInstallerTests.source).tar.bz2", SpeakerModelInstallerTests.source])
    func `come from an archive or a folder and a file, and are tried when both are there`(path: String) async throws {
        let examiner = Examiner()
        let installer = installer(examiner)
        guard case .speakers(let segmentation) = try await installer.add(path, report: { _ in }) else {
            Issue.record("a model that finds who speaks")
            return
        }
        #expect(segmentation.kind == .segmentation && segmentation.name == Self.segmentation)
        #expect(examiner.tried.isEmpty, "one alone cannot be tried")
        guard case .speakers(let voices) = try await installer.add(Self.voices, report: { _ in }) else {
            Issue.record("a model that compares voices")
            return
        }
        #expect(voices.kind == .embedding && voices.id.rawValue == "speakers/speakers-fixture")
        #expect(examiner.tried == ["\(Self.segmentation) speakers-fixture"])
        #expect(names == [Self.segmentation, "speakers-fixture"])
        #expect(await installer.speakerModels().map(\.kind) == [.embedding, .segmentation], "the newest first")
        #expect(await installer.installed().isEmpty, "they are no recognisers")

        _ = try await installer.add(Self.voices) { _ in }
        #expect(names.count == 2, "one that is there is replaced")
        try await installer.remove(voices.id)
        #expect(names == [Self.segmentation])
        await #expect(throws: RecognitionError.noSuchRecognizer(voices.id)) { try await installer.remove(voices.id) }
        #expect(FileManager.default.fileExists(atPath: Self.voices))
    }

    /// A download of a file, as it is before it is installed.
    private func fetched(_ path: String) throws -> FetchedArchive {
        let place = folder("download.partial")
        try FileManager.default.copyItem(atPath: path, toPath: place)
        return FetchedArchive(path: place, bytes: 1, sha256: "ab", url: "https://example.org/a")
    }

    private func entry(_ name: String, _ kind: SpeakerModel.Kind) -> CatalogueEntry {
        CatalogueEntry(id: CatalogueEntry.ID(rawValue: name), kind: .speakers(kind), language: "mul", name: name)
    }

    @Test
    func `of the catalogue are an archive and a file, and keep where they came from`() async throws {
        let installer = installer()
        let parts = [
            (entry(Self.segmentation, .segmentation), "\(Self.source).tar.bz2"),
            (entry("speakers-fixture", .embedding), Self.voices),
        ]
        for (entry, path) in parts {
            let archive = try fetched(path)
            guard case .speakers(let model) = try await installer.install(archive, of: entry, report: { _ in }) else {
                Issue.record("a model that tells speakers apart")
                return
            }
            #expect(entry.kind == .speakers(model.kind) && model.name == entry.id.rawValue)
            #expect(ModelReceipt(at: model.path)?.entry == entry.id)
            #expect(!FileManager.default.fileExists(atPath: archive.path))
        }
        #expect(await Set(installer.speakerModels().map(\.kind)) == Set(SpeakerModel.Kind.allCases))
    }

    @Test
    func `of the catalogue that are something else are refused, and their downloads go`() async throws {
        let archive = try fetched("\(Self.source)/model.onnx")
        await #expect(throws: SpeakerError.badModel("nemo_other")) {
            try await installer().install(archive, of: entry("nemo_other", .embedding)) { _ in }
        }
        #expect(names.isEmpty && !FileManager.default.fileExists(atPath: archive.path))
    }

    @Test
    func `of the catalogue that are of another kind are refused, and nothing of them stays`() async throws {
        let recognizer = "sherpa-onnx-nemo-ctc-fixture-en"
        let archive = try fetched("\(Fixtures.folder)/recognizers/\(recognizer).tar.bz2")
        await #expect(throws: SpeakerError.badModel(recognizer)) {
            try await installer().install(archive, of: entry(recognizer, .segmentation)) { _ in }
        }
        #expect(names.isEmpty && !FileManager.default.fileExists(atPath: archive.path))
        let other = try fetched("\(Self.source).tar.bz2")
        let wanted = CatalogueEntry(
            id: CatalogueEntry.ID(rawValue: Self.segmentation),
            kind: .recognizer(.parakeet),
            language: "en",
            name: "fixture"
        )
        await #expect(throws: RecognitionError.notARecognizer) {
            try await installer().install(other, of: wanted) { _ in }
        }
        #expect(names.isEmpty && !FileManager.default.fileExists(atPath: other.path))
    }

    @Test
    func `that are others, or none, are refused, and nothing of them stays`() async throws {
        let other = folder("compares.onnx")
        try FileManager.default.copyItem(atPath: "\(Self.source)/model.onnx", toPath: other)
        let junk = try folder.write("no model", to: "junk.onnx")
        for (path, name) in [(other, "compares"), (junk, "junk")] {
            await #expect(throws: SpeakerError.badModel(name)) { try await installer().add(path) { _ in } }
        }
        let swapped = "not-a-segmentation"
        try FileManager.default.createDirectory(atPath: folder(swapped), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Self.voices, toPath: folder("\(swapped)/model.onnx"))
        await #expect(throws: SpeakerError.badModel(swapped)) { try await installer().add(folder(swapped)) { _ in } }
        #expect(names.isEmpty)
    }

    @Test
    func `that do not work together are not taken in`() async throws {
        _ = try await installer().add(Self.source) { _ in }
        await #expect(throws: SpeakerError.badModel("both")) {
            try await installer(Examiner(SpeakerError.badModel("both"))).add(Self.voices) { _ in }
        }
        #expect(names == [Self.segmentation])
    }
}
