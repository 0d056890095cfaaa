package import Foundation

/// A segment synthesized at one rate.
package struct SegmentSound: Sendable, Hashable {
    /// 16-bit mono.
    package let samples: [Int16]
    /// In hertz.
    package let sampleRate: Int
    /// The times of its words, in samples from its start; their ranges refer to the segment's text.
    package let words: [TimedWord]

    package init(samples: [Int16], sampleRate: Int, words: [TimedWord]) {
        self.samples = samples
        self.sampleRate = sampleRate
        self.words = words
    }

    /// In seconds.
    package var seconds: Double { Double(samples.count) / Double(sampleRate) }

    /// A whole WAV file.
    package var file: Data { WAVHeader.file(of: samples, sampleRate: sampleRate) }

    /// As numbers from −1 to 1.
    package var clip: AudioClip {
        AudioClip(samples: samples.amplitudes(fullScale: .storedFullScale), sampleRate: sampleRate)
    }
}

/// Synthesizes single segments, in the way of narrations with the same order.
package struct SegmentSpeaking: Sendable {
    private let narrator: Narrator
    private let order: NarrationOrder
    private let lanes: Int

    /// - Parameters:
    ///   - narrator: Makes the narrations.
    ///   - order: The voice, its settings, pauses and dictionary; its speed corresponds to practice rate 0.5.
    ///   - lanes: How many phrases are synthesized at once.
    package init(by narrator: Narrator, as order: NarrationOrder, lanes: Int = 1) {
        self.narrator = narrator
        self.order = order
        self.lanes = lanes
    }

    /// Synthesizes a text without the pause after it; a text without anything to speak becomes a short silence.
    ///
    /// - Parameters:
    ///   - text: The segment's text.
    ///   - rate: From 0.1 to 1; 0.5 is the order's own speed.
    /// - Returns: The sound, with the times of its words.
    /// - Throws: ``SynthesisError``, `CancellationError`.
    package func speak(_ text: String, rate: Double) async throws -> SegmentSound {
        var order = order
        let speed = order.speed * (try Prosody(practiceRate: rate).speed)
        order.speed = min(max(speed, Prosody.speedRange.lowerBound), Prosody.speedRange.upperBound)
        var samples: [Int16] = []
        var words: [TimedWord] = []
        var silence = 0
        do {
            for try await passage in try narrator.narration(of: StringSource(text), as: order, lanes: lanes) {
                guard !passage.isLeftOut else { throw SynthesisError.nothingToSay }
                samples += [Int16](repeating: 0, count: silence)
                samples += passage.clip.pcm16
                silence = passage.silence
                words += passage.words
            }
        } catch SynthesisError.nothingToSay where samples.isEmpty {
            // A row of stars between two paragraphs is a segment, too.
        }
        if samples.isEmpty { samples = [Int16](repeating: 0, count: order.voice.sampleRate / 5) }
        return SegmentSound(samples: samples, sampleRate: order.voice.sampleRate, words: words)
    }
}
