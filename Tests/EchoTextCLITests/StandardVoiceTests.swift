import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("The voice that speaks when nobody has chosen")
struct StandardVoiceTests {
    private static let builtIn = Voice.ID(rawValue: "espeak/en-US")

    private let folder = TemporaryFolder()
    private var home: String { folder("vits-piper-en_US-joe-medium") }

    init() throws {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for name in ["en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json", "tokens.txt"] {
            try folder.write("of the voice", to: "vits-piper-en_US-joe-medium/\(name)")
        }
        let receipt = ModelReceipt(files: ModelReceipt.files(in: home))
        try receipt.encoded.write(to: URL(filePath: "\(home)/\(ModelReceipt.fileName)"))
    }

    private func voice(_ more: [String: String] = [:]) -> Voice.ID {
        let settings = Settings(environment: ["ECHOTEXT_VOICES": folder.path].merging(more) { _, new in new })
        return settings.standardVoice
    }

    @Test("is the natural one that set-up brings, where it is whole")
    func naturalOneSet() {
        #expect(voice() == StarterVoice.id)
        #expect(voice(["ECHOTEXT_VOICES": "\(folder.path)/nowhere"]) == Self.builtIn)
    }

    @Test("is the built-in one where the natural one is not wanted")
    func builtOneWhere() {
        #expect(voice(["ECHOTEXT_STARTER_VOICE": "none"]) == Self.builtIn)
        #expect(voice(["ECHOTEXT_STARTER_VOICE": "all"]) == StarterVoice.id)
    }

    @Test(
        "is the built-in one where a file of the natural one is missing or cut short",
        arguments: [
            "en_US-joe-medium.onnx", "en_US-joe-medium.onnx.json", "tokens.txt",
        ]
    )
    func damaged(name: String) throws {
        try folder.write("of", to: "vits-piper-en_US-joe-medium/\(name)")
        #expect(voice() == Self.builtIn)
        try FileManager.default.removeItem(atPath: "\(home)/\(name)")
        #expect(voice() == Self.builtIn)
    }
}
