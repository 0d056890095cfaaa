import Dispatch
import EchoText
import Foundation

/// The program's sources of events: signals, timers, descriptors.
enum EventLoop {
    /// The descriptors it needs: four of its own, and a few for the first caller.
    private static let descriptors = 7

    /// Creates the event loop while descriptors are free.
    ///
    /// Dispatch creates it lazily otherwise, and crashes the program if none is left.
    ///
    /// - Throws: ``CommandError/tooFewFiles`` when too few are free.
    static func open() async throws {
        let spare = (0..<descriptors).map { _ in Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for descriptor in spare where descriptor >= 0 { close(descriptor) }
        guard !spare.contains(-1) else { throw CommandError.tooFewFiles }
        await makeClocks()
    }

    /// Waits until Dispatch has created the loop, its waker and the two clocks that the program uses.
    ///
    /// Dispatch creates them on a thread of its own, a clock only for a timer that is not due yet, and reports nothing
    /// when it has. A long sleep requests one clock, and a repeating timer the other. Dispatch handles timers in the
    /// order of their requests, and sets all clocks after the first event, so the second event shows that both exist.
    /// The program does not use the third clock, of the time of day.
    private static func makeClocks() async {
        // The sleep is cancelled at the end of this function and never awaited. It lasts an hour, because Dispatch
        // creates no clock for a sleep that is due at once. `EventLoopTests` checks for both clocks.
        let sleep = Task.immediate { try await Task.sleep(for: .seconds(3_600)) }
        let (events, event) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(2))
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { event.yield() }
        timer.schedule(deadline: .now(), repeating: .nanoseconds(1))
        timer.activate()
        for await _ in events.prefix(2) {}
        timer.cancel()
        sleep.cancel()
    }
}

/// Turns SIGINT, SIGTERM and SIGHUP into cancellation.
enum TerminationSignals {
    /// Runs `work`, and cancels it at the first signal; a second signal ends the program at once.
    ///
    /// A hang-up is no second signal: whoever closes a terminal or logs out causes several, and waits for nothing.
    ///
    /// - Throws: What `work` threw; `CancellationError` after an interruption.
    static func cancelling<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let numbers = [SIGINT, SIGTERM, SIGHUP]
        let listening = DispatchGroup()
        for _ in numbers { listening.enter() }
        let job = Task {
            // A signal that arrives before the sources are registered would be lost.
            await withCheckedContinuation { begin in listening.notify(queue: .global()) { begin.resume() } }
            return try await work()
        }
        let sources = numbers.map { number in
            signal(number, SIG_IGN)  // The source below receives it instead.
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if job.isCancelled, number != SIGHUP {
                    TerminalMode.restore()
                    _exit(ExitStatus.interrupted.rawValue)
                }
                job.cancel()
            }
            source.setRegistrationHandler { listening.leave() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await job.value
    }
}
