internal import Foundation

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
    /// One heap for all threads (`arena_max`) keeps the engine's memory from growing with the number of sentences.
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
        switch isolation.surroundings {
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
