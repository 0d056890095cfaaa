import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Waveform", .endsInTime)
struct WaveformTests {
    private func waveform(_ samples: [Int16]) async throws -> Waveform {
        let wav = MemoryRecordings.wav(samples, sampleRate: 16_000)
        return try await Waveform(of: RecordingReader(of: MemorySound(data: wav)))
    }

    @Test("has a peak for each part of the sound, whichever sign it has")
    func parts() async throws {
        let loud = [Int16](repeating: 0, count: 20) + [-8_192, 100] + [Int16](repeating: 0, count: 78)
        let sound = (0..<Waveform.mostParts).flatMap { part in
            part == 3 ? loud : [Int16](repeating: part == 4 ? 32_767 : 0, count: 100)
        }
        let peaks = try await waveform(sound).peaks
        #expect(peaks.count == Waveform.mostParts)
        #expect(Array(peaks[2...5]) == [0, 128, 255, 0])
        #expect(peaks.count { $0 > 0 } == 2)
    }

    @Test("has a peak for every sample where there are fewer than parts", arguments: [0, 1, 7, 511, 512])
    func short(_ count: Int) async throws {
        let peaks = try await waveform([Int16](repeating: .min, count: count)).peaks
        #expect(peaks == [UInt8](repeating: 255, count: count))
    }

    @Test("loses no sample between two parts", arguments: [513, 1_000, 70_000])
    func edges(_ count: Int) async throws {
        for place in [0, count / 2, count - 1] {
            var samples = [Int16](repeating: 0, count: count)
            samples[place] = 1_000
            #expect(try await waveform(samples).peaks.count { $0 > 0 } == 1, "at \(place)")
        }
    }

    private func silence(_ count: Int) -> Data {
        MemoryRecordings.wav([Int16](repeating: 0, count: count), sampleRate: 16_000)
    }

    @Test("is kept for a recording until its sound has another length")
    func kept() async throws {
        let waveforms = Waveforms()
        var library = MemoryRecordings()
        let item = try library.add("Talk", samples: [Int16](repeating: 32_767, count: 600)).id
        let first = try await waveforms.waveform(of: item, in: library)
        #expect(Set(first.peaks) == [255])
        library.recordings[0].sound = .success(silence(600))
        #expect(try await waveforms.waveform(of: item, in: library) == first, "it was not read again")
        library.recordings[0].sound = .success(silence(601))
        #expect(Set(try await waveforms.waveform(of: item, in: library).peaks) == [0])
    }

    @Test("fails where the sound cannot be read, and is drawn once it can")
    func unreadable() async throws {
        let waveforms = Waveforms()
        var library = MemoryRecordings()
        let item = try library.add("Talk", samples: [1, 2, 3]).id
        let sound = library.recordings[0].sound
        library.recordings[0].sound = .failure(.contentDamaged)
        let damaged = library
        await #expect(throws: VaultError.contentDamaged) {
            try await waveforms.waveform(of: item, in: damaged)
        }
        library.recordings[0].sound = sound
        #expect(try await waveforms.waveform(of: item, in: library).peaks.count == 3)
    }
}
