import Foundation

/// Determines the times of a clip's words.
struct RecognizedWordTimes: Sendable {
    private static let window = Double(VoiceWindow.samples) / Double(RecognitionClip.sampleRate)
    /// The shortest silence that words are moved out of, in windows; shorter ones are parts of words.
    private static let shortestSilence = 6

    private let length: Double
    /// The ranges with speech, in seconds from the start of the clip.
    private let speech: [Range<Double>]

    /// - Parameters:
    ///   - clip: The clip.
    ///   - gaps: Speech that was not understood, in seconds from the start of the clip; it contains no word.
    init(_ clip: SpeechClip, gaps: [Range<Double>] = []) {
        length = Double(clip.range.count) / Double(RecognitionClip.sampleRate)
        let windows = clip.windows.enumerated().map { place, window in
            let middle = (Double(place) + 0.5) * Self.window
            let isUnderstood = !gaps.contains { $0.contains(middle) }
            return VoiceWindow(isSpeech: window.isSpeech && isUnderstood, level: window.level)
        }
        speech = Self.speech(in: windows, length: length)
    }

    private static func speech(in windows: [VoiceWindow], length: Double) -> [Range<Double>] {
        var runs: [Range<Int>] = []
        for (place, window) in windows.enumerated() where window.isSpeech {
            if let last = runs.last, place - last.upperBound < shortestSilence {
                runs[runs.count - 1] = last.lowerBound..<place + 1
            } else {
                runs.append(place..<place + 1)
            }
        }
        guard !runs.isEmpty else { return [0..<length] }
        return runs.map { run in
            let start = min(length, Double(run.lowerBound) * window)
            return start..<max(start, min(length, Double(run.upperBound) * window))
        }
    }

    /// The speech with a time for every word, from the start of the clip; the first word has the signs before it.
    ///
    /// If the recognizer reports no times, the words are distributed over the speech in proportion to their lengths.
    func timed(_ recognized: RecognizedSpeech) -> RecognizedSpeech {
        let length = recognized.text.utf16.count
        let known = recognized.words.filter { $0.source.lowerBound >= 0 && $0.source.upperBound <= length }
        var timed = recognized
        timed.words = known.isEmpty ? spread(recognized.text.spokenWords) : known.map(snapped)
        if let first = timed.words.first { timed.words[0].source = 0..<first.source.upperBound }
        return timed
    }

    private func spread(_ ranges: [TextRange]) -> [RecognizedWord] {
        let total = Double(ranges.reduce(0) { $0 + $1.count + 1 })
        var done = 0.0
        return ranges.map { range in
            let start = time(at: done / total)
            done += Double(range.count + 1)
            return RecognizedWord(source: range, start: start, end: max(start, time(at: done / total)))
        }
    }

    /// The time at which a share of all speech has been said.
    private func time(at share: Double) -> Double {
        var rest = share * speech.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
        for run in speech {
            let length = run.upperBound - run.lowerBound
            if rest <= length { return run.lowerBound + rest }
            rest -= length
        }
        return speech.last?.upperBound ?? length
    }

    /// Moves a word out of silences that it reaches into; recognizers include pauses in adjacent words.
    private func snapped(_ word: RecognizedWord) -> RecognizedWord {
        var word = word
        // The segment's timing says how exact the times of its words are.
        (word.isEstimated, word.passage) = (false, nil)
        word.start = min(max(0, word.start), length)
        word.end = min(max(word.start, word.end), length)
        // The run that the word shares most time with; else the nearest.
        let run = speech.max { shared($0, word) < shared($1, word) }
        guard let run, shared(run, word) > 0 || word.start == word.end else { return word }
        let start = min(max(word.start, run.lowerBound), run.upperBound)
        word.end = max(start, min(word.end, run.upperBound))
        word.start = start
        return word
    }

    private func shared(_ run: Range<Double>, _ word: RecognizedWord) -> Double {
        min(run.upperBound, word.end) - max(run.lowerBound, word.start)
    }
}

/// A piece of a recognizer's text with the time at which it was said.
package struct RecognizedToken: Sendable, Hashable {
    /// UTF-8, possibly of a part of a character; `▁` counts as a space.
    package var bytes: [UInt8]
    /// In seconds from the start of the clip.
    package var start: Double
    /// In seconds, if the recognizer reports it.
    package var duration: Double?
    /// From 0 to 1, if the recognizer says how likely it is.
    package var probability: Double?
    /// When its passage was said, as in ``RecognizedWord/passage``.
    package var passage: Range<Double>?

    package init(
        _ bytes: [UInt8],
        start: Double,
        duration: Double? = nil,
        probability: Double? = nil,
        passage: Range<Double>? = nil
    ) {
        (self.bytes, self.start, self.duration, self.probability) = (bytes, start, duration, probability)
        self.passage = passage
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
    ///   - language: The language, if the recognizer reports it.
    package init(text: String, tokens: [RecognizedToken], in seconds: Double, language: String? = nil) {
        let text = text.trimmed
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
        let passages = own.compactMap(\.passage)
        return RecognizedWord(
            source: span.source,
            start: tokens[span.tokens.lowerBound].start,
            end: end,
            confidence: probabilities.count == own.count ? probabilities.geometricMean : nil,
            passage: passages.first.map { first in
                first.lowerBound..<max(first.upperBound, passages.last?.upperBound ?? first.upperBound)
            }
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

    /// Whether its script separates no words: Chinese and Japanese, Thai, Lao, Burmese and Khmer.
    fileprivate var isOfSpacelessScript: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF: true
        default: isWrittenWithoutSpaces
        }
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
            word.passage = word.passage?.clamped(to: 0..<seconds)
            if let last = words.last, last.end > word.start { words[words.count - 1].end = word.start }
            words.append(word)
        }
        return words
    }
}

