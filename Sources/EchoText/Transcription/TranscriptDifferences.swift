/// The differences between two versions of a transcript, word by word.
///
/// Punctuation is ignored, and so is letter case, unless one version was made from the other: recognizers differ in
/// capitals everywhere, while a person who edits changes them on purpose.
package struct TranscriptDifferences: Sendable, Hashable {
    /// A word of either version.
    package struct Word: Sendable, Hashable {
        /// As it is written, with its punctuation.
        package let text: String
        /// In seconds from the start of the recording.
        package let time: Range<Double>
        /// The number of its segment in its version, from 0.
        package let segment: Int

        package init(text: String, time: Range<Double>, segment: Int) {
            (self.text, self.time, self.segment) = (text, time, segment)
        }
    }

    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case equal
        /// The other version has different words here.
        case replaced
        /// Only the first version has it.
        case missing
        /// Only the second version has it.
        case added
    }

    /// Adjacent words of the same kind.
    package struct Run: Sendable, Hashable {
        package let kind: Kind
        /// Which of ``TranscriptDifferences/first``; empty for added words.
        package let first: Range<Int>
        /// Which of ``TranscriptDifferences/second``; empty for missing words.
        package let second: Range<Int>
    }

    /// The words of the version that is compared.
    package let first: [Word]
    /// The words of the version it is compared with.
    package let second: [Word]
    /// All words of both, in order; adjacent runs are of different kinds.
    package let runs: [Run]

    package init(from first: Transcript, to second: Transcript) {
        let isEdited = first.source.base == second.id || second.source.base == first.id
        self.init(from: Self.words(of: first), to: Self.words(of: second), countingCapitals: isEdited)
    }

    package init(from first: [Word], to second: [Word], countingCapitals: Bool = false) {
        (self.first, self.second) = (first, second)
        let form = { (word: Word) in countingCapitals ? word.text.wordWithoutPunctuation : word.text.comparedWord }
        let pairs = WordMatching.pairs(of: first.map(form), and: second.map(form))
        runs = Self.runs(pairs, first.count, second.count)
    }

    /// How many words of the first version are missing in the second, and vice versa.
    package var changes: (first: Int, second: Int) {
        runs.reduce((0, 0)) { $1.kind == .equal ? $0 : ($0.0 + $1.first.count, $0.1 + $1.second.count) }
    }

    /// The runs, those of equal words cut where a segment of the first version begins, so that none is long.
    package var passages: [Run] {
        runs.flatMap { run -> [Run] in
            guard run.kind == .equal else { return [run] }
            let starts = run.first.dropFirst().filter { first[$0].segment != first[$0 - 1].segment }
            let bounds = [run.first.lowerBound] + starts + [run.first.upperBound]
            return zip(bounds, bounds.dropFirst()).map { from, until in
                let offset = run.second.lowerBound - run.first.lowerBound
                return Run(kind: .equal, first: from..<until, second: from + offset..<until + offset)
            }
        }
    }

    /// The words of `transcript` that have a letter or digit.
    private static func words(of transcript: Transcript) -> [Word] {
        transcript.segments.enumerated().flatMap { index, segment in
            segment.timedWords.compactMap { word in
                let text = segment.text(of: word)
                guard !text.comparedWord.isEmpty else { return nil }
                return Word(text: text, time: word.start..<max(word.start, word.end), segment: index)
            }
        }
    }

    private static func runs(_ pairs: [(left: Int, right: Int)], _ firstCount: Int, _ secondCount: Int) -> [Run] {
        var runs: [Run] = []
        var (one, other) = (0, 0)
        func add(_ kind: Kind, _ first: Range<Int>, _ second: Range<Int>) {
            if let last = runs.last, last.kind == kind {
                let joined = (last.first.lowerBound..<first.upperBound, last.second.lowerBound..<second.upperBound)
                runs[runs.count - 1] = Run(kind: kind, first: joined.0, second: joined.1)
            } else {
                runs.append(Run(kind: kind, first: first, second: second))
            }
        }
        func addGap(to first: Int, _ second: Int) {
            let gap = (one..<first, other..<second)
            if gap.0.isEmpty, gap.1.isEmpty { return }
            add(gap.1.isEmpty ? .missing : gap.0.isEmpty ? .added : .replaced, gap.0, gap.1)
        }
        for pair in pairs {
            addGap(to: pair.left, pair.right)
            add(.equal, pair.left..<pair.left + 1, pair.right..<pair.right + 1)
            (one, other) = (pair.left + 1, pair.right + 1)
        }
        addGap(to: firstCount, secondCount)
        return runs
    }
}

