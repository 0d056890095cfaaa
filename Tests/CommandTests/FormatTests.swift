import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext speak, output", .endsInTime)
struct FormatTests {
    private let folder = TemporaryFolder()

    private static let formats = AudioFormat.allCases

    /// The first bytes of a file of the format.
    private static func beginning(of format: AudioFormat) -> [Data] {
        switch format {
        case .wav: [Data("RIFF".utf8)]
        case .flac: [Data("fLaC".utf8)]
        case .mp3: [Data("ID3".utf8), Data([0xFF, 0xFB]), Data([0xFF, 0xF3])]
        case .opus, .ogg: [Data("OggS".utf8)]
        case .raw: []
        }
    }

    private func expect(_ data: Data, isSoundIn format: AudioFormat) async throws {
        let beginnings = Self.beginning(of: format)
        #expect(beginnings.isEmpty || beginnings.contains { data.starts(with: $0) })
        let path = try folder.write(data, to: "heard")
        let clip = try await SoundFileReader()
            .read(path, limit: 48_000 * 60, rawSampleRate: format == .raw ? 22_050 : nil)
        #expect((0.5...5).contains(clip.seconds))
        #expect(clip.samples.contains { abs($0) > 0.01 })
    }

    @Test("has the format of its ending", arguments: formats)
    func byEnding(_ format: AudioFormat) async throws {
        let outcome = try await Program(speak: "Hello, world.", "-o", "out.\(format.rawValue)", in: folder).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        #expect(folder.names == ["out.\(format.rawValue)"])
        try await expect(folder.data(of: "out.\(format.rawValue)"), isSoundIn: format)
    }

    @Test("has the format that is asked for, whatever its ending", arguments: formats)
    func byOption(_ format: AudioFormat) async throws {
        let outcome = try await Program(
            speak: "Hello, world.",
            "--format",
            format.rawValue,
            "-o",
            "out.wav",
            in: folder
        ).run()
        #expect(outcome.status == 0)
        try await expect(folder.data(of: "out.wav"), isSoundIn: format)
    }

    @Test("goes to standard output", arguments: formats)
    func toOutput(_ format: AudioFormat) async throws {
        let outcome = try await Program(
            speak: "Hello, world.",
            "--format",
            format.rawValue,
            "-o",
            "-",
            in: folder
        ).run()
        #expect(outcome.status == 0)
        #expect(outcome.errors.isEmpty)
        try await expect(outcome.output, isSoundIn: format)
    }

    @Test("streams WAV whose sizes are not known yet")
    func streamedHeader() async throws {
        let outcome = try await Program(speak: "Hello, world.", "-o", "-", in: folder).run()
        #expect(outcome.output[4..<8] == Data(repeating: 0xFF, count: 4))
        let data = try #require(outcome.output.range(of: Data("data".utf8)))
        #expect(outcome.output[data.upperBound..<data.upperBound + 4] == Data(repeating: 0xFF, count: 4))
    }

    @Test("arrives while it is made, and a listener who leaves ends it", arguments: [AudioFormat.wav, .raw])
    func streamed(_ format: AudioFormat) async throws {
        var program = Program(speak: "-o", "-", "--format", format.rawValue, "--voice", Fixtures.voice, in: folder)
        program.input = Data(Fixtures.text(words: 50_000).utf8)
        var descendants: [pid_t] = []
        let outcome = try await program.run { running in
            #expect(await running.output.first(200_000).count >= 200_000)
            descendants = running.descendants
            running.output.close()
        }
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("The program that was receiving the sound has ended."))
        #expect(!descendants.isEmpty)
        #expect(!descendants.contains(where: isAlive))
    }

    @Test("is one file in the folder, and replaces what was there")
    func replaces() async throws {
        try folder.write("old", to: "out.wav")
        #expect(try await Program(speak: "Hello.", "-o", "out.wav", in: folder).run().status == 0)
        #expect(folder.names == ["out.wav"])
        #expect(try folder.data(of: "out.wav").starts(with: Data("RIFF".utf8)))
    }

    @Test("is summarized as JSON")
    func summary() async throws {
        let outcome = try await Program(
            speak: "Hello, world. How are you?",
            "-o",
            "out.flac",
            "--timings",
            "out.vtt",
            "--json",
            "--speed",
            "1.2",
            "--voice",
            "en-gb",
            in: folder
        ).run()
        let summary = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        #expect(summary["output"] as? String == "out.flac")
        #expect(summary["timings"] as? String == "out.vtt")
        #expect((summary["voice"] as? String)?.hasPrefix("espeak/en-GB") == true)
        #expect(summary["engine"] as? String == "espeak-ng")
        #expect(summary["speed"] as? Double == 1.2)
        #expect(summary["sentences"] as? Int == 2)
        #expect(summary["words"] as? Int == 5)
        #expect(summary["characters"] as? Int == 26)
        let clip = try await SoundFileReader().read(folder("out.flac"), limit: 22_050 * 60)
        let duration = try #require(summary["duration"] as? Double)
        #expect(abs(clip.seconds - duration) < 0.001)
    }
}
