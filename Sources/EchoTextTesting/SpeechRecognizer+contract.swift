package import EchoText
import Foundation
import Testing

/// Checks every promise ``SpeechRecognizer`` and ``RecognitionSession`` make.
///
/// Each recognizer's tests call it, so that all recognizers keep all promises.
///
/// - Parameters:
///   - recognizer: The recognizer to check, which offers at least one.
///   - clip: Speech of at least a second with words that the recognizer recognizes.
///   - settings: The recognizer's settings.
/// - Throws: Unexpected errors of the recognizer.
package func verifyContract(
    of recognizer: some SpeechRecognizer,
    on clip: AudioClip,
    settings: RecognitionSettings = RecognitionSettings()
) async throws {
    let offered = try await recognizer.recognizers()
    let id = try #require(offered.first, "a recogniser must offer at least one model").id
    #expect(try await recognizer.recognizers() == offered, "recognizers() must keep its order")
    #expect(Set(offered.map(\.id)).count == offered.count, "no two have one id")
    #expect(offered.allSatisfy { !$0.name.isEmpty && !$0.languages.isEmpty })

    let missing = Recognizer.ID(rawValue: "nowhere/nobody")
    await #expect(throws: RecognitionError.noSuchRecognizer(missing)) { try await recognizer.open(missing, settings) }

    let session = try await recognizer.open(id, settings)
    try await verifyRecognition(of: session, clip)
    try await verifyOddClips(of: session, clip)
    try await verifyOverlap(of: session, clip)
    try await verifyCancellation(of: session, clip)

    let second = try await recognizer.open(id, settings)
    #expect(try await !second.recognize(clip).text.isEmpty, "a recogniser may be opened twice")
    await second.close()
    await second.close()
    #expect(try await !session.recognize(clip).text.isEmpty, "closing one session must leave another alone")
    await session.close()
}

private func verifyRecognition(of session: any RecognitionSession, _ clip: AudioClip) async throws {
    let first = try await session.recognize(clip)
    #expect(!first.text.isEmpty, "speech gives a text")
    #expect(first.isPossible(in: clip.seconds), "\(first)")
    #expect(try await session.recognize(clip) == first, "the same clip gives the same text")
}

private func verifyOddClips(of session: any RecognitionSession, _ clip: AudioClip) async throws {
    for seconds in [0, 0.01, 1, RecognitionClip.longest] {
        let recognized = try await session.recognize(.silence(seconds))
        #expect(recognized.text.isEmpty && recognized.words.isEmpty, "\(seconds) s of silence: \(recognized)")
    }
    for count in [1, 100, 3_000] {
        let piece = AudioClip(samples: Array(clip.samples.suffix(count)), sampleRate: clip.sampleRate)
        let recognized = try await session.recognize(piece)
        #expect(recognized.isPossible(in: piece.seconds), "\(count) samples: \(recognized)")
    }
    var strange = clip
    for (index, value) in [Float.nan, .infinity, -.infinity, 1e30].enumerated() { strange.samples[index * 7] = value }
    let recognized = try await session.recognize(strange)
    #expect(recognized.isPossible(in: strange.seconds), "samples that are no numbers harm nobody: \(recognized)")
}

private func verifyOverlap(of session: any RecognitionSession, _ clip: AudioClip) async throws {
    let clips = (1...4).map { part in
        AudioClip(samples: Array(clip.samples.prefix(clip.samples.count * part / 4)), sampleRate: clip.sampleRate)
    }
    let together = try await withThrowingTaskGroup(of: (Int, RecognizedSpeech).self) { group in
        for (index, clip) in clips.enumerated() {
            group.addTask { (index, try await session.recognize(clip)) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (index, clip) in clips.enumerated() {
        #expect(try await session.recognize(clip) == together[index], "overlapping calls must not disturb each other")
    }
}

private func verifyCancellation(of session: any RecognitionSession, _ clip: AudioClip) async throws {
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // From inside, so that the call cannot win the race.
        return try await session.recognize(clip)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }

    async let undisturbed = session.recognize(clip)
    let late = Task { try await session.recognize(clip) }
    late.cancel()
    // It may have been done already; if not, it must say so and not something else.
    do { _ = try await late.value } catch { #expect(error is CancellationError) }
    #expect(try await !undisturbed.text.isEmpty, "cancelling one call must leave another alone")
    #expect(try await !session.recognize(clip).text.isEmpty, "a cancelled call must leave the session usable")
}

extension AudioClip {
    /// Silence at the sample rate of recognizers and detectors.
    package static func silence(_ seconds: Double) -> AudioClip {
        let count = Int((seconds * Double(RecognitionClip.sampleRate)).rounded())
        return AudioClip(samples: Array(repeating: 0, count: count), sampleRate: RecognitionClip.sampleRate)
    }

    /// A voice-like hum at 140 Hz with its overtones.
    package static func hum(_ seconds: Double) -> AudioClip {
        let count = Int((seconds * Double(RecognitionClip.sampleRate)).rounded())
        let samples = (0..<count).map { index in
            let phase = 2 * Double.pi * 140 * Double(index) / Double(RecognitionClip.sampleRate)
            return Float((1...12).reduce(0.0) { $0 + sin(phase * Double($1)) / Double($1) } * 0.1)
        }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }

    /// White noise, the same for the same seed.
    ///
    /// - Parameters:
    ///   - seconds: Its duration.
    ///   - amplitude: The largest value of a sample.
    ///   - seed: The seed of the generator.
    /// - Returns: Noise at the recognizers' sample rate.
    package static func noise(_ seconds: Double, amplitude: Float, seed: UInt64 = 1) -> AudioClip {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let count = Int((seconds * Double(RecognitionClip.sampleRate)).rounded())
        let samples = (0..<count).map { _ -> Float in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return amplitude * (Float(state >> 40) / Float(1 << 23) - 1)
        }
        return AudioClip(samples: samples, sampleRate: RecognitionClip.sampleRate)
    }
}
