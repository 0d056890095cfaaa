import EchoText
import Synchronization
import Testing

@testable import SpeechEngines

/// A clock on which every sleep is over at once, and its time passed.
private final class HurryingClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (one: Self, other: Self) -> Bool { one.offset < other.offset }
    }

    private let time = Mutex(Instant(offset: .zero))

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        time.withLock { $0 = max($0, deadline) }
    }
}

/// Never returns by itself, and does not listen when it is cancelled.
private final class HangingEngine: Sendable {
    private let release = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func work() async {
        await withCheckedContinuation { continuation in release.withLock { $0 = continuation } }
    }

    func end() { release.withLock { $0.take() }?.resume() }
}

@Suite("Engine watch", .timeLimit(.minutes(1)))
struct EngineWatchTests {
    @Test(
        "gives up on an engine that hangs, and names what it was busy with",
        arguments: [SynthesisError.Phase.loading, .phonemizing, .synthesizing]
    )
    func hanging(_ phase: SynthesisError.Phase) async {
        let watch = EngineWatch(timeout: .seconds(60), clock: HurryingClock())
        let engine = HangingEngine()
        await #expect(throws: SynthesisError.timedOut(.espeakNG, phase: phase, seconds: 60)) {
            try await watch.guarding(.espeakNG, phase: phase) { await engine.work() }
        }
        engine.end()
    }

    @Test("returns at once to a caller that is cancelled, though the engine hangs")
    func cancelled() async {
        let watch = EngineWatch(timeout: .seconds(60))
        let engine = HangingEngine()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let caller = Task {
            try await watch.guarding(.espeakNG, phase: .synthesizing) {
                begin.yield()
                await engine.work()
            }
        }
        for await _ in begun { break }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        engine.end()
    }

    @Test("hands on what the work returns, and what it throws")
    func outcomes() async throws {
        let watch = EngineWatch(timeout: .seconds(60))
        #expect(try await watch.guarding(.espeakNG, phase: .synthesizing) { 7 } == 7)
        await #expect(throws: SynthesisError.nothingToSay) {
            try await watch.guarding(.espeakNG, phase: .synthesizing) { throw SynthesisError.nothingToSay }
        }
    }
}
