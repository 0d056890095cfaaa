import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

@Suite("Audiobook writer", .endsInTime)
struct AudiobookWriterTests {
    private static let searchPath = "/usr/local/bin:/usr/bin:/bin"

    /// The report of ffprobe about a file.
    struct Report: Decodable {
        struct Chapter: Decodable {
            let startTime: String
            let endTime: String
            let tags: [String: String]

            enum CodingKeys: String, CodingKey {
                case startTime = "start_time"
                case endTime = "end_time"
                case tags
            }
        }

        struct Stream: Decodable {
            let codec: String
            let disposition: [String: Int]
            let duration: String?
            let rate: String?

            enum CodingKeys: String, CodingKey {
                case codec = "codec_name"
                case disposition
                case duration
                case rate = "sample_rate"
            }
        }

        struct Format: Decodable {
            let tags: [String: String]
        }

        let chapters: [Chapter]
        let streams: [Stream]
        let format: Format

        init(of path: String) async throws {
            let program = try #require(ffprobe)
            let text = try await output(
                of: program,
                ["-v", "error", "-show_chapters", "-show_format", "-show_streams", "-of", "json", path]
            )
            self = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        }
    }

    private static func order(_ format: ExportFormat = .m4b, sampleRate: Int = 22_050, seconds: Int) -> SoundOrder {
        SoundOrder(format: format, sampleRate: sampleRate, count: seconds * sampleRate)
    }

    private static func write(_ order: SoundOrder, to path: String) async throws {
        let writer = try await AudiobookWriter(order, path: path, searchPath: searchPath)
        try await writer.append(
            .tone(440, seconds: Double(order.count) / Double(order.sampleRate), sampleRate: order.sampleRate)
        )
        try await writer.finish()
    }

    @Test("keeps every promise of a sink")
    func contract() async throws {
        try await withTemporaryFolder { folder in
            try await verifyContract(ofSinksFor: 22_050) {
                try await AudiobookWriter(
                    Self.order(seconds: 1),
                    path: "\(folder)/\(UUID().uuidString).m4b",
                    searchPath: Self.searchPath
                )
            }
            try #expect(entries(of: folder).allSatisfy { $0.hasSuffix(".m4b") })
        }
    }

    @Test("has chapters at their times, under titles with any sign")
    func chapters() async throws {
        try await withTemporaryFolder { folder in
            let titles = [
                #"One = 1; two # \three\"#, "Õhtu\nja 夜", "  [CHAPTER] ", String(repeating: ";=ö", count: 80), "=",
                ";FFMETADATA1",
            ]
            var order = Self.order(seconds: 12)
            order.chapters = titles.enumerated().map { Chapter(title: $1, start: $0 * 2 * 22_050 + $0 * 100) }
            try await Self.write(order, to: "\(folder)/a.m4b")
            let chapters = try await Report(of: "\(folder)/a.m4b").chapters
            #expect(chapters.map(\.tags["title"]) == order.chapters.map(\.title))
            for (index, chapter) in chapters.enumerated() {
                let start = Double(order.chapters[index].start) / 22_050
                #expect(abs((Double(chapter.startTime) ?? -1) - start) < 0.002)
                let end = index + 1 < titles.count ? Double(order.chapters[index + 1].start) / 22_050 : 12
                #expect(abs((Double(chapter.endTime) ?? -1) - end) < 0.002)
            }
        }
    }

    @Test("has tags with any sign", arguments: [ExportFormat.m4a, .m4b])
    func tags(_ format: ExportFormat) async throws {
        try await withTemporaryFolder { folder in
            var order = Self.order(format, seconds: 1)
            order.tags = AudioTags(
                title: #"a=b;c#d\e"# + "\nnext\rlast",
                artist: "Kärt, 夜",
                album: String(repeating: "= ", count: 100) + "end",
                comment: String(repeating: "#;", count: 700),
                date: "2026-11-21"
            )
            try await Self.write(order, to: "\(folder)/a.\(format)")
            let tags = try await Report(of: "\(folder)/a.\(format)").format.tags
            #expect(tags["title"] == order.tags.title)
            #expect(tags["artist"] == order.tags.artist)
            #expect(tags["album"] == order.tags.album)
            #expect(tags["comment"] == order.tags.comment)
            #expect(tags["date"] == order.tags.date)
            #expect(tags["media_type"] == (format == .m4b ? "2" : nil))
        }
    }

