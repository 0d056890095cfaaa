internal import CProcess
internal import EchoText
internal import Foundation
internal import Logging

/// How a worker is isolated from the machine, in addition to its limits.
package struct WorkerIsolation: Sendable, Hashable {
    /// The sandbox around a worker.
    package enum Mode: Sendable, Hashable {
        /// A sandbox made by the program at this path: no network, only the named files, only its own processes.
        ///
        /// `nests` means that user namespaces can be created inside, because this bubblewrap or this machine cannot
        /// prevent it.
        case bubblewrap(path: String, nests: Bool)
        /// No sandbox.
        case open(Reason)
    }

    /// Why there is no sandbox.
    package enum Reason: String, Sendable, Hashable {
        case bubblewrapMissing
        /// The program exists, but the system does not let it create a sandbox, usually because user namespaces are
        /// disabled.
        case sandboxRefused
        /// The caller asked for none.
        case switchedOff
    }

    package var mode: Mode
    /// The guards that the worker applies to itself before it reads a byte; it exits if one fails.
    package var guards: KernelGuards

    package init(_ mode: Mode, guards: KernelGuards) {
        self.mode = mode
        self.guards = guards
    }

    /// bubblewrap with all guards of the kernel.
    package static func bubblewrap(path: String, nests: Bool = false) -> WorkerIsolation {
        WorkerIsolation(.bubblewrap(path: path, nests: nests), guards: .ofThisKernel)
    }

    /// All guards of the kernel, without a sandbox.
    package static func kernelOnly(_ reason: Reason) -> WorkerIsolation {
        WorkerIsolation(.open(reason), guards: .ofThisKernel)
    }

    /// No isolation: the worker can read whatever the person can, and reach the network.
    package static func limitsOnly(_ reason: Reason) -> WorkerIsolation {
        WorkerIsolation(.open(reason), guards: [])
    }

    /// Whether a worker that a hostile file has taken over cannot access anything of the person.
    ///
    /// Landlock alone allows sockets, and a filter of system calls cannot distinguish files.
    package var confines: Bool { isSandboxed || guards.isSuperset(of: .all) }

    var isSandboxed: Bool {
        switch mode {
        case .bubblewrap: true
        case .open: false
        }
    }

    /// Whether this isolation suffices for `launch`.
    func isEnough(for launch: WorkerLaunch) -> Bool {
        confines || !launch.needsConfinement || mode == .open(.switchedOff)
    }
}

extension WorkerIsolation {
    /// The path of bubblewrap, when it is installed.
    package static let bubblewrapPath = "/usr/bin/bwrap"

    /// In seconds: some hundred times as long as a probe normally takes; a longer one will never end.
    private static let longestProbe = 10.0

    /// Determines what this machine allows, by running `true` in a sandbox.
    ///
    /// It takes some 30 ms.
    ///
    /// - Parameters:
    ///   - path: The path of bubblewrap, when it is installed.
    ///   - guards: The guards that the kernel has.
    /// - Returns: The sandbox if it works, or the reason why not; and the kernel's guards.
    package static func probe(
        bubblewrap path: String = bubblewrapPath,
        guards: KernelGuards = .ofThisKernel
    ) async -> WorkerIsolation {
        guard access(path, X_OK) == 0 else { return WorkerIsolation(.open(.bubblewrapMissing), guards: guards) }
        for nests in [false, true] where await makesSandbox(path, nests: nests) {
            return WorkerIsolation(.bubblewrap(path: path, nests: nests), guards: guards)
        }
        return WorkerIsolation(.open(.sandboxRefused), guards: guards)
    }

    /// Whether bubblewrap can run a program that does nothing.
    ///
    /// This sandbox does not die with its parent: if bubblewrap were killed before its child is set up, the child
    /// would wait for it forever. It needs nothing from this process and ends by itself.
    private static func makesSandbox(_ path: String, nests: Bool) async -> Bool {
        var launch = WorkerLaunch(executable: path)
        launch.arguments = Sandbox(readable: [], nests: nests, isBound: false).arguments + ["--", "/usr/bin/true"]
        let end: WorkerEnd? = await withCheckedContinuation { continuation in
            WorkerProcess.start(launch, in: .limitsOnly(.switchedOff), receive: { _ in true }) { process in
                guard let process else { return continuation.resume(returning: nil) }
                DispatchQueue.global().asyncAfter(deadline: .now() + longestProbe) { [weak process] in process?.kill() }
            } ended: { end in
                continuation.resume(returning: end)
            }
        }
        return end == .exited(0)
    }
}

/// A sandbox as arguments of bubblewrap.
struct Sandbox {
    /// Paths that are visible inside, read-only and unchanged.
    let readable: [String]
    /// Whether user namespaces can be created inside.
    let nests: Bool
    /// Whether the sandbox ends with its parent process.
    var isBound = true

