import CEspeakNG
import EchoText
import Foundation

extension EspeakEngine {
    /// The phonemes of each of `texts`, as ``Phonemizer/phonemes(of:in:)`` defines them.
    ///
    /// - Parameters:
    ///   - texts: Plain texts.
    ///   - identifier: The library's name of the voice that pronounces them.
    ///   - marks: The marks that end a clause.
    /// - Returns: As many as `texts`.
    /// - Throws: ``SynthesisError/engineFailed(_:status:)`` or `CancellationError`.
    @EspeakThread
    func phonemes(of texts: [String], identifier: String, marks: ClauseMarks) throws -> [String] {
        try Task.checkCancellation()
        EngineProgress.report()
        guard library.select(identifier) == EE_OK else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(EE_NOT_FOUND.rawValue))
        }
        return try texts.map { text in
            try Task.checkCancellation()
            EngineProgress.report()
            return clauses(of: text, marks: marks).joined(separator: " ")
        }
    }

    @EspeakThread
    private func clauses(of text: String, marks: ClauseMarks) -> [String] {
        text.withoutEspeakInstructions.withCString { start in
            var clauses: [String] = []
            var rest: UnsafeRawPointer? = UnsafeRawPointer(start)
            while let from = rest {
                let phonemes = Self.withoutLanguageSwitches(library.clause(of: &rest))
                guard !phonemes.isEmpty else { continue }
                clauses.append(phonemes + Self.mark(endingClauseAt: from, upTo: rest, marks: marks))
            }
            return clauses
        }
    }

    /// The clause mark that espeak-ng read but did not write, or nothing.
    ///
    /// The library reads one character past the clause, so the last character belongs to the next clause, except at
    /// the end of the text.
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

    /// Removes espeak-ng's marks of words in another language, such as `(fr)`, whose letters a voice would read.
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
