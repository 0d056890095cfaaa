/// A take split at its words, so that each plays together with the same word of the model.
package struct TakeAlignment: Sendable, Hashable {
    /// A part of the take, and when it plays.
    package struct Piece: Sendable, Hashable {
        /// In seconds of the model.
        package let start: Double
        /// In seconds of the take.
        package let take: Range<Double>
    }

    /// The pieces by time; the whole take is one piece when none of its words is known.
    package let pieces: [Piece]
    /// Whether the words of both are known.
    package let isByWords: Bool

    /// Seconds before a word that belong to it, if there are as many: it sounds before the recognizer's time.
    private static let lead = 0.05
    /// Seconds over which a piece fades in and out.
    private static let fade = 0.01
    /// The part of full scale that each of two sounds has, so that both together are within it.
    private static let share: Float = 0.5

    /// - Parameters:
    ///   - words: The words of the take's score, in order; empty when it has none.
    ///   - seconds: The take's length.
    package init(of words: [TakeScore.Word], seconds: Double) {
        let known = words.compactMap { word -> (take: Double, model: Double)? in
            guard let take = word.take?.lowerBound, let model = word.model?.lowerBound else { return nil }
            let before = max(0, min(Self.lead, take, model))  // as much of both
            return (take - before, model - before)
        }
        isByWords = !known.isEmpty
        guard !known.isEmpty else {
            pieces = [Piece(start: 0, take: 0..<max(0, seconds))]
            return
        }
        pieces = known.indices.map { index in
            let (take, model) = known[index]
            guard index + 1 < known.count else { return Piece(start: model, take: take..<max(take, seconds)) }
            let next = known[index + 1]
            // A drawn-out word ends where the model's next one begins.
            let room = max(0, next.model - model)
            return Piece(start: model, take: take..<min(max(take, next.take), take + room))
        }
    }

    /// Mixes a model and its take in one channel.
    ///
    /// - Parameters:
    ///   - model: The sound of the segment.
    ///   - take: The take that is aligned.
    /// - Returns: Both at once, each at half of its level.
    /// - Precondition: Both have the same sample rate.
    package func mix(_ model: AudioClip, with take: AudioClip) -> AudioClip {
        precondition(model.sampleRate == take.sampleRate, "a take of another rate than its model's")
        let rate = Double(model.sampleRate)
        let fade = max(1, Int(Self.fade * rate))
        var mixed = model.samples.map { Self.share * $0 }
        // Times of a stored score may be beyond both sounds.
        func place(_ seconds: Double, in clip: AudioClip) -> Int {
            Int(min(max(0, seconds * rate), Double(clip.samples.count)).rounded())
        }
        for piece in pieces {
            let start = place(piece.start, in: model)
            let first = place(piece.take.lowerBound, in: take)
            let count = place(piece.take.upperBound, in: take) - first
            guard count > 2 * fade else { continue }
            if mixed.count < start + count {
                mixed += [Float](repeating: 0, count: start + count - mixed.count)
            }
            for index in 0..<count {
                let edge = min(index, count - 1 - index)
                let gain = Self.share * min(1, Float(edge) / Float(fade))
                mixed[start + index] += gain * take.samples[first + index]
            }
        }
        return AudioClip(samples: mixed, sampleRate: model.sampleRate)
    }
}
