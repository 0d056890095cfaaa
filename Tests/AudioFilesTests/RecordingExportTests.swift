import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("Export of recordings", .endsInTime)
struct RecordingExportTests {
    private static let sounds = LocalSoundFiles(searchPath: "/usr/local/bin:/usr/bin:/bin")

    private static func sentence(_ text: String, _ source: Range<Int>, _ samples: Range<Int>) -> TimedSentence {
        TimedSentence(
            source: source,
            text: text,
            samples: samples,
            words: [TimedWord(source: source, samples: samples, precision: .estimated)]
        )
    }

    /// “One” of 1 second at 16,000 hertz, “Two” of 2 seconds at 22,050 hertz.
    private func library() throws -> MemoryRecordings {
        var library = MemoryRecordings()
        try library.add(
            "One",
            samples: AudioClip.tone(300, seconds: 1, sampleRate: 16_000).pcm16,
            text: "First.",
            timings: [Self.sentence("First.", 0..<6, 0..<8_000)]
        )
        try library.add(
            "Two",
            samples: AudioClip.tone(400, seconds: 2, sampleRate: 22_050).pcm16,
            sampleRate: 22_050,
            text: "Second.",
            timings: [Self.sentence("Second.", 0..<7, 22_050..<44_100)],
            voiceName: "Mari"
        )
        return library
    }

    @Test("gives the very bytes of a recording as WAV")
    func exact() async throws {
        try await withTemporaryFolder { folder in
            let library = try library()
            try await RecordingExport(of: library, by: Self.sounds)
                .sound(of: [library.recordings[0].item], .init(format: .wav), to: "\(folder)/a.wav")
            let wav = try library.recordings[0].sound.get()
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/a.wav")).suffix(32_000) == wav.suffix(32_000))
        }
    }

    @Test("knows every format", arguments: ExportFormat.allCases)
    func formats(_ format: ExportFormat) async throws {
        try await withTemporaryFolder { folder in
            let library = try library()
            let path = "\(folder)/a.\(format)"
            try await RecordingExport(of: library, by: Self.sounds)
                .sound(of: [library.recordings[1].item], .init(format: format, album: "Album"), to: path)
            let text = try await output(
                of: try #require(ffprobe),
                ["-v", "error", "-show_format", "-show_streams", "-of", "json", path]
            )
            let report = try JSONDecoder().decode(TagTests.Report.self, from: Data(text.utf8))
            #expect(abs((report.format.duration.flatMap(Double.init) ?? 0) - 2) < 0.08)
            #expect(report.tags["title"] == "Two")
            #expect(report.tags["artist"] == "Mari")
            #expect(report.tags["album"] == "Album")
            #expect(report.tags["date"]?.hasPrefix("2026") == true)
        }
    }

    @Test("joins recordings of several rates to one, a chapter each")
    func joined() async throws {
        try await withTemporaryFolder { folder in
            let library = try library()
            let items = library.recordings.map(\.item)
            let export = RecordingExport(of: library, by: Self.sounds)
            try await export.sound(of: items, .init(format: .flac), to: "\(folder)/a.flac")
            let sound = try await read("\(folder)/a.flac", .flac, 22_050)
            #expect(sound.sampleRate == 22_050)
            #expect(sound.samples.count == 3 * 22_050)
            try await export.sound(of: items, .init(format: .m4b, title: "Book"), to: "\(folder)/a.m4b")
            let report = try await AudiobookWriterTests.Report(of: "\(folder)/a.m4b")
            #expect(report.chapters.map(\.tags["title"]) == ["One", "Two"])
            #expect(report.chapters.map(\.startTime) == ["0.000000", "1.000000"])
            #expect(report.format.tags["title"] == "Book")
            #expect(report.format.tags["artist"] == "Kärt, Mari")
        }
    }

    @Test("writes captions of one recording, and of several on one clock")
    func captions() async throws {
        try await withTemporaryFolder { folder in
            let library = try library()
            let items = library.recordings.map(\.item)
            let export = RecordingExport(of: library, by: Self.sounds)
            try await export.captions(of: [items[0]], .srt, to: ByteFile(path: "\(folder)/a.srt"))
            try await export.captions(of: items, .vtt, to: ByteFile(path: "\(folder)/a.vtt"))
            try await export.captions(of: items, .json, to: ByteFile(path: "\(folder)/a.json"))
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            }
            #expect(try text("a.srt") == "1\n00:00:00,000 --> 00:00:00,500\nFirst.\n\n")
            #expect(try text("a.vtt").contains("00:00:00.000 --> 00:00:00.500\nFirst."))
            #expect(try text("a.vtt").contains("00:00:02.000 --> 00:00:03.000\nSecond."))
            #expect(try text("a.json").contains(#""range":[8,15]"#))
            #expect(try text("a.json").contains(#""duration":3.0000"#))
        }
    }

    @Test("leaves nothing of what fails or is cancelled", arguments: [ExportFormat.wav, .mp3, .m4b])
    func nothingLeft(_ format: ExportFormat) async throws {
        try await withTemporaryFolder { folder in
            var library = try library()
            library.recordings[1].sound = .failure(.contentDamaged)
            let export = RecordingExport(of: library, by: Self.sounds)
            let items = library.recordings.map(\.item)
            await #expect(throws: VaultError.contentDamaged) {
                try await export.sound(of: items, .init(format: format), to: "\(folder)/a")
            }
            let cancelled = Task {
                try await export.sound(of: [items[0]], .init(format: format), to: "\(folder)/b") { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            try #expect(entries(of: folder).isEmpty)
        }
    }

    @Test("has no room for a cover outside audiobooks, and wants something to export")
    func refused() async throws {
        let library = try library()
        let export = RecordingExport(of: library, by: Self.sounds)
        let cover = try CoverImage(Data([0xFF, 0xD8, 0xFF]))
        await #expect(throws: ExportError.noRoomForCover) {
            try await export.sound(
                of: [library.recordings[0].item],
                .init(format: .mp3, cover: cover),
                to: "/nowhere/a"
            )
        }
        await #expect(throws: ExportError.nothingToExport) {
            try await export.sound(of: [], .init(format: .mp3), to: "/nowhere/a")
        }
    }
}
