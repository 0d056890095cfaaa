import Foundation

/// A text in plain Unicode, each of whose units knows which units of the original it stands for.
struct CleanText {
    /// The text to read.
    ///
    /// No-break and thin spaces are U+00A0 and line ends stay what they are, because rules ask for
    /// them; both are spaces in what is spoken.
    private(set) var units: [UInt16] = []

    /// Where in the original each unit's source begins and ends; both empty when the units stand one for one.
    private(set) var starts: [Int32] = []
    private(set) var ends: [Int32] = []

    private let replacesSpaces: Bool

    /// The text untouched.
    init(as original: [UInt16]) {
        units = original
        replacesSpaces = false
    }

    /// The text with compatibility characters in their plain form and without what cannot be heard.
    ///
    /// Normalization is NFC, and NFKC for ligatures, full-width and half-width forms, mathematical letters, squared and
    /// circled ones; superscripts and fractions stay, because they are read by rules. Of a heap of combining marks on one
    /// letter only the first sixteen are kept.
    init(cleaning original: [UInt16]) {
        replacesSpaces = true
        if original.allSatisfy(Self.isPlain) {
            units = original
            return
        }
        var cleaner = TextCleaner(original)
        cleaner.run()
        units = cleaner.units
        starts = cleaner.starts
        ends = cleaner.ends
    }

    @inline(__always)
    private static func isPlain(_ unit: UInt16) -> Bool {
        switch unit {
        case 0x20...0x7E, 0x0A, 0x09, 0x0D, 0xA1...0xAC, 0xAE...0x2FF, 0x370...0x10FF, 0x2013...0x2018, 0x201A...0x2027:
            true
        case 0x3001...0x3098, 0x309B...0xABFF: true
        case 0xAC00...0xD7A3: true
        default: false
        }
    }

    var isIdentity: Bool { starts.isEmpty }

    /// The original units that `range` of the clean text stands for.
    func source(of range: Range<Int>) -> Range<Int> {
        guard !isIdentity, let first = range.first, let last = range.last else { return range }
        return Int(starts[first])..<Int(ends[last])
    }

    /// Whether the unit stands for exactly one unit of the original.
    func isOneToOne(_ index: Int) -> Bool {
        isIdentity || ends[index] - starts[index] == 1 && (index == 0 || starts[index] != starts[index - 1])
    }

    /// The units as text to be spoken.
    func spoken(_ range: Range<Int>) -> String {
        guard replacesSpaces, units[range].contains(where: { $0 < 0x20 || $0 == 0xA0 }) else {
            return String(decoding: units[range], as: UTF16.self)
        }
        return String(decoding: units[range].map { $0 < 0x20 || $0 == 0xA0 ? 0x20 : $0 }, as: UTF16.self)
    }
}

/// The spoken text for a range of a clean text.
struct Rewrite {
    enum Content {
        case words(String)
        case phonemes(String)
        case silent
    }

    let range: Range<Int>
    let content: Content
    /// Whether it belongs to the word it touches, so that no space is put between.
    var isPartOfWord = false
}

extension CleanText {
    /// Puts the rewritten ranges and the writing between them together.
    ///
    /// The rewrites are in order and do not overlap; the text's first unit stands at `start` in the whole text.
    func assemble(_ rewrites: [Rewrite], at start: Int) -> SpokenText {
        var assembly = Assembly(text: self, start: start)
        var position = 0
        for rewrite in rewrites {
            assembly.write(position..<rewrite.range.lowerBound)
            assembly.append(rewrite)
            position = rewrite.range.upperBound
        }
        assembly.write(position..<units.count)
        return SpokenText(pieces: assembly.pieces)
    }

    private struct Assembly {
        let text: CleanText
        let start: Int
        var pieces: [SpokenText.Piece] = []
        private var endsInWord = false
        private var wantsSpace = false
        private var sourceEnd = 0

        init(text: CleanText, start: Int) {
            self.text = text
            self.start = start
        }

        mutating func append(_ rewrite: Rewrite) {
            switch rewrite.content {
            case .silent:
                if endsInWord { wantsSpace = true }
            case .words(let words):
                let touches =
                    (endsInWord || wantsSpace) && !rewrite.isPartOfWord && !(words.first?.isWhitespace ?? true)
                add(.words(touches ? " " + words : words), rewrite.range)
                endsInWord = true
                wantsSpace = !rewrite.isPartOfWord
            case .phonemes(let phonemes):
                add(.phonemes(phonemes), rewrite.range)
                endsInWord = true
                wantsSpace = false
            }
        }

        /// Writes `range` as it stands, with the words that are not unit for unit in their own pieces.
        mutating func write(_ range: Range<Int>) {
            guard let first = range.first, let last = range.last else { return }
            separate(from: text.units[first])
            defer {
                endsInWord = text.units[last].isLetterOrDigit
                wantsSpace = false
            }
            if text.isIdentity { return add(.written(text.spoken(range)), range) }
            var run = first
            var position = first
            while position < range.upperBound {
                let word = text.wordOrUnit(at: position, in: range)
                let isPlain = text.isUnitForUnit(word)
                if !isPlain || position > run && text.starts[position] != text.ends[position - 1] {
                    if run < position { add(.written(text.spoken(run..<position)), run..<position) }
                    run = position
                }
                position = word.upperBound
                if !isPlain {
                    add(.words(text.spoken(word)), word)
                    run = position
                }
            }
            if run < position { add(.written(text.spoken(run..<position)), run..<position) }
        }

        /// Keeps rewritten words and the letters after them apart.
        private mutating func separate(from next: UInt16) {
            guard wantsSpace, next.isLetterOrDigit, let last = pieces.indices.last else { return }
            if case .words(let words) = pieces[last].content, words.last?.isWhitespace == false {
                pieces[last].content = .words(words + " ")
            }
        }

        private mutating func add(_ content: SpokenText.Piece.Content, _ range: Range<Int>) {
            let source = text.source(of: range)
            let lower = max(source.lowerBound, sourceEnd)
            let upper = max(source.upperBound, lower)
            sourceEnd = upper
            pieces.append(.init(content, source: start + lower..<start + upper))
        }
    }

    /// The word that begins at `position`, or the one unit there that is no part of a word.
    private func wordOrUnit(at position: Int, in range: Range<Int>) -> Range<Int> {
        var end = position
        while end < range.upperBound, units[end].isLetterOrDigit || end > position && units[end] == 0x27 {
            end += 1
        }
        return position..<max(end, position + 1)
    }

    private func isUnitForUnit(_ range: Range<Int>) -> Bool {
        range.allSatisfy { index in
            isOneToOne(index) && (index == range.lowerBound || starts[index] == ends[index - 1])
        }
    }
}
