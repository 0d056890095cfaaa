package import EchoText
import Testing

/// Checks every promise ``SpeakerDiarizer`` makes.
///
/// Each diarizer's tests call it, so that all diarizers keep all promises.
///
/// - Parameters:
///   - diarizer: The diarizer to check, whose models are installed.
///   - clip: Sound of more than ten seconds in which two people alternate.
/// - Throws: Unexpected errors of the diarizer.
package func verifyContract(of diarizer: some SpeakerDiarizer, on clip: AudioClip) async throws {
    let installed = try await diarizer.models()
    _ = try SpeakerModels(of: installed)
    #expect(try await diarizer.models() == installed, "models() must keep its order")

    let turns = try await diarizer.turns(in: clip)
    #expect(Set(turns.map(\.speaker)).count == 2, "\(turns)")
    #expect(zip(turns, turns.dropFirst()).allSatisfy { $0.time.lowerBound <= $1.time.lowerBound }, "\(turns)")
    #expect(turns.allSatisfy { !$0.time.isEmpty && $0.time.lowerBound >= 0 && $0.time.upperBound <= clip.seconds })
    #expect(try await diarizer.turns(in: clip, pieces: 1_000) == turns, "the same however it is cut")

    #expect(try await diarizer.turns(in: .silence(12)).isEmpty, "silence has no speaker")
    #expect(try await diarizer.turns(in: .silence(0)).isEmpty, "nothing has no speaker")
    #expect(try await diarizer.turns(in: AudioClip(samples: [0.5], sampleRate: clip.sampleRate)).count <= 1)
    let sound = ClipPieces(of: clip, size: 32_768)
    await #expect(throws: SpeakerError.tooLong) {
        try await diarizer.turns(in: sound, seconds: SpeakerDiarization.longest + 1, .unknown()) { _ in }
    }
    try await verifyProgress(of: diarizer, clip)
    try await verifyCancellation(of: diarizer, clip, turns)
}

private func verifyProgress(of diarizer: some SpeakerDiarizer, _ clip: AudioClip) async throws {
    let (shares, continuation) = AsyncStream.makeStream(of: Double.self)
    let sound = ClipPieces(of: clip, size: 32_768)
    _ = try await diarizer.turns(in: sound, seconds: clip.seconds, .unknown()) { continuation.yield($0) }
    continuation.finish()
    let reported = await shares.reduce(into: []) { $0.append($1) }
    #expect(!reported.isEmpty && reported.allSatisfy { (0...1).contains($0) } && reported == reported.sorted())
}

private func verifyCancellation(
    of diarizer: some SpeakerDiarizer,
    _ clip: AudioClip,
    _ turns: [SpeakerTurn]
) async throws {
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // From inside, so that the call cannot win the race.
        return try await diarizer.turns(in: clip)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let late = Task { try await diarizer.turns(in: clip) }
    late.cancel()
    // It may have been done already; if not, it must say so and not something else.
    do { _ = try await late.value } catch { #expect(error is CancellationError) }
    #expect(try await diarizer.turns(in: clip) == turns, "a cancelled call must leave the diarizer usable")
}

extension SpeakerDiarizer {
    /// The turns in a clip that is sent in pieces.
    package func turns(
        in clip: AudioClip,
        _ count: SpeakerCount = .unknown(),
        pieces: Int = 32_768
    ) async throws -> [SpeakerTurn] {
        try await turns(in: ClipPieces(of: clip, size: pieces), seconds: clip.seconds, count) { _ in }
    }
}

/// A clip as a sound that is read in pieces.
package actor ClipPieces: ClipSource {
    private let clip: AudioClip
    private let size: Int
    private var position = 0

    package nonisolated let sampleRate: Int

    /// - Parameters:
    ///   - clip: The sound.
    ///   - size: How many samples a piece has.
    package init(of clip: AudioClip, size: Int) {
        (self.clip, self.size, sampleRate) = (clip, size, clip.sampleRate)
    }

    package func next() -> AudioClip? {
        guard position < clip.samples.count else { return nil }
        defer { position += size }
        let samples = clip.samples[position..<min(position + size, clip.samples.count)]
        return AudioClip(samples: Array(samples), sampleRate: clip.sampleRate)
    }
}
