import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

/// libsndfile in the test's own process.
private struct LocalDecoder: SoundFileDecoder {
    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        guard file.length > 0 else { throw SoundImportError.empty }
        if let track, track != 1 { throw SoundImportError.noSuchTrack(track, of: [SoundTrack(number: 1)]) }
        let bytes = try await file.read(0..<file.length)
        var pieces: [DecodedSound] = []
        let failure: (any Error)?
        do {
            // As through a pipe: never all that was asked for.
            try SoundFileDecoding.decode(length: bytes.count) { range in
                Array(bytes[range.prefix(1_000)])
            } give: {
                pieces.append($0)
            }
            failure = nil
        } catch {
            failure = error
        }
        for piece in pieces { try await take(piece) }
        if let failure { throw failure }
    }
}

/// Files of each format, made by FFmpeg.
private enum SampleFiles {
    static let program = ChildProgram.path(of: "ffmpeg", in: "/usr/local/bin:/usr/bin:/bin")

    /// Two seconds of 440 hertz in both channels, with tags.
    static func make(_ name: String, _ options: [String] = [], picture: Bool = false, sound: Bool = true) throws -> Data
    {
        let folder = TemporaryFolder()
        let tone = "sine=frequency=440:duration=2:sample_rate=44100,volume=4"
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments =
            ["-v", "error", "-y"] + (sound ? ["-f", "lavfi", "-i", tone] : [])
            + (picture ? ["-f", "lavfi", "-i", "testsrc=duration=2:size=64x64"] : [])
            + [
                "-ac", "2", "-metadata", "title=Tund", "-metadata", "artist=Mari", "-metadata", "date=2024-05-06",
                "-metadata:s:a:0", "language=est",
            ] + options + [folder(name)]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try folder.data(of: name)
    }
}

@Suite("Sound files of strangers", .enabled(if: SampleFiles.program != nil, "needs FFmpeg"), .endsInTime)
struct SoundFileDecodingTests {
    private let program = FFmpegDecoder(searchPath: "/usr/local/bin:/usr/bin:/bin", needsConfinement: false)

    private var decoder: any SoundFileDecoder { CombinedSoundDecoder(simple: LocalDecoder(), any: program) }

    /// The length, the pitch and the level are those of the tone.
    private func expectTone(_ output: SoundCollector, rate: Int) async throws {
        let facts = try #require(await output.facts)
        #expect(facts.sampleRate == rate)
        let clip = AudioClip(samples: await output.samples.map { Float($0) / 32_768 }, sampleRate: rate)
        #expect(abs(clip.seconds - 2) < 0.15)
        #expect(abs(clip.fundamental - 440) < 10)
        let middle = AudioClip(samples: Array(clip.samples[rate / 2..<rate]), sampleRate: rate)
        // A sine of half of full scale, which FFmpeg makes 3 dB quieter in each of two channels.
        #expect(abs(try #require(middle.level) + 12.04) < 1)
    }

    @Test(
        "are decoded whatever their format",
        arguments: [
            ("a.wav", [], 44_100), ("a.wav", ["-c:a", "pcm_f32le"], 44_100), ("a.wav", ["-c:a", "pcm_s24le"], 44_100),
            ("a.wav", ["-c:a", "adpcm_ms"], 44_100), ("a.flac", [], 44_100), ("a.mp3", [], 44_100),
            ("a.ogg", ["-c:a", "libvorbis"], 44_100), ("a.opus", [], 48_000), ("a.aiff", [], 44_100),
            ("a.au", [], 44_100), ("a.caf", [], 44_100), ("a.w64", [], 44_100), ("a.m4a", [], 44_100),
            ("a.m4a", ["-movflags", "+faststart"], 44_100), ("a.m4a", ["-c:a", "alac"], 44_100),
            ("a.mp4", ["-movflags", "frag_keyframe+empty_moov"], 44_100), ("a.mov", [], 44_100),
            ("a.webm", ["-c:a", "libopus"], 48_000), ("a.mka", ["-c:a", "ac3"], 44_100), ("a.aac", [], 44_100),
            ("a.wma", [], 44_100), ("a.avi", ["-c:a", "libmp3lame"], 44_100), ("a.ts", ["-c:a", "aac"], 44_100),
            ("a.flv", ["-c:a", "aac"], 44_100), ("a.wv", [], 44_100), ("a.tta", [], 44_100),
            ("a.wav", ["-ar", "4000"], 8_000), ("a.wav", ["-ar", "384000"], 48_000), ("a.ac3", [], 44_100),
            ("a.wav", ["-c:a", "libmp3lame"], 44_100), ("a.oga", ["-c:a", "flac"], 44_100),
        ] as [(String, [String], Int)]
    )
    func formats(_ name: String, _ options: [String], _ rate: Int) async throws {
        let file = try SampleFiles.make(name, options)
        let output = SoundCollector()
        try await decoder.decode(HeldBytes(file)) { try await output.take($0) }
        try await expectTone(output, rate: rate)
    }

