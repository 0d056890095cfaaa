import CEspeakNG
import EchoText

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
