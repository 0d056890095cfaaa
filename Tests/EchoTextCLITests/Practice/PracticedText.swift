import ArgumentParser
import EchoText
import EchoTextTesting
import Foundation
import Synchronization

@testable import EchoTextCLI

/// A text that is practiced slowly, so that each segment is several pieces of sound, with what is shown of it.
struct PracticedText {
    let sessions: PracticeSessions
    let id: PracticeRecord.ID
    let screen = Screen()

    /// - Parameters:
    ///   - arguments: A source as the command takes it, if any.
    ///   - library: A library, new when absent.
    ///   - synthesizer: The voices.
    ///   - voice: Who reads; the profile's voice when absent.
    ///   - choose: Changes the settings.
    /// - Throws: As ``PracticeSessions/begin(_:voices:)``.
    init(
        _ arguments: [String] = ["The keeper sleeps. Waves come in.", "--language", "en"],
        in library: Library = MemoryVault().library,
        by synthesizer: ScriptedSynthesizer = ScriptedSynthesizer(),
        voice: Voice.ID? = nil,
        _ choose: (inout PracticeSettings.Changes) -> Void
    ) async throws {
        var profile = VoiceProfile.standard
        profile.voice = ScriptedSynthesizer.narrator.id
        try await library.profiles.save(profile)
        sessions = PracticeSessions(
            in: library,
            by: Narrator(synthesizer: synthesizer, segmenter: PlainSegmenter()),
            with: .scripted(),
            events: StudioEvents()
        )
        let source = try await PracticeSourceOptions.parse(arguments).source(in: library)
        var order = PracticeSessions.Order(source)
        order.settings.rate = 0.1
        order.voice = voice?.rawValue
        choose(&order.settings)
        id = try await sessions.begin(order, voices: [ScriptedSynthesizer.narrator]).id
    }

    /// Practices to the end, with time at a standstill unless a test moves it.
    func run(
        by output: any PlaybackOutput,
        microphone: TerminalPractice.Microphone? = nil,
        keys: TestKeys,
        changes: PracticeSettings.Changes? = nil,
        clock: ManualClock = ManualClock(),
        isTerminal: Bool = true,
        voices: @escaping @Sendable () async -> [Voice] = { [ScriptedSynthesizer.narrator] }
    ) async throws -> PracticeRecord {
        let practice = TerminalPractice(
            sessions,
            voices: voices,
            output: output,
            microphone: microphone,
            listener: TurnListener(ScriptedDetector()),
            line: PracticeLine(isTerminal: isTerminal) { [screen] in screen.add($0) },
            keys: keys,
            clock: clock
        )
        return try await practice.run(id, changes: changes)
    }

    /// The samples of each segment.
    func sounds() async throws -> [[Float]] {
        var sounds: [[Float]] = []
        for segment in 1...2 {
            let sound = try await sessions.sound(
                of: segment,
                rate: 0.1,
                in: id,
                voices: [ScriptedSynthesizer.narrator]
            )
            sounds.append(sound.clip.samples)
        }
        return sounds
    }

    /// How many samples all segments have.
    func length() async throws -> Int { try await sounds().reduce(0) { $0 + $1.count } }
}

/// The output shown on a terminal.
final class Screen: Sendable {
    private let shown = Mutex("")

    var text: String { shown.withLock(\.self) }
    /// The line that was drawn last; empty once it was cleared.
    var line: String { text.components(separatedBy: "\r\u{1B}[K").last ?? "" }

    func has(_ words: String) -> Bool { text.contains(words) }

    func add(_ text: String) { shown.withLock { $0 += text } }
}

/// Keys that a test presses.
final class TestKeys: PracticeKeys {
    private let areThere: Bool
    private let keys: AsyncStream<PlayerKey>
    private let pressed: AsyncStream<PlayerKey>.Continuation

    init(areThere: Bool = true) {
        self.areThere = areThere
        (keys, pressed) = AsyncStream.makeStream()
    }

    func press(_ key: PlayerKey) { pressed.yield(key) }

    func begin() -> Bool { areThere }

    func next() async -> [PlayerKey]? {
        for await key in keys { return [key] }
        return nil
    }

    func end() {}
}

/// A loudspeaker that is disconnected during one piece of sound, and connected again at once.
final class LooseLoudspeaker: PlaybackOutput {
    private struct State {
        var pieces = 0
        var heard = 0
    }

    private struct Sink: PlaybackSink {
        let loudspeaker: LooseLoudspeaker

        func append(_ clip: AudioClip) async throws {
            try Task.checkCancellation()
            try loudspeaker.play(clip)
        }

        func finish() async throws {}

        func flush() async {}

        func discard() async {}
    }

    private let lostAt: Int?
    private let state = Mutex(State())

    /// - Parameter lostAt: The number of the piece, from 1; `nil` for never.
    init(lostAt: Int? = 2) {
        self.lostAt = lostAt
    }

    /// How many samples were played.
    var heard: Int { state.withLock(\.heard) }

    func open(sampleRate: Int) async throws -> any PlaybackSink { Sink(loudspeaker: self) }

    func stretcher(sampleRate: Int, speed: Double) throws -> any TempoStretcher { throw AudioFileError.noSoundOutput }

    private func play(_ clip: AudioClip) throws {
        try state.withLock { state in
            state.pieces += 1
            guard state.pieces != lostAt else { throw AudioFileError.playbackFailed(status: -19) }
            state.heard += clip.samples.count
        }
    }
}
