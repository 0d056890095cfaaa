/// A voice of one of the engines.
package struct Voice: Sendable, Hashable, Codable {
    /// A voice's name for programs, such as `espeak/en-US` or `piper/en_US-lessac-medium`.
    package struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
    }

    /// The engine of a voice.
    package enum Engine: String, Sendable, Hashable, Codable, CaseIterable {
        /// Built in, needs no download.
        case espeakNG = "espeak-ng"
        /// Runs a Piper voice from a folder, with ONNX Runtime or sherpa-onnx; recordings, commands and the API use the
        /// second name.
        case piper = "sherpa-onnx"
    }

    package let id: ID
    /// The name in the engine or the model's file; people see ``name``.
    package let givenName: String
    /// A BCP 47 tag in its canonical case, such as `en-US`.
    package let language: String
    package let engine: Engine
    /// The number of speakers, at least 1; an utterance selects one from 0.
    package let speakers: Int
    /// The names of the speakers, in order; `nil` unless all have names.
    package let speakerNames: [String]?
    /// The sample rate of the voice's speech, in hertz.
    package let sampleRate: Int

    package init(
        id: ID,
        name: String,
        language: String,
        engine: Engine,
        speakers: Int = 1,
        speakerNames: [String]? = nil,
        sampleRate: Int
    ) {
        self.id = id
        givenName = name
        self.language = language
        self.engine = engine
        self.speakers = speakers
        self.speakerNames = speakerNames
        self.sampleRate = sampleRate
    }

    /// The name for people: “Joe” for the model `en_US-joe-medium`.
    package var name: String { Self.name(of: id, given: givenName) }

    /// The name of a voice that may no longer exist.
    ///
    /// - Parameters:
    ///   - id: The voice's id.
    ///   - givenName: Its recorded name, which is used for built-in voices only.
    /// - Returns: The name for people.
    package static func name(of id: ID, given givenName: String) -> String {
        NeuralVoiceName(of: id)?.title ?? givenName
    }

    private enum CodingKeys: String, CodingKey {
        case id, language, engine, speakers, speakerNames, sampleRate
        case givenName = "name"
    }

    /// - Throws: `DecodingError` for numbers that no voice has, too.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try container.decode(ID.self, forKey: .id),
            name: try container.decode(String.self, forKey: .givenName),
            language: try container.decode(String.self, forKey: .language),
            engine: try container.decode(Engine.self, forKey: .engine),
            speakers: try container.decode(Int.self, forKey: .speakers),
            speakerNames: try container.decodeIfPresent([String].self, forKey: .speakerNames),
            sampleRate: try container.decode(Int.self, forKey: .sampleRate)
        )
        guard (1...1_000_000).contains(speakers) else {
            let problem = "a voice has 1 to 1,000,000 speakers"
            throw DecodingError.dataCorruptedError(forKey: .speakers, in: container, debugDescription: problem)
        }
        guard (1...768_000).contains(sampleRate) else {
            let problem = "a voice has 1 to 768,000 samples per second"
            throw DecodingError.dataCorruptedError(forKey: .sampleRate, in: container, debugDescription: problem)
        }
    }
}

/// A speaker of a voice as a person names it: `2` or `anna`.
package enum VoiceSpeaker: Sendable, Hashable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    /// From 0.
    case number(Int)
    /// A name, or a number as it was typed.
    case named(String)

    package init(_ text: String) {
        self = .named(text)
    }

    package init(integerLiteral number: Int) {
        self = .number(number)
    }

    /// As a person says it.
    package var description: String {
        switch self {
        case .number(let number): String(number)
        case .named(let name): name
        }
    }
}

extension Voice {
    /// Finds the number of one of the voice's speakers.
    ///
    /// A valid number is used as such; anything else is a name, ignoring case. The names of some voices are numbers,
    /// such as LibriVox's.
    ///
    /// - Throws: ``SynthesisError/noSuchSpeaker(_:of:count:)`` or ``SynthesisError/noSpeakerCalled(_:of:names:)``.
    package func number(of speaker: VoiceSpeaker) throws(SynthesisError) -> Int {
        switch speaker {
        case .number(let number):
            guard (0..<speakers).contains(number) else { throw .noSuchSpeaker(number, of: id, count: speakers) }
            return number
        case .named(let name):
            if let number = Int(name), (0..<speakers).contains(number) { return number }
            let wanted = name.lowercased()
            if let number = speakerNames?.firstIndex(where: { $0.lowercased() == wanted }) { return number }
            if let number = Int(name) { throw .noSuchSpeaker(number, of: id, count: speakers) }
            throw .noSpeakerCalled(name, of: id, names: Array((speakerNames ?? []).prefix(Self.mostNamed)))
        }
    }

    /// The most names that an error lists.
    private static let mostNamed = 12

    /// The name of a speaker, else the number; `nil` if the voice has only one speaker.
    package func title(ofSpeaker number: Int) -> String? {
        speakers > 1 ? speakerName(number) ?? String(number) : nil
    }

    /// - Returns: `nil` where the voice's people have no names.
    package func speakerName(_ number: Int) -> String? {
        speakerNames.flatMap { $0.indices.contains(number) ? $0[number] : nil }
    }
}

/// The properties of a neural voice in the name of its folder or model.
///
/// `en_US-hfc_female-medium-int8` is “HFC female” in medium quality, as 8-bit numbers.
package struct NeuralVoiceName: Sendable, Hashable {
    /// The name as a person writes it, without language and quality.
    package let title: String
    package let quality: VoiceQuality?
    package let variant: CatalogueEntry.Variant?

    /// - Returns: `nil` for a voice that is built in.
    package init?(of id: Voice.ID) {
        guard let folder = id.usualFolder else { return nil }
        if let entry = CatalogueEntry(archive: folder + CatalogueEntry.ending) {
            (title, quality, variant) = (Self.title(entry.name), entry.quality, entry.variant)
        } else {
            let own = folder.dropFirst(Voice.ID.folderPrefix.count)
            let parts = own.split(separator: "-")
            quality = parts.count > 1 ? parts.last.map { VoiceQuality(rawValue: String($0)) }.flatMap(Self.known) : nil
            title = Self.title(quality == nil ? String(own) : parts.dropLast().joined(separator: "-"))
            variant = nil
        }
    }

    private static func known(_ quality: VoiceQuality) -> VoiceQuality? {
        [.extraLow, .low, .medium, .high].contains(quality) ? quality : nil
    }

    /// `southern_english_female` is “Southern English female”.
    private static func title(_ name: String) -> String {
        let words = name.split(separator: "_").map { spelled[String($0)] ?? String($0) }
        guard let first = words.first else { return name }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst()).joined(separator: " ")
    }

    /// Words of the catalogue's names that have capitals within them.
    private static let spelled = [
        "aru": "ARU", "dfki": "DFKI", "english": "English", "glados": "GLaDOS", "hfc": "HFC", "l2arctic": "L2-ARCTIC",
        "libritts": "LibriTTS", "ljspeech": "LJ Speech", "nst": "NST", "r": "R", "tts": "TTS", "upc": "UPC",
        "upmc": "UPMC", "vctk": "VCTK", "wg": "WG", "glos": "Głos",
    ]
}
