internal import Foundation

/// What to start as a worker, and what it may see.
package struct WorkerLaunch: Sendable, Hashable {
    /// Absolute path of the program.
    package var executable: String
    /// After the program's name.
    package var arguments: [String] = ["worker", "engine"]
    /// All of it: nothing is handed on from this process.
    package var environment: [String: String] = [:]
    /// Absolute paths the worker may read, each a file or a folder with all that is in it.
    ///
    /// Where there is no sandbox, the worker may read whatever this process may.
    package var readablePaths: [String] = []
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

    /// The environment of a worker without the limits: what was asked for over the defaults.
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

    /// The command that starts the worker: path and arguments, the program's name first, and its environment.
    func command(in isolation: WorkerIsolation) -> (path: String, arguments: [String], environment: [String: String]) {
        var environment = wholeEnvironment
        switch isolation {
        case .bubblewrap(let path):
            environment[WorkerLimits.variable] = limits.environmentValue(parent: nil)
            let sandbox = Sandbox(readable: [executable] + LoadedLibraries.folders + readablePaths)
            let settings = environment.sorted { $0.key < $1.key }.flatMap { ["--setenv", $0.key, $0.value] }
            let program = ["--info-fd", "3", "--", executable] + arguments
            return (path, [path] + sandbox.arguments + settings + program, [:])
        case .limitsOnly:
            environment[WorkerLimits.variable] = limits.environmentValue(parent: getpid())
            return (executable, [executable] + arguments, environment)
        }
    }
}
