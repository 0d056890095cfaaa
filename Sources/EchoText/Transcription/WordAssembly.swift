import Foundation

/// A piece of a recogniser's text with the time at which it was said.
package struct RecognizedToken: Sendable, Hashable {
    /// UTF-8, possibly of a part of a character; `▁` counts as a space.
    package var bytes: [UInt8]
    /// In seconds from the start of the clip.
    package var start: Double
    /// In seconds, if the recogniser reports it.
    package var duration: Double?
    /// From 0 to 1, if the recogniser says how likely it is.
    package var probability: Double?

    package init(_ bytes: [UInt8], start: Double, duration: Double? = nil, probability: Double? = nil) {
        (self.bytes, self.start, self.duration, self.probability) = (bytes, start, duration, probability)
    }
}

extension RecognizedSpeech {
    /// The assumed maximum length of a token without a duration, in seconds.
    private static let longestToken = 0.4

    /// Makes speech whose words get their times from their tokens.
    ///
    /// The letters and digits of text and tokens are compared, ignoring white space, punctuation and case; if they
    /// differ, the speech has no times. White space separates words; in scripts without it, such as Chinese and Thai,
    /// each token is a word.
    ///
    /// - Parameters:
    ///   - text: The recognized text; white space at its ends is dropped.
    ///   - tokens: Its tokens in order.
    ///   - seconds: The duration of the clip, which limits the times.
    ///   - language: The language, if the recogniser reports it.
    package init(text: String, tokens: [RecognizedToken], in seconds: Double, language: String? = nil) {
        let text = text.trimmingWhitespace
        let letters = Letter.all(of: text)
        let spoken = [tokens, tokens.filter { !$0.isMark }].lazy.map { (tokens: $0, letters: TokenLetter.all(of: $0)) }
        let aligned = spoken.first { spoken in
            letters.count == spoken.letters.count
                && zip(letters, spoken.letters).allSatisfy { $0.folded == $1.folded }
        }
        guard let aligned, !letters.isEmpty else {
            self.init(text: text, language: language, timing: .none)
            return
        }
        let words = Self.spans(of: letters, from: aligned.letters, in: text).map { span in
            Self.word(span, of: aligned.tokens, in: seconds)
        }
        self.init(text: text, words: words.inOrder(until: seconds), language: language, timing: .tokens)
    }

    /// A word without a time yet: its range in the text, and its first and last token.
    private struct Span {
        var source: TextRange
        var tokens: ClosedRange<Int>
    }

    private static func spans(of letters: [Letter], from tokens: [TokenLetter], in text: String) -> [Span] {
        var spans: [Span] = []
        for (index, letter) in letters.enumerated() {
            let token = tokens[index].token
            let isNew: Bool
            if index == 0 || letters[index - 1].chunk != letter.chunk {
                isNew = true
            } else {
                let isSpaceless = letter.isSpaceless || letters[index - 1].isSpaceless
                isNew = isSpaceless && tokens[index - 1].token != token
            }
            if isNew {
                spans.append(Span(source: letter.source, tokens: token...token))
            } else {
                let last = spans.count - 1
                spans[last].source = spans[last].source.lowerBound..<letter.source.upperBound
                spans[last].tokens = spans[last].tokens.lowerBound...max(token, spans[last].tokens.upperBound)
            }
        }
        return withPunctuation(spans, in: text)
    }

    /// Stretches every word over the signs that follow it without white space, and the first of a chunk over those before it.
    private static func withPunctuation(_ spans: [Span], in text: String) -> [Span] {
        let units = Array(text.utf16)
        let isSpace = units.map { Unicode.Scalar($0)?.properties.isWhitespace == true }
        var spans = spans
        for index in spans.indices {
            let before = index == 0 ? 0 : spans[index - 1].source.upperBound
            let after = index == spans.count - 1 ? units.count : spans[index + 1].source.lowerBound
            var (start, end) = (spans[index].source.lowerBound, spans[index].source.upperBound)
            while start > before, !isSpace[start - 1] { start -= 1 }
            while end < after, !isSpace[end] { end += 1 }
            spans[index].source = start..<end
        }
        return spans
    }

