import EchoText

/// Makes fragments of the sound of one request as it comes, each with the whole words that are heard in it.
struct WordFragments {
    private let sampleRate: Int
    private let marks: [SpeechFragment.Mark]
    /// The next of ``marks`` that has not been handed on.
    private var next = 0
    /// What has come and not been handed on.
    private var waiting: [Float] = []
    /// How many samples were handed on.
    private var passed = 0

    /// - Parameters:
    ///   - words: What is said.
    ///   - times: Where each symbol begins and the last one ends, in samples.
    ///   - sampleRate: In hertz.
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

    /// Takes the next samples.
    ///
    /// - Returns: What is complete with them: the sound up to the first word that is not whole yet.
    mutating func add(_ samples: [Float]) -> SpeechFragment? {
        waiting += samples
        let end = passed + waiting.count
        guard let unfinished = marks[next...].firstIndex(where: { $0.samples.upperBound > end }) else { return nil }
        guard unfinished > next else { return nil }
        // Its beginning may not have come yet either.
        return take(upTo: min(end, marks[unfinished].samples.lowerBound), words: unfinished, continues: true)
    }

    /// What is left once all samples have come; `nil` when there is nothing.
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
