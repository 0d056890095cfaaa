package import Foundation

/// The sound of a recording session so far, as a WAV file.
package struct SessionSound: StoredSound {
    private let session: RecordingSession
    private let recordings: any RecordingSessions
    private let header: [UInt8]

    /// - Parameters:
    ///   - session: The session with its present samples; later ones are not part of the file.
    ///   - recordings: The store of the session.
    package init(of session: RecordingSession, in recordings: any RecordingSessions) {
        self.session = session
        self.recordings = recordings
        header =
            WAVHeader(
                sampleRate: session.order.sampleRate,
                dataLength: Int64(2 * session.samples)
            ).bytes
    }

    package var length: Int { header.count + 2 * session.samples }

    /// - Throws: ``RecordingError/sessionNotFound``, ``VaultError``.
    package func read(_ range: Range<Int>) async throws -> Data {
        precondition(range.clamped(to: 0..<length) == range, "\(range) is outside a sound of \(length) bytes")
        var bytes = Data(header[range.clamped(to: header.indices)])
        let wanted = range.clamped(to: header.count..<length)
        guard !wanted.isEmpty else { return bytes }
        let first = (wanted.lowerBound - header.count) / 2
        let end = (wanted.upperBound - header.count + 1) / 2
        // Little-endian, as every machine is that Swift runs on.
        let sound = try await samples(first..<end).withUnsafeBytes { Data($0) }
        let skipped = wanted.lowerBound - header.count - 2 * first
        bytes.append(sound[skipped..<(skipped + wanted.count)])
        return bytes
    }

    private func samples(_ range: Range<Int>) async throws -> [Int16] {
        var samples: [Int16] = []
        while samples.count < range.count {
            let start = range.lowerBound + samples.count
            let more = try await recordings.samples(of: session.id, from: start, limit: range.upperBound - start)
            guard !more.isEmpty else { throw RecordingError.sessionNotFound }
            samples += more
        }
        return samples
    }
}
