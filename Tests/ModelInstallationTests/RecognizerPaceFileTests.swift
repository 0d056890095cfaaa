import EchoText
import EchoTextTesting
import Foundation
import ModelInstallation
import Testing

@Suite("The file of the recognizers' pace", .endsInTime)
struct RecognizerPaceFileTests {
    private static let tiny = Recognizer.ID(rawValue: "sherpa/whisper-tiny.en")

    private let folder = TemporaryFolder()

    @Test
    func `keeps what was measured, for this machine's user alone`() async throws {
        let home = folder("recognizers")
        #expect(await RecognizerPaceFile(in: home).paces() == RecognizerPaces())
        await RecognizerPaceFile(in: home).note(Self.tiny, length: 100, took: 20)
        await RecognizerPaceFile(in: home).note(Self.tiny, length: 100, took: 40)
        #expect(await RecognizerPaceFile(in: home).paces().expectation(of: Self.tiny)?.pace == 0.3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [".paces.json"])
        let facts = try FileManager.default.attributesOfItem(atPath: "\(home)/.paces.json")
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(RecognizerFolders(in: home).contents().isEmpty, "it is no recogniser")
    }

    @Test(arguments: ["", "{", "[1]", #"{"records":{"a":1}}"#])
    func `that is damaged counts as missing, and is replaced`(damage: String) async throws {
        try FileManager.default.createDirectory(atPath: folder("recognizers"), withIntermediateDirectories: true)
        try folder.write(damage, to: "recognizers/.paces.json")
        let file = RecognizerPaceFile(in: folder("recognizers"))
        #expect(await file.paces() == RecognizerPaces())
        await file.note(Self.tiny, length: 100, took: 20)
        #expect(await file.paces().expectation(of: Self.tiny)?.isMeasured == true)
    }
}
