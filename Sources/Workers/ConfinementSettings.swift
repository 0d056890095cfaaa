internal import CProcess
internal import EchoText
internal import Foundation

/// How a worker must confine itself, passed by its parent in the environment.
struct ConfinementSettings: Codable, Hashable {
    /// The environment variable.
    static let variable = "ECHOTEXT_WORKER_ORDERS"

    var memory: UInt64
    var processorSeconds: UInt64
    var lifeSeconds: UInt64
    var openFiles: UInt64
    /// 0 for no limit.
    var processes: UInt64 = 0
    /// The process that must be the worker's parent; 0 in a sandbox, which ends its own processes.
    var parent: Int32 = 0
    /// The raw value of ``KernelGuards``.
    var guards: Int32
    /// Absolute paths.
    var readable: [String]

    init(limits: WorkerLimits, guards: KernelGuards, readable: [String]) {
        memory = limits.memory
        processorSeconds = limits.processorSeconds
        lifeSeconds = limits.lifeSeconds
        openFiles = limits.openFiles
        self.guards = guards.rawValue
        self.readable = readable
    }

    /// The variable's value; empty if a path cannot be encoded, which every worker refuses.
    var encoded: String {
        guard let data = try? JSONEncoder().encode(self) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Confines this process permanently.
    ///
    /// - Returns: Whether every step succeeded.
    func apply() -> Bool {
        var wanted = confinement()
        wanted.address_space_bytes = memory
        wanted.open_files = openFiles
        wanted.processes = processes
        wanted.processor_seconds = lifeSeconds
        wanted.parent = parent
        wanted.guards = guards
        wanted.output = -1
        let paths = readable.map { strdup($0) }
        defer { for path in paths { free(path) } }
        return paths.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
            wanted.readable = paths.baseAddress
            wanted.readable_count = paths.count
            return confine_process(&wanted) == 0
        }
    }
}
