import Dispatch
import EchoText
import Foundation

/// Ctrl-C and a polite request to end, turned into cancellation.
enum Interruption {
    /// Runs `work`, and cancels it when the person interrupts the program; a second time ends the program at once.
    ///
    /// - Throws: What `work` threw; `CancellationError` after an interruption.
    static func cancelling<Output: Sendable>(
        _ work: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let job = Task { try await work() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)  // the source below hears it instead
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if job.isCancelled {
                    TerminalMode.restore()
                    _exit(ExitStatus.interrupted.rawValue)
                }
                job.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        return try await job.value
    }
}
