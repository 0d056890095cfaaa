import CZlib
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

/// Which tokens may follow those that Whisper has written, so that it says when each passage begins and ends.
///
/// Stamps come in pairs around passages, never go back, and the first is at most a second from the start of the sound.
///
/// - SeeAlso: `ApplyTimestampRules` of `whisper/decoding.py` in github.com/openai/whisper.
struct TimestampRules: Sendable, Hashable {
    /// The tokens that may come next.
    struct Allowed: Sendable, Hashable {
        /// Whether text may.
        var text: Bool
        /// Whether the end may.
        var end: Bool
        /// Which stamps may.
        var stamps: Range<Int>
    }

    /// How many stamps after the first may begin: those of a second.
    private static let latestBeginning = 50

    /// The stamps of all times.
    let stamps: Range<Int>

    /// The tokens that may come next.
    ///
    /// - Parameter tokens: What has been written so far, without what came before the sound.
    /// - Returns: At least one of text, end and stamps, unless all stamps have passed.
    func allowed(after tokens: [Int]) -> Allowed {
        guard let last = tokens.last else {
            let latest = min(stamps.upperBound, stamps.lowerBound + Self.latestBeginning + 1)
            return Allowed(text: false, end: false, stamps: stamps.lowerBound..<latest)
        }
        var allowed = Allowed(text: true, end: true, stamps: stamps)
        let begins = stamps.contains(last) && (tokens.count < 2 || stamps.contains(tokens[tokens.count - 2]))
        if begins {
            allowed.stamps = stamps.upperBound..<stamps.upperBound
            return allowed
        }
        let isEnd = stamps.contains(last)
        allowed.text = !isEnd
        if let latest = tokens.last(where: { stamps.contains($0) }) {
            // A passage may begin where one ends, but takes some time.
            let earliest = min(isEnd ? latest : latest + 1, stamps.upperBound)
            allowed.stamps = earliest..<stamps.upperBound
        }
        return allowed
    }

    // MARK: - Passages

    /// Text between two stamps.
    struct Passage: Sendable, Hashable {
        /// Which stamp it begins at, from 0.
        var start: Int
        /// Which stamp it ends at; `nil` where the sound was left before it was written.
        var end: Int?
        /// Which of the tokens are its text.
        var tokens: Range<Int>
    }

    /// The passages of what was written; one without text is none.
    func passages(of tokens: [Int]) -> [Passage] {
        var passages: [Passage] = []
        var open: (start: Int, first: Int)?
        for (place, token) in tokens.enumerated() where stamps.contains(token) {
            let stamp = token - stamps.lowerBound
            if let begun = open, begun.first < place {
                passages.append(Passage(start: begun.start, end: stamp, tokens: begun.first..<place))
                open = nil
            } else {
                open = (stamp, place + 1)
            }
        }
        if let open, open.first < tokens.count {
            passages.append(Passage(start: open.start, end: nil, tokens: open.first..<tokens.count))
        }
        return passages
    }
}

/// How far what Whisper has written is to be believed.
///
/// - SeeAlso: `whisper/transcribe.py` in github.com/openai/whisper, whose limits these are.
struct DecodingQuality: Sendable, Hashable {
    /// The mean of the logarithms of all tokens' probabilities.
    var meanLogProbability: Double
    /// How many times shorter the text becomes when it is compressed; a text that repeats itself becomes much shorter.
    var compressionRatio: Double
    /// The probability that nobody speaks.
    var noSpeech: Double
    /// Whether it is of the rest of a clip, before which a text has ended.
    var isOfRest = false

    private static let leastLogProbability = -1.0
    private static let greatestRatio = 2.4
    private static let surelyNoSpeech = 0.6
    /// The limits for a rest: from tiny.en, noise and breath have 0.34 and more, and −0.86 and less; single words 0.18 or −0.85 at worst.
    private static let (noSpeechInRest, leastInRest) = (0.3, -0.75)

    /// Whether nobody speaks.
    ///
    /// A text that has ended before a rest is a sign of silence in it, which is otherwise heard as a “Thank you”.
    var isSilence: Bool {
        isOfRest
            ? noSpeech > Self.noSpeechInRest && meanLogProbability < Self.leastInRest
            : noSpeech > Self.surelyNoSpeech && meanLogProbability < Self.leastLogProbability
    }

    var repeatsItself: Bool { compressionRatio > Self.greatestRatio }

    /// Whether another try may be better.
    var isDoubtful: Bool { !isSilence && (repeatsItself || meanLogProbability < Self.leastLogProbability) }

    /// Whether this is better than another that is doubtful too.
    func isBetter(than other: Self) -> Bool {
        if repeatsItself != other.repeatsItself { return !repeatsItself }
        return meanLogProbability > other.meanLogProbability
    }

