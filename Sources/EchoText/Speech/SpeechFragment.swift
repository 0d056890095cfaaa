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

    package init(clip: AudioClip, marks: [Mark]) {
        self.clip = clip
        self.marks = marks
    }
}

/// How a time was come by.
package enum TimingPrecision: String, Sendable, Hashable, Codable {
    /// The engine said so.
    case exact
    /// Worked out from how long the sounds of the word usually take.
    case estimated
}
