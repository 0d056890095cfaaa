import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Recording reader")
struct RecordingReaderTests {
    private static let wav = MemoryRecordings.wav((0..<100).map { Int16($0 * 300 - 15_000) }, sampleRate: 16_000)

    @Test("gives every sample, a bounded stretch at a time", arguments: [0, 1, 32_767, 32_768, 32_769, 70_000])
    func whole(_ count: Int) async throws {
        let samples = (0..<count).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
        let reader = try await RecordingReader(
            of: MemorySound(data: MemoryRecordings.wav(samples, sampleRate: 22_050))
        )
        #expect(reader.sampleRate == 22_050)
        #expect(reader.count == count)
        var read: [Int16] = []
        while case let clip = try await reader.clip(from: read.count), !clip.samples.isEmpty {
            #expect(clip.samples.count <= RecordingReader.longestClip)
            read += clip.pcm16
        }
        #expect(read == samples.map { max($0, -32_767) })
    }

    @Test("gives the samples as they are stored, the lowest one too", arguments: [0, 1, 32_768, 70_000])
    func stored(_ count: Int) async throws {
        let samples = (0..<count).map { $0 % 2 == 0 ? Int16.min : Int16(truncatingIfNeeded: $0 &* 7_919) }
        let reader = try await RecordingReader(
            of: MemorySound(data: MemoryRecordings.wav(samples, sampleRate: 22_050))
        )
        var read: [Int16] = []
        while case let next = try await reader.samples(from: read.count), !next.isEmpty {
            #expect(next.count <= RecordingReader.longestClip)
            read += next
        }
        #expect(read == samples)
    }

    @Test("begins anywhere, and ends at the end")
    func anywhere() async throws {
        let reader = try await RecordingReader(of: MemorySound(data: Self.wav))
        #expect(reader.sample(at: 0.005) == 80)
        #expect(reader.sample(at: -1) == 0)
        #expect(reader.sample(at: .nan) == 0)
        #expect(reader.sample(at: 7) == 100)
        #expect(try await reader.clip(from: 80, limit: 3).pcm16 == [9_000, 9_300, 9_600])
        #expect(try await reader.clip(from: 98, limit: 50).samples.count == 2)
        #expect(try await reader.clip(from: 100).samples.isEmpty)
        #expect(try await reader.clip(from: -5, limit: 1).pcm16 == [-15_000])
    }

    @Test("finds the largest amplitude, also of more than is read at once", arguments: [0, 524_287, 524_288, 599_999])
    func peak(_ place: Int) async throws {
        var samples = [Int16](repeating: -7, count: 600_000)
        samples[place] = .min
        let reader = try await RecordingReader(
            of: MemorySound(data: MemoryRecordings.wav(samples, sampleRate: 48_000))
        )
        #expect(try await reader.peak(of: 0..<600_000) == 32_768)
        #expect(try await reader.peak(of: place..<place + 1) == 32_768)
        #expect(try await reader.peak(of: (place + 10) % 600_000..<(place + 10) % 600_000 + 3) == 7)
        #expect(try await reader.peak(of: place..<place) == 0)
    }

    @Test(
        "refuses what is no WAV file of the library",
        arguments: [
            (0, UInt8(ascii: "X")), (8, 0), (12, 0), (16, 18), (20, 3), (22, 2), (24, 1), (28, 1), (32, 4), (34, 8),
            (36, 0),
            (40, 199), (43, 1),
        ]
    )
    func damaged(_ position: Int, byte: UInt8) async throws {
        var data = Self.wav
        data[position] = byte
        await #expect(throws: VaultError.contentDamaged) {
            _ = try await RecordingReader(of: MemorySound(data: data))
        }
    }

    @Test("refuses one that is cut short or too long", arguments: [0, 1, 43, 44, 243, 245])
    func length(_ count: Int) async throws {
        let data = (Self.wav + Data(repeating: 0, count: 10)).prefix(count)
        await #expect(throws: VaultError.contentDamaged) {
            _ = try await RecordingReader(of: MemorySound(data: Data(data)))
        }
    }
}
