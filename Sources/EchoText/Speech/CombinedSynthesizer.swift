/// Several engines as one: each voice is spoken by its engine.
package struct CombinedSynthesizer: SpeechSynthesizer {
    private let engines: [Voice.Engine: any SpeechSynthesizer]

    package init(_ engines: [Voice.Engine: any SpeechSynthesizer]) {
        self.engines = engines
    }

    package func voices() async throws -> [Voice] {
        var voices: [Voice] = []
        for engine in Voice.Engine.allCases {
            voices += try await engines[engine]?.voices() ?? []
        }
        return voices
    }

    package func speak(
        _ utterance: Utterance,
        deliver: (SpeechFragment) async throws -> Void
    ) async throws {
        guard let engine = Voice.Engine(of: utterance.voice), let synthesizer = engines[engine] else {
            throw SynthesisError.voiceNotInstalled(utterance.voice)
        }
        try await synthesizer.speak(utterance, deliver: deliver)
    }
}

extension Voice.Engine {
    /// The engine that the first part of a voice's id names.
    package init?(of voice: Voice.ID) {
        switch voice.rawValue.prefix(while: { $0 != "/" }) {
        case "espeak": self = .espeakNG
        case "piper": self = .piper
        default: return nil
        }
    }
}
