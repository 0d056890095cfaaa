import EchoText
import EchoTextTesting
import Testing

@testable import EchoTextCLI

@Suite("A take in the terminal", .endsInTime)
struct TerminalTakeTests {
    private static let sound = [Int16](repeating: 1_000, count: 8_000)
    private static let unfinished = "the take of part 1 is not kept: practice ended before your turn was over"

    private func microphone(_ devices: ScriptedMicrophones) -> TerminalPractice.Microphone {
        .init(devices: devices, device: nil)
    }

    /// Says the first part, goes to the next, and ends practice there.
    private func takeATurn(of practiced: PracticedText) async throws {
        let silent = ScriptedMicrophones.Script(pieces: [], stays: true)
        let microphones = ScriptedMicrophones([.init(pieces: [Self.sound], stays: true), silent])
        let keys = TestKeys()
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: microphone(microphones),
            keys: keys
        )
        try await waitUntil("the turn has begun") { microphones.askedRates.count == 1 }
        keys.press(.next)
        try await waitUntil("the next turn has begun") { microphones.askedRates.count == 2 }
        keys.press(.quit)
        _ = try await ended
    }

    @Test func `is said not to be kept where the person ends practice in their turn`() async throws {
        let practiced = try await PracticedText { _ in }
        let microphones = ScriptedMicrophones([.init(pieces: [Self.sound], stays: true)])
        let keys = TestKeys()
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: microphone(microphones),
            keys: keys
        )
        try await waitUntil("the turn has begun") { microphones.askedRates.count == 1 }
        keys.press(.quit)
        _ = try await ended
        #expect(practiced.screen.has(Self.unfinished), "\(practiced.screen.text)")
        #expect(try await practiced.sessions.takes(of: practiced.id).isEmpty)
    }

    @Test func `is said not to be kept where its microphone is lost and nobody can continue`() async throws {
        let practiced = try await PracticedText { _ in }
        _ = try await practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: microphone(ScriptedMicrophones([.init(pieces: [Self.sound])])),
            keys: TestKeys(areThere: false)
        )
        #expect(practiced.screen.has("the microphone is gone"), "\(practiced.screen.text)")
        #expect(practiced.screen.has(Self.unfinished), "\(practiced.screen.text)")
    }

    @Test func `is said not to be kept where practice is interrupted`() async throws {
        let practiced = try await PracticedText { _ in }
        let microphones = ScriptedMicrophones([.init(pieces: [Self.sound], stays: true)])
        let used = microphone(microphones)
        let running = Task {
            try await practiced.run(by: LooseLoudspeaker(lostAt: nil), microphone: used, keys: TestKeys())
        }
        try await waitUntil("the turn has begun") { microphones.askedRates.count == 1 }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(practiced.screen.has(Self.unfinished), "\(practiced.screen.text)")
    }

    @Test func `is said not to be kept, and why and what helps, where it cannot be stored`() async throws {
        let library = MemoryVault().library
        let practiced = try await PracticedText(in: library) { _ in }
        let store = try #require(library.practice as? MemoryPractice)
        await store.refuseTakes(with: VaultError.readOnly(.diskFull))
        try await takeATurn(of: practiced)
        let words = "is not kept: The disk is full, so nothing more can be kept. Make room on the disk"
        #expect(practiced.screen.has("the take of part 1 \(words)"), "\(practiced.screen.text)")
    }

    @Test func `is not said to be lost where it is kept`() async throws {
        let practiced = try await PracticedText { _ in }
        try await takeATurn(of: practiced)
        #expect(try await practiced.sessions.takes(of: practiced.id).count == 1)
        #expect(!practiced.screen.has("is not kept"), "\(practiced.screen.text)")
    }

    @Test func `is said to lack what the machine was too busy to take`() async throws {
        let practiced = try await PracticedText { _ in }
        var script = ScriptedMicrophones.Script(pieces: [Self.sound], stays: true)
        script.losses = [0: 0.4]
        let keys = TestKeys()
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: microphone(ScriptedMicrophones([script])),
            keys: keys
        )
        try await waitUntil("the loss is said") {
            practiced.screen.has("part 1: about 0.4 s of sound missing, as this machine was too busy to take it")
        }
        keys.press(.quit)
        _ = try await ended
    }
}
