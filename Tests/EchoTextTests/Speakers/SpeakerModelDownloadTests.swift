import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Downloads of the models that tell speakers apart", .endsInTime)
struct SpeakerModelDownloadTests {
    /// Installs models as empty files.
    private actor Installer: RecognizerInstaller {
        private let folder = TemporaryFolder()
        private var models: [SpeakerModel] = []

        func installed() -> [InstalledRecognizer] { [] }

        func speakerModels() -> [SpeakerModel] { models }

        func install(
            _ archive: FetchedArchive,
            of entry: CatalogueEntry,
            report: @Sendable (InstallPhase) async -> Void
        ) async throws -> AddedModel {
            let name = entry.id.rawValue
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
            try folder.write("", to: "\(name)/\(entry.isPacked ? "model" : name).onnx")
            guard let model = SpeakerModel.find(at: folder(name)) else { throw SpeakerError.badModel(name) }
            models.append(model)
            return .speakers(model)
        }

        func add(_ path: String, report: @Sendable (InstallPhase) async -> Void) async throws -> AddedModel {
            throw RecognitionError.notARecognizer
        }

        func remove(_ id: Recognizer.ID) throws { models.removeAll { $0.id == id } }

        func sweep() -> Int { 0 }
    }

    private func downloads(_ archives: ScriptedArchives = ScriptedArchives()) -> ModelDownloads {
        ModelDownloads(
            .init(
                catalogue: ScriptedCatalogue([]),
                archives: archives,
                installer: MemoryInstaller(),
                memory: MemoryCatalogue(),
                recognizers: Installer()
            ),
            events: StudioEvents()
        )
    }

    @Test("are offered while they are missing")
    func offered() async throws {
        let downloads = downloads()
        let offers = try await downloads.speakerModelOffers()
        #expect(offers.map(\.kind) == [.segmentation, .embedding])
        #expect(offers.allSatisfy { $0.entry.id == $0.kind.recommended && $0.download == .none })
        for offer in offers {
            guard case .speakers(let model) = try await downloads.downloadModel(offer.entry.id) else {
                Issue.record("a model that tells speakers apart")
                return
            }
            #expect(model.kind == offer.kind)
        }
        #expect(try await downloads.speakerModelOffers().isEmpty)
        #expect(try await downloads.recognizerOffers().allSatisfy { $0.entry.release == .recognizers })
    }

    @Test("continue where they were stopped")
    func stopped() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: CatalogueEntry.ID.self)
        let downloads = downloads(
            ScriptedArchives { entry, report in
                await report(TransferProgress(bytes: 50, total: 100))
                begin.yield(entry.id)
                try await untilCancelled()
            }
        )
        let id = SpeakerModel.Kind.embedding.recommended
        try await downloads.start(id)
        for await _ in begun { break }
        await downloads.cancel(id)
        let offers = try await downloads.speakerModelOffers()
        #expect(offers.map(\.download) == [.none, .paused(TransferProgress(bytes: 50, total: 100))])
    }
}
