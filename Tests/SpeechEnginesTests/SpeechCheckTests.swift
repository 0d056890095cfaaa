import EchoText
import EchoTextTesting
import Foundation
import SpeechEngines
import Testing
import Workers

@Suite("Speech check with a real recognizer", .endsInTime)
struct SpeechCheckTests {
    private static let text =
        "And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them."

    @Test(
        "finds a word that has been silenced in human speech, and nothing in what is whole",
        .enabled(if: TestData.whisper != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper")
    )
    func silencedWord() async throws {
        let clip = try TestData.clip("austen-0870.wav")
        let recognizer = try Fixtures.recognizer(of: try #require(TestData.whisper))
        let id = try #require(try await recognizer.recognizers().first).id
        let session = try await recognizer.open(id, RecognitionSettings())
        let recognized = try await session.recognize(clip)
        let units = Array(recognized.text.utf16)
        let word = try #require(
            recognized.words.first { String(decoding: units[$0.source], as: UTF16.self).hasPrefix("prudently") }
        )
        #expect(try await findings(in: clip, by: session).isEmpty)
        var faulty = clip
        let rate = Double(clip.sampleRate)
        for index in Int(word.start * rate)..<Int(word.end * rate) { faulty.samples[index] = 0 }
        let found = try await findings(in: faulty, by: session)
        await session.close()
        #expect(found.count == 1 && found.first?.differences.contains { $0.written.contains("prudently") } == true)
    }

    private func findings(in clip: AudioClip, by session: any RecognitionSession) async throws -> [SpeechFinding] {
        let sentence = TimedSentence(
            source: 0..<Self.text.utf16.count,
            text: Self.text,
            samples: clip.samples.indices,
            words: []
        )
        let check = SpeechCheck(by: session, TextPreparation(language: "en-US"), lanes: 2) { _, _ in
            throw RecognitionError.cannotStart
        }
        let sound = MemorySound(data: WAVHeader.file(of: clip.pcm16, sampleRate: clip.sampleRate))
        return try await check.check([sentence], in: RecordingReader(of: sound))
    }
}