    @Test(
        "report title, artist, date and language",
        arguments: ["a.wav", "a.flac", "a.mp3", "a.opus", "a.m4a", "a.webm"]
    )
    func tags(_ name: String) async throws {
        let output = SoundCollector()
        try await decoder.decode(HeldBytes(try SampleFiles.make(name))) { try await output.take($0) }
        let tags = try #require(await output.facts?.tags)
        #expect((tags.title, tags.artist, tags.date) == ("Tund", "Mari", "2024-05-06"))
        if ["a.m4a", "a.webm", "a.opus"].contains(name) { #expect(tags.languageTag == "et", "\(name)") }
    }

    @Test("with pictures give their sound", arguments: ["a.mp4", "a.mkv"])
    func video(_ name: String) async throws {
        let output = SoundCollector()
        let file = try SampleFiles.make(name, picture: true)
        try await decoder.decode(HeldBytes(file)) { try await output.take($0) }
        try await expectTone(output, rate: 44_100)
    }

    @Test("without sound are refused", arguments: ["a.mp4", "a.mkv"])
    func silentVideo(_ name: String) async throws {
        let file = try SampleFiles.make(name, ["-map_metadata", "-1"], picture: true, sound: false)
        await #expect(throws: SoundImportError.noSound) { try await decoder.decode(HeldBytes(file)) { _ in } }
    }

    @Test(
        "that were cut give what is there, and say so",
        arguments: ["a.wav", "a.aiff", "a.flac", "a.mp3", "a.ogg", "a.opus", "a.webm", "a.mkv"]
    )
    func cut(_ name: String) async throws {
        let file = try SampleFiles.make(name)
        let output = SoundCollector()
        let error = await #expect(throws: SoundImportError.self) {
            try await decoder.decode(HeldBytes(file.prefix(file.count * 2 / 3))) { try await output.take($0) }
        }
        guard case .damaged(let seconds) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((0..<1.95).contains(seconds))
        let facts = try #require(await output.facts)
        #expect(abs(Double(await output.samples.count) / Double(facts.sampleRate) - seconds) < 0.01)
    }

    @Test("whose table of contents was cut off cannot be read")
    func cutMovie() async throws {
        let file = try SampleFiles.make("a.m4a")
        await #expect(throws: SoundImportError.damaged(seconds: 0)) {
            try await decoder.decode(HeldBytes(file.prefix(file.count / 2))) { _ in }
        }
    }

    @Test(
        "with bytes changed anywhere are decoded, or are an error, and hurt nothing",
        arguments: ["a.wav", "a.flac", "a.mp3", "a.ogg", "a.caf", "a.m4a", "a.webm"]
    )
    func changed(_ name: String) async throws {
        let file = try SampleFiles.make(name, ["-t", "0.3"])
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<12 {
            var bad = file
            for _ in 0..<8 {
                let place = Int.random(in: 0..<min(bad.count, 600), using: &numbers)
                bad[place] = UInt8.random(in: 0...255, using: &numbers)
            }
            do {
                try await decoder.decode(HeldBytes(bad)) { _ in }
            } catch is SoundImportError {}
        }
    }

    @Test("that announce more than there is are taken at what there is")
    func hugeHeader() async throws {
        var file = WAVHeader.file(of: [Int16](repeating: 500, count: 1_000), sampleRate: 8_000)
        file.replaceSubrange(40..<44, with: [0xF0, 0xFF, 0xFF, 0x7F])
        let output = SoundCollector()
        let bytes = HeldBytes(file)
        // Whether that is damage is the library's to say.
        do {
            try await decoder.decode(bytes) { try await output.take($0) }
        } catch SoundImportError.damaged {}
        #expect(await output.samples.count == 1_000)
    }

    @Test("at a rate that no sound has are refused as damaged", arguments: [1, 99, 768_001])
    func strangeRate(_ rate: Int) async throws {
        let file = WAVHeader.file(of: [Int16](repeating: 500, count: 1_000), sampleRate: rate)
        #expect(throws: SoundImportError.damaged(seconds: 0)) { try WaveFacts([UInt8](file)) }
        let error = await #expect(throws: SoundImportError.self) {
            try await decoder.decode(HeldBytes(file)) { _ in }
        }
        #expect(error != .decoderDied)
    }

    @Test(
        "at a rate that is no number are refused as damaged",
        arguments: [Double.infinity, -.infinity, .nan, 0, -8_000, 1e300, .leastNonzeroMagnitude]
    )
    func noRate(_ rate: Double) async throws {
        let file = SizedFile(kind: .caf, rate: rate).data(saying: 2 * SizedFile.samples.count)
        let error = await #expect(throws: SoundImportError.self) {
            try await decoder.decode(HeldBytes(file)) { _ in }
        }
        #expect(error?.failure.code == "sound-file.damaged")
    }

    @Test("whose MPEG-4 atoms lie are an error", arguments: [0, 1, 7, 8, 0xFFFF_FFFF] as [UInt32])
    func lyingAtoms(_ size: UInt32) async {
        let head = withUnsafeBytes(of: size.bigEndian) { Data($0) }
        for file in [
            head + Data("moov".utf8), head + Data("ftyp".utf8), Data([0, 0, 0, 8]) + Data("ftyp".utf8) + head,
        ] {
            await #expect(throws: SoundImportError.self) {
                try await decoder.decode(HeldBytes(file + Data(count: 40))) { _ in }
            }
        }
    }

    @Test("are not given to FFmpeg where it is missing, or cannot be confined")
    func noProgram() async throws {
        let file = HeldBytes(try SampleFiles.make("a.m4a"))
        await #expect(throws: SoundImportError.programMissing) {
            try await FFmpegDecoder(searchPath: "/nowhere").decode(file) { _ in }
        }
    }

    @Test("leave no FFmpeg behind when their reader is cancelled")
    func cancelled() async throws {
        let file = HeldBytes(try SampleFiles.make("a.mka", ["-c:a", "flac"]))
        let (begun, intoBegun) = AsyncStream.makeStream(of: Void.self)
        let decoding = Task {
            try await program.decode(file) { _ in
                intoBegun.yield()
                try await untilCancelled()
            }
        }
        for await _ in begun { break }
        decoding.cancel()
        await #expect(throws: CancellationError.self) { try await decoding.value }
    }

    @Test("are decoded by libsndfile as its port promises")
    func contract() async throws {
        try await verifyContract(of: LocalDecoder())
    }
}
