import EchoText
import Foundation

/// A phrase as a Piper voice reads it, with the parts that belong to each word.
struct PiperPhonemes: Sendable {
    /// A spoken word.
    struct Word: Sendable {
        var source: TextRange
        /// The usual duration of its sounds, relative to other words.
        var weight: Double
        /// The word's part of ``symbols``; `nil` for a word without sound.
        var place: PiperWordPlaces.Place?
    }

    /// The symbols; the voice knows all of them.
    var symbols: [Unicode.Scalar]
    var words: [Word]
    /// The symbols that were left out, or said as a part of themselves, because the voice does not know them.
    var dropped: [Unicode.Scalar]

    /// Those of ``dropped`` that are sounds or change one, and not only marks or a way of writing.
    ///
    /// Marks on sounds and letters that no person has given are not among them: a voice without a symbol for a mark was
    /// trained without the mark, and says the word well all the same, such as “button”, which ends in a marked n.
    var unknownSounds: [Unicode.Scalar] = []

    private static func isSound(_ symbol: Unicode.Scalar) -> Bool {
        let properties = symbol.properties
        return !isSilent(symbol) && !ties.contains(symbol)
            && (properties.isAlphabetic || properties.numericType != nil || isMark(symbol))
    }

    /// Whether a symbol changes the sound before it.
    private static func isMark(_ symbol: Unicode.Scalar) -> Bool {
        switch symbol.properties.generalCategory {
        case .nonspacingMark, .modifierLetter: true
        default: false
        }
    }

    /// They join letters that are said one after another without them.
    private static let ties: Set<Unicode.Scalar> = ["\u{035C}", "\u{0361}"]

    /// Whether any symbol has a sound.
    var isSpoken: Bool { symbols.contains { !Self.isSilent($0) } }

    /// The phrase in requests of at most `longest` symbols, cut at clause marks, else between words, else anywhere;
    /// each with its words.
    func requests(longest: Int) -> [PiperPhonemes] {
        guard symbols.count > longest else { return [self] }
        var requests: [PiperPhonemes] = []
        var start = 0
        while start < symbols.count {
            let end = start + Self.cut(symbols[start...], longest: longest)
            requests.append(part(start..<end))
            start = end
        }
        return requests.filter(\.isSpoken)
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

    /// The symbols in `range`, with the words and parts of words in them.
    private func part(_ range: Range<Int>) -> PiperPhonemes {
        let own = words.compactMap { word -> Word? in
            guard let place = word.place, place.symbols.overlaps(range) else { return nil }
            return word.part(range)
        }
        return PiperPhonemes(symbols: Array(symbols[range]), words: own, dropped: [])
    }

    static func isSilent(_ symbol: Unicode.Scalar) -> Bool { " _^$ˈˌ.,;:!?-'\"()".unicodeScalars.contains(symbol) }

    /// The usual duration of a symbol, in units of a short consonant.
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

extension PiperPhonemes.Word {
    /// The part of the word in `range` of the symbols, relative to the range's start.
    ///
    /// The written range is divided in proportion to the sounds: a long run of a script without spaces spans several
    /// requests.
    fileprivate func part(_ range: Range<Int>) -> Self {
        guard let place else { return self }
        let inside = place.symbols.clamped(to: range)
        let whole = Double(max(1, place.symbols.count))
        func unit(_ symbol: Int) -> Int {
            source.lowerBound + Int(Double(symbol - place.symbols.lowerBound) / whole * Double(source.count))
        }
        var part = self
        part.source = unit(inside.lowerBound)..<unit(inside.upperBound)
        part.weight = weight * Double(inside.count) / whole
        part.place = PiperWordPlaces.Place(
            symbols: inside.moved(by: -range.lowerBound),
            isCertain: place.isCertain && inside == place.symbols
        )
        return part
    }
}

extension PiperPhonemes {
    /// Converts a phrase to a voice's symbols.
    ///
    /// - Parameters:
    ///   - phrase: The phrase; not blank.
    ///   - voice: The voice.
    ///   - pronouncer: Makes the phonemes for voices that read those of espeak-ng.
    /// - Throws: ``SynthesisError`` for a language without pronunciation rules.
    init(of phrase: SpokenText, for voice: PiperVoice, by pronouncer: any Phonemizer) async throws {
        let runs = PhraseRuns(phrase)
        let spelled = runs.words.map(\.text)
        let written: [String]
        var marks: ClauseMarks?
        switch voice.description.phonemes {
        case .espeak(let language):
            written = try await pronouncer.phonemes(of: runs.texts + spelled, in: language)
            marks = ClauseMarks(language: language)
        case .text: written = runs.texts + spelled
        }
        let texts = written.prefix(runs.texts.count)
        let sounds = written.dropFirst(runs.texts.count)
        let line = runs.line(withTexts: Array(texts), marks: marks)
        (symbols, dropped) = voice.symbols(in: line)
        let given = Set(runs.phonemeWords.flatMap { $0.sounds.unicodeScalars })
        unknownSounds = dropped.filter { symbol in
            guard Self.isSound(symbol) else { return false }
            let isKnownButForMark = Self.isMark(symbol) || !voice.symbols(in: String(symbol)).known.isEmpty
            return given.contains(symbol) || !isKnownButForMark
        }
        let spoken = (zip(runs.words, sounds).map { (source: $0.source, sounds: $1) } + runs.phonemeWords)
            .sorted { $0.source.lowerBound < $1.source.lowerBound }
        let places = PiperWordPlaces(symbols).places(of: spoken.map { voice.symbols(in: $0.sounds).known })
        words = zip(spoken, places).map { word, place in
            let weight = word.sounds.unicodeScalars.reduce(0) { $0 + Self.weight(of: $1) }
            return Word(source: word.source, weight: max(0.5, weight), place: place)
        }
    }
}

/// A phrase split into texts that need pronunciation and given phonemes.
private struct PhraseRuns {
    private enum Run {
        case text(Int)
        case phonemes(String)
    }

    private var runs: [Run] = []
    private(set) var texts: [String] = []
    private(set) var words: [(text: String, source: TextRange)] = []
    /// Marks between phonemes and each of ``texts``: at the beginning of a text, the engine would speak a mark's
    /// name.
    private var leads: [String] = []
    private(set) var phonemeWords: [(source: TextRange, sounds: String)] = []
    /// The indices of ``texts`` that end with written text.
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
                phonemeWords.append((piece.source, ipa))
            }
        }
        close(&text, isWriting: false)
    }

    /// The phrase's phonemes, with those of its texts inserted: without a space next to given phonemes where the
    /// phrase has none.
    ///
    /// - Parameters:
    ///   - sounds: The phonemes of each of ``texts``.
    ///   - marks: The marks that end a clause, if `sounds` lacks those without a word before them.
    /// - Returns: One line of phonemes with spaces between words.
    func line(withTexts sounds: [String], marks: ClauseMarks?) -> String {
        var line = ""
        var isOpen = false  // whether letters that follow without a space belong to the same word
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
