/// Detects that a recogniser repeats itself, a known fault of autoregressive decoders.
///
/// - SeeAlso: OpenAI's `whisper/transcribe.py`, which decodes again above a compression ratio of 2.4; this check
///   measures the share of a text that repeats what directly precedes it, which needs no compressor and locates the
///   start.
package enum RepetitionCheck {
    /// The longest phrase that is looked for, in words.
    private static let longestPhrase = 12
    /// How often a phrase may be said in a row: people do say “no, no, no”, but not longer phrases as often.
    private static func allowed(words: Int) -> Int { words == 1 ? 5 : words <= 3 ? 3 : 2 }

    /// Finds where a repetition exceeds what people say.
    ///
    /// - Parameter words: The words of one clip, in order; letter case and punctuation are ignored.
    /// - Returns: The index of the first excess word, or `nil`.
    package static func start(in words: [some StringProtocol]) -> Int? {
        let words = words.map { $0.lowercased().filter { $0.isLetter || $0.isNumber } }
        var earliest: Int?
        for length in 1...longestPhrase where words.count > length {
            var begin = 0
            while begin + 2 * length <= words.count {
                let times = repetitions(of: begin..<begin + length, in: words)
                if times > allowed(words: length) {
                    let place = begin + length * allowed(words: length)
                    earliest = min(earliest ?? place, place)
                    break
                }
                begin += 1
            }
        }
        return earliest
    }

    /// How often the phrase occurs in a row, including the first time.
    private static func repetitions(of phrase: Range<Int>, in words: [String]) -> Int {
        guard phrase.contains(where: { !words[$0].isEmpty }) else { return 1 }
        var times = 1
        var next = phrase.upperBound
        while next + phrase.count <= words.count, words[phrase] == words[next..<next + phrase.count] {
            times += 1
            next += phrase.count
        }
        return times
    }
}
