import Foundation

/// How loud a stretch of sound is.
package struct SoundLevel: Sendable, Hashable {
    /// The quietest level that is reported, in dBFS.
    package static let floor = -90.0

    /// The loudest sample, in dBFS.
    package let peak: Double
    /// The root mean square, in dBFS of a full-scale square wave.
    package let average: Double
    /// Whether samples are at full scale, where sound is clipped.
    package let isClipped: Bool

    package init(of samples: some Collection<Int16>) {
        var (loudest, power) = (0, 0.0)
        for sample in samples {
            loudest = max(loudest, abs(Int(sample)))
            power += Double(sample) * Double(sample)
        }
        peak = Self.decibels(Double(loudest) / 32_768)
        average = samples.isEmpty ? Self.floor : Self.decibels((power / Double(samples.count)).squareRoot() / 32_768)
        isClipped = loudest >= 32_767
    }

    private static func decibels(_ amplitude: Double) -> Double {
        amplitude > 0 ? max(floor, 20 * log10(amplitude)) : floor
    }
}
