import EchoText
import EchoTextTesting
import Foundation
import Workers

/// Recognizes as the script defines, or misbehaves as the folder's name requests.
struct FixtureRecognizerLoader: RecognizerLoader {
    func open(_ model: RecognizerModel, _ settings: RecognitionSettings, lanes: Int) async throws
        -> any RecognitionSession
    {
        let name = (model.path as NSString).lastPathComponent
        switch name {
        case "open-crash": Misbehaviour.crash()
        case "open-exit": exit(255)
        case "open-kill": kill(getpid(), SIGKILL)
        case "open-hang": Misbehaviour.hang()
        case "open-refuse": throw RecognitionError.badModel("\u{1B}[2Jmine")
        default: break
        }
        let scripted = ScriptedRecognizer { clip, _, _ in try Self.recognized(in: clip, name) }
        return try await scripted.open(ScriptedRecognizer.standard.id, settings)
    }

    func check(_ model: RecognizerModel) async throws {
        guard (model.path as NSString).lastPathComponent != "check-refuse" else {
            throw RecognitionError.badModel("mine")
        }
    }

    private static func recognized(in clip: AudioClip, _ name: String) throws -> RecognizedSpeech {
        var speech = ScriptedRecognizer.words(in: clip)
        switch name {
        case "crash": Misbehaviour.crash()
        case "exit": exit(0)
        case "hang": Misbehaviour.hang()
        case "bloat": Misbehaviour.bloat()
        case "lie": speech.text = "\u{1B}[2Jclear"
        case "order": speech.words.reverse()
        case "beyond": speech.words[0].end = 1_000
        case "twice": say(Frame(.recognized, request: 1, payload: Array("{}".utf8)).encoded)
        case "unasked": say(Frame(.recognized, request: 99).encoded)
        case "garbage": say([UInt8](repeating: 0xA5, count: 100))
        case "long": speech.text = String(repeating: "x", count: 900_000) + "\n"
        default: break
        }
        return speech
    }

    /// Writes past the frames, where the program reads them.
    fileprivate static func say(_ bytes: [UInt8]) {
        // The output has been moved away from the number under which libraries find it.
        for descriptor in Int32(3)..<64 where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY {
            _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}

/// Distinguishes positive and negative samples, or misbehaves as the name of the embedding model requests.
struct FixtureSpeakerLoader: SpeakerModelLoader {
    func open(_ models: SpeakerModels, _ count: SpeakerCount, threads: Int) async throws -> any DiarizationSession {
        switch models.embedding.name {
        case "open-crash": Misbehaviour.crash()
        case "open-exit": exit(255)
        case "open-hang": Misbehaviour.hang()
        case "open-refuse": throw SpeakerError.badModel("\u{1B}[2Jmine")
        default: break
        }
        return FixtureSpeakers(name: models.embedding.name)
    }
}

private struct FixtureSpeakers: DiarizationSession {
    let name: String

    func turns(in samples: [Float], report: @escaping @Sendable (Double) -> Void) async throws -> [SpeakerTurn] {
        let clip = AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
        report(0.5)
        switch name {
        case "crash": Misbehaviour.crash()
        case "exit": exit(0)
        case "hang": Misbehaviour.hang()
        case "bloat": Misbehaviour.bloat()
        case "beyond": return [SpeakerTurn(0..<clip.seconds + 1, speaker: 0)]
        case "order": return [SpeakerTurn(1..<2, speaker: 0), SpeakerTurn(0..<1, speaker: 1)]
        case "many": return [SpeakerTurn(0..<1, speaker: 1 << 20)]
        case "long": return [SpeakerTurn](repeating: SpeakerTurn(0..<1, speaker: 0), count: 100_000)
        case "unasked": FixtureRecognizerLoader.say(Frame(.turns, request: 99).encoded)
        case "reach": FixtureRecognizerLoader.say(Frame(.reached, request: 99, payload: [0, 0, 0, 0]).encoded)
        case "share": FixtureRecognizerLoader.say(Frame(.reached, request: 1, payload: [255, 255, 255, 255]).encoded)
        case "garbage": FixtureRecognizerLoader.say([UInt8](repeating: 0xA5, count: 100))
        default: break
        }
        return try await ScriptedDiarizer().turns(in: clip)
    }
}
