import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Sound that is decoded as it is taken", .endsInTime)
struct DecodedClipsTests {
    /// Returns the same piece repeatedly, and counts how many were consumed.
    private final class CountingDecoder: SoundFileDecoder {
        private let pieces: Int
        private let end: SoundImportError?
        private let given = Mutex(0)

        init(pieces: Int, end: SoundImportError? = nil) {
            (self.pieces, self.end) = (pieces, end)
        }

        var count: Int { given.withLock(\.self) }

        func decode(
            _ file: any StoredBytes,
            track: Int?,
            take: @escaping @Sendable (DecodedSound) async throws -> Void
        ) async throws {
            try await take(.facts(SoundFacts(sampleRate: 8_000)))
            for _ in 0..<pieces {
                try await take(.samples(Array(repeating: 16_384, count: 80)))
                given.withLock { $0 += 1 }
            }
            if let end { throw end }
        }
    }

    private struct Enough: Error {}

    @Test("comes whole and in order")
    func whole() async throws {
        let samples = try await DecodedClips.use(of: MemoryBytes(), by: CountingDecoder(pieces: 7)) { sound in
            #expect(sound.sampleRate == 8_000)
            var samples: [Float] = []
            while let clip = try await sound.next() { samples += clip.samples }
            return samples
        }
        #expect(samples == Array(repeating: 0.5, count: 560))
    }

    @Test("says that the file is damaged after all sound before that")
    func damaged() async throws {
        let decoder = CountingDecoder(pieces: 3, end: .damaged(seconds: 3))
        await #expect(throws: SoundImportError.damaged(seconds: 3)) {
            try await DecodedClips.use(of: MemoryBytes(), by: decoder) { sound in
                while try await sound.next() != nil {}
            }
        }
        #expect(decoder.count == 3)
    }

    @Test("of a damaged file ends where the damage is, when that is wanted, and it is said")
    func part() async throws {
        let decoder = CountingDecoder(pieces: 3, end: .damaged(seconds: 3))
        let notices = try await DecodedClips.use(of: MemoryBytes(), by: decoder, keepsPart: true) { sound in
            while try await sound.next() != nil {}
            return await sound.notices
        }
        #expect(decoder.count == 3)
        #expect(notices == [.damaged])
    }

    @Test("is decoded no further than it is taken")
    func backPressure() async throws {
        let decoder = CountingDecoder(pieces: 1_000_000)
        await #expect(throws: Enough.self) {
            try await DecodedClips.use(of: MemoryBytes(), by: decoder) { sound in
                for _ in 0..<5 { _ = try await sound.next() }
                throw Enough()
            }
        }
        #expect((4...7).contains(decoder.count), "\(decoder.count)")
    }
}
