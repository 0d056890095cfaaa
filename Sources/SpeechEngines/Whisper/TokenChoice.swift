import Foundation

/// Chooses the next token by how likely each one is.
///
/// - SeeAlso: `GreedyDecoder` of `whisper/decoding.py` in github.com/openai/whisper.
struct TokenChoice: Sendable {
    struct Chosen: Sendable, Hashable {
        var token: Int
        /// The logarithm of its probability among all that are allowed.
        var logProbability: Double
    }

    /// Less likely ones, by a factor of e to this power, change no sum.
    private static let reach: Float = 25

    /// The first token that is no text, which ends all.
    let end: Int
    /// Text that is never written.
    let unspoken: [Int]

    /// Chooses the likeliest token, or one of the likely.
    ///
    /// Stamps win where their sum is more probable than any other token.
    ///
    /// - Parameters:
    ///   - logits: A number for each token; larger is likelier.
    ///   - allowed: What may be chosen.
    ///   - temperature: 0 for the likeliest, otherwise how much likelier the less likely become.
    ///   - dice: A number from 0 to 1, which decides among the likely.
    /// - Returns: The token; `nil` when none is allowed, or numbers are none.
    func choose(
        from logits: [Float],
        _ allowed: TimestampRules.Allowed,
        temperature: Double,
        dice: Double
    ) -> Chosen? {
        var logits = logits
        for token in unspoken where logits.indices.contains(token) { logits[token] = -.infinity }
        return logits.withUnsafeBufferPointer { scores in
            let stamps = allowed.stamps.clamped(to: 0..<scores.count)
            var words: [Range<Int>] = []
            if allowed.text { words.append(0..<min(end, scores.count)) }
            if allowed.end, end < scores.count { words.append(end..<end + 1) }
            let word = Self.likeliest(in: words, of: scores)
            let stamp = Self.likeliest(in: [stamps], of: scores)
            let sum = stamp.map { Self.logSum([stamps], of: scores, $0) } ?? -.infinity
            if let word, sum <= Double(scores[word]) {
                let best = stamp.map { scores[$0] > scores[word] ? $0 : word } ?? word
                return Self.choose(best, in: words + [stamps], of: scores, temperature: temperature, dice: dice)
            }
            return stamp.flatMap {
                Self.choose($0, in: [stamps], of: scores, temperature: temperature, dice: dice)
            }
        }
    }

    /// Chooses in ranges of which `best` is the likeliest.
    private static func choose(
        _ best: Int,
        in ranges: [Range<Int>],
        of scores: UnsafeBufferPointer<Float>,
        temperature: Double,
        dice: Double
    ) -> Chosen? {
        guard scores[best].isFinite else { return nil }
        let token = temperature > 0 ? drawn(from: ranges, of: scores, best, Float(temperature), dice) : best
        return Chosen(token: token, logProbability: min(0, Double(scores[token]) - logSum(ranges, of: scores, best)))
    }

    private static func likeliest(in ranges: [Range<Int>], of scores: UnsafeBufferPointer<Float>) -> Int? {
        var (best, highest) = (nil as Int?, -Float.infinity)
        for range in ranges {
            for place in range where scores[place] > highest { (best, highest) = (place, scores[place]) }
        }
        return best
    }

    /// The logarithm of the sum of what the scores are logarithms of, in ranges of which `best` is the likeliest.
    private static func logSum(_ ranges: [Range<Int>], of scores: UnsafeBufferPointer<Float>, _ best: Int) -> Double {
        let highest = scores[best]
        var sum = 0.0
        for range in ranges {
            for place in range where scores[place] > highest - reach { sum += Double(exp(scores[place] - highest)) }
        }
        return Double(highest) + log(sum)
    }

    private static func drawn(
        from ranges: [Range<Int>],
        of scores: UnsafeBufferPointer<Float>,
        _ best: Int,
        _ temperature: Float,
        _ dice: Double
    ) -> Int {
        func weight(_ place: Int) -> Double { Double(exp((scores[place] - scores[best]) / temperature)) }
        let least = scores[best] - reach * temperature
        let places = ranges.joined().filter { scores[$0] > least }
        var rest = dice * places.reduce(0) { $0 + weight($1) }
        for place in places {
            rest -= weight(place)
            if rest <= 0 { return place }
        }
        return best
    }

    /// The probability of one token among all.
    static func probability(of token: Int, in logits: [Float]) -> Double {
        guard logits.indices.contains(token) else { return 0 }
        return logits.withUnsafeBufferPointer { scores in
            let all = [0..<scores.count]
            guard let best = likeliest(in: all, of: scores) else { return 0 }
            return exp(Double(scores[token]) - logSum(all, of: scores, best))
        }
    }

    /// The likeliest of some tokens.
    static func likeliest(of tokens: some Sequence<Int>, in logits: [Float]) -> Int? {
        tokens.filter { logits.indices.contains($0) }.max { logits[$0] < logits[$1] }
    }
}
