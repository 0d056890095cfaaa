import CEspeakNG
package import EchoText
import Foundation

/// espeak-ng in this process, for workers and tests.
///
/// A text that corrupts the library's memory corrupts the process's; see ``EspeakLibrary``.
package struct EspeakEngine: Phonemizer {
    let library: EspeakLibrary
    let voices: EspeakVoices
    private let version: String
    /// Samples per second of every voice, in hertz.
    private let sampleRate: Int

    /// Loads the library and its data.
    ///
    /// - Parameter dataDirectory: The folder that holds `espeak-ng-data`, or `nil` for the system's own.
    /// - Throws: ``EngineLibraryError/missing(_:)`` when the library or its data is missing or unreadable,
    ///   ``EngineLibraryError/wrongVersion(_:found:wanted:)`` for a library that lacks a function that is used here.
    package init(dataDirectory: String? = nil) async throws(EngineLibraryError) {
        let library = try EspeakLibrary()
        guard let loaded = await Self.load(library, dataDirectory) else { throw .missing(.espeakNG) }
        self = loaded
    }

    private init(_ library: EspeakLibrary, _ voices: EspeakVoices, version: String, sampleRate: Int) {
        self.library = library
        self.voices = voices
        self.version = version
        self.sampleRate = sampleRate
    }

    @EspeakThread
    private static func load(_ library: EspeakLibrary, _ dataDirectory: String?) -> EspeakEngine? {
        let keepProcessAlive = Int32(espeakINITIALIZE_DONT_EXIT)
        let rate = Int(library.initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, dataDirectory, keepProcessAlive))
        guard rate > 0, let voices = EspeakVoices(of: library, sampleRate: rate) else { return nil }
        let version = library.info(nil).map { String(cString: $0) } ?? ""
        return EspeakEngine(library, voices, version: version, sampleRate: rate)
    }

    package func introduction() -> EngineIntroduction { EngineIntroduction(version: version, voices: voices.voices) }

    package func phonemes(of texts: [String], in language: String) async throws -> [String] {
        guard let identifier = voices.identifier(ofLanguage: language) else {
            throw SynthesisError.engineFailed(.espeakNG, status: Int32(EE_NOT_FOUND.rawValue))
        }
        return try await phonemes(of: texts, identifier: identifier, marks: ClauseMarks(language: language))
    }

    package func speech(of phrase: SpokenText, by voice: Voice.ID, prosody: Prosody) async throws -> PhraseSpeech {
        guard let identifier = voices.identifier(of: voice) else { throw SynthesisError.voiceNotInstalled(voice) }
        let call = EspeakCall(phrase: phrase, prosody: prosody, voice: voice, identifier: identifier)
        return try await call.run(by: library, sampleRate: sampleRate)
    }
}

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

/// How espeak-ng spells the sounds of one voice, determined by converting each spelling to IPA.
struct EspeakPhonemeSpelling {
    /// Mnemonics by the IPA they stand for.
    private let mnemonics: [String: String]
    private let longest: Int

    /// The spelling of the selected voice, which `identifier` names.
    ///
    /// The library is asked once for each voice. It reads `[[…]]` only after it has spoken, as ``EspeakLibrary/select(_:)``
    /// has it do.
    @EspeakThread
    static func ofVoice(_ identifier: String, by library: EspeakLibrary) -> EspeakPhonemeSpelling {
        if let known = EspeakThread.spellings[identifier] { return known }
        let spelling = EspeakPhonemeSpelling(by: library)
        EspeakThread.spellings[identifier] = spelling
        return spelling
    }

    @EspeakThread
    private init(by library: EspeakLibrary) {
        var mnemonics: [String: String] = [:]
        for candidate in Self.candidates {
            for ipa in Self.alphabet(ofMnemonic: candidate, by: library) where mnemonics[ipa] == nil {
                mnemonics[ipa] = candidate
            }
        }
        self.mnemonics = mnemonics
        longest = mnemonics.keys.map(\.unicodeScalars.count).max() ?? 1
    }

    /// `ipa` in the voice's mnemonics, longest match first; symbols without a sound in the voice are left out.
    func mnemonics(for ipa: String) -> String {
        let scalars = Array(ipa.unicodeScalars)
        var spelled = ""
        var index = 0
        while index < scalars.count {
            switch scalars[index] {
            case "ˈ": spelled += "'"
            case "ˌ": spelled += ","
            case " ": spelled += "||"
            case "ː": spelled += ":"
            default:
                let match = longestMatch(in: scalars[index...])
                spelled += match?.mnemonic ?? ""
                index += max(match?.length ?? 1, 1)
                continue
            }
            index += 1
        }
        return spelled
    }

