import EchoText
import EchoTextTesting
import Testing

@testable import Workers

@Suite("Watchdog", .endsInTime)
struct WatchdogTests {
    @Test func `expires after a silence as long as the timeout`() async throws {
        let clock = ManualClock()
        let watchdog = Watchdog(timeout: .seconds(60), clock: clock)
        async let silence: Void = watchdog.expiration()
        #expect(await clock.endShortestSleep() == .seconds(60))
        try await silence
    }

    @Test func `counts from the last progress report`() async throws {
        let clock = ManualClock()
        let watchdog = Watchdog(timeout: .seconds(60), clock: clock)
        let alarm = Task { try await clock.sleep(for: .seconds(45)) }
        async let silence: Void = watchdog.expiration()
        #expect(await clock.endShortestSleep(of: .seconds(45)) == .seconds(45))
        try await alarm.value
        watchdog.heartbeat()
        #expect(await clock.endShortestSleep() == .seconds(15))
        #expect(await clock.endShortestSleep() == .seconds(45))
        try await silence
    }

    @Test func `stops watching when its task is cancelled`() async {
        let watchdog = Watchdog(timeout: .seconds(60), clock: ManualClock())
        let watching = Task { try await watchdog.expiration() }
        watching.cancel()
        await #expect(throws: CancellationError.self) { try await watching.value }
    }

    @Test func `says nothing against a worker that was sent another request meanwhile`() async throws {
        let worker = WorkerConnection(AnyRequest(), idleTimeout: .seconds(60), clock: ManualClock())
        let first = Task { try await worker.perform((), as: 1, sending: []) }
        while worker.watchdog == nil { await Task.yield() }
        let earlier = try #require(worker.watchdog)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await worker.perform((), as: 2, sending: []) }
        while worker.watchdog == nil { await Task.yield() }
        worker.timeOut(earlier)
        #expect(worker.fault == nil)
        worker.timeOut(try #require(worker.watchdog))
        #expect(worker.fault == .tooSlow(after: .seconds(60)))
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
    }

    @Test func `progress reaches whoever observes the task, and nobody otherwise`() async {
        EngineProgress.report()
        let (signs, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(4))
        let listener: @Sendable () -> Void = { continuation.yield() }
        await EngineProgress.observed(by: listener) {
            EngineProgress.report()
            await Task { EngineProgress.report() }.value
        }
        continuation.finish()
        #expect(await signs.reduce(0) { count, _ in count + 1 } == 2)
    }
}

/// Requests without answers.
private struct AnyRequest: WorkerLedger {
    static var kinds: Set<Frame.Kind> { [] }

    private var pending: Set<UInt32> = []

    var isAwaited: Bool { !pending.isEmpty }

    func takeNumber() -> UInt32 { 1 }

    mutating func begin(_ work: Void, as request: UInt32) { pending.insert(request) }

    mutating func cancel(_ request: UInt32) -> Bool {
        pending.remove(request)
        return false
    }

    func receive(_ frame: Frame) throws -> Void? { nil }

    static func answer(in event: Void) -> Result<Void, any Error>? { nil }
}
