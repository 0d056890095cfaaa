import EchoText
import Foundation

/// A WAV file that is read out of the segments it was kept in, one after the other.
actor SegmentedSound {
    private var header: Data?
    private var segments: ArraySlice<ContentReference>
    private let contents: any SealedContents
    private var current: (any StoredSound)?
    private var position = 0
    private static let chunk = 1 << 20  // bytes

    init(header: SegmentedSoundHeader, segments: [ContentReference], contents: any SealedContents) {
        self.header = header.data
        self.segments = segments[...]
        self.contents = contents
    }

    func next() async throws -> Data? {
        if let header {
            self.header = nil
            return header
        }
        while true {
            if let current, position < current.length {
                let range = position..<min(current.length, position + Self.chunk)
                position = range.upperBound
                return try await current.read(range)
            }
            guard let segment = segments.popFirst() else { return nil }
            current = try await contents.sound(of: segment)
            position = 0
        }
    }
}

/// Bytes that are handed out once.
actor OneChunk {
    private var data: Data?

    init(_ data: Data) {
        self.data = data
    }

    func take() -> Data? {
        defer { data = nil }
        return data
    }
}

/// Sound as bytes, some at a time.
actor SoundChunks {
    private let sound: SampleRuns
    private var position = 0
    private static let longest = 1 << 19  // samples

    init(_ sound: SampleRuns) {
        self.sound = sound
    }

    /// `nil` at the end.
    func next() -> Data? {
        let samples = sound.samples(from: position, limit: Self.longest)
        guard !samples.isEmpty else { return nil }
        position += samples.count
        // Little-endian, as every machine is that Swift runs on.
        return samples.withUnsafeBytes { Data($0) }
    }
}

/// The header of a WAV file of 16-bit mono, before its samples.
///
/// - SeeAlso: Multimedia Programming Interface and Data Specifications 1.0 (RIFF).
struct SegmentedSoundHeader {
    let data: Data

    /// Bytes.
    static let length = 44

    /// - Parameters:
    ///   - sampleRate: In hertz.
    ///   - length: Bytes of samples.
    /// - Throws: ``LibraryError/recordingTooLong`` when the sizes of a WAV file cannot say as much.
    init(sampleRate: Int, length: Int) throws {
        guard length <= Int(UInt32.max) - Self.length else { throw LibraryError.recordingTooLong }
        var data = Data()
        func append(_ identifier: String) { data.append(contentsOf: identifier.utf8) }
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
        }
        append("RIFF")
        append(UInt32(length + Self.length - 8))
        append("WAVEfmt ")
        append(UInt32(16))
        append(UInt16(1))  // PCM
        append(UInt16(1))  // channels
        append(UInt32(sampleRate))
        append(UInt32(sampleRate * 2))  // bytes per second
        append(UInt16(2))  // bytes per frame
        append(UInt16(16))  // bits per sample
        append("data")
        append(UInt32(length))
        self.data = data
    }
}
