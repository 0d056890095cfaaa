/// The differences between two versions of a transcript, word by word.
///
/// Letter case and punctuation are ignored.
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
        self.init(from: Self.words(of: first), to: Self.words(of: second))
    }

    package init(from first: [Word], to second: [Word]) {
        (self.first, self.second) = (first, second)
        let pairs = WordMatching.pairs(of: first.map(\.text.comparedWord), and: second.map(\.text.comparedWord))
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
