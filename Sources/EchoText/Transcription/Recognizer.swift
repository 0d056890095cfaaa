/// Something that turns speech into text: a model on this machine, or a service elsewhere.
package struct Recognizer: Sendable, Hashable, Codable, Identifiable {
    /// An id such as `sherpa/whisper-tiny.en`, `pocketsphinx/en-US` or `remote/office`.
    package struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package var description: String { rawValue }
    }

    package enum Engine: String, Sendable, Hashable, Codable, CaseIterable {
        case sherpaOnnx
        case pocketSphinx
        /// A service that is reached through the network.
        case remote
    }

    /// How exactly it says when something was said.
    package enum Timing: String, Sendable, Hashable, Codable, CaseIterable {
        /// The start and end of each word.
        case words
        /// The start of each token, from which the words' times follow.
        case tokens
        /// The start and end of passages of several words.
        case segments
        /// None; times are distributed over the speech, and marked as estimated.
        case none
    }

    package let id: ID
    package let name: String
    package let engine: Engine
    /// BCP 47; only `mul` for a multilingual recogniser.
    package let languages: [String]
    /// BCP 47: the languages of a multilingual recogniser; empty where they are not known.
    package let hears: [String]
    package let timing: Timing
    /// Whether it can be given the language that is spoken.
    package let takesLanguage: Bool
    /// Whether it can be given words that are likely to occur.
    package let takesHotwords: Bool
    /// Whether it takes text that precedes the speech, to imitate its style.
    package let takesPrompt: Bool
    /// Bytes of its model on this disk; `nil` for a service.
    package let size: Int64?

    package init(
        id: ID,
        name: String,
        engine: Engine,
        languages: [String],
        hears: [String] = [],
        timing: Timing,
        takesLanguage: Bool = false,
        takesHotwords: Bool = false,
        takesPrompt: Bool = false,
        size: Int64? = nil
    ) {
        self.id = id
        self.name = name
        self.engine = engine
        self.languages = languages
        self.hears = hears
        self.timing = timing
        self.takesLanguage = takesLanguage
        self.takesHotwords = takesHotwords
        self.takesPrompt = takesPrompt
        self.size = size
    }
}

/// A person's settings for a recogniser.
package struct RecognitionSettings: Sendable, Hashable, Codable {
    /// BCP 47; `nil` to let the recogniser find out.
    package var language: String?
    /// Words that are likely to occur; ignored by a recogniser that does not take any.
    package var hotwords: [String]
    /// Text that precedes the speech; ignored by a recogniser that does not take any.
    package var prompt: String?

    package init(language: String? = nil, hotwords: [String] = [], prompt: String? = nil) {
        self.language = language
        self.hotwords = hotwords
        self.prompt = prompt
    }
}

/// The result of recognizing one clip.
package struct RecognizedSpeech: Sendable, Hashable, Codable {
    /// Without white space at its ends; empty without speech.
    package var text: String
    /// In the order of the text; empty when the recogniser provides no times.
    package var words: [RecognizedWord]
    /// BCP 47, if the recogniser reports the language.
    package var language: String?
    /// Whether the times are the recogniser's own.
    package var timing: Recognizer.Timing

    package init(text: String, words: [RecognizedWord] = [], language: String? = nil, timing: Recognizer.Timing = .none)
    {
        self.text = text
        self.words = words
        self.language = language
        self.timing = timing
    }
}

/// A recognized word.
package struct RecognizedWord: Sendable, Hashable, Codable {
    /// Its range in the text, in UTF-16 units, without white space.
    package var source: TextRange
    /// In seconds from the start of the clip; within the clip, and not before the previous word.
    package var start: Double
    /// In seconds; not before `start`.
    package var end: Double
    /// From 0 to 1, if the recogniser provides one.
    package var confidence: Double?
    /// Whether its time is no recogniser's, but is between those of its neighbours.
    package var isEstimated: Bool

    package init(source: TextRange, start: Double, end: Double, confidence: Double? = nil, isEstimated: Bool = false) {
        self.source = source
        self.start = start
        self.end = end
        self.confidence = confidence
        self.isEstimated = isEstimated
    }

    private enum CodingKeys: CodingKey {
        case source, start, end, confidence, isEstimated
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try container.decode(TextRange.self, forKey: .source),
            start: try container.decode(Double.self, forKey: .start),
            end: try container.decode(Double.self, forKey: .end),
            confidence: try container.decodeIfPresent(Double.self, forKey: .confidence),
            isEstimated: try container.decodeIfPresent(Bool.self, forKey: .isEstimated) ?? false
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encodeIfPresent(confidence, forKey: .confidence)
        if isEstimated { try container.encode(true, forKey: .isEstimated) }
    }
}

