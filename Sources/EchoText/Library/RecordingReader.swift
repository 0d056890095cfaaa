import Foundation

/// A recording's sound, read in chunks of bounded size.
///
/// Full scale is ±32,767, so that writing the samples as 16-bit sound again yields the same bytes.
package struct RecordingReader: Sendable {
    /// The most samples that one read returns: 64 KiB of the file, which is one encrypted chunk.
    package static let longestClip = 32_768

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
        let first = min(max(0, start), count)
        let end = min(count, first + min(max(0, limit), Self.longestClip))
        guard first < end else { return AudioClip(samples: [], sampleRate: sampleRate) }
        let bytes = try await sound.read(WAVHeader.plainLength + 2 * first..<WAVHeader.plainLength + 2 * end)
        guard bytes.count == 2 * (end - first) else { throw VaultError.contentDamaged }
        let samples = bytes.withUnsafeBytes { [Int16](samplesIn: $0) }
        return AudioClip(samples: samples.amplitudes(fullScale: 32_767), sampleRate: sampleRate)
    }
}
