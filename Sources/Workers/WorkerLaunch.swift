internal import Foundation

/// What to start as a worker, and what it may see.
package struct WorkerLaunch: Sendable, Hashable {
    /// Absolute path of the program.
    package var executable: String
    /// After the program's name.
    package var arguments: [String] = ["worker", "engine"]
    /// All of it: nothing is handed on from this process.
    package var environment: [String: String] = [:]
    /// Absolute paths the worker may read, each a file or a folder with all that is in it, beside the system's libraries and
    /// those of this program.
    ///
    /// Where nothing confines the worker, it may read whatever this process may.
    package var readablePaths: [String] = []
    /// Whether it is not started at all where nothing confines it.
    package var needsConfinement = false
    package var limits = WorkerLimits()

    package init(executable: String) {
        self.executable = executable
    }

    /// This program, as a worker.
    package static var thisProgram: WorkerLaunch {
        // The link is always there on Linux; without it the start fails and says so.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return WorkerLaunch(executable: path ?? CommandLine.arguments[0])
    }

    /// The environment of a worker without its orders: what was asked for over the defaults.
    ///
    /// One heap for all threads (`arena_max`) keeps the engine's memory from growing with the number of sentences, and blocks from a
    /// megabyte on of their own (`mmap_threshold`) are given back to the system: a model's weights are copied while it is
    /// loaded. A crash is the program's to report, not Swift's own handler's, which would start a debugger.
    var wholeEnvironment: [String: String] {
        [
            "GLIBC_TUNABLES": "glibc.malloc.arena_max=1:glibc.malloc.mmap_threshold=1048576",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        .merging(environment) { _, asked in asked }
    }

    /// Where the loader finds the libraries of any program, and what the C library and the runtime open of the kernel's.
    ///
    /// Of `/proc` libdispatch reads the state of each of its threads, under a number that is not known before, and ends the process
    /// where it cannot. Of other processes Landlock leaves what every user of the machine can read.
    /// Paths that are not there are none to read.
    private static let systemPaths = [
        "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives",
        "/dev/null",
        "/dev/urandom", "/proc",
    ]

    /// The command that starts the worker: path and arguments, the program's name first, and its environment.
    func command(in isolation: WorkerIsolation) -> (path: String, arguments: [String], environment: [String: String]) {
        var environment = wholeEnvironment
        let ours = LoadedLibraries.folders + readablePaths
        var orders = WorkerOrders(limits: limits, guards: isolation.guards, readable: Self.systemPaths + ours)
        switch isolation.surroundings {
        case .bubblewrap(let path, let nests):
            orders.processes = limits.processes
            environment[WorkerOrders.variable] = orders.encoded
            let sandbox = Sandbox(readable: [executable] + ours, nests: nests)
            let settings = environment.sorted { $0.key < $1.key }.flatMap { ["--setenv", $0.key, $0.value] }
            let program = ["--info-fd", "3", "--", executable] + arguments
            return (path, [path] + sandbox.arguments + settings + program, [:])
        case .open:
            orders.parent = getpid()
            environment[WorkerOrders.variable] = orders.encoded
            return (executable, [executable] + arguments, environment)
        }
    }
}
