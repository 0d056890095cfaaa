/// The words that a recogniser returned, normalized for comparison; single characters in scripts without spaces.
struct HeardWords: Sendable {
    /// As ``Swift/String/comparedWord`` has them, none empty.
    let compared: [String]
    private let sources: [TextRange]
    private let units: [UInt16]
    private let places: [WordPlace]

    init(of speech: RecognizedSpeech) {
        units = Array(speech.text.utf16)
        let words = speech.text.practisedWords
        compared = words.map(\.text)
        sources = words.map(\.source)
        places = speech.words.filter { $0.start <= $0.end && !$0.source.isEmpty }
            .map { WordPlace(source: $0.source, time: $0.start..<$0.end) }
    }

    var count: Int { compared.count }

    /// The words in `range` as they were written down, without the punctuation around them.
    func text(of range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        let source = sources[first].lowerBound..<sources[last].upperBound
        let text = String(decoding: units[source], as: UTF16.self)
        let marks = { (character: Character) in String(character).comparedWord.isEmpty }
        return String(text.drop(while: marks).reversed().drop(while: marks).reversed())
    }

    /// When the words in `range` are said; `nil` for none, or without times.
    func time(of range: Range<Int>) -> TakeScore.Time? {
        guard let first = range.first, let last = range.last else { return nil }
        return places.time(of: sources[first].lowerBound..<sources[last].upperBound)
    }
}

extension String {
    /// The words that are compared, and where they are written; characters where a script has no spaces between words.
    var practisedWords: [(text: String, source: TextRange)] {
        let units = Array(utf16)
        return spokenWords.flatMap { range -> [(text: String, source: TextRange)] in
            let word = String(decoding: units[range], as: UTF16.self)
            guard word.unicodeScalars.contains(where: \.isOfUnspacedScript) else { return [(word.comparedWord, range)] }
            var start = range.lowerBound
            return word.map { character in
                defer { start += character.utf16.count }
                return (String(character).comparedWord, start..<start + character.utf16.count)
            }
        }
        .filter { !$0.text.isEmpty }
    }
}

extension Unicode.Scalar {
    /// Whether it is Thai, Lao, Tibetan, Burmese or Khmer, which have no spaces between words.
    fileprivate var isOfUnspacedScript: Bool {
        switch value {
        case 0x0E01...0x0E7F, 0x0E80...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF,
            0xAA60...0xAA7F:
            true
        default: false
        }
    }
}
