import EchoText

/// Some words of a text that states no language, by which it is recognized; of a longer text they are from behind its
/// front matter, which may be in another.
struct LanguageSample {
    /// How many bytes are looked at: many more than the words that tell languages apart.
    private static let room = 16_384
    /// How many bytes a text has that may have front matter.
    private static let long = 6_000

    /// How many bytes are still passed over.
    private var skipped: Int
    private var bytes: [UInt8] = []

    /// - Parameter length: About how long the text is, in bytes.
    init(ofLength length: Int) {
        skipped = length > Self.long ? length / 3 : 0
    }

    /// Takes the next piece of the text, in UTF-8.
    mutating func take(_ piece: UnsafeRawBufferPointer) {
        guard bytes.count < Self.room else { return }
        let passed = min(skipped, piece.count)
        skipped -= passed
        bytes.append(contentsOf: piece.dropFirst(passed).prefix(Self.room - bytes.count))
    }

    /// The language as a two-letter code; `nil` where it is not clear.
    var language: String? { LanguageGuess.language(of: String(decoding: bytes, as: UTF8.self)) }

    /// The language of a whole text.
    static func language(of text: String) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            var sample = LanguageSample(ofLength: bytes.count)
            sample.take(UnsafeRawBufferPointer(bytes))
            return sample.language
        }
    }
}
