import Foundation
import Synchronization

/// Bytes that remember how far they were read.
final class ObservedBytes: StoredBytes {
    private let bytes: any StoredBytes
    private let furthest = Atomic(0)
    private let isNewPass = Atomic(false)

    init(_ bytes: any StoredBytes) {
        self.bytes = bytes
    }

    var length: Int { bytes.length }

    /// The part before the furthest byte that was read, 0 to 1.
    var share: Double { length > 0 ? Double(furthest.load(ordering: .relaxed)) / Double(length) : 0 }

    /// From here on the file is read once more: its sound is counted before it is decoded.
    func beginPass() { isNewPass.store(true, ordering: .relaxed) }

    func read(_ range: Range<Int>) async throws -> Data {
        let data = try await bytes.read(range)
        if isNewPass.exchange(false, ordering: .relaxed) { furthest.store(0, ordering: .relaxed) }
        // The last bytes of many files are read first, for tags or lengths: they say nothing.
        if range.upperBound < length || furthest.load(ordering: .relaxed) + 2 * range.count >= length {
            furthest.max(range.upperBound, ordering: .relaxed)
        }
        return data
    }
}
