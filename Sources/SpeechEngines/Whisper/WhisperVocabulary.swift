import Foundation

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
        for line in data.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: " "))
            // The empty token has its number alone.
            guard parts.count == 2 else { continue }
            guard let number = Int(String(decoding: parts[1], as: UTF8.self).filter(\.isNumber)),
                let own = Data(base64Encoded: Data(parts[0])), bytes.indices.contains(number)
            else { return nil }
            bytes[number] = Array(own)
        }
        guard bytes.contains(where: { !$0.isEmpty }) else { return nil }
        self.bytes = bytes
    }

    /// The bytes of a token; none for one that is no text.
    func bytes(of token: Int) -> [UInt8] { bytes.indices.contains(token) ? bytes[token] : [] }

    /// The text of tokens, in which broken characters and controls are spaces.
    func text(of tokens: some Sequence<Int>) -> String {
        let text = String(decoding: tokens.flatMap { bytes(of: $0) }, as: UTF8.self)
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isOfText ? $0 : " " }))
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

    /// Joins the neighbours that make the earliest token, until none make one.
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

extension Unicode.Scalar {
    /// Whether a text of speech may contain it.
    fileprivate var isOfText: Bool {
        guard self != "\u{FFFD}" else { return false }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        // Joiners are parts of words in some scripts.
        case .format: value == 0x200C || value == 0x200D
        default: true
        }
    }
}
