package import EchoText
import Testing

/// Checks every promise ``AcousticModelLoader`` and ``AcousticModel`` make.
///
/// - Parameters:
///   - loader: The loader to check.
///   - folder: A voice that it can open.
///   - phonemes: Phonemes for a second or more of the voice's speech.
///   - isDeterministic: Whether the voice gives the same sound every time.
/// - Throws: Unexpected errors of the loader or the model.
package func verifyContract(
    of loader: some AcousticModelLoader,
    opening folder: VoiceFolder,
    saying phonemes: [Unicode.Scalar],
    isDeterministic: Bool = true
) async throws {
    let model = try await loader.open(folder, lanes: 2)
    #expect(model.sampleRate > 0)
    #expect(model.speakers >= 1)

    let hello = PhonemeRequest(phonemes: phonemes, speaker: 0, speed: 1)
    let first = try await model.speak(hello)
    #expect(first.sampleRate == model.sampleRate)
    #expect(first.level != nil, "speech must not be silent")
    if isDeterministic { #expect(try await model.speak(hello) == first) }

    let quick = try await model.speak(PhonemeRequest(phonemes: phonemes, speaker: 0, speed: 1.5))
    #expect(quick.samples.count < first.samples.count, "a higher speed must take less time")
    for speaker in Set([0, model.speakers - 1]) {
        let clip = try await model.speak(PhonemeRequest(phonemes: phonemes, speaker: speaker, speed: 1))
        #expect(clip.sampleRate == model.sampleRate)
        #expect(!clip.samples.isEmpty)
    }

    try await verifyRefusals(of: model, saying: phonemes)
    try await verifyOverlap(of: model, saying: phonemes, isDeterministic: isDeterministic)
    try await verifyCancellation(of: model, saying: phonemes)

    let second = try await loader.open(folder, lanes: 2)
    #expect(second.sampleRate == model.sampleRate, "a voice may be opened twice")
    #expect(try await !model.speak(hello).samples.isEmpty, "opening a voice again must leave the first usable")
}

private func verifyRefusals(of model: any AcousticModel, saying phonemes: [Unicode.Scalar]) async throws {
    let tooLong = Array(repeatElement(phonemes[0], count: PhonemeRequest.longest + 1))
    let refused = [
        PhonemeRequest(phonemes: [], speaker: 0, speed: 1),
        PhonemeRequest(phonemes: tooLong, speaker: 0, speed: 1),
        PhonemeRequest(phonemes: phonemes, speaker: -1, speed: 1),
        PhonemeRequest(phonemes: phonemes, speaker: model.speakers, speed: 1),
        PhonemeRequest(phonemes: phonemes, speaker: .max, speed: 1),
        PhonemeRequest(phonemes: phonemes, speaker: 0, speed: 0),
        PhonemeRequest(phonemes: phonemes, speaker: 0, speed: -1),
        PhonemeRequest(phonemes: phonemes, speaker: 0, speed: 9),
        PhonemeRequest(phonemes: phonemes, speaker: 0, speed: .nan),
        PhonemeRequest(phonemes: phonemes, speaker: 0, speed: .infinity),
    ]
    for request in refused {
        await #expect(throws: SynthesisError.self, "\(request)") { try await model.speak(request) }
    }
}

private func verifyOverlap(
    of model: any AcousticModel,
    saying phonemes: [Unicode.Scalar],
    isDeterministic: Bool
) async throws {
    let requests = (1...phonemes.count).suffix(6).map { length in
        PhonemeRequest(phonemes: Array(phonemes.prefix(length)), speaker: length % model.speakers, speed: 1)
    }
    let clips = try await withThrowingTaskGroup(of: (Int, AudioClip).self) { group in
        for (index, request) in requests.enumerated() {
            group.addTask { (index, try await model.speak(request)) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(clips.count == requests.count)
    guard isDeterministic else { return }
    for (index, request) in requests.enumerated() {
        #expect(try await model.speak(request) == clips[index], "overlapping calls must not disturb each other")
    }
}

private func verifyCancellation(of model: any AcousticModel, saying phonemes: [Unicode.Scalar]) async throws {
    let hello = PhonemeRequest(phonemes: phonemes, speaker: 0, speed: 1)
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // From inside, so that the call cannot win the race.
        return try await model.speak(hello)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }

    async let undisturbed = model.speak(hello)
    let late = Task { try await model.speak(hello) }
    late.cancel()
    // It may have been done already; if not, it must say so and not something else.
    do { _ = try await late.value } catch { #expect(error is CancellationError) }
    #expect(try await !undisturbed.samples.isEmpty, "cancelling one call must leave another alone")
    #expect(try await !model.speak(hello).samples.isEmpty, "a cancelled call must leave the model usable")
}

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
