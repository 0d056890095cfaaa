import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoText

@Suite("Speech check")
struct SpeechCheckTests {
    private let sample = SampleSentences()

    private func check(
        by recognizer: ScriptedRecognizer,
        _ sentences: [TimedSentence],
        samples: [Int16]
    ) async throws -> [SpeechFinding] {
        let session = try await recognizer.open(ScriptedRecognizer.standard.id, RecognitionSettings())
        let check = SpeechCheck(by: session, TextPreparation(language: "en"), lanes: 1) { _, _ in
            throw RecognitionError.cannotStart
        }
        let sound = MemorySound(data: WAVHeader.file(of: samples, sampleRate: 16_000))
        let findings = try await check.check(sentences, in: RecordingReader(of: sound))
        await session.close()
        return findings
    }

    @Test("reports nothing of a narration that is heard as it is written, and hears it once")
    func sound() async throws {
        let recognizer = ScriptedRecognizer(saying: [sample.text.lowercased()])
        #expect(try await check(by: recognizer, sample.sentences, samples: sample.samples).isEmpty)
        #expect(recognizer.requests.count == 1)
    }

    @Test("reports a sentence that is wrong alone too, with its time, number and words")
    func fault() async throws {
        let recognizer = ScriptedRecognizer(saying: ["The keeper sleeps. Waves in. It is night.", "Waves in."])
        let findings = try await check(by: recognizer, sample.sentences, samples: sample.samples)
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.number == 2 && finding.kind == .missing)
        #expect(finding.start == 0.025 && finding.end == 0.04375)
        #expect(finding.text == "Waves come in." && finding.heard == "Waves in.")
        #expect(finding.differences.map(\.written) == ["come"] && finding.differences[0].source == 25..<29)
        #expect(recognizer.requests.count == 2)
    }

    @Test("does not report what is heard rightly alone, or wrongly in another place")
    func mishearing() async throws {
        let together = "The keeper sleeps. Waves in. It is night."
        for alone in ["Waves come in.", "Waves come."] {
            let recognizer = ScriptedRecognizer(saying: [together, alone])
            #expect(try await check(by: recognizer, sample.sentences, samples: sample.samples).isEmpty, "\(alone)")
        }
    }

    @Test("hears a sentence alone without anything of its neighbors, with silence around it")
    func margins() async throws {
        let recognizer = ScriptedRecognizer(saying: ["The keeper sleeps. It is night.", ""])
        _ = try await check(by: recognizer, sample.sentences, samples: sample.samples)
        let alone = try #require(recognizer.requests.last).clip.pcm16
        let still = 4_800
        #expect(alone.prefix(still).allSatisfy { $0 == 0 } && alone.suffix(still).allSatisfy { $0 == 0 })
        #expect(Array(alone.dropFirst(still).dropLast(still)) == Array(sample.samples[300..<800]))
    }

    @Test("hears as many sentences together as 28 seconds hold, and never across a long pause")
    func passages() {
        func sentences(_ times: [Range<Int>]) -> [TimedSentence] {
            times.map { TimedSentence(source: 0..<1, text: "A", samples: $0, words: []) }
        }
        let rate = 10
        #expect(SpeechCheck.passages(of: [], sampleRate: rate).isEmpty)
        let even = sentences([0..<90, 95..<190, 195..<280, 285..<300])
        #expect(SpeechCheck.passages(of: even, sampleRate: rate) == [0..<3, 3..<4])
        let paused = sentences([0..<90, 111..<190, 195..<280])
        #expect(SpeechCheck.passages(of: paused, sampleRate: rate) == [0..<1, 1..<3])
        let long = sentences([0..<900, 901..<910, 911..<920])
        #expect(SpeechCheck.passages(of: long, sampleRate: rate) == [0..<1, 1..<3])
    }

    @Test("cuts a sentence that is too long for a recognizer where it is quietest")
    func longSentence() async throws {
        let rate = 16_000
        var samples = [Int16](repeating: 3_000, count: 40 * rate)
        for index in 22 * rate..<22 * rate + 1_600 { samples[index] = 0 }
        let sentence = TimedSentence(source: 0..<8, text: "Wave on.", samples: samples.indices, words: [])
        let recognizer = ScriptedRecognizer(saying: ["Wave", "on."])
        #expect(try await check(by: recognizer, [sentence], samples: samples).isEmpty)
        let lengths = recognizer.requests.map { $0.clip.seconds }
        #expect(lengths.count == 2 && lengths.allSatisfy { $0 <= RecognitionClip.longest })
        #expect((22.0...22.1).contains(lengths[0]))
    }

    @Test("reports each passage once, and throws what the recognizer throws")
    func progress() async throws {
        let recognizer = ScriptedRecognizer(saying: [sample.text])
        let session = try await recognizer.open(ScriptedRecognizer.standard.id, RecognitionSettings())
        let check = SpeechCheck(by: session, TextPreparation(language: "en"), lanes: 2) { _, _ in
            throw RecognitionError.cannotStart
        }
        let sound = MemorySound(data: WAVHeader.file(of: sample.samples, sampleRate: 16_000))
        let reader = try await RecordingReader(of: sound)
        let reports = Mutex<[Int]>([])
        _ = try await check.check(sample.sentences, in: reader) { progress in
            reports.withLock { $0.append(progress.heard) }
        }
        #expect(reports.withLock { $0 } == [3])
        recognizer.fail(with: RecognitionError.recognizerDied)
        await #expect(throws: RecognitionError.recognizerDied) {
            _ = try await check.check(sample.sentences, in: reader)
        }
    }
}
