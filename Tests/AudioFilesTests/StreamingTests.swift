import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Sound written to a pipe", .endsInTime)
struct StreamingTests {
    static let tone = AudioClip.tone(440, seconds: 2, sampleRate: 22_050)

    private func writer(to pipe: Pipe, _ format: AudioFormat) async throws -> SoundFileWriter {
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        return try await SoundFileWriter(destination: .descriptor(descriptor), format: format, sampleRate: 22_050)
    }

    @Test("can be decoded", arguments: AudioFormat.allCases)
    func decodes(_ format: AudioFormat) async throws {
        let bytes = try await Pipe().bytes { descriptor in
            let writer = try await SoundFileWriter(
                destination: .descriptor(descriptor),
                format: format,
                sampleRate: 22_050
            )
            try await writer.append(Self.tone)
            try await writer.finish()
        }
        try await withTemporaryFolder { folder in
            try bytes.write(to: URL(filePath: "\(folder)/a"))
            let clip = try await read("\(folder)/a", format, 22_050)
            // MP3 says only in a file how much of its first and last frames is padding.
            #expect(abs(clip.seconds - Self.tone.seconds) < (format == .mp3 ? 0.15 : 0.05))
            #expect(abs(clip.fundamental - 440) < 10)
        }
    }

    @Test("begins with a WAV header whose sizes mean “until the end”")
    func header() async throws {
        let bytes = try await Pipe().bytes { descriptor in
            let writer = try await SoundFileWriter(
                destination: .descriptor(descriptor),
                format: .wav,
                sampleRate: 22_050
            )
            try await writer.append(AudioClip(samples: [0, 1, -1], sampleRate: 22_050))
            try await writer.finish()
        }
        let expected: [UInt8] =
            Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
            + [0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]
            + [0, 0, 0xFF, 0x7F, 0x01, 0x80]
        #expect(Array(bytes) == expected)
    }

    @Test("arrives clip by clip", arguments: [AudioFormat.wav, .raw, .flac, .mp3, .opus, .ogg])
    func prompt(_ format: AudioFormat) async throws {
        let pipe = Pipe()
        let writer = try await writer(to: pipe, format)
        try await writer.append(.tone(440, seconds: 1, sampleRate: 22_050))  // 44,100 bytes; a pipe holds 65,536
        #expect(await pipe.firstBytes().count > 100)
        await writer.discard()
    }

    @Test("fails when nobody reads any more", arguments: AudioFormat.allCases)
    func broken(_ format: AudioFormat) async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        await #expect(throws: AudioFileError.brokenPipe) {
            let writer = try await writer(to: pipe, format)
            try await writer.append(Self.tone)
            try await writer.finish()
        }
    }

    @Test("can be cancelled while nobody takes it")
    func cancelled() async throws {
        let pipe = Pipe()
        let writer = try await writer(to: pipe, .raw)
        let writing = Task { try await writer.append(Self.tone) }  // 88,200 bytes; a pipe holds 65,536
        _ = await pipe.firstBytes()
        writing.cancel()
        await #expect(throws: CancellationError.self) { try await writing.value }
        await writer.discard()
    }

    @Test("can be discarded while nobody takes it")
    func discarded() async throws {
        let pipe = Pipe()
        let writer = try await writer(to: pipe, .raw)
        let long = AudioClip.tone(440, seconds: 20, sampleRate: 22_050)
        let writing = Task { try await writer.append(long) }
        _ = await pipe.firstBytes()
        await writer.discard()
        await #expect(throws: CancellationError.self) { try await writing.value }
    }

    @Test("holds up nobody but its own writer")
    func independent() async throws {
        let stuck = (0..<20).map { _ in Pipe() }
        var writers: [SoundFileWriter] = []
        for pipe in stuck { writers.append(try await writer(to: pipe, .raw)) }
        try await withThrowingTaskGroup { group in
            for (writer, pipe) in zip(writers, stuck) {
                group.addTask { try await writer.append(Self.tone) }
                _ = await pipe.firstBytes()
            }
            let bytes = try await Pipe().bytes { descriptor in
                let free = try await SoundFileWriter(
                    destination: .descriptor(descriptor),
                    format: .raw,
                    sampleRate: 22_050
                )
                try await free.append(Self.tone)
                try await free.finish()
            }
            #expect(bytes.count == Self.tone.samples.count * 2)
            for writer in writers { await writer.discard() }
            while let result = await group.nextResult() {
                #expect(throws: CancellationError.self) { try result.get() }
            }
        }
    }

    @Test("leaves the descriptor open")
    func keepsDescriptor() async throws {
        let pipe = Pipe()
        let writer = try await writer(to: pipe, .raw)
        try await writer.finish()
        try pipe.fileHandleForWriting.write(contentsOf: Data([7]))
        #expect(await pipe.firstBytes() == Data([7]))
    }
}

@Suite("Sound written to a sink of bytes", .endsInTime)
struct ByteSinkTests {
    private static let sounds = LocalSoundFiles(searchPath: "/usr/bin:/bin")
    private static let formats = ExportFormat.allCases.filter { $0.soundFormat != nil }

    private static func order(_ format: ExportFormat) -> SoundOrder {
        SoundOrder(format: format, sampleRate: 22_050, count: StreamingTests.tone.samples.count)
    }

    @Test("can be decoded, and has begun to arrive before it is finished", arguments: formats)
    func streams(_ format: ExportFormat) async throws {
        let bytes = MemoryBytes()
        let sink = try await Self.sounds.sound(Self.order(format), into: bytes)
        try await sink.append(StreamingTests.tone)
        #expect(bytes.length > 100)
        try await sink.finish()
        let whole = try await bytes.read(0..<bytes.length)
        let decoder = try #require(format.soundFormat)
        try await withTemporaryFolder { folder in
            try whole.write(to: URL(filePath: "\(folder)/a"))
            let clip = try await read("\(folder)/a", decoder, 22_050)
            #expect(abs(clip.seconds - StreamingTests.tone.seconds) < (format == .mp3 ? 0.15 : 0.05))
        }
    }

    @Test("fails with its sink")
    func failsWithSink() async throws {
        struct Gone: Error {}
        actor Breaking: ByteSink {
            private(set) var isDiscarded = false
            func append(_ bytes: Data) async throws { throw Gone() }
            func finish() async throws {}
            func discard() async { isDiscarded = true }
        }
        let bytes = Breaking()
        let sink = try await Self.sounds.sound(Self.order(.wav), into: bytes)
        await #expect(throws: Gone.self) { try await sink.append(StreamingTests.tone) }
        await sink.discard()
        #expect(await bytes.isDiscarded)
    }

    @Test("is no audiobook, whose beginning is written last")
    func refusesAudiobook() async throws {
        await #expect(throws: ExportError.audiobookNeedsFile) {
            _ = try await Self.sounds.sound(Self.order(.m4b), into: MemoryBytes())
        }
    }
}
