/// Finds out which symbols of a phrase belong to which of its words.
///
/// A phrase is pronounced as a whole, in which words run into each other, lose sounds and change them. Beside it each word is pronounced alone;
/// the cheapest way of turning the words into the phrase says what became of each. Where that would take too much to find out, since a phrase is
/// read letter by letter and each letter by its name, the words share the phrase by their lengths.
///
/// - SeeAlso: R. A. Wagner, M. J. Fischer, “The String-to-String Correction Problem”, JACM 21 (1974).
struct WordAlignment {
    /// A word's place in the phrase.
    struct Place: Sendable, Hashable {
        var symbols: Range<Int>
        /// Whether it begins and ends where a space stands or a sound of its own does.
        var isCertain: Bool
    }

    /// Most pairs of a phrase's sound and a word's that are compared: 16 MB, and more than any phrase of words has.
    private static let mostPairs = 4 << 20

    private let phrase: [Unicode.Scalar]
    /// Places in ``phrase`` of what is heard by itself, and of the spaces between.
    private let heard: [Int]

    init(_ phrase: [Unicode.Scalar]) {
        self.phrase = phrase
        heard = phrase.indices.filter { !PiperPhonemes.isSilent(phrase[$0]) || phrase[$0] == " " }
    }

    /// - Parameter words: The symbols of each word by itself, in the order they are said.
    /// - Returns: A place for each word, in their order and not overlapping; `nil` for one of which nothing is heard.
    func places(of words: [[Unicode.Scalar]]) -> [Place?] {
        var sounds: [Sound] = []
        for (number, word) in words.enumerated() {
            let own = word.filter { !PiperPhonemes.isSilent($0) || $0 == " " }
            guard !own.isEmpty else { continue }
            if !sounds.isEmpty { sounds.append(Sound(word: nil, symbol: " ")) }
            sounds += own.map { Sound(word: $0 == " " ? nil : number, symbol: $0) }
        }
        let isTooMuch = (heard.count + 1) * (sounds.count + 1) > Self.mostPairs
        return places(by: isTooMuch ? shares(sounds) : matches(sounds), count: words.count)
    }

    /// The place of a sound, or of the mark of stress that stands before it.
    private func withStress(_ index: Int) -> Int {
        var first = index
        while first > 0, ["ˈ", "ˌ"].contains(phrase[first - 1]) { first -= 1 }
        return first
    }

    // MARK: - Alignment

    /// A sound of a word by itself; of no word between two of them, or within one that is said as several.
    private struct Sound {
        let word: Int?
        let symbol: Unicode.Scalar
    }

    /// What a sound of the phrase belongs to, and whether it is one of the word's own.
    private struct Match {
        let word: Int
        let isSame: Bool
    }

    /// What it costs that a sound is another; a space is hardly ever a sound.
    private static func change(_ one: Unicode.Scalar, _ other: Unicode.Scalar) -> Int32 {
        one == other ? 0 : one == " " || other == " " ? 3 : 1
    }

    /// What each of ``heard`` belongs to when every sound is taken to be as long as any other.
    private func shares(_ sounds: [Sound]) -> [Match?] {
        heard.indices.map { place in
            sounds[place * sounds.count / heard.count].word.map { Match(word: $0, isSame: false) }
        }
    }

    /// What each of ``heard`` belongs to.
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

    /// Whether a word begins at `index` of what is heard without doubt: at an end of the phrase, at a space, or between two sounds that are
    /// each their word's own.
    private func isEdge(before index: Int, _ matches: [Match?]) -> Bool {
        guard index > 0, index < heard.count else { return true }
        if phrase[heard[index]] == " " || phrase[heard[index - 1]] == " " { return true }
        return matches[index]?.isSame == true && matches[index - 1]?.isSame == true
    }
}
