/// Scores takes of one segment: words, pace, pauses and pitch, compared with the model.
///
/// ```swift
/// let scoring = TakeScoring(of: segment.text, preparation, model: clip, words: timedWords)
/// let score = scoring.score(of: take, heard: try await session.recognize(take))
/// ```
package struct TakeScoring: Sendable {
    private let comparison: SegmentWords
    private let times: [TakeScore.Time?]
    private let modelSpeech: SpokenStretches
    private let modelPicture: SoundPicture

    /// - Parameters:
    ///   - segment: The segment's text.
    ///   - preparation: The preparation of the text for speech.
    ///   - model: The sound that the person heard.
    ///   - words: The times of the words; their sources are ranges in `segment`, their samples refer to `model`.
    package init(of segment: String, _ preparation: TextPreparation, model: AudioClip, words: [TimedWord]) {
        comparison = SegmentWords(of: segment, preparation)
        let rate = Double(model.sampleRate)
        let timed = words.map {
            WordPlace(
                source: $0.source,
                time: Double($0.samples.lowerBound) / rate..<Double($0.samples.upperBound) / rate
            )
        }
        times = comparison.units.map { timed.time(of: $0.source) }
        modelSpeech = SpokenStretches(in: model)
        modelPicture = SoundPicture(of: model)
    }

    /// Compares a take with the segment and the model.
    ///
    /// - Parameters:
    ///   - take: The recording.
    ///   - heard: The recognized speech.
    /// - Returns: The score; it is 0 where nothing is loud enough to be speech, whatever was recognized.
    package func score(of take: AudioClip, heard: RecognizedSpeech) -> TakeScore {
        let speech = SpokenStretches(in: take)
        let heard = speech.stretches.isEmpty ? RecognizedSpeech(text: "") : heard
        let words = HeardWords(of: heard)
        let comparison = comparison.compare(with: words)
        let scored = zip(comparison.words, times).map { word, model in
            TakeScore.Word(
                kind: word.kind,
                source: word.source,
                heard: word.heard.isEmpty || word.kind == .said ? nil : words.text(of: word.heard),
                take: words.time(of: word.heard),
                model: model
            )
        }
        let extra = comparison.extra.map { extra in
            TakeScore.Extra(
                heard: words.text(of: extra.heard..<extra.heard + 1),
                after: extra.after,
                time: words.time(of: extra.heard..<extra.heard + 1)
            )
        }
        return result(comparison.score, nil, scored, extra, take, speech, words: words.count)
    }

    /// Compares a take without recognized words with the model.
    ///
    /// - Parameters:
    ///   - take: The recording.
    ///   - reason: Why it was not recognized.
    /// - Returns: Its pace, as if every word had been spoken, its pauses and its pitch.
    package func score(of take: AudioClip, without reason: TakeScore.Reason) -> TakeScore {
        result(nil, reason, [], [], take, SpokenStretches(in: take), words: comparison.units.count)
    }

    private func result(
        _ score: Double?,
        _ reason: TakeScore.Reason?,
        _ words: [TakeScore.Word],
        _ extra: [TakeScore.Extra],
        _ take: AudioClip,
        _ speech: SpokenStretches,
        words count: Int
    ) -> TakeScore {
        TakeScore(
            score: score,
            reason: reason,
            words: words,
            extra: extra,
            pace: .init(
                take: Self.pace(count, in: speech),
                model: Self.pace(comparison.units.count, in: modelSpeech)
            ),
            pauses: .init(take: speech.pauses, model: modelSpeech.pauses),
            picture: .init(take: SoundPicture(of: take), model: modelPicture)
        )
    }

    /// Words per minute, from the first sound to the last.
    private static func pace(_ words: Int, in speech: SpokenStretches) -> Double? {
        words > 0 && speech.seconds > 0 ? Double(words) * 60 / speech.seconds : nil
    }
}

/// The range of a word in the text, and its time.
struct WordPlace: Sendable, Hashable {
    let source: TextRange
    let time: TakeScore.Time
}

extension [WordPlace] {
    /// Returns the time of the text at `source`; `nil` when it is not spoken.
    ///
    /// A part of a word gets a proportional part of the word's time.
    func time(of source: TextRange) -> TakeScore.Time? {
        let own = filter { $0.source.overlaps(source) && !$0.time.isEmpty }
        guard let first = own.first, let last = own.last else { return nil }
        let (start, end) = (first.moment(at: source.lowerBound), last.moment(at: source.upperBound))
        return start..<Swift.max(start, end)
    }
}

extension WordPlace {
    fileprivate func moment(at unit: Int) -> Double {
        let share = Double(min(max(unit, source.lowerBound), source.upperBound) - source.lowerBound)
        return time.lowerBound + (time.upperBound - time.lowerBound) * share / Double(source.count)
    }
}