    @Test("lasts as long as its sound", arguments: [8_000, 11_025, 16_000, 20_000, 22_050, 24_000, 44_100, 48_000])
    func duration(_ sampleRate: Int) async throws {
        try await withTemporaryFolder { folder in
            try await Self.write(Self.order(sampleRate: sampleRate, seconds: 3), to: "\(folder)/a.m4b")
            let stream = try #require(try await Report(of: "\(folder)/a.m4b").streams.first)
            let frame = 1_024 / Double(sampleRate)
            #expect(abs((stream.duration.flatMap(Double.init) ?? 0) - 3) <= frame)
            #expect(stream.codec == "aac")
        }
    }

    @Test("has its cover", arguments: [("png", "png"), ("jpg", "mjpeg")])
    func cover(_ fileExtension: String, codec: String) async throws {
        try await withTemporaryFolder { folder in
            let picture = "\(folder)/picture.\(fileExtension)"
            let ffmpeg = try #require(ChildProgram.path(of: "ffmpeg", in: Self.searchPath))
            _ = try await output(
                of: ffmpeg,
                ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=1400x1400", "-frames:v", "1", picture]
            )
            var order = Self.order(seconds: 2)
            order.cover = try CoverImage(Data(contentsOf: URL(filePath: picture)))
            order.chapters = [Chapter(title: "All", start: 0)]
            try await Self.write(order, to: "\(folder)/a.m4b")
            let streams = try await Report(of: "\(folder)/a.m4b").streams
            #expect(streams.contains { $0.codec == codec && $0.disposition["attached_pic"] == 1 })
        }
    }

    @Test("gives a cover to a program that can read no file of the person's and start no other", arguments: attempts)
    func confinedCover(_ attempt: String) async throws {
        try await withTemporaryFolder { folder in
            let (secret, result) = ("\(folder)/secret", "\(folder)/result")
            try Data("secret\n".utf8).write(to: URL(filePath: secret))
            let file = open(result, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { for descriptor in [file, nothing] { close(descriptor) } }
            let script = attempt.replacing("SECRET", with: secret).replacing("FOLDER", with: folder)
            let words = ["-c", "exec 2>/dev/null; \(script)"]
            let free = try ChildProgram(
                path: "/bin/bash",
                arguments: words,
                descriptors: [nothing, nothing, nothing, file]
            )
            #expect(free.wait() == 0, "the attempt must be a fair one")
            let shut = try ChildProgram(
                confined: "/bin/bash",
                arguments: words,
                descriptors: [nothing, nothing, nothing, file],
                output: file
            )
            #expect((shut.wait() == 0) == (attempt == Self.allowed))
        }
    }

    @Test("ends a program that has computed for as long as it may, and no other")
    func processorTime() async throws {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(nothing) }
        let ends: [(script: String, status: Int32)] = [
            ("trap '' XCPU; while :; do :; done", 128 + SIGKILL), ("exit 7", 7),
        ]
        for (script, status) in ends {
            let program = try ChildProgram(
                confined: "/bin/bash",
                arguments: ["-c", script],
                descriptors: [nothing, nothing, nothing],
                output: -1,
                processorSeconds: 1
            )
            #expect(program.wait() == status)
        }
    }

    private static let allowed = "echo well >/dev/fd/3"
    /// Scripts that end well where nothing confines them.
    static let attempts = [
        allowed, "read -r line <SECRET", "echo x >SECRET", "echo x >FOLDER/new", "(exit 0)", "exec /bin/true",
        "kill -0 $PPID",
    ]

