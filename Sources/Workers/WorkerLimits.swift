internal import CProcess
package import EchoText
internal import Foundation

/// How much a worker may use of the machine, whatever the file it opens makes the engine do.
///
/// A worker sets them on itself before it reads a byte. Beside them it never gains privileges, leaves no core file,
/// writes no file, cannot be traced, and ends with the program that started it.
package struct WorkerLimits: Sendable, Hashable {
    /// Address space, in bytes.
    ///
    /// A voice of 60 MB speaks in 400 MB, and one that asks for more than 3 GiB is none. Each processor adds 128 MiB,
    /// since every thread sets that much aside for its stack and heap whether it uses it or not.
    package var memory: UInt64 = 3 << 30 + UInt64(ProcessInfo.processInfo.activeProcessorCount) << 27
    /// Processor time of one request, in seconds over all threads.
    ///
    /// Far above any honest request, so that it only ends loops that go on showing signs of life; the watchdog, which
    /// counts real time, is the nearer limit for all others.
    package var processorSeconds: UInt64 = 300
    /// Open descriptors; the engine opens a handful of files, one after another.
    package var openFiles: UInt64 = 64
    /// Processes and threads, set only in a sandbox: outside, the kernel counts all that the person runs.
    package var processes: UInt64 = 256

    package init() {}
}

extension WorkerLimits {
    /// The variable of a worker's environment that carries the limits.
    static let variable = "ECHOTEXT_WORKER_LIMITS"

    /// The limits as that variable's value.
    ///
    /// - Parameter parent: The process that must be the worker's parent, or `nil` in a sandbox, which has an end of its
    ///   own.
    /// - Returns: Five numbers with commas between.
    func environmentValue(parent: Int32?) -> String {
        let counted = parent == nil ? processes : 0
        return "\(memory),\(processorSeconds),\(openFiles),\(counted),\(parent ?? 0)"
    }
}

/// What a worker has given up.
package struct WorkerConfinement: Sendable {
    private let processorSeconds: UInt64

    /// Confines this process as the program that started it asks in the environment, for good.
    ///
    /// To be called first of all in a worker's `main`, on the main thread, while there is no other: threads started
    /// later inherit what is given up here.
    ///
    /// - Returns: What was asked for, or `nil` when the process was not started as a worker.
    /// - Throws: ``WorkerError/cannotStart`` when a step is refused, or the parent has already gone.
    package static func ofThisProcess() throws(WorkerError) -> WorkerConfinement? {
        guard let value = getenv(WorkerLimits.variable) else { return nil }
        let numbers = String(cString: value).split(separator: ",").compactMap { UInt64($0) }
        guard numbers.count == 5 else { throw .cannotStart }
        var wanted = confinement()
        wanted.address_space_bytes = numbers[0]
        wanted.open_files = numbers[2]
        wanted.processes = numbers[3]
        wanted.parent = Int32(truncatingIfNeeded: numbers[4])
        guard confine_process(&wanted) == 0 else { throw .cannotStart }
        return WorkerConfinement(processorSeconds: numbers[1])
    }

    /// Moves the limit on processor time ahead of what has been used, by one request's worth for each that runs.
    func allow(requests: Int) {
        // Refused only by a hard limit from outside, which then holds instead.
        _ = extend_processor_time(processorSeconds * UInt64(requests))
    }
}
