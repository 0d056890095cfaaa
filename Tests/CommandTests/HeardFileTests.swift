import EchoText
import EchoTextTesting
import Foundation
import Testing

/// Speech in the shapes in which recorders, cameras and films have it, made by FFmpeg.
enum FilmShape: String, CaseIterable, CustomTestStringConvertible {
    case gap = "a gap in its time stamps"
    case late = "a beginning behind that of the pictures"
    case hundred = "time stamps from 100 s on"
    case opposite = "opposite channels"
    case secondTrack = "a silent track before it"

    static let program = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    var testDescription: String { rawValue }

    private var name: String {
        switch self {
        case .gap, .late: "film.mp4"
        case .hundred: "film.ts"
        case .opposite: "film.flac"
        case .secondTrack: "film.mov"
        }
    }

    /// Writes a film with the sound of `sound`, in a folder.
    ///
    /// - Parameters:
    ///   - sound: A WAV file in the folder.
    ///   - folder: Where both are.
    ///   - cut: The place of the gap, in seconds.
    /// - Returns: The film's name.
    /// - Throws: When FFmpeg cannot be run, or fails.
    func write(_ sound: String, in folder: TemporaryFolder, cut: Double) throws -> String {
        let picture = ["-f", "lavfi", "-i", "testsrc=duration=12:size=64x64:rate=10"]
        let silence = ["-f", "lavfi", "-i", "anullsrc=channel_layout=mono:sample_rate=48000:duration=9"]
        let input = ["-i", folder(sound)]
        let aac = ["-c:a", "aac", "-ac", "1"]
        let arguments: [String] =
            switch self {
            case .gap:
                picture + input + ["-filter_complex", "[1:a]asetpts=PTS+gt(T\\,\(cut))*6/TB[a]"]
                    + ["-map", "0:v", "-map", "[a]"] + aac
            case .late: picture + ["-itsoffset", "4"] + input + ["-map", "0:v", "-map", "1:a"] + aac
            case .hundred: picture + input + ["-map", "0:v", "-map", "1:a", "-output_ts_offset", "100"] + aac
            case .opposite: input + ["-af", "pan=stereo|c0=c0|c1=-1*c0"]
            case .secondTrack: silence + input + ["-map", "0:a", "-map", "1:a"] + aac
            }
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = ["-v", "error", "-y"] + arguments + [folder(name)]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return name
    }

    /// When a word begins in the film that begins at `time` in the sound.
    func place(of time: Double, cut: Double) -> Double {
        switch self {
        case .gap: time > cut ? time + 6 : time
        case .late: time + 4
        case .hundred, .opposite, .secondTrack: time
        }
    }
}

/// A word that `--words` prints.
private struct HeardWord: Equatable {
    let text: String
    let start: Double
    let end: Double

    init(_ line: Substring) throws {
        let match = try #require(line.firstMatch(of: /^([^,]*),([^,]*),[^,]*,("[^"]*"|[^,]*),/))
        start = try #require(Double(match.output.1))
        end = try #require(Double(match.output.2))
        text = match.output.3.lowercased().filter { $0.isLetter || $0 == "'" }
    }

    /// The words of a program's output, behind its heading.
    static func all(_ output: String) throws -> [HeardWord] {
        try output.split(whereSeparator: \.isNewline).dropFirst().map { try HeardWord($0) }
    }
}

@Suite("Words of films and of sounds with silence in them", .endsInTime)
struct HeardFileTests {
    private static let words = ["good", "morning", "little", "bird"]

    private func hear(_ file: String, _ home: TranscriptionHome, _ options: String...) async throws -> [HeardWord] {
        let arguments = ["transcribe", file, "--service", TranscriptionHome.recognizer, "--words"]
        return try HeardWord.all(try await home.program(arguments + options).succeed())
    }

    private func silence(_ seconds: Int) -> [Int16] { [Int16](repeating: 0, count: seconds * Tones.rate) }

    private func write(_ samples: [Int16], to name: String, of home: TranscriptionHome) throws {
        try home.home.folder.write(WAVHeader.file(of: samples, sampleRate: Tones.rate), to: name)
    }

    @Test(
        "are heard, each at its time, with",
        .enabled(if: FilmShape.program != nil, "FFmpeg is not installed"),
        arguments: FilmShape.allCases
    )
    func shapes(_ shape: FilmShape) async throws {
        try await TranscriptionHome.with { home in
            let film = try shape.write("talk.wav", in: home.home.folder, cut: 3)
            let heard = try await hear(film, home, "--no-library")
            #expect(heard.map(\.text) == Self.words)
            for (word, start) in zip(heard, [0.1, 0.6, 4.6, 5.6]) {
                #expect(abs(word.start - shape.place(of: start, cut: 3)) < 0.15, "\(word)")
            }
        }
    }

    @Test("are heard where speech is 40 decibels too quiet, from the first on")
    func quiet() async throws {
        try await TranscriptionHome.with { home in
            let loud = Tones.samples("good", "mor", "ning", "li", "ttle", "bird")
            try write(loud.map { $0 / 100 }, to: "quiet.wav", of: home)
            let heard = try await hear("quiet.wav", home, "--no-library")
            #expect(heard.map(\.text) == Self.words)
            #expect(abs((heard.first?.start ?? 0) - 0.1) < 0.06)
        }
    }

