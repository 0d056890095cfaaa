package import EchoText
import Foundation
import Synchronization
import Testing

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
