import CEspeakNG
import EchoText

/// espeak-ng's library, loaded at run time.
///
/// The program does not link it. The library parses untrusted text in C and can crash: only a worker's process opens
/// it, never the process that holds a person's library. Only the functions used here are looked up, each with its
/// type in the header; call all of them on ``EspeakThread``.
///
/// - SeeAlso: `speak_lib.h` of espeak-ng 1.51, the contract of every call.
struct EspeakLibrary: Sendable {
    /// The version of the interface, which is the suffix of the library's file name.
    private static let wantedVersion = "1"

    let initialize: @Sendable @convention(c) (espeak_AUDIO_OUTPUT, Int32, UnsafePointer<CChar>?, Int32) -> Int32
    let info: @Sendable @convention(c) (UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> UnsafePointer<CChar>?
    let listVoices:
        @Sendable @convention(c) (UnsafeMutablePointer<espeak_VOICE>?) -> UnsafeMutablePointer<
            UnsafePointer<espeak_VOICE>?
        >?
    private let setVoice: @Sendable @convention(c) (UnsafePointer<CChar>?) -> espeak_ERROR
    let setParameter: @Sendable @convention(c) (espeak_PARAMETER, Int32, Int32) -> espeak_ERROR
    let setCallback:
        @Sendable @convention(c) (
            (@convention(c) (UnsafeMutablePointer<Int16>?, Int32, UnsafeMutablePointer<espeak_EVENT>?) -> Int32)?
        ) -> Void
    let synthesize:
        @Sendable @convention(c) (
            UnsafeRawPointer?, Int, UInt32, espeak_POSITION_TYPE, UInt32, UInt32, UnsafeMutablePointer<UInt32>?,
            UnsafeMutableRawPointer?
        ) -> espeak_ERROR
    let phonemes:
        @Sendable @convention(c) (
            UnsafeMutablePointer<UnsafeRawPointer?>?, Int32, Int32
        ) -> UnsafePointer<CChar>?

    /// Loads the library for the rest of the process's life.
    ///
    /// - Throws: ``EngineLibraryError/missing(_:)`` or ``EngineLibraryError/wrongVersion(_:found:wanted:)``.
    init() throws(EngineLibraryError) {
        let image = try LoadedImage("libespeak-ng.so.\(Self.wantedVersion)", of: .espeakNG, wanted: Self.wantedVersion)
        initialize = try image.function("espeak_Initialize")
        info = try image.function("espeak_Info")
        listVoices = try image.function("espeak_ListVoices")
        setVoice = try image.function("espeak_SetVoiceByName")
        setParameter = try image.function("espeak_SetParameter")
        setCallback = try image.function("espeak_SetSynthCallback")
        synthesize = try image.function("espeak_Synth")
        phonemes = try image.function("espeak_TextToPhonemes")
    }

    /// Selects the voice that speaks and pronounces from now on.
    ///
    /// The library puts each selection into its queue of 170 commands, which only speech empties. With 26 to 153
    /// selections in it the next text loses the event of its first word, and 170 look like none (tried with 1.51).
    /// A space is spoken to empty it, which takes 2 µs.
    ///
    /// - Parameter identifier: The library's name of the voice.
    /// - Returns: The library's status.
    @EspeakThread
    func select(_ identifier: String) -> espeak_ERROR {
        let status = setVoice(identifier)
        if status == EE_OK { _ = say(" ", to: nil) }
        return status
    }

    /// Speaks `text`, a C string in UTF-8 that contains phonemes between `[[` and `]]`.
    ///
    /// - Parameters:
    ///   - text: The text to speak.
    ///   - destination: Passed to the callback with each event.
    /// - Returns: The library's status.
    @EspeakThread
    func say(_ text: String, to destination: UnsafeMutableRawPointer?) -> espeak_ERROR {
        text.withCString { start in
            synthesize(
                start,
                text.utf8.count + 1,
                0,
                POS_CHARACTER,
                0,
                UInt32(espeakCHARS_UTF8 | espeakPHONEMES),
                nil,
                destination
            )
        }
    }

    /// The phonemes of the next clause of a C string, in the International Phonetic Alphabet.
    ///
    /// - Parameter rest: The string; advanced past the clause; `nil` after the last clause.
    /// - Returns: Empty for a clause without speech.
    @EspeakThread
    func clause(of rest: inout UnsafeRawPointer?) -> String {
        let internationalAlphabet: Int32 = 0x02
        return phonemes(&rest, Int32(espeakCHARS_UTF8), internationalAlphabet).map { String(cString: $0) } ?? ""
    }
}

/// The voices of espeak-ng, and the library's names of them.
struct EspeakVoices: Sendable {
    /// Every voice, sorted by its id.
    let voices: [Voice]
    /// The library's name of each voice.
    private let identifiers: [Voice.ID: String]
    /// The library's name of the best voice of each language, keyed by the language's tag in lower case.
    private let languages: [String: String]

