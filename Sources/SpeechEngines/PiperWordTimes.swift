import EchoText

/// Determines which symbols of a phrase belong to which of its words.
///
/// A phrase is pronounced as a whole, in which words merge, lose sounds and change them. Each word is also pronounced
/// alone; the edit path of least cost from the words to the phrase gives each word's symbols. If that would take too
/// much time, because a phrase is spelled letter by letter, the words share the phrase by their lengths.
///
/// - SeeAlso: R. A. Wagner, M. J. Fischer, “The String-to-String Correction Problem”, JACM 21 (1974).
struct PiperWordPlaces {
    /// A word's place in the phrase.
    struct Place: Sendable, Hashable {
        var symbols: Range<Int>
        /// Whether both ends are at a space or at a sound that certainly belongs to the word.
        var isCertain: Bool
    }

    /// The limit on the pairs of sounds that are compared: 16 MB, and more than any phrase of words has.
    private static let maximumPairs = 4 << 20

    private let phrase: [Unicode.Scalar]
    /// Indices in ``phrase`` of symbols with a sound of their own, and of spaces.
    private let heard: [Int]

    init(_ phrase: [Unicode.Scalar]) {
        self.phrase = phrase
        heard = phrase.indices.filter { !PiperPhonemes.isSilent(phrase[$0]) || phrase[$0] == " " }
    }

    /// - Parameter words: The symbols of each word pronounced alone, in spoken order.
    /// - Returns: A place for each word, in order and without overlap; `nil` for a word without sound.
    func places(of words: [[Unicode.Scalar]]) -> [Place?] {
        var sounds: [Sound] = []
        for (number, word) in words.enumerated() {
            let own = word.filter { !PiperPhonemes.isSilent($0) || $0 == " " }
            guard !own.isEmpty else { continue }
            if !sounds.isEmpty { sounds.append(Sound(word: nil, symbol: " ")) }
            sounds += own.map { Sound(word: $0 == " " ? nil : number, symbol: $0) }
        }
        let isTooMuch = (heard.count + 1) * (sounds.count + 1) > Self.maximumPairs
        return places(by: isTooMuch ? shares(sounds) : matches(sounds), count: words.count)
    }

    /// The index of a sound, or of the stress mark before it.
    private func withStress(_ index: Int) -> Int {
        var first = index
        while first > 0, ["ˈ", "ˌ"].contains(phrase[first - 1]) { first -= 1 }
        return first
    }

    // MARK: - Alignment

    /// A sound of a word pronounced alone; without a word for a space between words or inside one.
    private struct Sound {
        let word: Int?
        let symbol: Unicode.Scalar
    }

    /// The word that a sound of the phrase belongs to, and whether it matches one of the word's own sounds.
    private struct Match {
        let word: Int
        let isSame: Bool
    }

    /// The cost of replacing a sound with another; a space hardly ever replaces a sound.
    private static func change(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Int32 {
        one == other ? 0 : one == " " || other == " " ? 3 : 1
    }

    /// The word of each of ``heard``, if all sounds are assumed equally long.
    private func shares(_ sounds: [Sound]) -> [Match?] {
        heard.indices.map { place in
            sounds[place * sounds.count / heard.count].word.map { Match(word: $0, isSame: false) }
        }
    }

    /// The word of each of ``heard``.
    private func matches(_ sounds: [Sound]) -> [Match?] {
        let (rows, columns) = (heard.count + 1, sounds.count + 1)
        guard rows > 1, columns > 1 else { return Array(repeating: nil, count: heard.count) }
        var cost = [Int32](repeating: 0, count: rows * columns)
        for column in 1..<columns { cost[column] = Int32(column) }
        for row in 1..<rows {
            cost[row * columns] = Int32(row)
            for column in 1..<columns {
                cost[row * columns + column] = min(
                    cost[(row - 1) * columns + column - 1]
                        + Self.change(phrase[heard[row - 1]], sounds[column - 1].symbol),
                    cost[(row - 1) * columns + column] + 1,
                    cost[row * columns + column - 1] + 1
                )
            }
        }
        var matches = [Match?](repeating: nil, count: heard.count)
        var (row, column) = (rows - 1, columns - 1)
        while row > 0, column > 0 {
            let sound = sounds[column - 1]
            let change = Self.change(phrase[heard[row - 1]], sound.symbol)
            let here = cost[row * columns + column]
            if here == cost[(row - 1) * columns + column - 1] + change {
                matches[row - 1] = sound.word.map { Match(word: $0, isSame: change == 0) }
                (row, column) = (row - 1, column - 1)
            } else if here == cost[(row - 1) * columns + column] + 1 {
                row -= 1
            } else {
                column -= 1
            }
        }
        return matches
    }

    private func places(by matches: [Match?], count: Int) -> [Place?] {
        var first = [Int?](repeating: nil, count: count)
        var last = [Int?](repeating: nil, count: count)
        for (index, match) in matches.enumerated() {
            guard let match else { continue }
            first[match.word] = first[match.word] ?? index
            last[match.word] = index
        }
        var places = [Place?](repeating: nil, count: count)
        var end = 0
        for word in 0..<count {
            guard let first = first[word], let last = last[word] else { continue }
            let begin = max(end, withStress(heard[first]))
            end = heard[last] + 1
            let isCertain = isEdge(before: first, matches) && isEdge(before: last + 1, matches)
            places[word] = Place(symbols: begin..<max(begin, end), isCertain: isCertain)
        }
        return places
    }

    /// Whether a word certainly begins at `index` of ``heard``: at an end of the phrase, at a space, or between two
    /// sounds that each match their own word.
    private func isEdge(before index: Int, _ matches: [Match?]) -> Bool {
        guard index > 0, index < heard.count else { return true }
        if phrase[heard[index]] == " " || phrase[heard[index - 1]] == " " { return true }
        return matches[index]?.isSame == true && matches[index - 1]?.isSame == true
    }
}

/// Gives the words of one request their times, and splits its sound, as it arrives, into fragments with whole words.
struct PiperWordTimes {
    private let sampleRate: Int
    private let marks: [TimedWord]
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
            return TimedWord(
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
            mark.samples = inside.moved(by: -passed)
            return mark
        }
        let clip = AudioClip(samples: Array(waiting[..<count]), sampleRate: sampleRate)
        waiting.removeFirst(count)
        (next, passed) = (words, end)
        return SpeechFragment(clip: clip, marks: own, continues: continues)
    }
}
