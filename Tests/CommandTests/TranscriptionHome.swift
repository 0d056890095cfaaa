import EchoText
import EchoTextTesting
import Foundation
import Testing

/// A library whose recognizer is the fixture, which recognizes tones, and a sound file in which it recognizes four
/// words.
struct TranscriptionHome {
    static let recognizer = "sherpa/nemo-ctc-fixture-en"
    /// Two stretches of tones with a pause of three seconds between them.
    static let said = ["good morning", "little bird"]

    let home: LibraryHome

    /// A library to which the recognizer was added; each test gets a copy.
    private static let ready: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        let archive = "\(Fixtures.folder)/recognizers/sherpa-onnx-nemo-ctc-fixture-en.tar.bz2"
        try await TranscriptionHome(home: home).succeed("recognizers", "add", archive)
        return home
    }

    /// The same with the recording “talk” and its transcript by the fixture.
    private static let transcribed: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        try await TranscriptionHome.copied(from: TranscriptionHome.ready, to: home).transcribe()
        return home
    }

    /// Passes a home to `body`; the sound is `talk.wav`.
    static func with(_ body: (TranscriptionHome) async throws -> Void) async throws {
        try await LibraryHome.with { try await body(copied(from: ready, to: $0)) }
    }

    /// Passes a home to `body` in which the sound was transcribed as “talk”.
    static func withTranscript(_ body: (TranscriptionHome) async throws -> Void) async throws {
        try await LibraryHome.with { try await body(copied(from: transcribed, to: $0)) }
    }

    private static func copied(
        from other: Task<LibraryHome, any Error>,
        to home: LibraryHome
    ) async throws -> TranscriptionHome {
        try await home.copy(try await other.value)
        let pause = [Int16](repeating: 0, count: 3 * Tones.rate)
        let sound = Tones.samples("good", "mor", "ning") + pause + Tones.samples("li", "ttle", "bird")
        try home.folder.write(WAVHeader.file(of: sound, sampleRate: Tones.rate), to: "talk.wav")
        return TranscriptionHome(home: home)
    }

    func program(_ arguments: [String], secrets: [String] = []) -> Program {
        var program = home.program(arguments, secrets: secrets)
        program.environment["ECHOTEXT_RECOGNIZERS"] = home.folder("recognizers")
        // Tones are no voice; without a model, loudness and pitch decide.
        program.environment["ECHOTEXT_VOICE_ACTIVITY"] = "/nowhere"
        return program
    }

    func run(_ arguments: String...) async throws -> Program.Outcome { try await program(arguments).run() }

    @discardableResult
    func succeed(
        _ arguments: String...,
        secrets: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await program(arguments, secrets: secrets).succeed(sourceLocation: sourceLocation)
    }

    /// The answer of a command that is to succeed, as programs read it.
    func json<Answer: Decodable>(_ type: Answer.Type, _ arguments: String...) async throws -> Answer {
        let outcome = try await program(arguments + ["--json"]).run()
        #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: outcome.output)
    }

    /// Imports the sound as “talk”, and transcribes it with the fixture.
    func transcribe() async throws {
        try await succeed("transcribe", "talk.wav", "--service", Self.recognizer)
    }

    /// Sets up the service “office”, which answers as a scenario says, and may be sent sound without a question.
    func addService(_ server: TranscriptionServer, _ scenario: String) async throws {
        try await succeed(
            "recognizers",
            "service",
            "add",
            "office",
            "--address",
            server.address(scenario),
            "--model",
            "whisper-1",
            "--key-fd",
            "3",
            secrets: ["sk-secret"]
        )
        try await succeed("settings", "set", "transcription.consent", "never-ask")
    }
}

/// Sounds that the fixture recognizer recognizes as parts of words.
enum Tones {
    static let rate = 16_000
    private static let frequencies = [
        "good": 400.0, "mor": 700, "ning": 1_150, "li": 1_850, "ttle": 3_000, "bird": 4_800,
    ]

    /// Tones of 0.3 s, with 0.1 s of silence before each and after it.
    static func samples(_ pieces: String...) -> [Int16] {
        pieces.flatMap { piece -> [Int16] in
            let pause = [Int16](repeating: 0, count: 1_600)
            let tone = (0..<4_800).map { index in
                let edge = min(1, Double(min(index, 4_799 - index)) / 160)
                return Int16(9_800 * edge * sin(2 * .pi * (frequencies[piece] ?? 0) * Double(index) / Double(rate)))
            }
            return pause + tone + pause
        }
    }
}

/// A refusal as programs read it.
struct PrintedFailure: Decodable {
    struct Content: Decodable {
        let code: String
    }

    let error: Content
}

extension Program.Outcome {
    /// The code of the refusal that was printed for programs.
    var code: String? { try? JSONDecoder().decode(PrintedFailure.self, from: output).error.code }
}