    private static func word(_ span: Span, of tokens: [RecognizedToken], in seconds: Double) -> RecognizedWord {
        let own = tokens[span.tokens]
        let last = span.tokens.upperBound
        let next = last + 1 < tokens.count ? tokens[last + 1].start : seconds
        let lasting = tokens[last].duration.flatMap { $0 > 0 ? $0 : nil }
        let end = tokens[last].start + (lasting ?? min(longestToken, next - tokens[last].start))
        let probabilities = own.compactMap(\.probability)
        return RecognizedWord(
            source: span.source,
            start: tokens[span.tokens.lowerBound].start,
            end: end,
            confidence: probabilities.count == own.count ? probabilities.geometricMean : nil
        )
    }
}

/// A letter or digit of a text.
private struct Letter {
    let folded: String
    /// In UTF-16 units.
    let source: TextRange
    /// Which of the text's pieces between white space it is in.
    let chunk: Int
    let isSpaceless: Bool

    static func all(of text: String) -> [Letter] {
        var letters: [Letter] = []
        var (position, chunk) = (0, 0)
        for scalar in text.unicodeScalars {
            let end = position + UTF16.width(scalar)
            if scalar.properties.isWhitespace { chunk += 1 }
            if let folded = scalar.spoken {
                letters.append(
                    Letter(
                        folded: folded,
                        source: position..<end,
                        chunk: chunk,
                        isSpaceless: scalar.isOfSpacelessScript
                    )
                )
            }
            position = end
        }
        return letters
    }
}

/// A letter or digit of a token.
private struct TokenLetter {
    let folded: String
    /// The first of the tokens that it is made of.
    let token: Int

    static func all(of tokens: [RecognizedToken]) -> [TokenLetter] {
        let bytes = tokens.flatMap(\.bytes)
        let owners = tokens.enumerated().flatMap { Array(repeating: $0, count: $1.bytes.count) }
        var letters: [TokenLetter] = []
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var position = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                if let folded = scalar.spoken { letters.append(TokenLetter(folded: folded, token: owners[position])) }
                position += UTF8.width(scalar)
            // Invalid UTF-8 matches no letter of the text; the comparison continues and fails.
            case .error: position = min(position + 1, max(bytes.count - 1, 0))
            case .emptyInput: return letters
            }
            if position >= bytes.count { return letters }
        }
    }
}

extension RecognizedToken {
    /// Whether it is a special token that is not spoken, such as `<unk>` or `<|en|>`.
    fileprivate var isMark: Bool { bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">") }
}

extension Unicode.Scalar {
    /// A letter or digit in lower case; `nil` for every other character.
    fileprivate var spoken: String? {
        guard properties.isAlphabetic || properties.numericType != nil else { return nil }
        return properties.lowercaseMapping
    }

    /// Whether it is of a script that does not separate words.
    fileprivate var isOfSpacelessScript: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true  // Thai, Lao, Myanmar, Khmer
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF: true  // radicals, kana
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true  // Han
        default: false
        }
    }
}

extension String {
    /// Without white space at its ends.
    package var trimmingWhitespace: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension [Double] {
    /// The mean of probabilities, as far as they are numbers from 0 to 1.
    fileprivate var geometricMean: Double? {
        guard !isEmpty, allSatisfy({ $0 >= 0 && $0 <= 1 }) else { return nil }
        return Swift.min(1, pow(reduce(1, *), 1 / Double(count)))
    }
}

extension [RecognizedWord] {
    /// The words whose times are within the clip and in order.
    fileprivate func inOrder(until seconds: Double) -> [RecognizedWord] {
        var words: [RecognizedWord] = []
        for var word in self {
            let earliest = words.last?.start ?? 0
            word.start = .minimum(.maximum(word.start.isNaN ? earliest : word.start, earliest), seconds)
            word.end = .minimum(.maximum(word.end.isNaN ? word.start : word.end, word.start), seconds)
            if let last = words.last, last.end > word.start { words[words.count - 1].end = word.start }
            words.append(word)
        }
        return words
    }
}
