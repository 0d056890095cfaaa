import Foundation
import Synchronization

/// Bytes that remember how far they were read.
final class ObservedBytes: StoredBytes {
    private let bytes: any StoredBytes
    private let furthest = Atomic(0)

    init(_ bytes: any StoredBytes) {
        self.bytes = bytes
    }

    var length: Int { bytes.length }

    /// The part before the furthest byte that was read, 0 to 1.
    var share: Double { length > 0 ? Double(furthest.load(ordering: .relaxed)) / Double(length) : 0 }

    func read(_ range: Range<Int>) async throws -> Data {
        let data = try await bytes.read(range)
        // Reads of the last bytes, which many formats start with for tags or lengths, do not count as progress.
        if range.upperBound < length || furthest.load(ordering: .relaxed) + 2 * range.count >= length {
            furthest.max(range.upperBound, ordering: .relaxed)
        }
        return data
    }
}
