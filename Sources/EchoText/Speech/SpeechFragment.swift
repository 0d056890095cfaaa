/// A stretch of speech an engine has finished, with what is known of when its words are said.
package struct SpeechFragment: Sendable, Hashable {
    /// When one stretch of writing is heard.
    package struct Mark: Sendable, Hashable {
        /// Where it is written, in the whole text.
        package var source: TextRange
        /// From its first sample to the one after its last, counted from the start of the fragment.
        package var samples: Range<Int>
        package var precision: TimingPrecision

        package init(source: TextRange, samples: Range<Int>, precision: TimingPrecision) {
            self.source = source
            self.samples = samples
            self.precision = precision
        }
    }

    package var clip: AudioClip
    /// In the order they are heard, inside the clip, not overlapping.
    package var marks: [Mark]
    /// Whether the next fragment continues the same breath, so that a change of the sound has to process both together.
    package var continues: Bool

    package init(clip: AudioClip, marks: [Mark], continues: Bool = false) {
        self.clip = clip
        self.marks = marks
        self.continues = continues
    }
}

extension SpeechFragment {
    /// Fragments of one sample rate, one after another; `nil` when there are none.
    package init?(joining fragments: [SpeechFragment]) {
        guard let first = fragments.first else { return nil }
        guard fragments.count > 1 else {
            self = first
            continues = false
            return
        }
        var samples: [Float] = []
        samples.reserveCapacity(fragments.reduce(0) { $0 + $1.clip.samples.count })
        var marks: [Mark] = []
        for fragment in fragments {
            let offset = samples.count
            samples += fragment.clip.samples
            marks += fragment.marks.map { mark in
                var mark = mark
                mark.samples = mark.samples.lowerBound + offset..<mark.samples.upperBound + offset
                return mark
            }
        }
        self.init(clip: AudioClip(samples: samples, sampleRate: first.clip.sampleRate), marks: marks)
    }

    /// The part of the fragment in `range`, in samples; marks outside it are left without length at its edge.
    ///
    /// Samples that nobody else holds are not copied.
    package consuming func part(_ range: Range<Int>) -> SpeechFragment {
        let kept = range.clamped(to: 0..<clip.samples.count)
        guard kept.count < clip.samples.count else { return self }
        clip.samples.removeSubrange(kept.upperBound...)
        clip.samples.removeSubrange(..<kept.lowerBound)
        marks = marks.map { mark in
            var mark = mark
            let inside = mark.samples.clamped(to: kept)
            mark.samples = inside.lowerBound - kept.lowerBound..<inside.upperBound - kept.lowerBound
            return mark
        }
        return self
    }

    /// The fragment without the silence before and after its sound.
    ///
    /// - Parameters:
    ///   - start: Whether the silence before goes.
    ///   - end: Whether the silence after goes.
    ///   - margin: How much of it stays, in seconds.
    ///   - offset: Samples of the same breath before the fragment.
    /// - Returns: The whole fragment when all of it is as quiet as silence.
    package consuming func trimmed(
        start: Bool = true,
        end: Bool = true,
        margin: Double,
        offset: Int = 0
    ) -> SpeechFragment {
        let sound = clip.soundRange(offset: offset)
        guard !sound.isEmpty else { return self }
        let margin = Int(margin * Double(clip.sampleRate))
        let first = start ? max(0, sound.lowerBound - margin) : 0
        return part(first..<(end ? min(clip.samples.count, sound.upperBound + margin) : clip.samples.count))
    }
}

/// How a time was come by.
package enum TimingPrecision: String, Sendable, Hashable, Codable {
    /// The engine said so.
    case exact
    /// Worked out from how long the sounds of the word usually take.
    case estimated
}
