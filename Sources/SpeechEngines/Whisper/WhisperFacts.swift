import EchoText
import Foundation
import ONNXFormat

/// The facts about an exported Whisper in the metadata of its encoder.
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

/// Whisper's tokens and the bytes that each stands for.
///
/// A token may be a part of a character; only the bytes of all tokens together are a text.
struct WhisperVocabulary: Sendable {
    /// Bytes by the token's number; empty for one that is no text.
    private let bytes: [[UInt8]]

    /// The most bytes of a file of tokens; the largest has 900,000.
    private static let longestFile = 16 << 20

    /// Reads a file of tokens; `nil` for one that cannot be read, or has other lines.
    ///
    /// - Parameters:
    ///   - file: Absolute path of a file with a line for each token: its bytes in base64, and its number.
    ///   - count: How many tokens there are, those without a line included.
    init?(file: String, count: Int) {
        // A file that cannot be read has no tokens.
        guard let data = try? Data(contentsOf: URL(filePath: file)), data.count <= Self.longestFile else { return nil }
        self.init(data, count: count)
    }

    init?(_ data: Data, count: Int) {
        var bytes = [[UInt8]](repeating: [], count: count)
        let isRead = data.withUnsafeBytes { (raw: UnsafeRawBufferPointer) -> Bool in
            let lines: [Slice<UnsafeRawBufferPointer>] = raw.split(separator: UInt8(ascii: "\n"))
            return lines.allSatisfy { line in
                let parts: [Slice<UnsafeRawBufferPointer>] = line.split(separator: UInt8(ascii: " "))
                // The empty token has its number alone.
                guard parts.count == 2 else { return true }
                guard let number = Self.number(in: parts[1]), bytes.indices.contains(number),
                    let own = Self.decoded(parts[0])
                else { return false }
                bytes[number] = own
                return true
            }
        }
        guard isRead, bytes.contains(where: { !$0.isEmpty }) else { return nil }
        self.bytes = bytes
    }

    private static func number(in text: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = text.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    /// The bytes that base64 stands for; `nil` for other text.
    ///
    /// A file has some 50,000 tokens of a few bytes, for each of which Foundation's decoder would make two copies.
    private static func decoded(_ text: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.count.isMultiple(of: 4), padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var held = 0
        for sign in text.dropLast(padding) {
            guard let value = sixBits(of: sign) else { return nil }
            bits = bits << 6 | value
            held += 6
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> held))
        }
        return bytes
    }

    private static func sixBits(of sign: UInt8) -> UInt32? {
        switch sign {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(sign - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(sign - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(sign - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }

    /// The bytes of a token; none for one that is no text.
    func bytes(of token: Int) -> [UInt8] { bytes.indices.contains(token) ? bytes[token] : [] }

    /// The text of tokens, in which broken characters and controls are spaces.
    func text(of tokens: some Sequence<Int>) -> String {
        let text = String(decoding: tokens.flatMap { bytes(of: $0) }, as: UTF8.self)
        let scalars = text.unicodeScalars.map { $0.isOfTranscript && $0 != "\u{FFFD}" ? $0 : " " }
        return String(String.UnicodeScalarView(scalars))
    }

    // MARK: - From text to tokens

    /// The tokens of a text, such as one that precedes what is heard.
    ///
    /// - Parameters:
    ///   - text: Any text; white space in it counts as one space.
    ///   - end: The first token that is no text.
    /// - Returns: Tokens whose text is the same with a space before it; what no token stands for is left out.
    func tokens(of text: String, before end: Int) -> [Int] {
        var ranks: [[UInt8]: Int] = [:]
        for (number, bytes) in bytes.prefix(end).enumerated() where !bytes.isEmpty { ranks[bytes] = number }
        return Self.pieces(of: text).flatMap { Self.tokens(of: $0, ranks) }
    }

    /// Joins the neighbors that make the earliest token, until none make one.
    ///
    /// - SeeAlso: R. Sennrich, B. Haddow, A. Birch, “Neural Machine Translation of Rare Words with Subword Units”, 2016.
    private static func tokens(of piece: [UInt8], _ ranks: [[UInt8]: Int]) -> [Int] {
        var parts = piece.map { [$0] }
        while parts.count > 1 {
            let joined = parts.indices.dropLast().map { ranks[parts[$0] + parts[$0 + 1]] }
            guard let best = joined.compactMap(\.self).min(), let place = joined.firstIndex(of: best) else { break }
            let next = parts.remove(at: place + 1)
            parts[place] += next
        }
        return parts.compactMap { ranks[$0] }
    }

    /// Parts that tokens do not reach over: runs of letters, of digits, and of other signs, each with the space before it.
    private static func pieces(of text: String) -> [[UInt8]] {
        enum Kind { case letter, digit, sign }
        var pieces: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            var last: Kind?
            for character in word {
                let kind: Kind = character.isLetter ? .letter : character.isNumber ? .digit : .sign
                if kind == last, let place = pieces.indices.last {
                    pieces[place].append(character)
                } else {
                    pieces.append((last == nil ? " " : "") + String(character))
                }
                last = kind
            }
        }
        return pieces.map { Array($0.utf8) }
    }
}
