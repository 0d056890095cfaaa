internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// How much a worker may use of the machine, whatever the file it opens makes the engine do.
///
/// A worker sets them on itself before it reads a byte. Beside them it never gains privileges, leaves no core file,
/// writes no file, cannot be traced, and ends with the program that started it; ``WorkerIsolation`` says what else.
package struct WorkerLimits: Sendable, Hashable {
    /// Address space, in bytes.
    ///
    /// A voice of 60 MB speaks in 400 MB, and one that asks for more than 3 GiB is none. Each processor adds 128 MiB,
    /// since every thread sets that much aside for its stack and heap whether it uses it or not.
    package var memory: UInt64 = 3 << 30 + UInt64(ProcessInfo.processInfo.activeProcessorCount) << 27
    /// Processor time of one request, in seconds over all threads.
    ///
    /// Far above any honest request, so that it only ends loops that keep showing signs of life; the watchdog, which
    /// counts real time, is the nearer limit for all others.
    package var processorSeconds: UInt64 = 300
    /// Processor time of the whole process, in seconds over all threads; nothing in it can ask for more.
    ///
    /// A day. A worker that answers many requests is replaced long before (``WorkerTiming/mostRequests``).
    package var lifeSeconds: UInt64 = 86_400
    /// Open descriptors; the engine opens a handful of files, one after another.
    package var openFiles: UInt64 = 64
    /// Processes and threads, set only in a sandbox: outside, the kernel counts all that the person runs.
    package var processes: UInt64 = 256

    package init() {}
}

/// What a worker has given up.
package struct WorkerConfinement: Sendable {
    private let processorSeconds: UInt64

    /// What became of the first call; the process is confined once.
    private static let made = Mutex<WorkerConfinement??>(nil)

    /// Confines this process as the program that started it asks in the environment, for good.
    ///
    /// To be called first of all in a worker's `main`, on the main thread, while there is no other: threads started
    /// later inherit what is given up here. Later calls return what the first one did.
    ///
    /// - Returns: What was asked for, or `nil` when the process was not started as a worker.
    /// - Throws: ``WorkerError/cannotStart`` when a step is refused, the parent has already gone, or there is another thread.
    @discardableResult
    package static func ofThisProcess() throws(WorkerError) -> WorkerConfinement? {
        try made.withLock { made throws(WorkerError) in
            if let made { return made }
            let confinement = try confine()
            made = .some(confinement)
            return confinement
        }
    }

    private static func confine() throws(WorkerError) -> WorkerConfinement? {
        guard let value = getenv(WorkerOrders.variable) else { return nil }
        // What cannot be read is refused like a step that fails.
        guard let orders = try? JSONDecoder().decode(WorkerOrders.self, from: Data(String(cString: value).utf8)),
            orders.carryOut()
        else { throw .cannotStart }
        return WorkerConfinement(processorSeconds: orders.processorSeconds)
    }

    /// Moves the limit on processor time ahead of what has been used, by one request's worth for each that runs.
    func allow(requests: Int) {
        // Refused only by a hard limit from outside, which then holds instead.
        _ = extend_processor_time(processorSeconds * UInt64(requests))
    }
}
