import CEspeakNG
import EchoText

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
        name = String(cString: voice.name)
        language = String(cString: voice.languages + 1)  // the first byte is the language's priority
    }

    /// Languages whose tags in espeak-ng 1.51 are not those of BCP 47.
    private static let renamed = ["piqd": "tlh-Piqd", "py": "art-x-pyash"]

    var languageTag: String { Self.renamed[language] ?? LanguageTag.canonical(language) }

    /// The tag in the file's name, for voices that share a language.
    var fileTag: String { LanguageTag.canonical(String(identifier.split(separator: "/").last ?? "")) }
}
