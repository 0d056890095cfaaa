package import EchoText

/// A voice without a model: it hums each symbol at its own pitch, deterministically.
package struct ScriptedAcousticModel: AcousticModel {
    package let sampleRate = 16_000
    package let speakers = 3
    package let layout = ModelLayout.parts
    /// The duration of a symbol at the voice's normal speed.
    package static let samplesPerPhoneme = 800

    private let name: String

    package init(name: String) {
        self.name = name
    }

    package func speak(_ request: PhonemeRequest, deliver: (AcousticPiece) async throws -> Void) async throws {
        try check(request)
        let lasting = Int((Double(Self.samplesPerPhoneme) / request.speed).rounded())
        try await deliver(.times((0...request.phonemes.count).map { $0 * lasting }))
        for phoneme in request.phonemes {
            try Task.checkCancellation()
            EngineProgress.report()
            try await deliver(.samples(hum(phoneme, speaker: request.speaker, lasting: lasting)))
            await Task.yield()
        }
    }

    private func check(_ request: PhonemeRequest) throws(SynthesisError) {
        let voice = Voice.ID(rawValue: "scripted/\(name)")
        guard !request.phonemes.isEmpty else { throw .nothingToSay }
        guard request.phonemes.count <= PhonemeRequest.longest else { throw .engineFailed(.piper, status: nil) }
        guard (0..<speakers).contains(request.speaker) else {
            throw .noSuchSpeaker(request.speaker, of: voice, count: speakers)
        }
        guard Prosody.speedRange.contains(request.speed) else { throw .speedOutOfRange(request.speed) }
    }

    /// A triangle wave whose period encodes the symbol and the speaker.
    private func hum(_ phoneme: Unicode.Scalar, speaker: Int, lasting count: Int) -> [Float] {
        let period = 40 + Int(phoneme.value % 97) * 2 + speaker * 20
        return (0..<count).map { Float(abs($0 % period - period / 2)) / Float(period) - 0.25 }
    }
}

/// Opens a ``ScriptedAcousticModel`` for any folder.
package struct ScriptedAcousticModelLoader: AcousticModelLoader {
    package init() {}

    package func open(_ folder: VoiceFolder, lanes: Int, layout: ModelLayout?) async throws -> any AcousticModel {
        ScriptedAcousticModel(name: folder.name)
    }
}

extension AcousticModelLoader {
    /// Opens a voice without knowing how its model is run.
    package func open(_ folder: VoiceFolder, lanes: Int) async throws -> any AcousticModel {
        try await open(folder, lanes: lanes, layout: nil)
    }
}
