/// Someone who can speak: a voice of one of the engines.
package struct Voice: Sendable, Hashable, Codable {
    /// A voice's name for programs, such as `espeak/en-US` or `piper/en_US-lessac-medium`.
    package struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package init(from decoder: any Decoder) throws {
            rawValue = try decoder.singleValueContainer().decode(String.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        package var description: String { rawValue }
    }

    /// The engine of a voice.
    package enum Engine: String, Sendable, Hashable, Codable, CaseIterable {
        /// Built in, needs no download.
        case espeakNG = "espeak-ng"
        /// Runs a Piper voice from a folder, with ONNX Runtime or sherpa-onnx; the name by which recordings, commands and the API know
        /// it is the second one's.
        case piper = "sherpa-onnx"
    }

    package let id: ID
    package let name: String
    /// A BCP 47 tag in its canonical case, such as `en-US`.
    package let language: String
    package let engine: Engine
    /// How many people the voice can be, at least 1; an utterance names one from 0.
    package let speakers: Int
    /// Samples per second of what the voice speaks, in hertz.
    package let sampleRate: Int

    package init(id: ID, name: String, language: String, engine: Engine, speakers: Int = 1, sampleRate: Int) {
        self.id = id
        self.name = name
        self.language = language
        self.engine = engine
        self.speakers = speakers
        self.sampleRate = sampleRate
    }
}