    /// Lists the voices of a library whose data is loaded; `nil` when it cannot list them.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - sampleRate: The sample rate of all voices, in hertz.
    @EspeakThread
    init?(of library: EspeakLibrary, sampleRate: Int) {
        guard var next = library.listVoices(nil) else { return nil }
        var found: [FoundVoice] = []
        while let voice = next.pointee {
            found.append(FoundVoice(voice.pointee))
            next += 1
        }
        self.init(found, sampleRate: sampleRate)
    }

    private init(_ found: [FoundVoice], sampleRate: Int) {
        var voices: [Voice] = []
        var identifiers: [Voice.ID: String] = [:]
        var languages: [String: String] = [:]
        for voice in found {
            let tag = voice.languageTag
            let ofTag = Voice.ID(rawValue: "espeak/\(tag)")
            let id = identifiers[ofTag] == nil ? ofTag : Voice.ID(rawValue: "espeak/\(voice.fileTag)")
            guard identifiers[id] == nil else { continue }
            identifiers[id] = voice.identifier
            if languages[tag.lowercased()] == nil { languages[tag.lowercased()] = voice.identifier }
            voices.append(Voice(id: id, name: voice.name, language: tag, engine: .espeakNG, sampleRate: sampleRate))
        }
        self.voices = voices.sorted { $0.id.rawValue < $1.id.rawValue }
        self.identifiers = identifiers
        self.languages = languages
    }

    /// The library's name of `voice`, including a variant after a `+` (`espeak/en-US+f3`).
    ///
    /// - Returns: `nil` for a voice that is unknown or not espeak-ng's.
    func identifier(of voice: Voice.ID) -> String? {
        let parts = voice.rawValue.split(separator: "+", maxSplits: 1)
        guard let base = parts.first, let identifier = identifiers[Voice.ID(rawValue: String(base))] else { return nil }
        guard parts.count == 2 else { return identifier }
        return parts[1].allSatisfy { $0.isLetter || $0.isNumber } ? "\(identifier)+\(parts[1])" : nil
    }

    /// The library's name of the voice that pronounces `language`: that of the exact tag, else of the nearest wider
    /// one.
    func identifier(ofLanguage language: String) -> String? {
        var tag = LanguageTag.canonical(language).lowercased()
        while true {
            if let exact = languages[tag] { return exact }
            if let narrower = languages.filter({ $0.key.hasPrefix(tag + "-") }).min(by: { $0.key < $1.key }) {
                return narrower.value
            }
            guard let end = tag.lastIndex(of: "-") else { return nil }
            tag = String(tag[..<end])
        }
    }
}

/// A voice as the library lists it.
private struct FoundVoice {
    let identifier: String
    let name: String
    let language: String

    init(_ voice: espeak_VOICE) {
        identifier = String(cString: voice.identifier)
        // Some names have underscores, or a space at their end.
        name = String(cString: voice.name).split { $0 == "_" || $0 == " " }.joined(separator: " ")
        language = String(cString: voice.languages + 1)  // the first byte is the language's priority
    }

    /// Languages whose tags in espeak-ng 1.51 are not those of BCP 47.
    private static let renamed = ["piqd": "tlh-Piqd", "py": "art-x-pyash"]

    var languageTag: String { Self.renamed[language] ?? LanguageTag.canonical(language) }

    /// The tag in the file's name, for voices that share a language.
    var fileTag: String { LanguageTag.canonical(String(identifier.split(separator: "/").last ?? "")) }
}
