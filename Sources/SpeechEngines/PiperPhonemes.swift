import EchoText
import Foundation

/// A phrase as a Piper voice reads it, with how its words share in it.
struct PiperPhonemes: Sendable {
    /// A word of what is said, and how long its sounds usually take beside those of the others.
    struct Word: Sendable {
        var source: TextRange
        var weight: Double

        /// The word itself, or its units, each with its share of the weight, when it weighs more than `heaviest`.
        fileprivate func parts(heaviest: Double) -> [Word] {
            guard weight > heaviest, source.count > 1 else { return [self] }
            return source.map { Word(source: $0..<$0 + 1, weight: weight / Double(source.count)) }
        }
    }

    /// All of them known to the voice.
    var symbols: [Unicode.Scalar]
    var words: [Word]
    /// How many symbols were left out because the voice does not know them.
    var dropped: Int

    /// The phrase in requests of at most `longest` symbols, cut at clause marks, else between words, else anywhere;
    /// each with the words that are said in it.
    func requests(longest: Int) -> [PiperPhonemes] {
        guard symbols.count > longest else { return [self] }
        var requests: [PiperPhonemes] = []
        var rest = symbols[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.cut(rest, longest: longest))
            rest = rest.dropFirst(part.count)
            requests.append(PiperPhonemes(symbols: Array(part), words: [], dropped: 0))
        }
        return share(words, among: requests.filter { $0.symbols.contains { !Self.isSilent($0) } })
    }

    private static func cut(_ symbols: ArraySlice<Unicode.Scalar>, longest: Int) -> Int {
        guard symbols.count > longest else { return symbols.count }
        let reach = symbols.prefix(longest)
        if let mark = reach.dropFirst(longest / 3).lastIndex(where: { ".,;:!?".unicodeScalars.contains($0) }) {
            return mark + 1 - symbols.startIndex
        }
        let parts = (symbols.count + longest - 1) / longest
        let even = symbols.startIndex + (symbols.count + parts - 1) / parts
        let spaces = reach.indices.dropFirst().filter { symbols[$0] == " " }
        if let space = spaces.min(by: { abs($0 - even) < abs($1 - even) }) { return space + 1 - symbols.startIndex }
        return longest
    }

    /// Gives each word to the request in which its middle falls; one too long for that is shared out.
    private func share(_ words: [Word], among requests: [PiperPhonemes]) -> [PiperPhonemes] {
        let total = words.reduce(0) { $0 + $1.weight }
        let weights = requests.map { request in request.symbols.reduce(0) { $0 + Self.weight(of: $1) } }
        let whole = weights.reduce(0, +)
        guard total > 0, whole > 0 else { return requests }
        var shared = requests
        var passed = 0.0
        var request = 0
        var end = weights.first ?? 0
        // As a run of a script that is written without spaces does: it may be heard in several requests.
        let heaviest = (weights.min() ?? 0) / whole * total / 3
        for word in words.flatMap({ $0.parts(heaviest: heaviest) }) {
            let middle = (passed + word.weight / 2) / total * whole
            while middle > end, request + 1 < shared.count {
                request += 1
                end += weights[request]
            }
            shared[request].words.append(word)
            passed += word.weight
        }
        return shared
    }

    static func isSilent(_ symbol: Unicode.Scalar) -> Bool { " _^$ˈˌ.,;:!?-'\"()".unicodeScalars.contains(symbol) }

    /// How long a symbol usually lasts, in units of a short consonant.
    ///
    /// Rounded from mean phone durations of read English: vowels last about one and a half times as long as consonants,
    /// long vowels twice.
    ///
    /// - SeeAlso: D. H. Klatt, “Linguistic uses of segmental duration in English”, JASA 59 (1976), pages 1208–1221.
    static func weight(of symbol: Unicode.Scalar) -> Double {
        switch symbol {
        case "ˈ", "ˌ", "_", "^", "$", "ʲ", "ʰ", "\u{0303}", "\u{0329}", "\u{032F}", "\u{0361}": 0
        case "ː": 0.7
        case " ": 0.15
        case ",", ";", ":": 2
        case ".", "!", "?": 1
        case "a", "e", "i", "o", "u", "y", "æ", "ø", "œ", "ɐ", "ɑ", "ɒ", "ɔ", "ɘ", "ɛ", "ɜ", "ɞ", "ɤ", "ʉ", "ʊ", "ʌ",
            "ɯ", "ɵ":
            1.5
        case "ə", "ɚ", "ɪ", "ɨ": 1
        default: 1
        }
    }
}

