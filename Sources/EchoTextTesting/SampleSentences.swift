package import EchoText
import Foundation

/// A narration of three sentences with pauses between them.
package struct SampleSentences: Sendable {
    package let text = "The keeper sleeps. Waves come in. It is night."

    package init() {}

    /// 300 samples each, and 100 of silence after each.
    package var sentences: [TimedSentence] {
        let segmenter = PlainSegmenter()
        let units = Array(text.utf16)
        return [0..<18, 19..<33, 34..<46].enumerated().map { index, source in
            let written = String(decoding: units[source], as: UTF16.self)
            let start = 400 * index
            let words = segmenter.words(in: written, language: "en").enumerated().map { number, word in
                TimedWord(
                    source: source.lowerBound + word.lowerBound..<source.lowerBound + word.upperBound,
                    samples: start + 50 * number..<start + 50 * number + 50,
                    precision: .exact
                )
            }
            return TimedSentence(source: source, text: written, samples: start..<start + 300, words: words)
        }
    }

    package var samples: [Int16] {
        (0..<1_200).map { $0 % 400 < 300 ? Int16($0 % 997 + 1) : 0 }
    }

    /// Another reading of `sentence`, of `count` samples.
    package func spoken(_ sentence: TimedSentence, count: Int) -> SpokenSentence {
        let share = count / max(1, sentence.words.count)
        return SpokenSentence(
            sound: (0..<count).map { Int16(-1 - $0 % 991) },
            words: sentence.words.enumerated().map { index, word in
                TimedWord(source: word.source, samples: share * index..<share * (index + 1), precision: .exact)
            }
        )
    }

    package func make(in jobs: some NarrationJobs) async throws -> AudioItem {
        let order = NarrationOrder(name: "Night", voice: SampleRecording.voice)
        let job = try await jobs.begin(order, text: text)
        let segment = NarrationSegment(
            sound: .init(samples),
            sentences: sentences,
            position: text.utf16.count,
            nextSentence: sentences.count
        )
        try await jobs.keep(segment, for: job.id)
        return try await jobs.finish(job.id)
    }

    /// The sound of a recording.
    package static func samples(of id: AudioItem.ID, in library: some AudioLibrary) async throws -> [Int16] {
        let reader = try await RecordingReader(of: library.sound(of: id))
        var samples: [Int16] = []
        while samples.count < reader.count { samples += try await reader.samples(from: samples.count) }
        return samples
    }
}
