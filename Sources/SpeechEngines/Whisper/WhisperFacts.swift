import Foundation
import ONNXFormat

/// What an exported Whisper says of itself in the metadata of its encoder.
///
/// Whoever made the file wrote it, so every number is held against what a Whisper can have.
///
/// - SeeAlso: `scripts/whisper/export-onnx.py` in github.com/k2-fsa/sherpa-onnx, which writes these keys.
struct WhisperFacts: Sendable, Hashable {
    /// Numbers that a frame of sound has.
    let bands: Int
    /// Layers of the decoder.
    let layers: Int
    /// Numbers that each layer knows of a token.
    let width: Int
    /// The most tokens at a time.
    let context: Int
    let vocabulary: Int
    let tokens: WhisperSpecialTokens

    /// Reads the metadata of an encoder; `nil` for a file that cannot be read, or is no encoder of Whisper's.
    ///
    /// - Parameter file: Absolute path.
    init?(encoder file: String) {
        // A file that cannot be read has no metadata.
        guard let data = try? Data(contentsOf: URL(filePath: file), options: .alwaysMapped),
            let metadata = ONNXMetadata(of: data)
        else { return nil }
        self.init(metadata.values)
    }

    /// The most numbers that a decoder may remember as keys, and as many as values; the largest Whisper remembers 18 million.
    private static let mostRemembered = 1 << 26

    init?(_ values: [String: String]) {
        func number(_ key: String, in range: ClosedRange<Int>) -> Int? {
            values[key].flatMap { Int($0) }.flatMap { range.contains($0) ? $0 : nil }
        }
        guard values["model_type"]?.hasPrefix("whisper") == true,
            let bands = number("n_mels", in: 1...256), let layers = number("n_text_layer", in: 1...128),
            let width = number("n_text_state", in: 1...16_384), let context = number("n_text_ctx", in: 16...4_096),
            let vocabulary = number("n_vocab", in: 16...1 << 20),
            layers * width * context <= Self.mostRemembered,
            let tokens = WhisperSpecialTokens(values, vocabulary: vocabulary)
        else { return nil }
        (self.bands, self.layers, self.width, self.context) = (bands, layers, width, context)
        (self.vocabulary, self.tokens) = (vocabulary, tokens)
    }
}

/// The tokens that are no text.
struct WhisperSpecialTokens: Sendable, Hashable {
    /// Begins what is heard.
    let start: Int
    /// Ends it; all tokens before this one are text.
    let end: Int
    /// Begins a text that precedes what is heard.
    let previous: Int
    let transcribe: Int
    /// Its probability at the start is that of no speech.
    let noSpeech: Int
    /// Places in time, 0.02 s from each other, from the start of the sound on.
    let stamps: Range<Int>
    /// Text that is not spoken, such as notes and brackets.
    let unspoken: [Int]
    /// Tokens by what they call a language; empty for a model that knows English alone.
    let languages: [String: Int]

    /// The most stamps: from 0 to 30 s.
    private static let mostStamps = 1_501

    init?(_ values: [String: String], vocabulary: Int) {
        func token(_ key: String) -> Int? {
            values[key].flatMap { Int($0) }.flatMap { (0..<vocabulary).contains($0) ? $0 : nil }
        }
        guard let start = token("sot"), let end = token("eot"), let previous = token("sot_prev"),
            let transcribe = token("transcribe"), let noSpeech = token("no_speech"),
            let last = token("no_timestamps"), end < last, last + 1 < vocabulary
        else { return nil }
        (self.start, self.end, self.previous) = (start, end, previous)
        (self.transcribe, self.noSpeech) = (transcribe, noSpeech)
        stamps = last + 1..<min(vocabulary, last + 1 + Self.mostStamps)
        unspoken = Self.list(values["non_speech_tokens"]).compactMap { Int($0) }.filter { (0..<end).contains($0) }
        guard values["is_multilingual"] != "0" else {
            languages = [:]
            return
        }
        let codes = Self.list(values["all_language_codes"])
        let numbers = Self.list(values["all_language_tokens"]).compactMap { Int($0) }
        guard codes.count == numbers.count, numbers.allSatisfy({ (0..<vocabulary).contains($0) }) else { return nil }
        languages = Dictionary(zip(codes, numbers)) { first, _ in first }
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }
}
