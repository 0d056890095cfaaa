/// Cuts sound that comes piece by piece into clips for a recogniser.
///
/// ```swift
/// for piece in try await segmenter.add(clip) { … }
/// for piece in try await segmenter.finish() { … }
/// ```
package actor ClipSegmenter: Closeable {
    package enum Piece: Sendable {
        case silence(Range<Int>)
        /// A clip with its sound, at ``RecognitionClip/sampleRate``.
        case clip(SpeechClip, AudioClip)
    }

    private let conversion: (any RateConversion)?
    private let detector: any VoiceActivitySession
    private var segmenter: SpeechSegmenter
    /// The sound that may still be needed, and where it begins.
    private var samples: [Float] = []
    private var start = 0

    /// - Parameters:
    ///   - conversion: Converts the sound to ``RecognitionClip/sampleRate``; `nil` if it has that rate.
    ///   - detector: Detects speech.
    ///   - rules: The rules of segmentation.
    package init(
        conversion: (any RateConversion)?,
        detector: any VoiceActivitySession,
        rules: SegmentationRules
    ) {
        self.conversion = conversion
        self.detector = detector
        segmenter = SpeechSegmenter(rules)
    }

    /// Samples that have been added, at ``RecognitionClip/sampleRate``.
    private var end: Int { start + samples.count }

    /// Adds the next piece of sound.
    package func add(_ clip: AudioClip) async throws -> [Piece] {
        try await take(conversion?.convert(clip, isLast: false) ?? clip)
    }

    /// Ends the sound, and returns the rest of it.
    package func finish() async throws -> [Piece] {
        var pieces: [Piece] = []
        if let conversion {
            let empty = AudioClip(samples: [], sampleRate: RecognitionClip.sampleRate)
            pieces = try await take(conversion.convert(empty, isLast: true))
        }
        return pieces + segmenter.finish(samples: end).map(withSound)
    }

    /// Frees the detector; idempotent.
    package func close() async {
        await detector.close()
    }

    private func take(_ clip: AudioClip) async throws -> [Piece] {
        guard !clip.samples.isEmpty else { return [] }
        samples += clip.samples
        var pieces: [Piece] = []
        for window in try await detector.detect(clip) { pieces += segmenter.add(window).map(withSound) }
        let surplus = segmenter.needed - start
        if surplus > 0 {
            samples.removeFirst(min(surplus, samples.count))
            start += surplus
        }
        return pieces
    }

    private func withSound(_ piece: SpeechSegmenter.Piece) -> Piece {
        switch piece {
        case .silence(let range): return .silence(range)
        case .clip(var clip):
            clip.range = clip.range.clamped(to: start..<end)
            let sound = samples[clip.range.lowerBound - start..<clip.range.upperBound - start]
            return .clip(clip, AudioClip(samples: Array(sound), sampleRate: RecognitionClip.sampleRate))
        }
    }
}
