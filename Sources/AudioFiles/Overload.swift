import Foundation

/// Finds how far a sound of floating-point numbers must be turned down so that it is not clipped where it is kept.
///
/// Recorders that write such numbers go beyond full scale without harm, and some programs write them as large as integers.
struct Overload {
    /// The samples that may be clipped all the same, as clicks are: at least so many, and one of so many.
    private static let (least, share) = (16, 100_000)

    /// How many samples are beyond full scale, by decibels.
    private var counts = [Int](repeating: 0, count: 121)
    private var total = 0

    mutating func add(_ samples: ArraySlice<Float>) {
        total += samples.count
        for sample in samples where sample.magnitude > 1 && sample.isFinite {
            counts[min(counts.count - 1, Int(20 * log10(sample.magnitude)))] += 1
        }
    }

    /// The factor for all samples; 1 where they fit.
    var gain: Float {
        var left = max(Self.least, total / Self.share)
        for decibels in counts.indices.reversed() {
            left -= counts[decibels]
            if left < 0 { return pow(10, -Float(decibels + 1) / 20) }
        }
        return 1
    }
}
