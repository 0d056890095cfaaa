import Dispatch
import EchoText
import Foundation

/// Turns SIGINT, SIGTERM and SIGHUP into cancellation.
enum TerminationSignals {
    /// Runs `work`, and cancels it at the first signal; a second signal ends the program at once.
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
                if job.isCancelled {
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