/// A common subsequence of two lists of words.
///
/// It is the longest one for up to ``exactCells`` pairs of words. Longer lists are first divided at runs of words that
/// occur exactly once in both, as patience diff does, so that the time grows little faster than their length.
struct WordMatching {
    /// Up to this many pairs of words are compared each with each.
    static let exactCells = 250_000
    /// How often a list is divided at unique words before it is divided in halves.
    private static let deepest = 16

    private let left: [Int]
    private let right: [Int]
    private var pairs: [(left: Int, right: Int)] = []

    /// The pairs, increasing on both sides.
    static func pairs(of left: [String], and right: [String]) -> [(left: Int, right: Int)] {
        var numbers: [String: Int] = [:]
        func number(_ word: String) -> Int {
            if let number = numbers[word] { return number }
            numbers[word] = numbers.count
            return numbers.count - 1
        }
        var matching = WordMatching(left: left.map(number), right: right.map(number))
        matching.match(left.indices, right.indices, depth: 0)
        return matching.pairs
    }

    private init(left: [Int], right: [Int]) {
        (self.left, self.right) = (left, right)
    }

    private mutating func match(_ leftRange: Range<Int>, _ rightRange: Range<Int>, depth: Int) {
        var (one, other) = (leftRange, rightRange)
        while let first = one.first, let second = other.first, left[first] == right[second] {
            pairs.append((first, second))
            (one, other) = (first + 1..<one.upperBound, second + 1..<other.upperBound)
        }
        var tail = 0
        while tail < one.count, tail < other.count,
            left[one.upperBound - 1 - tail] == right[other.upperBound - 1 - tail]
        {
            tail += 1
        }
        let middle = (one.lowerBound..<one.upperBound - tail, other.lowerBound..<other.upperBound - tail)
        matchMiddle(middle.0, middle.1, depth: depth)
        for index in 0..<tail { pairs.append((middle.0.upperBound + index, middle.1.upperBound + index)) }
    }

    private mutating func matchMiddle(_ one: Range<Int>, _ other: Range<Int>, depth: Int) {
        guard !one.isEmpty, !other.isEmpty else { return }
        guard one.count > Self.exactCells / other.count else { return matchExactly(one, other) }
        var cuts = depth < Self.deepest ? anchors(one, other) : []
        if cuts.isEmpty {
            cuts = [(one.lowerBound + one.count / 2, other.lowerBound + other.count / 2)]
        }
        var (from, start) = (one.lowerBound, other.lowerBound)
        for cut in cuts + [(one.upperBound, other.upperBound)] {
            match(from..<cut.0, start..<cut.1, depth: depth + 1)
            (from, start) = cut
        }
    }

    /// The starts of runs of words that occur exactly once in both ranges, in order.
    private func anchors(_ one: Range<Int>, _ other: Range<Int>) -> [(Int, Int)] {
        for length in [3, 2, 1] {
            let ones = unique(length, in: one, of: left)
            let others = unique(length, in: other, of: right)
            let common = ones.compactMap { run, place in others[run].map { (place, $0) } }.sorted { $0.0 < $1.0 }
            if !common.isEmpty { return Self.increasing(common) }
        }
        return []
    }

    private func unique(_ length: Int, in range: Range<Int>, of words: [Int]) -> [ArraySlice<Int>: Int] {
        var places: [ArraySlice<Int>: Int] = [:]
        guard range.count >= length else { return places }
        for start in range.lowerBound...range.upperBound - length {
            let run = words[start..<start + length]
            places[run] = places[run] == nil ? start : -1
        }
        return places.filter { $0.value >= 0 }
    }

    /// The longest part of `pairs`, which are sorted by their first, that is sorted by its second too.
    private static func increasing(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: pairs.count)
        for (index, pair) in pairs.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : -1
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var chain: [(Int, Int)] = []
        var index = ends.last ?? -1
        while index >= 0 {
            chain.append(pairs[index])
            index = before[index]
        }
        return chain.reversed()
    }

    /// The longest common subsequence by a table of those of all ends.
    private mutating func matchExactly(_ one: Range<Int>, _ other: Range<Int>) {
        let width = other.count + 1
        var longest = [UInt32](repeating: 0, count: (one.count + 1) * width)
        for row in (0..<one.count).reversed() {
            let word = left[one.lowerBound + row]
            for column in (0..<other.count).reversed() {
                let place = row * width + column
                longest[place] =
                    word == right[other.lowerBound + column]
                    ? longest[place + width + 1] + 1 : max(longest[place + width], longest[place + 1])
            }
        }
        var (row, column) = (0, 0)
        while row < one.count, column < other.count {
            let place = row * width + column
            if left[one.lowerBound + row] == right[other.lowerBound + column] {
                pairs.append((one.lowerBound + row, other.lowerBound + column))
                (row, column) = (row + 1, column + 1)
            } else if longest[place + width] >= longest[place + 1] {
                row += 1
            } else {
                column += 1
            }
        }
    }
}
