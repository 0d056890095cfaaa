import CZlib

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

    private static let leastLogProbability = -1.0
    private static let greatestRatio = 2.4
    private static let surelyNoSpeech = 0.6

    /// Whether nobody speaks.
    var isSilence: Bool { noSpeech > Self.surelyNoSpeech && meanLogProbability < Self.leastLogProbability }

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
