internal import CProcess
internal import Foundation

/// What stands between a worker and the machine, beside its limits.
package struct WorkerIsolation: Sendable, Hashable {
    /// What is around a worker.
    package enum Surroundings: Sendable, Hashable {
        /// A sandbox by the program at this path: no network, no files but those named, its own processes only.
        ///
        /// `nests` says that user namespaces can be made in it, because this bubblewrap, or this machine, cannot do without.
        case bubblewrap(path: String, nests: Bool)
        /// No sandbox.
        case open(Reason)
    }

    /// Why there is no sandbox.
    package enum Reason: String, Sendable, Hashable {
        case bubblewrapMissing
        /// It exists, but the system does not let it create a sandbox, usually because user namespaces are off.
        case sandboxRefused
        /// Somebody asked for none.
        case switchedOff
    }

    package var surroundings: Surroundings
    /// What the worker shuts itself in with, before it reads a byte; it ends where that fails.
    package var guards: KernelGuards

    package init(_ surroundings: Surroundings, guards: KernelGuards) {
        self.surroundings = surroundings
        self.guards = guards
    }

    /// bubblewrap, and all that the kernel has.
    package static func bubblewrap(path: String, nests: Bool = false) -> WorkerIsolation {
        WorkerIsolation(.bubblewrap(path: path, nests: nests), guards: .ofThisKernel)
    }

    /// All that the kernel has, without a sandbox.
    package static func kernelOnly(_ reason: Reason) -> WorkerIsolation {
        WorkerIsolation(.open(reason), guards: .ofThisKernel)
    }

    /// Nothing: the worker may read what the person may, and reach the network.
    package static func limitsOnly(_ reason: Reason) -> WorkerIsolation {
        WorkerIsolation(.open(reason), guards: [])
    }

    /// Whether a worker that a stranger's file has taken over reaches nothing of the person's.
    ///
    /// Landlock alone allows sockets, and a filter of system calls cannot distinguish files.
    package var confines: Bool { isSandboxed || guards.isSuperset(of: .all) }

    var isSandboxed: Bool {
        switch surroundings {
        case .bubblewrap: true
        case .open: false
        }
    }

    /// Whether it may be used for `launch`.
    func isEnough(for launch: WorkerLaunch) -> Bool {
        confines || !launch.needsConfinement || surroundings == .open(.switchedOff)
    }
}

extension WorkerIsolation {
    /// Where bubblewrap is when it is installed.
    package static let bubblewrapPath = "/usr/bin/bwrap"

    /// In seconds: some hundred times as long as it takes; one that has not ended by then never does.
    private static let longestProbe = 10.0

    /// Finds out what this machine allows, by making a sandbox and running `true` in it.
    ///
    /// Takes some 30 ms.
    ///
    /// - Parameters:
    ///   - path: Where bubblewrap is when it is installed.
    ///   - guards: What the kernel has.
    /// - Returns: The sandbox when it works, else why there is none; and what the kernel has.
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

    /// Whether bubblewrap comes to its end with a program that does nothing.
    ///
    /// It is not set to die with this process: killed before it has set its child up, it would leave one behind that waits for
    /// it for ever. So it needs nothing of this process, and ends by itself.
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
    /// Paths that appear in it at their own place, read-only.
    let readable: [String]
    /// Whether user namespaces can be made in it.
    let nests: Bool
    /// Whether it ends with the process that made it.
    var isBound = true

    /// Everything shared with nobody, no environment, no capabilities, and of the files what starting a program needs.
    ///
    /// `/etc/alternatives` is where Debian's links to some of its libraries lead.
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

/// What the kernel itself has to shut a worker in, with bubblewrap or without.
package struct KernelGuards: OptionSet, Sendable, Hashable {
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// Landlock: no file but those named, no other program, and of the network what its version knows.
    package static let landlock = KernelGuards(rawValue: Int32(guard_landlock.rawValue))
    /// A filter of system calls: no socket, no process, nothing written, no signal to others.
    package static let filter = KernelGuards(rawValue: Int32(guard_filter.rawValue))
    package static let all: KernelGuards = [.landlock, .filter]

    /// Those that this machine has.
    package static var ofThisKernel: KernelGuards { KernelGuards(rawValue: kernel_guards()) }
}
