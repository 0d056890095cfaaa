/// Sizes that say little about what is inside: Padmé.
///
/// - SeeAlso: Nikitin, Barman, Lueks, Underwood, Hubaux and Ford, *Reducing Metadata Leakage from Encrypted Files and
///   Communication with PURBs*, 2019, §4: at most 12 % are added, and O(log log *n*) bits of the size are revealed.
enum PaddedSize {
    /// In bytes.
    static let smallest = 4_096

    /// The size that `size` bytes are filled up to.
    static func of(_ size: Int) -> Int {
        guard size > smallest else { return smallest }
        let exponent = Int.bitWidth - 1 - size.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - kept)) - 1
        return (size + mask) & ~mask
    }
}
