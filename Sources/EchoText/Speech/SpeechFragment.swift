/// A piece of speech that an engine has finished, with the times of its words as far as they are known.
package struct SpeechFragment: Sendable, Hashable {
    /// The time of a range of the text.
    package struct Mark: Sendable, Hashable {
        /// The range in the whole text.
        package var source: TextRange
        /// The range of samples, relative to the start of the fragment.
        package var samples: Range<Int>
        package var precision: TimingPrecision

        package init(source: TextRange, samples: Range<Int>, precision: TimingPrecision) {
            self.source = source
            self.samples = samples
            self.precision = precision
        }
    }

    package var clip: AudioClip
    /// In order of time, inside the clip, not overlapping.
    package var marks: [Mark]
    /// Whether the next fragment continues without a break, so that audio effects have to process both together.
    package var continues: Bool

    package init(clip: AudioClip, marks: [Mark], continues: Bool = false) {
        self.clip = clip
        self.marks = marks
        self.continues = continues
    }
}

extension SpeechFragment {
    /// Joins fragments with a common sample rate; `nil` without fragments.
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

    /// The part of the fragment in `range`, in samples; marks outside it become empty at its edge.
    ///
    /// Uniquely referenced samples are not copied.
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

    /// Trims the silence before and after the sound.
    ///
    /// - Parameters:
    ///   - start: Whether leading silence is trimmed.
    ///   - end: Whether trailing silence is trimmed.
    ///   - margin: How much silence remains, in seconds.
    ///   - offset: The number of samples before the fragment since the last break.
    /// - Returns: The trimmed fragment, or the whole one if all of it is silent.
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

/// How a time was determined.
package enum TimingPrecision: String, Sendable, Hashable, Codable {
    /// The engine said so.
    case exact
    /// Worked out from how long the sounds of the word usually take.
    case estimated
}
