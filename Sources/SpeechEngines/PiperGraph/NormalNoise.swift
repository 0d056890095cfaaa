import Foundation

/// Numbers drawn from a normal distribution of mean 0 and deviation 1, the same for the same seed.
///
/// - SeeAlso: G. E. P. Box, M. E. Muller, “A Note on the Generation of Random Normal Deviates”, 1958; G. L. Steele, D. Lea,
///   C. H. Flood, “Fast Splittable Pseudorandom Number Generators”, OOPSLA 2014 (SplitMix64).
struct NormalNoise {
    private var state: UInt64
    private var spare: Float?

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> Float {
        if let spare {
            self.spare = nil
            return spare
        }
        let radius = (-2 * log(uniform())).squareRoot()
        let angle = 2 * Double.pi * uniform()
        spare = Float(radius * sin(angle))
        return Float(radius * cos(angle))
    }

    /// - Returns: The next `count` numbers.
    mutating func numbers(_ count: Int) -> [Float] { (0..<count).map { _ in next() } }

    /// A uniform random number above 0, at most 1.
    mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11 + 1) * 0x1p-53
    }
}
