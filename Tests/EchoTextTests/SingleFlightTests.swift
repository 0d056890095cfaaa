import EchoText
import EchoTextTesting
import Testing

@Suite("Shared work", .endsInTime)
struct SingleFlightTests {
    private let work = SingleFlight<String, Int>()

    @Test("is done once for all who ask while it continues")
    func once() async throws {
        let slow = await Slow(work)
        let others = (1...5).map { number in Task { [work] in try await work.join("a") { 10 + number } } }
        #expect(await work.isRunning("a"))
        slow.opening.finish()
        #expect(try await slow.asker.value == 1)
        // A late caller may have got a task of its own.
        for other in others { #expect([1, 11, 12, 13, 14, 15].contains(try await other.value)) }
        #expect(await !work.isRunning("a"))
        #expect(try await work.join("a") { 7 } == 7, "what is over is done again")
    }

    /// Work that has been begun, that reports when it is stopped, and that ends only when it is let.
    private struct Slow {
        let asker: Task<Int, any Error>
        let stopped: AsyncStream<Void>
        let opening: AsyncStream<Void>.Continuation

        init(_ work: SingleFlight<String, Int>) async {
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let (stopped, stop) = AsyncStream.makeStream(of: Void.self)
            let (open, opening) = AsyncStream.makeStream(of: Void.self)
            (self.stopped, self.opening) = (stopped, opening)
            asker = Task {
                try await work.join("a") {
                    begin.yield()
                    let ending = Task { for await _ in open { break } }
                    await withTaskCancellationHandler {
                        await ending.value
                    } onCancel: {
                        stop.yield()
                    }
                    try Task.checkCancellation()
                    return 1
                }
            }
            for await _ in begun { break }
        }
    }

    @Test("that was stopped has ended before the next begins, and is nobody's answer who asks afterwards")
    func stopped() async throws {
        let slow = await Slow(work)
        let stopping = Task { await work.stop("a") }
        for await _ in slow.stopped { break }
        let next = Task { try await work.join("a") { 2 } }
        slow.opening.finish()
        await stopping.value
        await #expect(throws: CancellationError.self) { try await slow.asker.value }
        #expect(try await next.value == 2)
    }

    @Test("stops when the last who waits has left, which is not felt by who asks afterwards")
    func left() async throws {
        let slow = await Slow(work)
        slow.asker.cancel()
        for await _ in slow.stopped { break }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (open, opening) = AsyncStream.makeStream(of: Void.self)
        let next = Task {
            try await work.join("a") {
                begin.yield()
                for await _ in open { break }
                try Task.checkCancellation()
                return 2
            }
        }
        slow.opening.finish()
        await #expect(throws: CancellationError.self) { try await slow.asker.value }
        for await _ in begun { break }
        // A cancelled caller does not influence the next task.
        slow.asker.cancel()
        opening.finish()
        #expect(try await next.value == 2)
    }

    @Test("continues without anybody when it is kept, until all is stopped")
    func kept() async throws {
        let slow = await Slow(work)
        await work.keep("a") { 2 }
        slow.asker.cancel()
        #expect(await work.isRunning("a"))
        let closing = Task { await work.stopAll() }
        for await _ in slow.stopped { break }
        slow.opening.finish()
        await closing.value
        await #expect(throws: CancellationError.self) { try await slow.asker.value }
        #expect(await !work.isRunning("a"))
    }
}
