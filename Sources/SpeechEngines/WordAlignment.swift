/// Finds out which symbols of a phrase belong to which of its words.
///
/// A phrase is pronounced as a whole, in which words run into each other, lose sounds and change them. Beside it each word is pronounced alone;
/// the cheapest way of turning the words into the phrase says what became of each.
///
/// - SeeAlso: R. A. Wagner, M. J. Fischer, “The String-to-String Correction Problem”, JACM 21 (1974).
struct WordAlignment {
    /// A word's place in the phrase.
    struct Place: Sendable, Hashable {
        var symbols: Range<Int>
        /// Whether it begins and ends where a space stands or a sound of its own does.
        var isCertain: Bool
    }

    private let phrase: [Unicode.Scalar]
    /// Places in ``phrase`` of what is heard by itself.
    private let heard: [Int]

    init(_ phrase: [Unicode.Scalar]) {
        self.phrase = phrase
        heard = phrase.indices.filter { !PiperPhonemes.isSilent(phrase[$0]) }
    }

    /// - Parameter words: The symbols of each word by itself, in the order they are said.
    /// - Returns: A place for each word, in their order and not overlapping; `nil` for one of which nothing is heard.
    func places(of words: [[Unicode.Scalar]]) -> [Place?] {
        let sounds = words.map { $0.filter { !PiperPhonemes.isSilent($0) } }
        let spoken = tokens
        // Where each word stands between its own spaces, nothing has to be guessed.
        if spoken.count == words.count, sounds.allSatisfy({ !$0.isEmpty }) {
            return spoken.map { Place(symbols: $0, isCertain: true) }
        }
        return places(by: matches(sounds), count: words.count)
    }

    /// What stands between spaces and is heard, without marks at its ends.
    private var tokens: [Range<Int>] {
        var tokens: [Range<Int>] = []
        var previous: Int?
        for index in heard {
            if let last = tokens.indices.last, let previous, !phrase[previous..<index].contains(" ") {
                tokens[last] = tokens[last].lowerBound..<index + 1
            } else {
                tokens.append(withStress(index)..<index + 1)
            }
            previous = index
        }
        return tokens
    }

    /// The place of a sound, or of the mark of stress that stands before it.
    private func withStress(_ index: Int) -> Int {
        var first = index
        while first > 0, ["ˈ", "ˌ"].contains(phrase[first - 1]) { first -= 1 }
        return first
    }

    // MARK: - Alignment

    /// A sound of the phrase, the word it belongs to, and whether it is one of the word's own.
    private struct Match {
        let word: Int
        let isSame: Bool
    }

    /// What each of ``heard`` belongs to.
    private func matches(_ words: [[Unicode.Scalar]]) -> [Match?] {
        let sounds = words.enumerated().flatMap { word, sounds in sounds.map { (word: word, sound: $0) } }
        let (rows, columns) = (heard.count + 1, sounds.count + 1)
        guard rows > 1, columns > 1 else { return Array(repeating: nil, count: heard.count) }
        var cost = [Int32](repeating: 0, count: rows * columns)
        for column in 1..<columns { cost[column] = Int32(column) }
        for row in 1..<rows {
            cost[row * columns] = Int32(row)
            for column in 1..<columns {
                let change: Int32 = phrase[heard[row - 1]] == sounds[column - 1].sound ? 0 : 1
                cost[row * columns + column] = min(
                    cost[(row - 1) * columns + column - 1] + change,
                    cost[(row - 1) * columns + column] + 1,
                    cost[row * columns + column - 1] + 1
                )
            }
        }
        var matches = [Match?](repeating: nil, count: heard.count)
        var (row, column) = (rows - 1, columns - 1)
        while row > 0, column > 0 {
            let isSame = phrase[heard[row - 1]] == sounds[column - 1].sound
            let here = cost[row * columns + column]
            if here == cost[(row - 1) * columns + column - 1] + (isSame ? 0 : 1) {
                matches[row - 1] = Match(word: sounds[column - 1].word, isSame: isSame)
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
            let isCertain = isEdge(before: first, matches) && isEdge(after: last, matches)
            places[word] = Place(symbols: begin..<max(begin, end), isCertain: isCertain)
        }
        return places
    }

    private func isEdge(before index: Int, _ matches: [Match?]) -> Bool {
        guard index > 0 else { return true }
        if phrase[heard[index - 1]..<heard[index]].contains(" ") { return true }
        return matches[index]?.isSame == true && matches[index - 1]?.isSame == true
    }

    private func isEdge(after index: Int, _ matches: [Match?]) -> Bool {
        index + 1 < heard.count ? isEdge(before: index + 1, matches) : true
    }
}
