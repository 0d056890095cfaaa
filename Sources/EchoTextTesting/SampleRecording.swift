package import EchoText
package import Foundation

/// A short narration with everything known about it.
package struct SampleRecording: Sendable {
    package var name: ItemName
    package var text: String
    package var voice = Self.voice
    package var speed = 1.0
    package var pitch = 1.0
    package var document: DocumentLink?
    /// In seconds.
    package var length = 0.2

    package init(name: ItemName, text: String) {
        self.name = name
        self.text = text
    }

    package static let voice = Voice(
        id: Voice.ID(rawValue: "espeak/en-US"),
        name: "Anna",
        language: "en-US",
        engine: .espeakNG,
        sampleRate: 16_000
    )
    package static let other = Voice(
        id: Voice.ID(rawValue: "piper/bert"),
        name: "Bert",
        language: "de",
        engine: .piper,
        sampleRate: 16_000
    )

    /// Four that differ in everything that is sorted, filtered or searched by.
    package static let all: [SampleRecording] = {
        var all = [
            SampleRecording(name: "Harbour", text: "The lighthouse keeper sleeps. Waves\ncome in."),
            SampleRecording(name: "élan", text: "Naïve people hope."),
            SampleRecording(name: "Zebra", text: "Stripes, 𝄞 and stripes."),
            SampleRecording(name: "apple Pie", text: "Flour\0and butter."),
        ]
        all[1].speed = 1.2
        all[2].pitch = 0.75
        all[2].voice = other
        all[2].length = 0.4
        all[3].document = DocumentLink(id: "cook", part: "Chapter 3")
        all[3].length = 0.3
        return all
    }()

    package var order: NarrationOrder {
        NarrationOrder(name: name, voice: voice, speed: speed, pitch: pitch, document: document)
    }

    /// As many as ``length`` asks for, no two recordings' alike.
    package var samples: [Int16] {
        let seed = text.utf8.reduce(1) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return (0..<Int(length * 16_000)).map { Int16(truncatingIfNeeded: $0 &* seed) }
    }

    /// The text as one sentence, whose first two words take half of the sound and the others the other half.
    package var sentences: [TimedSentence] {
        let words = PlainSegmenter().words(in: text, language: "en")
        let share = samples.count / 4
        let timed = words.enumerated().map { index, word in
            let start = min(index * share / 2, samples.count - 1)
            return TimedWord(
                source: word,
                samples: start..<min(start + share / 2, samples.count),
                precision: index.isMultiple(of: 2) ? .exact : .estimated
            )
        }
        return [TimedSentence(source: 0..<text.utf16.count, text: text, samples: 0..<samples.count, words: timed)]
    }

    /// The whole text as one segment.
    package var segment: NarrationSegment {
        NarrationSegment(sound: .init(samples), sentences: sentences, position: text.utf16.count, nextSentence: 1)
    }

    /// - Parameters:
    ///   - jobs: The store of narrations.
    ///   - seconds: The listening position meanwhile.
    /// - Returns: The recording.
    /// - Throws: What `jobs` throw.
    package func make(in jobs: some NarrationJobs, played seconds: Double = 0) async throws -> AudioItem {
        let job = try await jobs.begin(order, text: text)
        try await jobs.keep(segment, for: job.id)
        if seconds > 0 { try await jobs.save(played: seconds, ofJob: job.id) }
        return try await jobs.finish(job.id)
    }
}

/// Chunks of a recording that tests know by their numbers, no two alike.
package enum SampleChunk {
    /// In hertz.
    package static let sampleRate = 8_000
    /// Two seconds.
    package static let length = 16_000

    package static func samples(_ number: Int) -> [Int16] {
        (0..<length).map { Int16(truncatingIfNeeded: ($0 &+ 1) &* (number &* 31 &+ 7)) }
    }

    /// A file that they could have come from, of several sealed chunks.
    package static let file = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 + $0 / 251) })
}
