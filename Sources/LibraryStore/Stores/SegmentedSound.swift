import EchoText
import Foundation

/// A WAV file made from the segments in which it was stored.
actor SegmentedSound {
    private var header: Data?
    private var segments: ArraySlice<ContentReference>
    private let contents: any SealedContents
    private var current: (any StoredSound)?
    private var position = 0
    private static let chunk = 1 << 20  // bytes

    init(header: WAVHeader, segments: [ContentReference], contents: any SealedContents) {
        self.header = Data(header.bytes)
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