    private func longestMatch(in scalars: ArraySlice<Unicode.Scalar>) -> (mnemonic: String, length: Int)? {
        for length in stride(from: min(longest, scalars.count), to: 0, by: -1) {
            var key = String.UnicodeScalarView()
            key.append(contentsOf: scalars.prefix(length))
            if let mnemonic = mnemonics[String(key)] { return (mnemonic, length) }
        }
        let nearest = scalars.first.flatMap { Self.nearest[$0] }.flatMap { mnemonics[$0] }
        return nearest.map { ($0, 1) }
    }

    /// Substitutes for sounds that a voice has only as a variant of another, or not at all.
    private static let nearest: [Unicode.Scalar: String] = [
        "ɛ": "e", "ɑ": "a", "ɐ": "a", "ɪ": "i", "ʊ": "u", "ɔ": "o", "ɜ": "ə", "ɹ": "r", "ʁ": "r", "ɾ": "r", "ɡ": "g",
    ]

    /// The sounds of a spelling at the start of a word, inside one, and alone: a voice may change a sound at a word's
    /// end.
    @EspeakThread
    private static func alphabet(ofMnemonic mnemonic: String, by library: EspeakLibrary) -> [String] {
        var frames = [(before: "", after: "|a|t"), (before: "t|", after: "|t"), (before: "", after: "")]
        if let first = mnemonic.first, "aeiouyAEIOUVY@&0389".contains(first) { frames.removeFirst() }  // no glides
        return frames.compactMap { frame in
            let framed = ipa(ofMnemonic: frame.before + mnemonic + frame.after, by: library)
            let before = frame.before.isEmpty ? "" : ipa(ofMnemonic: frame.before, by: library)
            let after = frame.after.isEmpty ? "" : ipa(ofMnemonic: frame.after, by: library)
            guard framed.hasPrefix(before), framed.hasSuffix(after),
                framed.unicodeScalars.count > before.unicodeScalars.count + after.unicodeScalars.count
            else { return nil }
            return String(framed.dropFirst(before.count).dropLast(after.count))
        }
    }

    @EspeakThread
    private static func ipa(ofMnemonic mnemonic: String, by library: EspeakLibrary) -> String {
        "[[\(mnemonic)]]".withCString { start in
            var rest: UnsafeRawPointer? = UnsafeRawPointer(start)
            return library.clause(of: &rest).filter { $0 != "ˈ" && $0 != "ˌ" && $0 != " " }
        }
    }

    /// Spellings of sounds in espeak-ng's phoneme tables, most common first; each voice knows some of them.
    ///
    /// - SeeAlso: espeak-ng's `docs/phonemes.md` and `phsource/phonemes`.
    private static let candidates = """
        a e i o u @ E O I U V A 0 3 & y Y W a# I# I2 i: u: A: O: 3: e: o: a: E: y: Y: @L @2 @5 aI aU eI oU OI i@ e@ U@ O@ A@ \
        aI@ aU@ aI3 EI o@ u" i" u- E# e# o- A~ E~ O~ W~ a~ e~ i~ o~ u~ ai au ei eu oi ou ui ae oe 9 @- 8 8: W: \
        p b t d k g f v T D s z S Z h m n N l r j w tS dZ ts dz x C Q R r- r2 l# l^ n^ N^ t# ? t2 d2 s. z. t. d. n. l. \
        S; Z; s; z; tS; dZ; t; d; n; l; r; p; b; m; f; v; k; g; x; B P Q" c J pf kh ph th w# hw H H# R2 R3 ** * x^ G X h# v# r/ l/
        """.split(whereSeparator: \.isWhitespace).map(String.init)
}

extension EspeakThread {
    /// Keyed by the library's name of the voice; a few kilobytes for each voice.
    @EspeakThread fileprivate static var spellings: [String: EspeakPhonemeSpelling] = [:]
}

/// The actor on which espeak-ng is called.
///
/// The library keeps its voice, rate and callback in C globals, so a process has one espeak-ng for any number of
/// adapters. The global actor serializes its calls, and its own queue keeps a long call off the cooperative pool.
@globalActor
actor EspeakThread {
    static let shared = EspeakThread()

    private let executor = BlockingExecutor(label: "espeak-ng")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
