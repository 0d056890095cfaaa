package import Foundation

/// Chunks of a recording that tests know by their numbers, no two alike.
package enum SampleChunk {
    /// In hertz.
    package static let sampleRate = 8_000
    /// Two seconds.
    package static let length = 16_000

    package static func samples(_ number: Int) -> [Int16] {
        (0..<length).map { Int16(truncatingIfNeeded: ($0 &+ 1) &* (number &* 31 &+ 7)) }
    }

    /// A file that they could have come from, of several sealed chunks.
    package static let file = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 + $0 / 251) })
}
