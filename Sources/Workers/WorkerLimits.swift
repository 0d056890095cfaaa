internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// How much of the machine a worker may use, even if a hostile file controls the engine.
///
/// A worker applies them to itself before it reads a byte. It also never gains privileges, leaves no core file,
/// writes no file, cannot be traced, and ends with the program that started it; see also ``WorkerIsolation``.
package struct WorkerLimits: Sendable, Hashable {
    /// Address space, in bytes.
    ///
    /// A voice of 60 MB needs 400 MB to speak; none needs more than 3 GiB. Each processor adds 128 MiB, since every
    /// thread reserves that much for its stack and heap.
    package var memory: UInt64 = 3 << 30 + UInt64(ProcessInfo.processInfo.activeProcessorCount) << 27
    /// Processor time of one request, in seconds over all threads.
    ///
    /// It is far above any legitimate request, so that it only ends loops that keep reporting progress; the watchdog,
    /// which measures real time, ends all others sooner.
    package var processorSeconds: UInt64 = 300
    /// Processor time of the whole process, in seconds over all threads; the process cannot raise it.
    ///
    /// One day. A worker that answers many requests is replaced long before (``WorkerTiming/maximumRequests``).
    package var lifeSeconds: UInt64 = 86_400
    /// Open descriptors; the engine opens a handful of files in sequence.
    package var openFiles: UInt64 = 64
    /// Processes and threads, applied only in a sandbox: outside, the kernel counts all processes of the user.
    package var processes: UInt64 = 256

    package init() {}
}

/// The confinement of this process.
package struct WorkerConfinement: Sendable {
    private let processorSeconds: UInt64

    /// The result of the first call; the process is confined once.
    private static let made = Mutex<WorkerConfinement??>(nil)

    /// Confines this process permanently, as its parent requests in the environment.
    ///
    /// Call it first in a worker's `main`, on the main thread, before there are others: threads that start later
    /// inherit the confinement. Later calls return the result of the first.
    ///
    /// - Returns: The confinement, or `nil` when the process was not started as a worker.
    /// - Throws: ``WorkerError/cannotStart`` when a step fails, the parent has already exited, or there is another
    ///   thread.
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
        guard let value = getenv(ConfinementSettings.variable) else { return nil }
        // Orders that cannot be decoded count as a failed step.
        guard let orders = try? JSONDecoder().decode(ConfinementSettings.self, from: Data(String(cString: value).utf8)),
            orders.apply()
        else { throw .cannotStart }
        return WorkerConfinement(processorSeconds: orders.processorSeconds)
    }

    /// Sets the limit on processor time to the time used so far plus that of `requests` requests.
    func allow(requests: Int) {
        // This fails only if there is a lower hard limit, which then applies.
        _ = extend_processor_time(processorSeconds * UInt64(requests))
    }
}
