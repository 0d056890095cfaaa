import CEspeakNG
import EchoText
import Foundation

extension EspeakEngine {
    /// How each of `texts` is pronounced, as ``PronouncingEngine/phonemes(of:in:)`` has it.
    ///
    /// - Parameters:
    ///   - texts: Plain texts.
    ///   - identifier: What the library calls who pronounces them.
    ///   - marks: Those that end a clause.
    /// - Returns: As many as `texts`.
    /// - Throws: ``SynthesisError/engineFailed(_:status:)`` or `CancellationError`.
    @EspeakThread
    func phonemes(of texts: [String], identifier: String, marks: ClauseMarks) throws -> [String] {
        EngineProgress.report()
        guard library.setVoice(identifier) == EE_OK else {
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
