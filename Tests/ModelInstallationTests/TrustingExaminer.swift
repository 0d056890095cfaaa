import EchoText
import Foundation

@testable import ModelInstallation

/// Accepts every folder with a model, a description and tokens as a voice, without listening.
struct TrustingExaminer: VoiceExaminer {
    var verdict: (any Error)?
    /// Receives the path of each tested voice.
    var listening: @Sendable (String) async -> Void = { _ in }

    func voice(at path: String) throws -> Voice {
        let folder = try VoiceFolder.find(at: path)
        for name in ["\(folder.modelFile).json", "tokens.txt"]
        where !FileManager.default.fileExists(atPath: "\(path)/\(name)") {
            throw VoiceFolderError.missingFile(name)
        }
        return Voice(
            id: folder.id,
            name: folder.name,
            language: "en-US",
            engine: .piper,
            sampleRate: 16_000
        )
    }

    func examine(_ path: String) async throws -> ExaminedVoice {
        await listening(path)
        if let verdict { throw verdict }
        return ExaminedVoice(voice: try voice(at: path), layout: .parts)
    }
}
