import EchoText
import Foundation

/// What the system wakes the program by: signals, timers, descriptors.
enum EventLoop {
    /// Descriptors that it takes: three of its own and a few for who asks for it first.
    private static let descriptors = 6

    /// Has it made while descriptors are free; made later, for want of one it would end the program.
    ///
    /// - Throws: ``CommandError/tooFewFiles`` when there are not enough even now.
    static func open() async throws {
        let spare = (0..<descriptors).map { _ in Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        for descriptor in spare where descriptor >= 0 { close(descriptor) }
        guard !spare.contains(-1) else { throw CommandError.tooFewFiles }
        // No time is waited for. The system makes its loop, the loop's waker and the clock one after another on a thread of its
        // own, tells nobody when they are there, and makes the clock for a timer only: a sleep, however short, returns through
        // all three, so that they are there when it does. `LibraryFaultTests` runs the program with hardly any descriptors.
        try await Task.sleep(for: .nanoseconds(1))
    }
}
