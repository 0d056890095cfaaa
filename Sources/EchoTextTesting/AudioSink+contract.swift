package import EchoText
import Foundation
import Testing

/// Checks every promise ``AudioSink`` makes.
///
/// - Parameters:
///   - sampleRate: The sample rate of the sinks, in hertz.
///   - makeSink: Opens a new sink; it is called several times, and two sinks may be open at once.
/// - Throws: Unexpected errors of a sink.
package func verifyContract<Sink: AudioSink>(
    ofSinksFor sampleRate: Int,
    _ makeSink: () async throws -> Sink
) async throws {
    let tone = AudioClip(
        samples: (0..<sampleRate / 10).map { 0.25 * sin(2 * .pi * 440 * Float($0) / Float(sampleRate)) },
        sampleRate: sampleRate
    )
    let nothing = AudioClip(samples: [], sampleRate: sampleRate)

    let sink = try await makeSink()
    for clip in [tone, nothing, tone] { try await sink.append(clip) }
    try await sink.finish()
    await sink.discard()  // After the end it must not affect the finished output.

    let silent = try await makeSink()
    try await silent.finish()

    let dropped = try await makeSink()
    try await dropped.append(tone)
    await dropped.discard()
    await dropped.discard()
    await #expect(throws: CancellationError.self, "a discarded sink takes nothing") {
        try await dropped.append(tone)
    }

    let unused = try await makeSink()
    await unused.discard()

    try await verifyCancellation(of: try await makeSink(), tone)

    let loud = try await makeSink()
    try await loud.append(AudioClip(samples: [2, -2, .infinity, -.infinity, .nan], sampleRate: sampleRate))
    try await loud.finish()
}

/// Checks every promise ``PlaybackSink`` makes.
///
/// - Parameters:
///   - sampleRate: The sample rate of the sinks, in hertz.
///   - makeSink: Opens a new sink; it is called several times, and two sinks may be open at once.
/// - Throws: Unexpected errors of a sink.
package func verifyContract<Sink: PlaybackSink>(
    ofLoudspeakersFor sampleRate: Int,
    _ makeSink: () async throws -> Sink
) async throws {
    try await verifyContract(ofSinksFor: sampleRate, makeSink)
    let second = AudioClip(samples: [Float](repeating: 0.25, count: sampleRate), sampleRate: sampleRate)

    let sink = try await makeSink()
    await sink.flush()
    for _ in 0..<2 {
        try await sink.append(second)
        await sink.flush()
    }
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        await sink.flush()
    }
    await cancelled.value
    try await sink.append(second)  // it has stayed open
    try await sink.finish()
    await sink.flush()

    let dropped = try await makeSink()
    await dropped.discard()
    await dropped.flush()
    await #expect(throws: CancellationError.self, "it stays discarded") { try await dropped.append(second) }
}

private func verifyCancellation(of sink: some AudioSink, _ clip: AudioClip) async throws {
    try await sink.append(clip)
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        try await sink.append(clip)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await sink.append(clip)  // a cancelled call leaves the sink usable
    let finishing = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await sink.finish()
    }
    await #expect(throws: CancellationError.self) { try await finishing.value }
    await sink.discard()
}