extension PiperPhonemes {
    /// Puts a phrase into a voice's symbols.
    ///
    /// - Parameters:
    ///   - phrase: Not blank.
    ///   - voice: Whose symbols.
    ///   - phonemizer: Writes the phonemes for voices that read those of espeak-ng.
    /// - Throws: ``SynthesisError`` for a language that cannot be pronounced.
    init(of phrase: SpokenText, for voice: PiperVoice, by phonemizer: EspeakPhonemizer) async throws {
        let runs = PhraseRuns(phrase)
        let spelled = runs.words.map(\.text)
        let written: [String]
        var marks: ClauseMarks?
        switch voice.description.phonemes {
        case .espeak(let language):
            written = try await phonemizer.phonemes(of: runs.texts + spelled, in: language)
            marks = ClauseMarks(language: language)
        case .text: written = runs.texts + spelled
        }
        let texts = written.prefix(runs.texts.count)
        let sounds = written.dropFirst(runs.texts.count)
        let line = runs.line(withTexts: Array(texts), marks: marks)
        (symbols, dropped) = voice.symbols(in: line)
        let textWords = zip(runs.words, sounds).map { word, sound in
            Word(source: word.source, weight: max(0.5, sound.unicodeScalars.reduce(0) { $0 + Self.weight(of: $1) }))
        }
        words = (textWords + runs.phonemeWords).sorted { $0.source.lowerBound < $1.source.lowerBound }
    }
}

/// A phrase taken apart into what must be pronounced and what says how it is pronounced.
private struct PhraseRuns {
    private enum Run {
        case text(Int)
        case phonemes(String)
    }

    private var runs: [Run] = []
    private(set) var texts: [String] = []
    private(set) var words: [(text: String, source: TextRange)] = []
    /// What stands before each of ``texts`` and after phonemes that is no part of a word: read at the beginning of a text, a
    /// mark is said by its name.
    private var leads: [String] = []
    private(set) var phonemeWords: [PiperPhonemes.Word] = []
    /// Which of ``texts`` end with what is said as it is written.
    private var endsInWriting: Set<Int> = []

    init(_ phrase: SpokenText) {
        var text = EngineText()
        var previous: SpokenText.Piece.Content?
        for piece in phrase.pieces {
            defer { previous = piece.content }
            switch piece.content {
            case .written(let written): text.append(written: written, at: piece.source.lowerBound)
            case .words(let words): text.append(words, for: piece.source)
            case .phonemes(let ipa):
                close(&text, isWriting: previous?.isWriting ?? false)
                runs.append(.phonemes(ipa))
                let weight = ipa.unicodeScalars.reduce(0) { $0 + PiperPhonemes.weight(of: $1) }
                phonemeWords.append(.init(source: piece.source, weight: max(0.5, weight)))
            }
        }
        close(&text, isWriting: false)
    }

    /// The phrase's phonemes, those of its texts put where they belong: next to given ones without a space where they are
    /// written without one.
    ///
    /// - Parameters:
    ///   - sounds: How each of ``texts`` is pronounced.
    ///   - marks: Those that end a clause, when `sounds` lack the ones that no word stands before.
    /// - Returns: One line of phonemes with spaces between words.
    func line(withTexts sounds: [String], marks: ClauseMarks?) -> String {
        var line = ""
        var isOpen = false  // whether a word that goes on at once would be the same word
        for run in runs {
            switch run {
            case .phonemes(let ipa):
                line += (isOpen || line.isEmpty ? "" : " ") + ipa
                isOpen = true
            case .text(let index):
                let written = texts[index].unicodeScalars
                let continues = isOpen && leads[index].isEmpty && written.first?.isLetterOrNumber == true
                line += marks.map { $0.first(in: leads[index].unicodeScalars) ?? "" } ?? leads[index]
                if !sounds[index].isEmpty { line += (continues || line.isEmpty ? "" : " ") + sounds[index] }
                isOpen = endsInWriting.contains(index) && written.last?.isLetterOrNumber == true
            }
        }
        return line
    }

    private static let marks = Set(".,;:!?…。，、；：！？؟،؛।—–)]}»”’\"".unicodeScalars)

    private mutating func close(_ text: inout EngineText, isWriting: Bool) {
        defer { text = EngineText() }
        let tokens = text.tokens
        guard !tokens.isEmpty else { return }
        runs.append(.text(texts.count))
        if isWriting { endsInWriting.insert(texts.count) }
        let lead: ArraySlice<Unicode.Scalar> =
            runs.count > 1 ? text.scalars.prefix { $0.properties.isWhitespace || Self.marks.contains($0) } : []
        leads.append(String(scalars: lead))
        texts.append(String(scalars: text.scalars.dropFirst(lead.count)))
        for token in tokens {
            guard let first = text.scalars[token].firstIndex(where: \.isLetterOrNumber),
                let last = text.scalars[token].lastIndex(where: \.isLetterOrNumber),
                let source = text.source(of: first..<last + 1)
            else { continue }
            let letters = String(scalars: text.scalars[first...last])
            if let last = words.last, source.lowerBound < last.source.upperBound {
                words[words.count - 1] = (last.text + " " + letters, last.source)
            } else {
                words.append((letters, source))
            }
        }
    }
}

extension SpokenText.Piece.Content {
    fileprivate var isWriting: Bool {
        if case .written = self { true } else { false }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrNumber: Bool { properties.isAlphabetic || properties.numericType != nil }
}

extension String {
    fileprivate init(scalars: ArraySlice<Unicode.Scalar>) {
        var view = UnicodeScalarView()
        view.append(contentsOf: scalars)
        self.init(view)
    }
}
