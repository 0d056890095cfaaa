import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Sound file writer", .endsInTime)
struct SoundFileWriterTests {
    @Test("keeps every promise of a sink", arguments: AudioFormat.allCases)
    func contract(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            try await verifyContract(ofSinksFor: 22_050) {
                try await SoundFileWriter(
                    destination: .file("\(folder)/\(UUID().uuidString)"),
                    format: format,
                    sampleRate: 22_050
                )
            }
        }
    }

    @Test("gives back what was written", arguments: AudioFormat.allCases, [16_000, 22_050, 24_000, 48_000])
    func roundTrip(_ format: AudioFormat, sampleRate: Int) async throws {
        try await withTemporaryFolder { folder in
            let tone = AudioClip.tone(440, seconds: 1.5, sampleRate: sampleRate)
            let path = "\(folder)/tone.\(format.rawValue)"
            try await write([tone], to: path, format)
            let read = try await read(path, format, sampleRate)
            #expect(read.sampleRate == format.storedSampleRate(for: sampleRate))
            #expect(abs(read.seconds - tone.seconds) < 0.05)
            let (before, after) = (try #require(tone.level), try #require(read.level))
            #expect(abs(before - after) < 1)
            #expect(abs(read.fundamental / tone.fundamental - 1) < 0.02)
        }
    }

    @Test("keeps the sound of many clips as one", arguments: AudioFormat.allCases)
    func pieces(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            let tone = AudioClip.tone(300, seconds: 2, sampleRate: 22_050)
            let pieces = stride(from: 0, to: tone.samples.count, by: 997).map { start in
                AudioClip(samples: Array(tone.samples.dropFirst(start).prefix(997)), sampleRate: 22_050)
            }
            let (whole, parts) = ("\(folder)/whole", "\(folder)/parts")
            try await write([tone], to: whole, format)
            try await write(pieces, to: parts, format)
            let (one, other) = (try await read(whole, format, 22_050), try await read(parts, format, 22_050))
            #expect(one.samples.count == other.samples.count)
            let differences = zip(one.samples, other.samples).map { abs($0 - $1) }
            #expect(differences.allSatisfy { $0 < 0.02 })  // Vorbis chooses its blocks by what it is handed
        }
    }

    @Test("is exact to the bit where nothing is lost", arguments: [AudioFormat.wav, .flac, .raw])
    func lossless(_ format: AudioFormat) async throws {
        try await withTemporaryFolder { folder in
            let samples = [-1, -0.5, 0, 0.5, 1].map { ($0 * 32_767).rounded() / 32_768 as Float }
            let clip = AudioClip(samples: [-1, -0.5, 0, 0.5, 1], sampleRate: 8_000)
            try await write([clip], to: "\(folder)/a", format)
            #expect(try await read("\(folder)/a", format, 8_000).samples == samples)
        }
    }

    @Test("keeps the length of what it converts to one millisecond")
    func convertedLength() async throws {
        try await withTemporaryFolder { folder in
            let tone = AudioClip.tone(1_000, seconds: 3.217, sampleRate: 22_050)
            try await write([tone], to: "\(folder)/a.opus", .opus)
            let read = try await read("\(folder)/a.opus", .opus, 22_050)
            #expect(abs(read.seconds - tone.seconds) < 0.001)
        }
    }

    @Test("writes files of one sample and of none", arguments: AudioFormat.allCases, [0, 1])
    func tiny(_ format: AudioFormat, count: Int) async throws {
        try await withTemporaryFolder { folder in
            try await write(
                [AudioClip(samples: Array(repeating: 0, count: count), sampleRate: 22_050)],
                to: "\(folder)/a",
                format
            )
            #expect(try await read("\(folder)/a", format, 22_050).seconds < 0.05)
        }
    }

    @Test("refuses a rate the format cannot hold")
    func sampleRate() async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: AudioFileError.sampleRateUnsupported(4_000, .ogg)) {
                _ = try await SoundFileWriter(destination: .file("\(folder)/a.ogg"), format: .ogg, sampleRate: 4_000)
            }
            try #expect(entries(of: folder).isEmpty)
        }
    }
}

/// Writes `clips`, at least one, as a whole file.
func write(_ clips: [AudioClip], to path: String, _ format: AudioFormat, tags: AudioTags = AudioTags()) async throws {
    let writer = try await SoundFileWriter(
        destination: .file(path),
        format: format,
        sampleRate: clips[0].sampleRate,
        tags: tags
    )
    for clip in clips { try await writer.append(clip) }
    try await writer.finish()
}

func read(_ path: String, _ format: AudioFormat, _ sampleRate: Int) async throws -> AudioClip {
    try await SoundFileReader().read(path, limit: 10_000_000, rawSampleRate: format == .raw ? sampleRate : nil)
}
