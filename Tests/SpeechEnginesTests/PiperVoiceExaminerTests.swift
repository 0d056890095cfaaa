import EchoText
import EchoTextTesting
import Foundation
import Testing
import Workers

@testable import SpeechEngines

@Suite("Examiner of Piper voices", .endsInTime)
struct PiperVoiceExaminerTests {
    private static func examiner() -> PiperVoiceExaminer {
        PiperVoiceExaminer(logger: Fixtures.logger) {
            let workers = Fixtures.workers()
            return .init(loader: workers, pronouncer: workers) { await workers.endAll() }
        }
    }

    /// Every way in which a voice can be broken, except one that never returns, which the watchdog's own tests cover.
    static let broken: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(Fixtures.folder)/bad")) ?? []).sorted()
        .filter { $0 != "never-returns" }

    @Test func `lets a voice in that speaks`() async throws {
        let examiner = Self.examiner()
        try await verifyContract(of: examiner, with: Fixtures.voice, and: "\(Fixtures.folder)/bad/no-model")
        let examined = try await examiner.examine(Fixtures.voice)
        #expect(try examined.voice == examiner.voice(at: Fixtures.voice))
        #expect(examined.voice.id.rawValue == "piper/en_US-fixture-low" && examined.voice.speakers == 2)
        #expect(examined.layout == .whole(.durations) || examined.layout == .whole(.decoder))
    }

    @Test(arguments: broken)
    func `lets nothing in that cannot, and has words for it`(fault: String) async throws {
        let examiner = Self.examiner()
        let error = await #expect(throws: (any Error).self) {
            try await examiner.examine("\(Fixtures.folder)/bad/\(fault)")
        }
        #expect(error is any UserFacingError, "\(String(describing: error))")
    }

    @Test func `hears silence, and sees symbols that are another's`() async throws {
        let examiner = Self.examiner()
        await #expect(throws: ModelInstallError.silent) {
            try await examiner.examine("\(Fixtures.folder)/bad/says-silence")
        }
        await #expect(throws: ModelInstallError.inconsistent(file: "tokens.txt")) {
            try await examiner.examine("\(Fixtures.folder)/bad/tokens-of-another-voice")
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

    @Test func `report voices that come and go`() async throws {
        let folders = PiperVoiceFolders(in: path)
        #expect(await folders.voices().isEmpty)
        #expect(try await folders.voice(id) == nil)
        try put("vits-piper-en_US-fixture-low")
        #expect(await folders.voices().map(\.voice.id) == [id])
        #expect(try await folders.voice(id)?.voice.speakers == 2)
        try put("vits-piper-en_US-fixture-low-int8")
        #expect(await folders.voices().map(\.voice.id.rawValue) == [id.rawValue, "\(id)-int8"])
        try put(".incoming-x")
        #expect(await folders.voices().count == 2, "what is hidden is not there yet")
        try FileManager.default.removeItem(atPath: path)
        #expect(await folders.voices().isEmpty)
        #expect(try await folders.voice(id) == nil)
    }

    @Test func `notice a file that is gone or changed before the voice speaks`() async throws {
        let folders = PiperVoiceFolders(in: path)
        let home = "\(path)/vits-piper-en_US-fixture-low"
        try put("vits-piper-en_US-fixture-low")
        let first = try #require(try await folders.voice(id))
        let tokens = try Data(contentsOf: URL(filePath: "\(home)/tokens.txt"))
        let size = Int64(tokens.count)
        let receipt = ModelReceipt(files: ["tokens.txt": size, "espeak-ng-data/phontab": 5])
        try receipt.encoded.write(to: URL(filePath: "\(home)/\(ModelReceipt.fileName)"))
        try (tokens + Data("\n".utf8)).write(to: URL(filePath: "\(home)/tokens.txt"))
        await #expect(throws: ModelInstallError.altered(id, file: "tokens.txt")) { try await folders.voice(id) }
        #expect(await folders.voices().isEmpty)
        #expect(await folders.faults().map(\.id) == [id])
        #expect(await folders.faults().first?.error.code == "voice.altered")
        try FileManager.default.removeItem(atPath: "\(home)/tokens.txt")
        await #expect(throws: VoiceFolderError.missingFile("tokens.txt")) { try await folders.voice(id) }
        try tokens.write(to: URL(filePath: "\(home)/tokens.txt"))
        try FileManager.default.moveItem(atPath: "\(home)/en_US-fixture-low.onnx", toPath: "\(path)/model")
        await #expect(throws: VoiceFolderError.missingFile("en_US-fixture-low.onnx")) { try await folders.voice(id) }
        #expect(await folders.faults().map(\.error.code) == ["voice.missing-file"])
        try FileManager.default.moveItem(atPath: "\(path)/model", toPath: "\(home)/en_US-fixture-low.onnx")
        let again = try #require(try await folders.voice(id))
        #expect(await folders.faults().isEmpty)
        #expect(again.stamp != first.stamp)
        try FileManager.default.removeItem(atPath: path)
    }
}