/// Turns speech into text: the port every recogniser is plugged into.
///
/// ```swift
/// let session = try await recognizer.open(id, RecognitionSettings(language: "en"))
/// let heard = try await session.recognize(clip)
/// await session.close()
/// ```
package protocol SpeechRecognizer: Sendable {
    /// Recognisers that can be used right now, in a stable order.
    func recognizers() async throws -> [Recognizer]

    /// Opens a recogniser, and loads its model if it has one.
    ///
    /// - Throws: ``RecognitionError``.
    func open(_ recognizer: Recognizer.ID, _ settings: RecognitionSettings) async throws -> any RecognitionSession
}

/// Something that holds a process, a connection or much memory until it is closed.
package protocol Closeable: Sendable {
    /// Frees what it holds; idempotent.
    func close() async
}

extension Closeable {
    /// Runs `work`, and closes it afterwards, also where `work` throws.
    package func closing<Output>(after work: () async throws -> Output) async throws -> Output {
        do {
            let output = try await work()
            await close()
            return output
        } catch {
            await close()
            throw error
        }
    }
}

/// An open recogniser.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - silence gives an empty text;
/// - words are in order, within the text and within the clip;
/// - calls may overlap; the session serialises them itself where it must;
/// - a cancelled call throws `CancellationError` soon, and leaves the session usable.
package protocol RecognitionSession: Closeable {
    /// Whether a short clip takes it nearly as long as one of ``RecognitionClip/longest``.
    var prefersLongClips: Bool { get }

    /// Whether a part of a clip, in which it repeats itself or hears no word, may be given to it once more; a service is
    /// sent each sound once.
    var hearsAgain: Bool { get }

    /// Recognizes one clip.
    ///
    /// - Parameter clip: Speech at ``RecognitionClip/sampleRate``, of at most ``RecognitionClip/longest`` seconds; an
    ///   empty clip gives an empty text.
    /// - Returns: The recognized speech.
    /// - Throws: ``RecognitionError``, `CancellationError`.
    func recognize(_ clip: AudioClip) async throws -> RecognizedSpeech
}

extension RecognitionSession {
    package var prefersLongClips: Bool { false }
    package var hearsAgain: Bool { true }
}

/// What a clip for recognition is like.
package enum RecognitionClip {
    /// In hertz.
    package static let sampleRate = 16_000
    /// In seconds: Whisper's window; sherpa-onnx drops speech beyond it.
    package static let longest = 30.0
}

/// Tells speech from everything else: the port of voice activity detectors.
package protocol VoiceActivityDetector: Sendable {
    /// Whether a model decides, which knows a voice from other sounds, and a whisper from noise.
    var isTrained: Bool { get }

    /// - Throws: ``RecognitionError``.
    func open() async throws -> any VoiceActivitySession
}

extension VoiceActivityDetector {
    package var isTrained: Bool { true }
}

/// A detector for one sound, from its start.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks: the windows do not depend on
/// how the sound is divided into clips; silence and white noise are not speech.
package protocol VoiceActivitySession: Closeable {
    /// Analyzes the next clip of the sound, at ``RecognitionClip/sampleRate``.
    ///
    /// - Returns: The windows completed by it, in order.
    func detect(_ clip: AudioClip) async throws -> [VoiceWindow]
}

/// 512 samples of a sound, which are 32 ms.
package struct VoiceWindow: Sendable, Hashable, Codable {
    /// How many samples, at ``RecognitionClip/sampleRate``.
    package static let samples = 512

    package var isSpeech: Bool
    /// The root mean square of its samples in dBFS, -120 at the lowest.
    package var level: Float

    package init(isSpeech: Bool, level: Float) {
        (self.isSpeech, self.level) = (isSpeech, level)
    }
}