    /// All namespaces unshared, no environment, no capabilities, and only the files that a program needs to start.
    ///
    /// Debian's links to some libraries point into `/etc/alternatives`.
    var arguments: [String] {
        var arguments = ["--unshare-all", "--new-session", "--clearenv", "--cap-drop", "ALL"]
        if !nests { arguments += ["--unshare-user", "--disable-userns"] }
        if isBound { arguments.append("--die-with-parent") }
        arguments += [
            "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64",
            "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
            "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/",
        ]
        for path in readable where !path.hasPrefix("/usr/") { arguments += ["--ro-bind", path, path] }
        return arguments
    }
}

/// The kernel's own means of confining a worker, with bubblewrap or without.
package struct KernelGuards: OptionSet, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Landlock: only the named files, no other program, and the network restrictions that its version knows.
    package static let landlock = KernelGuards(rawValue: Int32(guard_landlock.rawValue))
    /// A filter of system calls: no sockets, no new processes, no files opened for writing, no signals to others.
    package static let filter = KernelGuards(rawValue: Int32(guard_filter.rawValue))
    package static let all: KernelGuards = [.landlock, .filter]

    /// The guards that this machine has.
    package static var ofThisKernel: KernelGuards { KernelGuards(rawValue: kernel_guards()) }
}

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

/// How the workers of one kind are started, isolated and timed.
struct WorkerSetup: Sendable {
    var launch: WorkerLaunch
    let clock: any Clock<Duration>
    let logger: Logger
    private let detector: IsolationDetector

    /// - Parameters:
    ///   - launch: The program to start.
    ///   - isolation: The isolation to start it in, or `nil` to probe for it with the first worker.
    ///   - clock: Measures the timeouts.
    ///   - logger: Logs how workers ended and how much they printed.
    init(_ launch: WorkerLaunch, isolation: WorkerIsolation?, clock: any Clock<Duration>, logger: Logger) {
        (self.launch, self.clock, self.logger) = (launch, clock, logger)
        detector = IsolationDetector(isolation, logger: logger)
    }

    /// The isolation to start a worker in.
    ///
    /// - Throws: `notConfined` if it is not enough.
    func isolation(orThrow notConfined: any Error) async throws -> WorkerIsolation {
        let isolation = await detector.isolation
        guard isolation.isEnough(for: launch) else { throw notConfined }
        return isolation
    }
}

/// Probes for the isolation of workers: once if there is a sandbox, and again for each worker while there is none.
///
/// A probe can fail for a temporary reason, such as a lack of memory or processes.
actor IsolationDetector {
    private let probe: @Sendable () async -> WorkerIsolation
    private let logger: Logger
    private var known: WorkerIsolation?
    private var probing: Task<WorkerIsolation, Never>?

    /// - Parameters:
    ///   - known: The isolation, or `nil` to probe for it.
    ///   - logger: Logs why there is no sandbox.
    ///   - probe: Determines the isolation.
    init(
        _ known: WorkerIsolation?,
        logger: Logger,
        probe: @escaping @Sendable () async -> WorkerIsolation = { await WorkerIsolation.probe() }
    ) {
        self.known = known
        self.logger = logger
        self.probe = probe
    }

    var isolation: WorkerIsolation {
        get async {
            if let known { return known }
            if let probing { return await probing.value }
            let task = Task { [probe] in await probe() }
            probing = task
            let found = await task.value
            probing = nil
            switch found.mode {
            case .bubblewrap: known = found
            case .open(let reason):
                logger.notice(
                    "there is no sandbox for workers",
                    metadata: ["reason": "\(reason)", "kernel confines": "\(found.confines)"]
                )
            }
            return found
        }
    }
}

/// The paths of this process's shared objects; a worker is the same program and needs the same objects.
enum LoadedLibraries {
    /// The folders outside `/usr`, `/lib` and `/lib64`, which every worker can read anyway; a library whose folder
    /// contains the person's home folder is listed as a file instead.
    static var folders: [String] {
        let found = paths.flatMap { [$0, URL(filePath: $0).resolvingSymlinksInPath().path] }
        return folders(of: found, home: NSHomeDirectory())
    }

    /// Returns the folders to make visible for `libraries`.
    ///
    /// - Parameters:
    ///   - libraries: Absolute paths.
    ///   - home: The person's home folder.
    /// - Returns: Folders, and libraries whose folder holds `home`, sorted.
    static func folders(of libraries: [String], home: String) -> [String] {
        var found: Set<String> = []
        for library in libraries where !["/usr/", "/lib/", "/lib64/"].contains(where: { library.hasPrefix($0) }) {
            guard let slash = library.lastIndex(of: "/") else { continue }
            let folder = String(library[..<slash])
            let holdsHome = folder.isEmpty || home == folder || home.hasPrefix(folder + "/")
            found.insert(holdsHome ? library : folder)
        }
        return found.sorted()
    }

    private static var paths: [String] {
        var paths: [String] = []
        withUnsafeMutablePointer(to: &paths) { paths in
            visit_loaded_objects(
                { path, paths in
                    guard let path else { return }
                    paths?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: path))
                },
                paths
            )
        }
        return paths
    }
}
