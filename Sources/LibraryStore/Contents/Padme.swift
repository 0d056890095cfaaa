/// Sizes that tell little about what is inside: at most 12 % more, and only O(log log n) bits of the length remain.
///
/// - SeeAlso: Nikitin, Barman et al., “Reducing Metadata Leakage from Encrypted Files and Communication with PURBs”, 2019, §4.
enum Padme {
    /// The least that any content is padded to, in bytes.
    static let least = 4_096

    /// - Parameter length: In bytes, 0 or more.
    /// - Returns: The padded length: at least `length` and ``least``.
    static func size(of length: Int) -> Int {
        guard length > least else { return least }
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let digits = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = 1 << (exponent - digits) - 1
        return (length + mask) & ~mask
    }
}