    @Test("leaves no file where the cover is no picture inside")
    func badCover() async throws {
        try await withTemporaryFolder { folder in
            var order = Self.order(seconds: 60)
            order.cover = try CoverImage(Data([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 400_000)))
            await #expect(throws: ExportError.self) { try await Self.write(order, to: "\(folder)/a.m4b") }
            try #expect(entries(of: folder).isEmpty)
        }
    }

    @Test("replaces a file only when it is whole, and leaves none when it is cancelled")
    func cancelled() async throws {
        try await withTemporaryFolder { folder in
            let old = "\(folder)/old.m4b"
            try Data("old".utf8).write(to: URL(filePath: old))
            for path in [old, "\(folder)/new.m4b"] {
                let writing = Task {
                    let writer = try await AudiobookWriter(
                        Self.order(seconds: 9),
                        path: path,
                        searchPath: Self.searchPath
                    )
                    do {
                        try await writer.append(.tone(440, seconds: 3, sampleRate: 22_050))
                        withUnsafeCurrentTask { $0?.cancel() }
                        try await writer.finish()
                    } catch {
                        await writer.discard()
                        throw error
                    }
                }
                await #expect(throws: CancellationError.self) { try await writing.value }
            }
            try #expect(entries(of: folder) == ["old.m4b"])
            #expect(try Data(contentsOf: URL(filePath: old)) == Data("old".utf8))
        }
    }

    @Test("says what to install where FFmpeg is missing", arguments: ["", "/nowhere", "relative"])
    func missing(_ searchPath: String) async throws {
        try await withTemporaryFolder { folder in
            await #expect(throws: ExportError.audiobookProgramMissing) {
                _ = try await AudiobookWriter(Self.order(seconds: 1), path: "\(folder)/a.m4b", searchPath: searchPath)
            }
            try #expect(entries(of: folder).isEmpty)
        }
    }

    @Test("goes into files only")
    func needsFile() async throws {
        await #expect(throws: ExportError.audiobookNeedsFile) {
            _ = try await AudiobookWriter(Self.order(seconds: 1), path: "/dev/null", searchPath: Self.searchPath)
        }
    }

    @Test("gives a program nothing of a person's")
    func arguments() async throws {
        var order = Self.order(seconds: 1)
        order.tags = AudioTags(title: "SECRET", artist: "SECRET")
        order.chapters = [Chapter(title: "SECRET", start: 0)]
        let command = AudiobookCommand(order: order, sound: 3, words: 4, cover: 5, output: 6)
        #expect(!command.arguments.contains { $0.contains("SECRET") })
        #expect(command.metadata.contains("SECRET"))
    }

    @Test("has no short list of chapters that would leave out the last ones", arguments: [2, 255, 256, 300])
    func manyChapters(_ count: Int) async throws {
        try await withTemporaryFolder { folder in
            var order = Self.order(seconds: 3)
            order.chapters = (0..<count).map { Chapter(title: "Chapter \($0 + 1)", start: $0 * 200) }
            try await Self.write(order, to: "\(folder)/a.m4b")
            let chapters = try await Report(of: "\(folder)/a.m4b").chapters
            #expect(chapters.map(\.tags["title"]) == order.chapters.map(\.title))
            let file = try Data(contentsOf: URL(filePath: "\(folder)/a.m4b"))
            #expect((file.range(of: Data("chpl".utf8)) != nil) == (count <= 255))
        }
    }

    @Test("reports a program that fails, and leaves no file")
    func failing() async throws {
        try await withTemporaryFolder { folder in
            let tools = "\(folder)/tools"
            try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
            // A link, since a program that was written just now may still be open for writing in another child.
            try FileManager.default.createSymbolicLink(atPath: "\(tools)/ffmpeg", withDestinationPath: "/bin/false")
            await #expect(throws: ExportError.self) {
                let writer = try await AudiobookWriter(
                    Self.order(seconds: 1),
                    path: "\(folder)/a.m4b",
                    searchPath: tools
                )
                do {
                    try await writer.append(.tone(440, seconds: 60, sampleRate: 22_050))
                    try await writer.finish()
                } catch {
                    await writer.discard()
                    throw error
                }
            }
            try #expect(entries(of: folder) == ["tools"])
        }
    }
}
