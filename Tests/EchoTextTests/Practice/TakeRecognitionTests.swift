import EchoTextTesting
import Testing

@testable import EchoText

@Suite("Recognition of takes")
struct TakeRecognitionTests {
    private let twister = "Red lorry, yellow lorry, red lorry, yellow lorry, red lorry, yellow lorry."
    private let take = AudioClip(
        samples: (0..<64_000).map { ($0 / 40).isMultiple(of: 2) ? 0.3 : -0.3 },
        sampleRate: RecognitionClip.sampleRate
    )

    private func recognized(where text: String) async throws -> String {
        let recognition = TakeRecognition(with: .scripted(ScriptedRecognizer(saying: [twister])))
        let recognized = try await recognition.recognize(take, of: text, by: ScriptedRecognizer.standard, in: "en")
        await recognition.close()
        return recognized.text
    }

    @Test("believes repetitions that the text has")
    func repetitions() async throws {
        #expect(try await recognized(where: twister) == twister)
    }

    @Test("leaves out repetitions that the text does not have")
    func babble() async throws {
        let text = try await recognized(where: "The keeper sleeps.")
        #expect(text.count < twister.count && !text.isEmpty)
    }
}
