import CEspeakNG
import EchoText
import Foundation

/// Pronounces text on paper with espeak-ng, for engines that read phonemes instead of letters.
package struct EspeakPhonemizer: Sendable {
    private let library: EspeakLibrary
    private let watch: EngineWatch

    package init(library: EspeakLibrary, watch: EngineWatch) {
        self.library = library
        self.watch = watch
    }

    /// Whether `language` can be pronounced.
    func speaks(_ language: String) -> Bool { library.identifier(ofLanguage: language) != nil }

    /// How each of `texts` is pronounced.
    ///
    /// - Parameters:
    ///   - texts: Plain texts in any script the language is written in.
    ///   - language: A BCP 47 tag or a name of espeak-ng's.
    /// - Returns: International Phonetic Alphabet with a space between words and each clause's mark after it, as Piper's
    ///   voices were trained to read it; empty for a text without speech.
    /// - Throws: ``SynthesisError/engineFailed(_:status:)`` for a language espeak-ng does not know.
    func phonemes(of texts: [String], in language: String) async throws -> [String] {
        guard let identifier = library.identifier(ofLanguage: language) else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(EE_NOT_FOUND.rawValue))
        }
        return try await watch.guarding(.espeakNG, phase: .phonemizing) {
            try await Self.phonemes(of: texts, identifier: identifier, marks: ClauseMarks(language: language))
        }
    }

    @EspeakThread
    private static func phonemes(of texts: [String], identifier: String, marks: ClauseMarks) throws -> [String] {
        guard espeak_SetVoiceByName(identifier) == EE_OK else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(EE_NOT_FOUND.rawValue))
        }
        return try texts.map { text in
            try Task.checkCancellation()
            EngineProgress.report()
            return clauses(of: text, marks: marks).joined(separator: " ")
        }
    }

    @EspeakThread
    private static func clauses(of text: String, marks: ClauseMarks) -> [String] {
        text.withoutEspeakInstructions.withCString { start in
            var clauses: [String] = []
            var rest: UnsafeRawPointer? = UnsafeRawPointer(start)
            while let from = rest {
                let internationalAlphabet: Int32 = 0x02
                let written = espeak_TextToPhonemes(&rest, Int32(espeakCHARS_UTF8), internationalAlphabet)
                let phonemes = withoutLanguageSwitches(written.map { String(cString: $0) } ?? "")
                guard !phonemes.isEmpty else { continue }
                clauses.append(phonemes + mark(endingClauseAt: from, upTo: rest, marks: marks))
            }
            return clauses
        }
    }

    /// The clause mark that espeak-ng read but did not write, or nothing.
    ///
    /// The library reads one character past the clause, so the last one belongs to the next, unless the text is at its end.
    private static func mark(
        endingClauseAt start: UnsafeRawPointer,
        upTo end: UnsafeRawPointer?,
        marks: ClauseMarks
    ) -> String {
        let length = end.map { $0 - start } ?? strlen(start.assumingMemoryBound(to: CChar.self))
        var read = String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self).unicodeScalars
        if end != nil, !read.isEmpty { read.removeLast() }
        return marks.first(in: read.reversed()) ?? ""
    }

    /// espeak-ng marks a word of another language as `(fr)`; a voice would read the letters.
    private static func withoutLanguageSwitches(_ phonemes: String) -> String {
        guard phonemes.contains("(") else { return phonemes }
        var kept = ""
        var inSwitch = false
        for character in phonemes {
            switch character {
            case "(": inSwitch = true
            case ")": inSwitch = false
            default: if !inSwitch { kept.append(character) }
            }
        }
        return kept
    }
}
