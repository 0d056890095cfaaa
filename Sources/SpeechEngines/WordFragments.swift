import EchoText

/// Splits the sound of one request, as it arrives, into fragments with whole words.
struct WordFragments {
    private let sampleRate: Int
    private let marks: [SpeechFragment.Mark]
    /// The index of the first of ``marks`` that has not been delivered.
    private var next = 0
    /// Samples that have arrived and have not been delivered.
    private var waiting: [Float] = []
    /// The number of samples delivered.
    private var passed = 0

    /// - Parameters:
    ///   - words: The words of the request.
    ///   - times: The start of each symbol and the end of the last, in samples.
    ///   - sampleRate: The sample rate, in hertz.
    init(_ words: [PiperPhonemes.Word], times: [Int], sampleRate: Int) {
        self.sampleRate = sampleRate
        marks = words.compactMap { word in
            guard let place = word.place, place.symbols.upperBound < times.count else { return nil }
            return SpeechFragment.Mark(
                source: word.source,
                samples: times[place.symbols.lowerBound]..<times[place.symbols.upperBound],
                precision: place.isCertain ? .exact : .estimated
            )
        }
    }

    /// Adds the next samples.
    ///
    /// - Returns: The sound up to the first incomplete word.
    mutating func add(_ samples: [Float]) -> SpeechFragment? {
        waiting += samples
        let end = passed + waiting.count
        guard let unfinished = marks[next...].firstIndex(where: { $0.samples.upperBound > end }) else { return nil }
        guard unfinished > next else { return nil }
        // The word's beginning may not have arrived yet either.
        return take(upTo: min(end, marks[unfinished].samples.lowerBound), words: unfinished, continues: true)
    }

    /// The remaining sound, after all samples have arrived; `nil` when there is none.
    mutating func finish() -> SpeechFragment? {
        guard !waiting.isEmpty else { return nil }
        return take(upTo: passed + waiting.count, words: marks.count, continues: false)
    }

    private mutating func take(upTo end: Int, words: Int, continues: Bool) -> SpeechFragment? {
        let count = end - passed
        guard count > 0 else { return nil }
        let own = marks[next..<words].map { mark in
            let inside = mark.samples.clamped(to: passed..<end)
            var mark = mark
            mark.samples = inside.lowerBound - passed..<inside.upperBound - passed
            return mark
        }
        let clip = AudioClip(samples: Array(waiting[..<count]), sampleRate: sampleRate)
        waiting.removeFirst(count)
        (next, passed) = (words, end)
        return SpeechFragment(clip: clip, marks: own, continues: continues)
    }
}
