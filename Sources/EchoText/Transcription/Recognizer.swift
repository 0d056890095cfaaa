import Foundation

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
    package var name: String
    package let engine: Engine
    /// BCP 47; only `mul` for a multilingual recognizer.
    package let languages: [String]
    /// BCP 47: the languages of a multilingual recognizer; empty where they are not known.
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

/// A person's settings for a recognizer.
package struct RecognitionSettings: Sendable, Hashable, Codable {
    /// BCP 47; `nil` to let the recognizer find out.
    package var language: String?
    /// Words that are likely to occur; ignored by a recognizer that does not take any.
    package var hotwords: [String]
    /// Text that precedes the speech; ignored by a recognizer that does not take any.
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
    /// In the order of the text; empty when the recognizer provides no times.
    package var words: [RecognizedWord]
    /// BCP 47, if the recognizer reports the language.
    package var language: String?
    /// Whether the times are the recognizer's own.
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
    /// From 0 to 1, if the recognizer provides one.
    package var confidence: Double?
    /// Whether its time is no recognizer's, but is between those of its neighbors.
    package var isEstimated: Bool
    /// When the passage was said that the word is in, in seconds from the start of the clip, if the recognizer says only
    /// that.
    package var passage: Range<Double>?

    package init(
        source: TextRange,
        start: Double,
        end: Double,
        confidence: Double? = nil,
        isEstimated: Bool = false,
        passage: Range<Double>? = nil
    ) {
        self.source = source
        self.start = start
        self.end = end
        self.confidence = confidence
        self.isEstimated = isEstimated
        self.passage = passage
    }

    private enum CodingKeys: CodingKey {
        case source, start, end, confidence, isEstimated, passage
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            source: try container.decode(TextRange.self, forKey: .source),
            start: try container.decode(Double.self, forKey: .start),
            end: try container.decode(Double.self, forKey: .end),
            confidence: try container.decodeIfPresent(Double.self, forKey: .confidence),
            isEstimated: try container.decodeIfPresent(Bool.self, forKey: .isEstimated) ?? false,
            passage: try container.decodeIfPresent(Range<Double>.self, forKey: .passage)
        )
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encodeIfPresent(confidence, forKey: .confidence)
        if isEstimated { try container.encode(true, forKey: .isEstimated) }
        try container.encodeIfPresent(passage, forKey: .passage)
    }
}

