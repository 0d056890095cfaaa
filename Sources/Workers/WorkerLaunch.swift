internal import Foundation

/// What to start as a worker, and what it may see.
package struct WorkerLaunch: Sendable, Hashable {
    /// Absolute path of the program.
    package var executable: String
    /// After the program's name.
    package var arguments: [String] = ["worker", "engine"]
    /// All of it: nothing is handed on from this process.
    package var environment: [String: String] = [:]
    /// Absolute paths the worker may read, each a file or a folder with all that is in it. Where there is no sandbox,
    /// the worker may read whatever this process may.
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
    /// Large pages for the heap (`hugetlb`) speed the engine up where the kernel offers them; a crash is the program's
    /// to report, not Swift's own handler's, which would start a debugger.
    var wholeEnvironment: [String: String] {
        ["GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", "SWIFT_BACKTRACE": "enable=no"]
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

/// Where the shared objects of this process lie; a worker is the same program and needs the same.
enum LoadedLibraries {
    /// Folders outside `/usr`, `/lib` and `/lib64`, which every worker sees; a library in a folder that holds the
    /// person's own things stands for itself alone.
    static var folders: [String] {
        // Without it the worker cannot be started in a sandbox, and says so.
        guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else { return [] }
        return folders(inMaps: maps, home: NSHomeDirectory())
    }

    /// - Parameter maps: Text in the format of `/proc/PID/maps`.
    static func folders(inMaps maps: String, home: String) -> [String] {
        var found: Set<String> = []
        for line in maps.split(separator: "\n") {
            guard let start = line.firstIndex(of: "/") else { continue }
            let file = String(line[start...])
            let name = file.split(separator: "/").last ?? ""
            guard name.hasSuffix(".so") || name.contains(".so."), !file.hasSuffix(" (deleted)") else { continue }
            let folder = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
            guard !["/usr/", "/lib/", "/lib64/"].contains(where: { file.hasPrefix($0) }) else { continue }
            let holdsHome = folder.isEmpty || home == folder || home.hasPrefix(folder + "/")
            found.insert(holdsHome ? file : folder)
        }
        return found.sorted()
    }
}