/// The words of a segment, each with a time.
extension TranscriptSegment {
    /// Below this a word counts as uncertain: the recognizer itself finds something else at least as likely.
    package static let uncertainBelow = 0.5

    /// Every word of the text, as ``Swift/String/spokenWords`` finds them, with its time.
    ///
    /// A word gets the time that the recognizer reported for its range. Other words share the time between their
    /// neighbors in proportion to their lengths, and are marked as estimated.
    package var timedWords: [RecognizedWord] {
        var given = words[...]
        let known = text.spokenWords.map { source -> RecognizedWord? in
            while let word = given.first, word.source.upperBound <= source.lowerBound { given.removeFirst() }
            let own = given.prefix { $0.source.lowerBound < source.upperBound }
            guard let first = own.first, let last = own.last else { return nil }
            return RecognizedWord(
                source: source,
                start: first.start,
                end: max(first.start, last.end),
                confidence: own.compactMap(\.confidence).min(),
                isEstimated: !isExact || own.contains(where: \.isEstimated)
            )
        }
        return spread(known)
    }

    /// Whether a recognizer gave the times of its words.
    var isExact: Bool { timing == .words || timing == .tokens }

    /// The letters of `word`.
    package func text(of word: RecognizedWord) -> String {
        String(text.part(word.source.clamped(to: 0..<text.utf16.count)))
    }

    /// Estimates the times of words that have none.
    private func spread(_ known: [RecognizedWord?]) -> [RecognizedWord] {
        let places = text.spokenWords
        var timed: [RecognizedWord] = []
        var index = 0
        while index < known.count {
            if let word = known[index] {
                timed.append(word)
                index += 1
                continue
            }
            let end = known[index...].firstIndex { $0 != nil } ?? known.count
            let from = timed.last?.end ?? time.lowerBound
            let until = end < known.count ? known[end]?.start ?? time.upperBound : time.upperBound
            timed += Self.share(from..<max(from, until), among: places[index..<end])
            index = end
        }
        return timed
    }

    /// The words at `places`, with times proportional to their lengths; the punctuation and gap after each count as one
    /// letter.
    private static func share(_ time: Range<Double>, among places: ArraySlice<TextRange>) -> [RecognizedWord] {
        let whole = Double(places.reduce(0) { $0 + $1.count + 1 })
        let length = time.upperBound - time.lowerBound
        var letters = 0
        return places.map { place in
            let start = time.lowerBound + length * Double(letters) / whole
            letters += place.count + 1
            let end = time.lowerBound + length * Double(letters) / whole
            return RecognizedWord(source: place, start: start, end: end, isEstimated: true)
        }
    }
}

/// The words of a transcript's text.
extension String {
    /// The range of each word, with adjacent punctuation.
    ///
    /// Words are separated by white space. Each Chinese character and kana is a word, since these scripts do not use
    /// it.
    ///
    /// - Returns: In UTF-16 units, in order; together they cover everything but the white space.
    package var spokenWords: [TextRange] {
        var words: [TextRange] = []
        var begun: (start: Int, hasLetter: Bool, isWide: Bool)?
        var offset = 0
        func close() {
            if let word = begun { words.append(word.start..<offset) }
            begun = nil
        }
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace {
                close()
            } else {
                let isWide = scalar.isWrittenWithoutSpaces
                let isLetter = isWide || scalar.isPartOfWord
                if let word = begun, word.hasLetter, isLetter, isWide || word.isWide, !scalar.isMark { close() }
                let word = begun ?? (offset, false, false)
                begun = (word.start, word.hasLetter || isLetter, word.isWide || isWide)
            }
            offset += UTF16.width(scalar)
        }
        close()
        return words
    }

    /// The form for comparisons: letters and digits in lower case, without punctuation; empty for punctuation alone.
    package var comparedWord: String {
        wordWithoutPunctuation.lowercased()
    }

    /// Its letters and digits, composed where they can be; empty for punctuation alone.
    package var wordWithoutPunctuation: String {
        var word = ""
        var isASCII = true
        for scalar in unicodeScalars where scalar.isPartOfWord {
            isASCII = isASCII && scalar.isASCII
            word.unicodeScalars.append(scalar)
        }
        return isASCII ? word : word.precomposedStringWithCanonicalMapping
    }
}

extension Unicode.Scalar {
    /// Whether it is written in the width of two Latin letters.
    package var isFullWidth: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isPartOfWord: Bool {
        if isASCII {
            return (0x30...0x39).contains(value) || (0x41...0x5A).contains(value & 0xDF)
        }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        case .decimalNumber, .letterNumber, .otherNumber: return true
        default: return isMark
        }
    }
}