/// Turns speech into text: the port every recognizer is plugged into.
///
/// ```swift
/// let session = try await recognizer.open(id, RecognitionSettings(language: "en"))
/// let heard = try await session.recognize(clip)
/// await session.close()
/// ```
package protocol SpeechRecognizer: Sendable {
    /// Recognizers that can be used right now, in a stable order.
    func recognizers() async throws -> [Recognizer]

    /// Opens a recognizer, and loads its model if it has one.
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

/// An open recognizer.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - silence gives an empty text;
/// - words are in order, within the text and within the clip;
/// - calls may overlap; the session serializes them itself where it must;
/// - a cancelled call throws `CancellationError` soon, and leaves the session usable.
package protocol RecognitionSession: Closeable {
    /// Whether a short clip takes it nearly as long as one of ``RecognitionClip/longest``.
    var prefersLongClips: Bool { get }

    /// The silence to put between clips that are given to it as one, in windows; `nil` where none may be.
    ///
    /// A recognizer that prefers long clips needs none if it says when each word was said, else enough to separate the
    /// clips.
    var pauseInPacks: Int? { get }

    /// Whether a part of a clip, in which it repeats itself or hears no word, may be given to it once more; a service is
    /// sent each sound once.
    var recognizesAgain: Bool { get }

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
    package var pauseInPacks: Int? { nil }
    package var recognizesAgain: Bool { true }
}

/// The form of a clip for recognition.
package enum RecognitionClip {
    /// In hertz.
    package static let sampleRate = 16_000
    /// In seconds: Whisper's window; sherpa-onnx drops speech beyond it.
    package static let longest = 30.0
}

extension RecognizedSpeech {
    /// Returns whether it is valid for a clip, as ``RecognitionSession`` requires.
    ///
    /// - Parameter seconds: The duration of the clip.
    /// - Returns: Whether all invariants of the text and its words hold.
    package func isPossible(in seconds: Double) -> Bool {
        guard text.first?.isWhitespace != true, text.last?.isWhitespace != true else { return false }
        guard !words.isEmpty else { return true }
        guard timing != .none else { return false }
        let units = Array(text.utf16)
        var last = (source: 0, start: 0.0)
        return words.allSatisfy { word in
            defer { last = (word.source.upperBound, word.start) }
            return word.source.lowerBound >= last.source && word.isWritten(in: units)
                && word.isPossible(in: seconds, after: last.start)
        }
    }
}

extension RecognizedWord {
    /// Whether its range is within the text, without white space at its ends, and divides no surrogate pair.
    fileprivate func isWritten(in units: [UInt16]) -> Bool {
        guard !source.isEmpty, source.upperBound <= units.count, !UTF16.isTrailSurrogate(units[source.lowerBound]),
            source.upperBound == units.count || !UTF16.isTrailSurrogate(units[source.upperBound])
        else { return false }
        return !units[source].contains { Unicode.Scalar($0)?.properties.isWhitespace == true }
    }

    /// Whether its times are within the clip and in order.
    ///
    /// Comparisons with NaN are false.
    fileprivate func isPossible(in seconds: Double, after start: Double) -> Bool {
        let isOrdered = start <= self.start && self.start <= end && end <= seconds
        let isInPassage = passage.map { 0 <= $0.lowerBound && $0.upperBound <= seconds } ?? true
        return isOrdered && isInPassage && (confidence.map { (0...1).contains($0) } ?? true)
    }
}

extension RecognizedSpeech {
    /// Some of the words, each with the characters up to the next one; the first word of all has those before it, too.
    ///
    /// - Parameter range: Which of ``words``.
    /// - Returns: Their text, possibly with white space at its end; the times are the same.
    func part(_ range: Range<Int>) -> RecognizedSpeech {
        var part = self
        (part.text, part.words) = ("", [])
        guard !range.isEmpty else { return part }
        let units = Array(text.utf16)
        let start = range.lowerBound == 0 ? 0 : words[range.lowerBound].source.lowerBound
        let end = range.upperBound < words.count ? words[range.upperBound].source.lowerBound : units.count
        part.text = String(decoding: units[start..<max(start, end)], as: UTF16.self)
        part.words = words[range].map { $0.moved(by: -start) }
        return part
    }
}

extension RecognizedWord {
    /// The same word so many UTF-16 units later in a text; earlier for a negative number.
    func moved(by units: Int) -> RecognizedWord {
        var word = self
        word.source = source.moved(by: units)
        return word
    }
}

/// Several recognizers as one: all their models, in order.
package struct CombinedRecognizer: SpeechRecognizer {
    private let parts: [any SpeechRecognizer]

    package init(_ parts: [any SpeechRecognizer]) {
        self.parts = parts
    }

    package func recognizers() async throws -> [Recognizer] {
        var all: [Recognizer] = []
        for part in parts { all += try await part.recognizers() }
        return all
    }

    package func open(_ recognizer: Recognizer.ID, _ settings: RecognitionSettings) async throws
        -> any RecognitionSession
    {
        for part in parts where try await part.recognizers().contains(where: { $0.id == recognizer }) {
            return try await part.open(recognizer, settings)
        }
        throw RecognitionError.noSuchRecognizer(recognizer)
    }
}

/// The traits of a recognizer that its model's name shows, before it is downloaded too.
package struct RecognizerTraits: Sendable, Hashable {
    private static let prefix = "sherpa-onnx-"

    /// The name of the model's archive or folder without the common prefix.
    private let shortName: String

    /// - Parameter name: The name of the archive without its ending, or of the folder, such as
    ///   `sherpa-onnx-whisper-tiny.en`.
    package init(ofModel name: String) {
        shortName = name.hasPrefix(Self.prefix) ? String(name.dropFirst(Self.prefix.count)) : name
    }

    /// The id of the recognizer once it is installed.
    package var recognizer: Recognizer.ID { Recognizer.ID(rawValue: "sherpa/\(shortName)") }

    /// The words of the name in small letters.
    private var words: [String] { shortName.lowercased().split { "-_.".contains($0) }.map(String.init) }

    /// The name for people: the family, the size and the version, and tags of languages in capitals, such as
    /// `Whisper tiny EN`, `Parakeet 0.6B v2` or `Zipformer RU 2024-09-18`.
    ///
    /// The method of training and the format of the numbers are only in the id.
    package var title: String {
        var parts = shortName.split { "-_".contains($0) }.flatMap(Self.divided)
        // NVIDIA's toolkit, which is not the family that people know.
        if parts.first == "nemo", parts.dropFirst().first == "parakeet" { parts.removeFirst() }
        var written: [String] = []
        for part in parts where !Self.untold.contains(part.lowercased()) {
            if let last = written.last, Self.isNumeric(last), Self.isNumeric(part) {
                written[written.count - 1] += "-\(part)"
            } else {
                // The first word is the family, or somebody's own name, whatever language has its letters as its tag.
                written.append(written.isEmpty && part.count == 2 ? part : Self.written(part))
            }
        }
        let text = written.isEmpty ? shortName : written.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Words that the name for people leaves out.
    private static let untold: Set = ["tdt", "int8", "quantized"]
    private static let abbreviations: Set = ["ctc", "rnnt", "yue"]

    /// The words of a part between hyphens: `tiny.en` has two, `0.6b` and `v3.5` are one.
    private static func divided(_ part: Substring) -> [String] {
        guard let dot = part.lastIndex(of: ".") else { return [String(part)] }
        let ending = part[part.index(after: dot)...]
        guard ending.allSatisfy(\.isLetter) else { return [String(part)] }
        return [String(part[..<dot]), String(ending)].filter { !$0.isEmpty }
    }

    /// Whether it is a number, or a date as far as it was read.
    private static func isNumeric(_ word: String) -> Bool { word.allSatisfy { $0.isNumber || $0 == "-" } }

    /// A word as people write it: tags, abbreviations and sizes in capitals.
    private static func written(_ word: String) -> String {
        let isTag = word.count == 2 && word.allSatisfy(\.isLetter)
        let isSize = word.first?.isNumber == true
        return isTag || isSize || abbreviations.contains(word) ? word.uppercased() : word
    }

    /// The part that the names of a model share, whoever packed it: neither the format of its numbers nor what else it
    /// reports makes another model of it.
    package var model: String { words.filter { !Self.packing.contains($0) }.joined(separator: " ") }

    private static let packing: Set = ["nemo", "attention", "int8", "fp16"]

    /// Whether the name says that the model knows English alone, though not by its language.
    package var isEnglishOnly: Bool {
        words.contains("distil") || words.contains("parakeet") && !words.contains("v3")
    }

    /// The languages that the multilingual model hears, in BCP 47 and in the order of their tags; empty when they are not known.
    package var hears: [String] {
        if words.contains("whisper") { return RecognizerFolder.whisperLanguages.subtracting(["jw"]).sorted() }
        guard words.contains("parakeet") else { return [] }
        return RecommendedRecognizer.parakeetLanguages.union(["en"]).sorted()
    }

    /// How long the model is expected to need for a second of speech.
    ///
    /// A rough expectation: Whisper tiny.en was measured with two cores (`Documentation/Benchmarks.md`), the others follow from
    /// their sizes.
    ///
    /// - Parameter cores: How many cores the machine has; more than four hardly help.
    /// - Returns: Seconds; `nil` for an unknown model.
    package func pace(cores: Int = ProcessInfo.processInfo.activeProcessorCount) -> Double? {
        let known = Self.works.first { one in one.words.allSatisfy { words.contains($0) } }
        guard let work = known?.work else { return nil }
        return work / Double(min(max(cores, 1), 4))
    }

    /// The seconds that one core needs for a second of speech, by words of the name; the first that fit count.
    private static let works: [(words: [String], work: Double)] = [
        (["moonshine", "tiny"], 0.08), (["moonshine", "base"], 0.16), (["zipformer"], 0.08), (["parakeet"], 0.3),
        (["distil", "small"], 0.5), (["distil", "medium"], 1.3), (["distil", "large"], 2.2),
        (["whisper", "tiny"], 0.11), (["whisper", "base"], 0.22), (["whisper", "small"], 0.7),
        (["whisper", "medium"], 2), (["whisper", "turbo"], 2.2), (["whisper", "large"], 3.6),
    ]
}

/// Why speech is not recognized.
package enum RecognitionError: UserFacingError, Equatable, Codable {
    /// No such recognizer is installed or set up.
    case noSuchRecognizer(Recognizer.ID)
    /// No recognizer is installed.
    case noRecognizer
    /// The recognizer does not know the language; BCP 47.
    case unsupportedLanguage(String)
    /// The model's files cannot be used.
    case badModel(String)
    /// The folder holds no recognizer that EchoText knows.
    case notARecognizer
    /// A bare file name.
    case missingFile(String)
    /// The model is of an unsupported family, such as a streaming one.
    case unsupportedModel(String)
    /// The recognizer stopped in the middle of its work.
    case recognizerDied
    case cannotStart
    /// The machine cannot confine the recognizer's process.
    case notConfined
    case tooSlow(seconds: Int)

    package var failure: Failure {
        switch self {
        case .noSuchRecognizer(let id):
            Failure(.notFound, "recognition.not-installed", "The recogniser “\(id)” is not on this machine.")
                .suggesting(
                    "Choose another one, or download it again.",
                    inTerminal:
                        "“echotext recognizers list” shows what there is, “echotext recognizers download” brings one."
                )
        case .noRecognizer:
            Failure(.unavailable, "recognition.none", "There is no recogniser on this machine yet.")
                .suggesting("Download one.", inTerminal: "Download one: “echotext recognizers download”.")
        case .unsupportedLanguage(let language):
            Failure(.invalidRequest, "recognition.unsupported-language", "This recogniser does not know “\(language)”.")
                .suggesting("Choose another recogniser, or another language.")
        case .badModel(let name):
            Failure(.invalidContent, "recognition.bad-model", "The recogniser's file “\(name)” cannot be used.")
                .suggesting("Download the recogniser again.")
        case .notARecognizer:
            Failure(
                .invalidContent,
                "recognition.not-a-recognizer",
                "There is no recogniser there that EchoText knows."
            )
            .suggesting("Take an archive of sherpa-onnx's “asr-models”, such as one of Whisper or Parakeet.")
        case .missingFile(let name):
            Failure(.invalidContent, "recognition.missing-file", "The recogniser is incomplete: “\(name)” is missing.")
                .suggesting("Download the recogniser again.")
        case .unsupportedModel(let name):
            Failure(
                .invalidContent,
                "recognition.unsupported-model",
                "The model “\(name)” is of a kind that EchoText cannot use."
            )
            .suggesting("Whisper, Moonshine, Zipformer, Paraformer, Parakeet and SenseVoice can be used.")
        case .recognizerDied:
            Failure(.processFailed, "recognition.died", "The recogniser stopped unexpectedly.")
                .suggesting("Try again; if it happens every time, use another recogniser.")
        case .cannotStart:
            Failure(.processFailed, "recognition.cannot-start", "The recogniser could not be started.")
                .suggesting("“echotext vault doctor” checks this machine.")
        case .notConfined:
            Failure(.unavailable, "recognition.not-confined", "This machine cannot run the recogniser in a sandbox.")
                .suggesting("Install bubblewrap, or use a kernel with Landlock.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "recognition.too-slow", "The recogniser has not answered for \(seconds) seconds.")
                .suggesting("Use a smaller recogniser, or try again when the machine has less to do.")
        }
    }
}
