package import EchoText
import Foundation
import Synchronization
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

/// Checks every promise ``CaptureDevice`` makes.
///
/// - Parameter open: Opens a device that gives at least a second of sound.
/// - Throws: What `open` and the device throw.
package func verifyContract(ofDevices open: () async throws -> any CaptureDevice) async throws {
    let device = try await open()
    #expect(RecordingOrder.sampleRates.contains(device.sampleRate))
    #expect(!device.name.isEmpty)
    for _ in 0..<5 { #expect(try await !device.next().isEmpty, "no piece is empty") }
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        return try await device.next()
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try await !device.next().isEmpty, "a cancelled call leaves the device usable")
    device.close()
    device.close()

    let closed = try await open()
    closed.close()
    await #expect(throws: CaptureError.deviceGone) { while true { _ = try await closed.next() } }
}

/// Checks every promise ``SoundFileDecoder`` makes, with WAV files.
package func verifyContract(of decoder: some SoundFileDecoder) async throws {
    let samples = (0..<200_000).map { Int16(truncatingIfNeeded: ($0 * 7_919) % 20_001 - 10_000) }
    let wave = WAVHeader.file(of: samples, sampleRate: 22_050)
    let output = SoundCollector()
    try await decoder.decode(HeldBytes(wave)) { try await output.take($0) }
    #expect(await output.facts?.sampleRate == 22_050)
    #expect(await output.samples == samples, "all samples come, in order")
    let first = SoundCollector()
    try await decoder.decode(HeldBytes(wave), track: 1) { try await first.take($0) }
    #expect(await first.samples == samples, "the only track is the first")
    await #expect(throws: SoundImportError.noSuchTrack(2, of: [SoundTrack(number: 1)])) {
        try await decoder.decode(HeldBytes(wave), track: 2) { _ in }
    }

    let cut = SoundCollector()
    let error = await #expect(throws: SoundImportError.self) {
        try await decoder.decode(HeldBytes(wave.prefix(100_044))) { try await cut.take($0) }
    }
    guard case .damaged(let seconds) = error else {
        Issue.record("a cut file is damaged, not \(String(describing: error))")
        return
    }
    #expect(abs(seconds - 50_000 / 22_050) < 0.01)
    #expect(await cut.samples == Array(samples.prefix(50_000)), "the sound before the damage comes first")

    await #expect(throws: SoundImportError.empty) { try await decoder.decode(HeldBytes(Data())) { _ in } }
    await #expect(throws: SoundImportError.unknownKind(found: nil)) {
        try await decoder.decode(HeldBytes(Data("This is a letter.\n".utf8))) { _ in }
    }
    await #expect(throws: CaptureError.deviceGone, "what `take` throws is thrown") {
        try await decoder.decode(HeldBytes(wave)) { _ in throw CaptureError.deviceGone }
    }
    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        try await decoder.decode(HeldBytes(wave)) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
}

/// The output of a decoder.
package actor SoundCollector {
    package private(set) var facts: SoundFacts?
    package private(set) var samples: [Int16] = []
    package private(set) var notices: [SoundImportNotice] = []
    /// The longest piece.
    package private(set) var longest = 0
    private var isBusy = false

    package init() {}

    package func take(_ piece: DecodedSound) async throws {
        #expect(!isBusy, "one piece comes at a time")
        isBusy = true
        await Task.yield()
        defer { isBusy = false }
        switch piece {
        case .facts(let facts):
            #expect(self.facts == nil, "the facts come once")
            #expect(samples.isEmpty, "the facts come first")
            self.facts = facts
        case .samples(let more):
            #expect(facts != nil, "the facts come first")
            #expect((1...DecodedSound.longestPiece).contains(more.count))
            samples += more
            longest = max(longest, more.count)
        case .notice(let notice):
            #expect(facts != nil, "the facts come first")
            notices.append(notice)
        }
    }
}
