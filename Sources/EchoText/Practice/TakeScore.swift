/// The score of a take of a segment, compared with the model that the person heard.
package struct TakeScore: Sendable, Hashable, Codable {
    /// Times in the take or the model, in seconds.
    package typealias Time = Range<Double>

    /// The result for a word of the segment.
    package struct Word: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            case said, missed
            /// Another word was spoken instead.
            case different
        }

        package let kind: Kind
        /// Its range in the segment's text, in UTF-16 units.
        package let source: TextRange
        /// The recognized word, if it differs.
        package let heard: String?
        /// When it is said in the take; `nil` when it is not, or the recogniser gives no times.
        package let take: Time?
        package let model: Time?

        package init(kind: Kind, source: TextRange, heard: String?, take: Time?, model: Time?) {
            self.kind = kind
            self.source = source
            self.heard = heard
            self.take = take
            self.model = model
        }
    }

    /// A word that the segment does not have.
    package struct Extra: Sendable, Hashable, Codable {
        package let heard: String
        /// How many of the segment's words come before it.
        package let after: Int
        package let time: Time?

        package init(heard: String, after: Int, time: Time?) {
            self.heard = heard
            self.after = after
            self.time = time
        }
    }

    /// Why there is no score.
    package enum Reason: String, Sendable, Hashable, Codable {
        /// No recogniser on this machine knows the language.
        case noRecognizer
        /// The recogniser failed.
        case failed
    }

    /// A value of the take and of the model.
    package struct Pair<Value: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
        package let take: Value
        package let model: Value

        package init(take: Value, model: Value) {
            (self.take, self.model) = (take, model)
        }
    }

    /// From 0 to 1: the fraction of the words that were spoken, relative to the recognized words if those are more;
    /// `nil` without a recogniser.
    package let score: Double?
    package let reason: Reason?
    /// The words of the segment, in order; none without a recogniser.
    package let words: [Word]
    package let extra: [Extra]
    /// Words per minute; `nil` where there is no speech.
    package let pace: Pair<Double?>
    /// The silences longer than ``SoundPicture/shortestPause``.
    package let pauses: Pair<[Time]>
    package let picture: Pair<SoundPicture>

    package init(
        score: Double?,
        reason: Reason?,
        words: [Word],
        extra: [Extra],
        pace: Pair<Double?>,
        pauses: Pair<[Time]>,
        picture: Pair<SoundPicture>
    ) {
        self.score = score
        self.reason = reason
        self.words = words
        self.extra = extra
        self.pace = pace
        self.pauses = pauses
        self.picture = picture
    }
}

/// Pitch and loudness over time, as they are drawn.
package struct SoundPicture: Sendable, Hashable, Codable {
    /// The shortest silence that counts as a pause, in seconds.
    package static let shortestPause = 0.25

    /// The interval between values, in seconds.
    package let step: Double
    /// In hertz; `nil` where the sound has no pitch.
    package let pitch: [Double?]
    /// In dBFS.
    package let loudness: [Double]

    package init(step: Double, pitch: [Double?], loudness: [Double]) {
        self.step = step
        self.pitch = pitch
        self.loudness = loudness
    }
}