    /// - Returns: 0 for an empty text.
    static func compressionRatio(of text: String) -> Double {
        let bytes = Array(text.utf8)
        var length = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        guard !bytes.isEmpty, compress(&compressed, &length, bytes, uLong(bytes.count)) == Z_OK, length > 0 else {
            return 0
        }
        return Double(bytes.count) / Double(length)
    }
}

/// Tries again, each time with a higher temperature, until what is written can be believed.
enum TemperatureFallback {
    static let temperatures = [0, 0.2, 0.4, 0.6, 0.8, 1]

    /// - Parameters:
    ///   - mayTryAgain: Whether there is time for another try.
    ///   - write: Writes at a temperature.
    /// - Returns: The first that is not doubtful, else the best of all.
    static func best<Written>(
        while mayTryAgain: () -> Bool = { true },
        _ write: (_ temperature: Double) throws -> (written: Written, quality: DecodingQuality)
    ) rethrows -> (written: Written, quality: DecodingQuality) {
        var best = try write(temperatures[0])
        guard best.quality.isDoubtful else { return best }
        for temperature in temperatures.dropFirst() where mayTryAgain() {
            let next = try write(temperature)
            guard next.quality.isDoubtful else { return next }
            if next.quality.isBetter(than: best.quality) { best = next }
        }
        return best
    }
}

/// Divides a sound where another language is spoken behind a silence.
///
/// A model writes all of a sound in one language, and translates what is said in another.
enum LanguageDivision {
    /// The language of a stretch of sound, as a model guesses it.
    struct Guess: Sendable, Hashable {
        var language: String
        /// Its probability among all languages.
        var probability: Double
    }

    /// A part of a sound in one language.
    struct Part: Sendable, Hashable {
        /// In frames of 0.02 s.
        var frames: Range<Int>
        /// `nil` where no guess is believed.
        var language: String?
    }

    /// The silence between two stretches, in frames: a second.
    private static let pause = 50
    /// The shortest stretch of which a guess is believed, in frames: two seconds, silence at its ends included.
    private static let shortest = 100
    /// The least probability that is believed: that of all other languages together.
    private static let least = 0.5

    /// The stretches of a sound between which it is silent for a second or more.
    ///
    /// - Parameters:
    ///   - samples: The sound.
    ///   - limit: The largest sample that counts as silent.
    /// - Returns: In order, in frames.
    static func stretches(of samples: [Float], silentUpTo limit: Float) -> [Range<Int>] {
        var stretches: [Range<Int>] = []
        for frame in 0..<frames(of: samples) {
            let start = frame * WhisperModel.frame
            let sound = samples[start..<min(samples.count, start + WhisperModel.frame)]
            guard sound.contains(where: { abs($0) > limit }) else { continue }
            if let last = stretches.last, frame - last.upperBound < pause {
                stretches[stretches.count - 1] = last.lowerBound..<frame + 1
            } else {
                stretches.append(frame..<frame + 1)
            }
        }
        return stretches
    }

    /// How many frames a sound has, the last of which may be incomplete.
    static func frames(of samples: [Float]) -> Int { (samples.count + WhisperModel.frame - 1) / WhisperModel.frame }

    /// Divides a sound between stretches in different languages.
    ///
    /// A stretch whose guess is not believed is in the language of the one before; at the beginning, of the next one.
    ///
    /// - Parameters:
    ///   - stretches: In order, in frames.
    ///   - guesses: One for each.
    ///   - frames: How many frames the sound has.
    /// - Returns: One part at least, which together are the sound; they meet in the middles of silences.
    static func parts(of stretches: [Range<Int>], _ guesses: [Guess?], frames: Int) -> [Part] {
        var parts = [Part(frames: 0..<frames)]
        for (place, (stretch, guess)) in zip(stretches, guesses).enumerated() {
            guard let guess, stretch.count >= shortest, guess.probability > least else { continue }
            let last = parts[parts.count - 1]
            guard let language = last.language, language != guess.language, place > 0 else {
                parts[parts.count - 1].language = guess.language
                continue
            }
            let middle = (stretches[place - 1].upperBound + stretch.lowerBound) / 2
            parts[parts.count - 1].frames = last.frames.lowerBound..<middle
            parts.append(Part(frames: middle..<frames, language: guess.language))
        }
        return parts
    }
}

extension LanguageDivision.Guess {
    /// The likeliest language; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - languages: Their tokens.
    ///   - logits: A number for each token of the model.
    init?(_ languages: [String: Int], _ logits: [Float]) {
        guard let token = TokenChoice.likeliest(of: languages.values, in: logits),
            let language = languages.first(where: { $0.value == token })?.key
        else { return nil }
        let sum = languages.values.filter { logits.indices.contains($0) }
            .reduce(0.0) { $0 + exp(Double(logits[$1] - logits[token])) }
        self.init(language: language, probability: 1 / sum)
    }
}
