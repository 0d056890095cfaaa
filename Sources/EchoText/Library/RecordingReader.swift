import Foundation

/// A recording's sound, read in chunks of bounded size.
///
/// Full scale is ±32,767, so that writing the samples as 16-bit sound again yields the same bytes.
package struct RecordingReader: Sendable {
    /// The most samples that one read returns: 64 KiB of the file, which is one encrypted chunk.
    package static let longestClip = 32_768
    /// The most samples that are read at once where no clip is made: 1 MiB of the file, whose chunks are decrypted in
    /// parallel.
    private static let longestStretch = 1 << 19

    /// In hertz.
    package let sampleRate: Int
    /// How many samples there are.
    package let count: Int
    private let sound: any StoredSound

    /// Reads the header.
    ///
    /// - Throws: ``VaultError/contentDamaged`` when the sound is not a 16-bit mono WAV file as the library writes them,
    ///   and what reading throws.
    package init(of sound: any StoredSound) async throws {
        guard sound.length >= WAVHeader.plainLength,
            let header = WAVHeader(plain: try await sound.read(0..<WAVHeader.plainLength), fileLength: sound.length)
        else { throw VaultError.contentDamaged }
        self.sound = sound
        sampleRate = header.sampleRate
        count = (sound.length - WAVHeader.plainLength) / 2
    }

    /// In seconds.
    package var duration: Double { Double(count) / Double(sampleRate) }

    /// The sample at `seconds`, moved to the nearest end when it is outside.
    package func sample(at seconds: Double) -> Int {
        guard seconds.isFinite, seconds > 0 else { return 0 }
        return seconds >= duration ? count : Int((seconds * Double(sampleRate)).rounded())
    }

    /// Reads at most ``longestClip`` samples; the result is empty at the end.
    ///
    /// - Parameters:
    ///   - start: The index of the first sample, from 0.
    ///   - limit: The most samples to return.
    /// - Returns: Fewer than requested only at the end, or when more than ``longestClip`` are requested.
    /// - Throws: What reading throws; ``VaultError/contentDamaged`` when the sound is shorter than its header states.
    package func clip(from start: Int, limit: Int = longestClip) async throws -> AudioClip {
        let samples = try await samples(from: start, limit: limit)
        return AudioClip(pcm16: samples, sampleRate: sampleRate)
    }

    /// Reads at most ``longestClip`` samples, as they are stored; the result is empty at the end.
    ///
    /// - Throws: As ``clip(from:limit:)``.
    package func samples(from start: Int, limit: Int = longestClip) async throws -> [Int16] {
        let first = min(max(0, start), count)
        let end = min(count, first + min(max(0, limit), Self.longestClip))
        guard first < end else { return [] }
        let bytes = try await sound.read(WAVHeader.plainLength + 2 * first..<WAVHeader.plainLength + 2 * end)
        guard bytes.count == 2 * (end - first) else { throw VaultError.contentDamaged }
        return bytes.withUnsafeBytes { [Int16](samplesIn: $0) }
    }

    /// Finds the largest amplitude between two samples.
    ///
    /// - Parameter range: Of samples, within the sound.
    /// - Returns: 0 to 32,768; 0 for an empty range.
    /// - Throws: As ``clip(from:limit:)``, and `CancellationError`.
    package func peak(of range: Range<Int>) async throws -> Int {
        var peak = 0
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.longestStretch) {
            try Task.checkCancellation()
            let end = min(range.upperBound, start + Self.longestStretch)
            let bytes = try await sound.read(WAVHeader.plainLength + 2 * start..<WAVHeader.plainLength + 2 * end)
            guard bytes.count == 2 * (end - start) else { throw VaultError.contentDamaged }
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count, by: 2) {
                    let sample = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
                    peak = max(peak, Int(sample.magnitude))
                }
            }
        }
        return peak
    }
}
