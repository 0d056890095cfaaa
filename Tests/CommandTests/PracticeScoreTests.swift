import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Testing

/// The scores of takes whose words are known, since the microphone hears a voice of the program.
@Suite(
    "The score of a take in the terminal",
    .enabled(if: SoundCard.isThere, "needs the package libasound2"),
    .endsInTime
)
struct PracticeScoreTests {
    private static let testData = ProcessInfo.processInfo.environment["ECHOTEXT_TEST_DATA"]

    private struct Session: Decodable {
        struct Summary: Decodable {
            let takes: Int
            let score: Double?
        }

        let isFinished: Bool
        let summary: Summary?
    }

    @Test(
        "is 90 % or more for the model's own sound, and 0 % for silence, by the basic recogniser",
        .enabled(if: LocalRecognizer.pocketSphinx() != nil, "needs libpocketsphinx3 and pocketsphinx-en-us")
    )
    func basic() async throws {
        // Few sentences of espeak-ng are ones that it understands.
        let text = "Three four five four three two."
        try await LibraryHome.with { home in
            let own = try await score(of: text, hearing: text, in: "espeak/en-US", home)
            #expect(own >= 0.9)
            let silent = try await score(of: text, hearing: nil, in: "espeak/en-US", home)
            #expect(silent == 0)
        }
    }

    @Test(
        "is 90 % or more for a natural voice's own sound, and 30 % or less for another text, by Whisper",
        .enabled(if: testData != nil, "ECHOTEXT_TEST_DATA names no folder with Whisper and a natural voice")
    )
    func natural() async throws {
        let data = try #require(Self.testData)
        let whisper = "sherpa-onnx-whisper-tiny.en-attention"
        let text = "The mill at the bend of the river stood still."
        let other = "Bring four warm blankets before Sunday evening."
        try await LibraryHome.with { home in
            _ = try await program(["voices", "add", "\(data)/vits-piper-en_US-joe-medium.tar.bz2"], home).succeed()
            _ = try await program(["recognizers", "add", "\(data)/\(whisper).tar.bz2"], home).succeed()
            _ = try await program(["recognizers", "select", "whisper-tiny.en-attention"], home).succeed()
            let (voice, detector) = ("piper/en_US-joe-medium", "\(data)/silero_vad.onnx")
            let own = try await score(of: text, hearing: text, in: voice, home, detector: detector)
            #expect(own >= 0.9)
            let another = try await score(of: text, hearing: other, in: voice, home, detector: detector)
            #expect(another <= 0.3)
        }
    }

    /// Makes a run of the program.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - home: Its library, voices and recognizers.
    ///   - detector: The model that detects voices; without one, loudness and pitch show where a voice begins.
    /// - Returns: The program, not started.
    private func program(
        _ arguments: [String],
        _ home: LibraryHome,
        detector: String = "/nowhere"
    ) -> Program {
        var program = home.program(arguments)
        program.environment["ECHOTEXT_VOICES"] = home.folder("voices")
        program.environment["ECHOTEXT_RECOGNIZERS"] = home.folder("recognizers")
        program.environment["ECHOTEXT_VOICE_ACTIVITY"] = detector
        return program
    }

    /// Practices a text.
    ///
    /// - Parameters:
    ///   - text: One sentence.
    ///   - said: What `voice` says to the microphone; `nil` for nothing.
    ///   - voice: Reads the text.
    ///   - home: A library.
    ///   - detector: As for ``program(_:_:detector:)``.
    /// - Returns: The score of the take, from 0 to 1.
    /// - Throws: What the programs and files throw.
    private func score(
        of text: String,
        hearing said: String?,
        in voice: String,
        _ home: LibraryHome,
        detector: String = "/nowhere"
    ) async throws -> Double {
        let options = ["--voice", voice, "--language", "en-US", "--rate", "0.5"]
        var heard = [Int16](repeating: 0, count: 60 * RecognitionClip.sampleRate)
        if let said {
            let written = ["practice", said, "--echo", "off", "--render", "said.wav"] + options
            _ = try await program(written, home).succeed()
            let file = try home.folder.data(of: "said.wav")
            let clip = try Self.clip(of: file)
            let conversion = try SampleRateConversion(from: clip.sampleRate, to: RecognitionClip.sampleRate)
            heard = try await conversion.convert(clip, isLast: true).pcm16 + heard
        }
        try home.folder.write(heard.withUnsafeBytes { Data($0) }, to: "microphone")
        var practicing = program(
            ["practice", text, "--echo", "timed", "--factor", "2", "--record", "--json"] + options,
            home,
            detector: detector
        )
        practicing.environment["ALSA_CONFIG_PATH"] = try SoundCard.microphone(in: home.folder, hearing: "microphone")
        let outcome = try await practicing.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let session = try JSONDecoder().decode(Session.self, from: outcome.output)
        #expect(session.isFinished && session.summary?.takes == 1, "\(outcome.errors)")
        return try #require(session.summary?.score, "\(outcome.errors)")
    }

    /// The sound of a WAV file of 16-bit mono.
    private static func clip(of file: Data) throws -> AudioClip {
        let format = try #require(file.range(of: Data("fmt ".utf8))).upperBound
        let data = try #require(file.range(of: Data("data".utf8))).upperBound
        let rate = [UInt8](file)[(format + 8)..<(format + 12)].reversed().reduce(0) { $0 << 8 | Int($1) }
        let samples = [UInt8](file[(data + 4)...]).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        return AudioClip(pcm16: samples, sampleRate: rate)
    }
}
