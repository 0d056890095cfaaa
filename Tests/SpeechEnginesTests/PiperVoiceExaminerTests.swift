import EchoText
import EchoTextTesting
import Foundation
import Testing
import Workers

@testable import SpeechEngines

@Suite("Examiner of Piper voices", .timeLimit(.minutes(10)))
struct PiperVoiceExaminerTests {
    private static func examiner() async throws -> PiperVoiceExaminer {
        let library = try await EspeakLibrary()
        return PiperVoiceExaminer(
            phonemizer: EspeakPhonemizer(library: library, watch: EngineWatch(timeout: .seconds(60))),
            logger: Fixtures.logger
        ) {
            let workers = Fixtures.workers()
            return .init(loader: workers) { await workers.endAll() }
        }
    }

    /// Every way in which a voice can be broken; the one that never returns is left to the watchdog's own tests.
    static let broken: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(Fixtures.folder)/bad")) ?? []).sorted()
        .filter { $0 != "never-returns" }

    @Test func `lets a voice in that speaks`() async throws {
        let examiner = try await Self.examiner()
        try await verifyContract(of: examiner, with: Fixtures.voice, and: "\(Fixtures.folder)/bad/no-model")
        let heard = try await examiner.hear(Fixtures.voice)
        #expect(try heard == examiner.voice(at: Fixtures.voice))
        #expect(heard.id.rawValue == "piper/en_US-fixture-low" && heard.speakers == 2)
    }

    @Test(arguments: broken)
    func `lets nothing in that cannot, and has words for it`(fault: String) async throws {
        let examiner = try await Self.examiner()
        let error = await #expect(throws: (any Error).self) {
            try await examiner.hear("\(Fixtures.folder)/bad/\(fault)")
        }
        #expect(error is any UserFacingError, "\(String(describing: error))")
    }

    @Test func `hears silence, and sees symbols that are another's`() async throws {
        let examiner = try await Self.examiner()
        await #expect(throws: VoiceInstallError.silent) {
            try await examiner.hear("\(Fixtures.folder)/bad/says-silence")
        }
        await #expect(throws: VoiceInstallError.inconsistent(file: "tokens.txt")) {
            try await examiner.hear("\(Fixtures.folder)/bad/tokens-of-another-voice")
        }
    }
}

@Suite("Folders of Piper voices")
struct PiperVoiceFoldersTests {
    private let path = FileManager.default.temporaryDirectory.path + "/echotext-" + UUID().uuidString
    private let id = Voice.ID(rawValue: "piper/en_US-fixture-low")

    private func put(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Fixtures.voice, toPath: "\(path)/\(name)")
    }

    @Test func `tell of voices that come and go`() throws {
        let folders = PiperVoiceFolders(in: path)
        #expect(folders.voices().isEmpty)
        #expect(try folders.voice(id) == nil)
        try put("vits-piper-en_US-fixture-low")
        #expect(folders.voices().map(\.voice.id) == [id])
        #expect(try folders.voice(id)?.voice.speakers == 2)
        try put("vits-piper-en_US-fixture-low-int8")
        #expect(folders.voices().map(\.voice.id.rawValue) == [id.rawValue, "\(id)-int8"])
        try put(".incoming-x")
        #expect(folders.voices().count == 2, "what is hidden is not there yet")
        try FileManager.default.removeItem(atPath: path)
        #expect(folders.voices().isEmpty)
        #expect(try folders.voice(id) == nil)
    }

    @Test func `notice a file that is gone or changed before the voice speaks`() throws {
        let folders = PiperVoiceFolders(in: path)
        let home = "\(path)/vits-piper-en_US-fixture-low"
        try put("vits-piper-en_US-fixture-low")
        let first = try #require(try folders.voice(id))
        let tokens = try Data(contentsOf: URL(filePath: "\(home)/tokens.txt"))
        let size = Int64(tokens.count)
        let receipt = VoiceReceipt(
            entry: nil,
            url: nil,
            archiveBytes: nil,
            sha256: nil,
            installedAt: 0,
            files: ["tokens.txt": size, "espeak-ng-data/phontab": 5]
        )
        try receipt.encoded.write(to: URL(filePath: "\(home)/\(VoiceReceipt.fileName)"))
        try (tokens + Data("\n".utf8)).write(to: URL(filePath: "\(home)/tokens.txt"))
        #expect(throws: VoiceInstallError.altered(id, file: "tokens.txt")) { try folders.voice(id) }
        #expect(folders.voices().isEmpty)
        #expect(folders.faults.map(\.id) == [id])
        #expect(folders.faults.first?.error.code == "voice.altered")
        try FileManager.default.removeItem(atPath: "\(home)/tokens.txt")
        #expect(throws: VoiceFolderError.missingFile("tokens.txt")) { try folders.voice(id) }
        try tokens.write(to: URL(filePath: "\(home)/tokens.txt"))
        let again = try #require(try folders.voice(id))
        #expect(folders.faults.isEmpty && again.stamp != first.stamp)
        try FileManager.default.removeItem(atPath: path)
    }
}
