import EchoText

/// Mixes the channels of a sound down to one, so that what is in any of them can be heard.
///
/// A channel that is the opposite of the others is turned round before it is added, since their sum would be silence. What is in
/// one of many channels loses half its level at most, however many there are; where their sum would be too loud, it is turned down.
struct ChannelMixer {
    /// How long sound is looked at before it is mixed, and how long a change of a channel's sign or of the level takes, in seconds.
    private static let (window, ramp) = (0.25, 0.01)
    /// The share of the past that is left after each window.
    private static let memory = 0.75
    /// How alike two sounds are, from −1 for opposites to 1, before a sign is changed: over some windows, and in one.
    private static let (likeness, sureLikeness) = (0.3, 0.6)
    /// Power below which there is nothing to compare, per sample.
    private static let faintest = 1e-10
    /// How much of a turned-down level comes back in each window.
    private static let recovery: Float = 0.25

    private let channels: Int
    private let weights: [Float]
    /// In frames.
    private let windowLength: Int
    private let rampLength: Int
    private var pending: [Float] = []
    private var signs: [Float]
    private var level: Float = 1
    private var hasBegun = false
    /// For each channel, with the channels before it: the product, their power, its own power.
    private var likenesses: [(product: Double, others: Double, own: Double)]

    /// - Parameters:
    ///   - channels: How many there are, at least one.
    ///   - center: The one in the middle, where that is known.
    ///   - sampleRate: In hertz.
    init(channels: Int, center: Int?, sampleRate: Int) {
        self.channels = channels
        weights = (0..<channels).map { channels == 1 ? 1 : channels > 2 && $0 == center ? 0.708 : 0.5 }
        windowLength = max(1, Int(Double(sampleRate) * Self.window))
        rampLength = max(1, Int(Double(sampleRate) * Self.ramp))
        signs = Array(repeating: 1, count: channels)
        likenesses = Array(repeating: (product: 0, others: 0, own: 0), count: channels)
    }

    /// Mixes what is complete.
    ///
    /// - Parameters:
    ///   - samples: More sound, a sample of each channel in turn; it may end within such a turn.
    ///   - isLast: Whether nothing comes after it.
    /// - Returns: One channel.
    mutating func mix(_ samples: ArraySlice<Float>, isLast: Bool) -> [Float] {
        if channels == 1 { return Array(samples) }
        pending += samples
        var mixed: [Float] = []
        var start = 0
        while pending.count - start >= windowLength * channels {
            mixed += mixWindow(start..<start + windowLength * channels)
            start += windowLength * channels
        }
        if isLast, pending.count - start >= channels {
            let frames = (pending.count - start) / channels
            mixed += mixWindow(start..<start + frames * channels)
            start = pending.count
        }
        pending.removeFirst(start)
        return mixed
    }

    private mutating func mixWindow(_ range: Range<Int>) -> [Float] {
        let count = range.count / channels
        var mixed = [Float](repeating: 0, count: count)
        for channel in 0..<channels {
            let weight = weights[channel]
            let old = signs[channel]
            if channel > 0 { turn(channel, against: mixed, in: range) }
            let new = signs[channel]
            let begun = hasBegun ? old : new
            for frame in 0..<count {
                let part = Float(min(frame, rampLength)) / Float(rampLength)
                let sign = begun == new ? new : begun + (new - begun) * part
                mixed[frame] += sign * weight * pending[range.lowerBound + frame * channels + channel]
            }
        }
        turnDown(&mixed)
        hasBegun = true
        return mixed
    }

    /// Chooses the sign of a channel by those that were mixed before it.
    private mutating func turn(_ channel: Int, against mixed: [Float], in range: Range<Int>) {
        var (product, others, own) = (0.0, 0.0, 0.0)
        for frame in mixed.indices {
            let (one, other) = (Double(pending[range.lowerBound + frame * channels + channel]), Double(mixed[frame]))
            product += one * other
            others += other * other
            own += one * one
        }
        let now = others * own > 0 ? product / (others * own).squareRoot() : 0
        let past = likenesses[channel]
        product += past.product * Self.memory
        others += past.others * Self.memory
        own += past.own * Self.memory
        likenesses[channel] = (product, others, own)
        let least = Self.faintest * Double(mixed.count)
        guard others > least, own > least else { return }
        let alike = product / (others * own).squareRoot()
        if abs(now) > Self.sureLikeness {
            signs[channel] = now < 0 ? -1 : 1
        } else if abs(alike) > Self.likeness {
            signs[channel] = alike < 0 ? -1 : 1
        }
    }

    private mutating func turnDown(_ mixed: inout [Float]) {
        let peak = mixed.reduce(Float(0)) { max($0, abs($1)) }
        let highest: Float = peak > 1 ? 1 / peak : 1
        let new = highest < level ? highest : min(highest, level + Self.recovery)
        if new != 1 || level != 1 {
            for frame in mixed.indices {
                let part = Float(min(frame, rampLength)) / Float(rampLength)
                mixed[frame] *= level + (new - level) * part
            }
        }
        level = new
    }
}

extension ArraySlice<Float> {
    /// The samples that libsndfile reads these values from, at `Float.fullScale`; what is not a number is silence.
    var samples16: [Int16] {
        withUnsafeBufferPointer { amplitudes in
            let length = amplitudes.count
            let (scale, lowest, highest) = (Float.fullScale, Float(Int16.min), Float(Int16.max))
            return [Int16](unsafeUninitializedCapacity: length) { samples, count in
                guard let source = amplitudes.baseAddress, let target = samples.baseAddress else { return }
                // A loop over memory, as for all that every sample passes through: see `AudioClip.swift`.
                var index = 0
                while index < length {
                    let value = source[index] * scale
                    let clipped: Float =
                        value > highest ? highest : value < lowest ? lowest : value == value ? value : 0
                    target[index] = Int16(clipped.rounded())
                    index += 1
                }
                count = length
            }
        }
    }
}
