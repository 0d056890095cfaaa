import Dispatch
import EchoText
import Foundation

/// The program's sources of events: signals, timers, descriptors.
enum EventLoop {
    /// The descriptors that it needs: four of its own and a few for its first caller.
    private static let descriptors = 7

    /// Has it made while descriptors are free; made later, for want of one it would end the program.
    ///
    /// - Throws: ``CommandError/tooFewFiles`` when there are not enough even now.
    static func open() async throws {
        let spare = (0..<descriptors).map { _ in Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for descriptor in spare where descriptor >= 0 { close(descriptor) }
        guard !spare.contains(-1) else { throw CommandError.tooFewFiles }
        await makeClocks()
    }

    /// Waits until the system has made the loop, its waker and the two clocks that the program uses.
    ///
    /// It makes them on a thread of its own, a clock only for a timer that is not due yet, and has no event for it. So one clock is asked
    /// for by a sleep that lasts, and the other by a timer that repeats. Timers are taken up in the order they were asked for, and
    /// all their clocks set after the first event: the second shows that both are there. A third clock, of the time of day, is not
    /// used.
    private static func makeClocks() async {
        // Never slept to its end and never awaited: it is cancelled at the end of this function, which waits for events alone.
        // An hour, because a sleep that is due at once has no clock made for it. `EventLoopTests` checks for both clocks.
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
