import EchoText
import EchoTextTesting
import Foundation
import Workers

/// Hears as the script does, or misbehaves as the folder's name says.
struct FixtureRecognizerLoader: RecognizerLoader {
    func open(_ model: RecognizerModel, _ settings: RecognitionSettings, lanes: Int) async throws
        -> any RecognitionSession
    {
        let name = (model.path as NSString).lastPathComponent
        switch name {
        case "open-crash": Misbehaviour.crash()
        case "open-exit": exit(255)
        case "open-hang": Misbehaviour.hang()
        case "open-refuse": throw RecognitionError.badModel("\u{1B}[2Jmine")
        default: break
        }
        let scripted = ScriptedRecognizer { clip, _, _ in try Self.heard(in: clip, name) }
        return try await scripted.open(ScriptedRecognizer.standard.id, settings)
    }

    private static func heard(in clip: AudioClip, _ name: String) throws -> RecognizedSpeech {
        var speech = ScriptedRecognizer.words(in: clip)
        switch name {
        case "crash": Misbehaviour.crash()
        case "exit": exit(0)
        case "hang": Misbehaviour.hang()
        case "bloat": Misbehaviour.bloat()
        case "lie": speech.text = "\u{1B}[2Jclear"
        case "order": speech.words.reverse()
        case "beyond": speech.words[0].end = 1_000
        case "twice": say(Frame(.heard, request: 1, payload: Array("{}".utf8)).encoded)
        case "unasked": say(Frame(.heard, request: 99).encoded)
        case "garbage": say([UInt8](repeating: 0xA5, count: 100))
        case "long": speech.text = String(repeating: "x", count: 900_000) + "\n"
        default: break
        }
        return speech
    }

    /// Writes past the frames, where the program reads them.
    private static func say(_ bytes: [UInt8]) {
        // The output has been moved away from the number under which libraries find it.
        for descriptor in Int32(3)..<64 where fcntl(descriptor, F_GETFL) & O_ACCMODE == O_WRONLY {
            _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}
