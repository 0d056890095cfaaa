import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import EchoTextCLI

@Suite("A transcription at the terminal", .endsInTime)
struct ForegroundQueueTests {
    @Test("says that there is no such recording any more when another program deletes that")
    func deleted() async throws {
        let library = MemoryVault().library
        let rate = RecognitionClip.sampleRate
        let talk = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
        let session = try await library.recordings.begin(talk).id
        let hum = (0..<12 * rate).map { Int16(8_000 * sin(Double($0) / 20)) }
        try await library.recordings.append(RecordingChunk(number: 0, samples: hum), to: session)
        let item = try await library.recordings.finish(session).id
        let recognizer = ScriptedRecognizer { clip, _, _ in
            try await library.audio.delete([item])
            return ScriptedRecognizer.words(in: clip)
        }
        let network = ScriptedNetwork()
        let queue = ForegroundQueue(in: library, with: .scripted(recognizer), network: network, isShown: false)
        let order = TranscriptionOrder(recognizers: [ScriptedRecognizer.standard.id])
        await #expect(throws: LibraryError.itemNotFound) {
            _ = try await queue.run { try await $0.take(order, for: item) }
        }
    }
}