    @Test("are heard behind long silences, and none within them")
    func silences() async throws {
        try await TranscriptionHome.with { home in
            let said = Tones.samples("good", "mor", "ning", "li", "ttle", "bird")
            try write(silence(35) + said + silence(40) + said + silence(10), to: "long.wav", of: home)
            let heard = try await hear("long.wav", home, "--no-library")
            #expect(heard.map(\.text) == Self.words + Self.words)
            let (first, second) = (heard.prefix(4), heard.suffix(4))
            #expect(abs((first.first?.start ?? 0) - 35.1) < 0.1 && abs((first.last?.end ?? 0) - 38) < 0.1)
            #expect(abs((second.first?.start ?? 0) - 78.1) < 0.1 && abs((second.last?.end ?? 0) - 81) < 0.1)
        }
    }

    @Test("are printed where their file cannot be written at the end, and not listened for where that shows before")
    func unwritable() async throws {
        try await TranscriptionHome.with { home in
            let options = ["--no-library", "--service", TranscriptionHome.recognizer]
            let full = home.program(["transcribe", "talk.wav", "--format", "txt", "-o", "/dev/full"] + options)
            let outcome = try await full.run()
            #expect(outcome.status != 0 && !outcome.errors.isEmpty)
            #expect(outcome.text.contains("good morning"), "\(outcome.errors)")
            var answered = full
            answered.arguments.append("--json")
            let answer = try await answered.run()
            #expect(answer.status == outcome.status && answer.errors.contains("good morning"), "\(answer.errors)")
            let failure = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
            #expect(failure?["error"] is [String: Any])
            // The sound is missing too, which only shows when it is opened.
            let missing = home.program(["transcribe", "none.wav", "-o", "none/out.txt"] + options)
            let refused = try await missing.run()
            #expect(refused.status == 73 && refused.errors.contains("does not exist"), "\(refused.errors)")
            var closed = home.program(["transcribe", "none.wav"] + options)
            closed.redirection = ">&-"
            #expect(try await closed.run().status == 74)
        }
    }

    @Test("are all heard once in eight pieces, alike with the library and without it")
    func pieces() async throws {
        try await TranscriptionHome.with { home in
            let part = Tones.samples("good", "mor", "ning", "li", "ttle", "bird")
            let half = part + part + part.prefix(5 * part.count / 6)
            let piece = half + silence(1) + half + silence(1)
            try write((0..<8).flatMap { _ in piece }, to: "pieces.wav", of: home)
            let alone = try await hear("pieces.wav", home, "--no-library")
            let expected = Self.words + Self.words + Self.words.dropLast()
            #expect(alone.count == 176)
            #expect(alone.map(\.text) == (0..<16).flatMap { _ in expected })
            #expect(try await hear("pieces.wav", home) == alone, "it hears the same samples")
        }
    }
}

@Suite(
    "Words of a person's speech, in any file",
    .enabled(if: RealSpeech.folder != nil, "ECHOTEXT_TEST_DATA names no folder"),
    .endsInTime
)
struct RealSpeechTests {
    private static let cut = 5.0

    private func heard(_ file: String, _ home: LibraryHome) async throws -> [HeardWord] {
        var program = home.program(["transcribe", file, "--no-library", "--words"])
        program.environment["ECHOTEXT_RECOGNIZERS"] = try await RealSpeech.ready.value.folder("recognizers")
        program.environment["ECHOTEXT_VOICE_ACTIVITY"] = "\(try #require(RealSpeech.folder))/silero_vad.onnx"
        return try HeardWord.all(try await program.succeed())
    }

    private func with(_ body: (LibraryHome, _ written: [String]) async throws -> Void) async throws {
        let audio = "\(try #require(RealSpeech.folder))/corpus/audio"
        let text = try String(contentsOfFile: "\(audio)/jfk.txt", encoding: .utf8)
        try await LibraryHome.with { home in
            try FileManager.default.copyItem(atPath: "\(audio)/jfk.wav", toPath: home.folder("jfk.wav"))
            try await body(home, text.lowercased().split { !$0.isLetter && $0 != "'" }.map { String($0) })
        }
    }

    @Test(
        "are those that were said, with",
        .enabled(if: FilmShape.program != nil, "FFmpeg is not installed"),
        arguments: FilmShape.allCases
    )
    func shapes(_ shape: FilmShape) async throws {
        try await with { home, written in
            let film = try shape.write("jfk.wav", in: home.folder, cut: Self.cut)
            let words = try await heard(film, home)
            #expect(words.map(\.text) == written)
            let first = try #require(words.first)
            #expect(abs(first.start - shape.place(of: 0.3, cut: Self.cut)) < 0.4)
            // “ask what you can do” is said from 8.2 s on.
            let last = try #require(words.last { $0.text == "ask" })
            #expect(abs(last.start - shape.place(of: 8.2, cut: Self.cut)) < 0.4)
        }
    }

    @Test("are those that were said where it is 42 decibels quieter, the first at 0.3 s")
    func quiet() async throws {
        try await with { home, written in
            let sound = try home.folder.data(of: "jfk.wav")
            let samples = sound.dropFirst(44).withUnsafeBytes { bytes in
                bytes.bindMemory(to: Int16.self).map { Int16((Double(Int16(littleEndian: $0)) / 126).rounded()) }
            }
            try home.folder.write(WAVHeader.file(of: samples, sampleRate: 16_000), to: "quiet.wav")
            let words = try await heard("quiet.wav", home)
            #expect(words.map(\.text) == written && words.count == 22)
            #expect(abs((words.first?.start ?? 0) - 0.3) < 0.3)
        }
    }
}

/// A library with a Whisper, where `ECHOTEXT_TEST_DATA` names a folder with it.
private enum RealSpeech {
    static let folder = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"]

    static let ready: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        let archive = "\(try #require(folder))/sherpa-onnx-whisper-tiny.en-attention.tar.bz2"
        var program = home.program(["recognizers", "add", archive])
        program.environment["ECHOTEXT_RECOGNIZERS"] = home.folder("recognizers")
        _ = try await program.succeed()
        return home
    }
}
