internal import CProcess
package import EchoText
internal import Foundation
internal import Synchronization

/// The program to start as a worker, and what it may read.
package struct WorkerLaunch: Sendable, Hashable {
    /// Absolute path of the program.
    package var executable: String
    /// The arguments after the program's name.
    package var arguments: [String] = ["worker", "engine"]
    /// The whole environment: nothing is inherited from this process.
    package var environment: [String: String] = [:]
    /// Absolute paths of files and folders that the worker may read, in addition to the libraries of the system and of
    /// this program.
    ///
    /// A worker without confinement can read whatever this process can.
    package var readablePaths: [String] = []
    /// Whether the worker must not be started without confinement.
    package var needsConfinement = false
    package var limits = WorkerLimits()

    package init(executable: String) {
        self.executable = executable
    }

    /// This program, as a worker.
    package static var thisProgram: WorkerLaunch {
        // The link always exists on Linux; without it the start fails with an error.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return WorkerLaunch(executable: path ?? CommandLine.arguments[0])
    }

    /// This program, as a worker that must not be started without confinement.
    static func confined(_ command: String, _ limits: WorkerLimits) -> WorkerLaunch {
        var launch = WorkerLaunch.thisProgram
        launch.arguments = ["worker", command]
        launch.limits = limits
        launch.needsConfinement = true
        return launch
    }

    /// The worker's environment without its instructions: the defaults, overridden by ``environment``.
    ///
    /// A single heap for all threads (`arena_max`) keeps the engine's memory from growing with the number of sentences.
    /// Blocks of a megabyte and more are mapped separately (`mmap_threshold`) and returned to the system: a model's
    /// weights are copied while it is loaded. The program reports crashes; Swift's own handler would start a debugger.
    var wholeEnvironment: [String: String] {
        [
            "GLIBC_TUNABLES": "glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=1048576",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        .merging(environment) { _, asked in asked }
    }

    /// The paths that the loader, the C library and the Swift runtime read.
    ///
    /// libdispatch reads the state of each of its threads in `/proc`, under a number that is not known in advance,
    /// and ends the process if it cannot. About other processes, Landlock leaves readable what every user of the
    /// machine can read. Paths that do not exist are ignored.
    private static let systemPaths = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
        "/dev/null",
        "/dev/urandom", "/proc",
    ]

    /// The command that starts the worker: path and arguments, the program's name first, and its environment.
    func command(in isolation: WorkerIsolation) -> (path: String, arguments: [String], environment: [String: String]) {
        var environment = wholeEnvironment
        let ours = LoadedLibraries.folders + readablePaths
        var orders = ConfinementSettings(limits: limits, guards: isolation.guards, readable: Self.systemPaths + ours)
        switch isolation.mode {
        case .bubblewrap(let path, let nests):
            orders.processes = limits.processes
            environment[ConfinementSettings.variable] = orders.encoded
            let sandbox = Sandbox(readable: [executable] + ours, nests: nests)
            let settings = environment.sorted { $0.key < $1.key }.flatMap { ["--setenv", $0.key, $0.value] }
            let program = ["--info-fd", "3", "--", executable] + arguments
            return (path, [path] + sandbox.arguments + settings + program, [:])
        case .open:
            orders.parent = getpid()
            environment[ConfinementSettings.variable] = orders.encoded
            return (executable, [executable] + arguments, environment)
        }
    }
}

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
    /// A day. A worker that answers many requests is replaced long before (``WorkerTiming/maximumRequests``).
    package var lifeSeconds: UInt64 = 86_400
    /// Open descriptors; the engine opens a handful of files in sequence.
    package var openFiles: UInt64 = 64
    /// Processes and threads, applied only in a sandbox: outside, the kernel counts all processes of the user.
    package var processes: UInt64 = 256

    package init() {}

    /// - Parameter seconds: The processor time, in seconds over all threads.
    /// - Returns: The limits of a worker that reads one file from outside and ends: a GiB of memory, and few files.
    static func forOneFile(processorSeconds seconds: UInt64) -> WorkerLimits {
        var limits = WorkerLimits()
        limits.memory = 1 << 30
        limits.processorSeconds = seconds
        limits.lifeSeconds = seconds + 10
        limits.openFiles = 32
        limits.processes = 64
        return limits
    }
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

    /// Sets the limit on processor time to the time used so far plus that of a page, 8 seconds; poppler loops forever on some.
    func allowPage() {
        _ = extend_processor_time(min(processorSeconds, 8))
    }
}

/// The timeouts and limits of engine workers.
package struct WorkerTiming: Sendable, Hashable {
    /// The longest time without a progress report while a request is pending.
    ///
    /// An engine call of 400 symbols takes a second or two; loading a model from a slow disk, some ten.
    package var responseTimeout: Duration = .seconds(60)
    /// How long a worker may take to end a cancelled request; an engine checks for cancellation between two calls.
    package var cancelGrace: Duration = .seconds(2)
    /// How long an unused worker stays ready; loading its voice again takes about a second.
    package var idle: Duration = .seconds(120)
    /// The limit on idle workers that stay ready; each holds a voice of up to some hundred megabytes in memory.
    package var maximumWarm = 2
    /// The number of requests after which a worker is replaced, so that no honest worker reaches its limit on
    /// processor time (``WorkerLimits/lifeSeconds``): a request takes a second or two.
    package var maximumRequests = 10_000
    /// The number of deaths after which a voice is disabled.
    package var maximumDeaths = 3
    /// The number of answers in a row after which earlier deaths no longer count.
    package var answersToReset = 100
    /// The delay before a restart after the first death; each further death doubles it.
    package var firstBackOff: Duration = .milliseconds(100)
    package var longestBackOff: Duration = .seconds(30)

    package init() {}
}
