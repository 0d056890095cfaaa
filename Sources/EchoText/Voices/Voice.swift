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
