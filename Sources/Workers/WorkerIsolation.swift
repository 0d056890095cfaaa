internal import CProcess
internal import Foundation

/// What stands between a worker and the machine, beside its limits.
package enum WorkerIsolation: Sendable, Hashable {
    /// A sandbox by the program at this path: no network, no files but those named, its own processes only.
    case bubblewrap(path: String)
    /// None: the worker may read what the person may, and reach the network.
    case limitsOnly(Reason)

    /// Why there is no sandbox.
    package enum Reason: String, Sendable, Hashable {
        case bubblewrapMissing
        /// It is there, but the system does not let it make a sandbox, usually because user namespaces are off.
        case sandboxRefused
        /// Somebody asked for none.
        case switchedOff
    }

    /// Finds out what this machine allows, by making a sandbox and running `true` in it.
    ///
    /// Takes some 30 ms; the answer does not change while the program runs.
    ///
    /// - Parameter path: Where bubblewrap is when it is installed.
    /// - Returns: The sandbox when it works, else why there is none.
    package static func probe(bubblewrap path: String = "/usr/bin/bwrap") async -> WorkerIsolation {
        guard access(path, X_OK) == 0 else { return .limitsOnly(.bubblewrapMissing) }
        var launch = WorkerLaunch(executable: "/usr/bin/true")
        launch.arguments = []
        let end: WorkerEnd? = await withCheckedContinuation { continuation in
            WorkerProcess.start(launch, in: .bubblewrap(path: path), receive: { _ in true }) { process in
                if process == nil { continuation.resume(returning: nil) }
            } ended: { end in
                continuation.resume(returning: end)
            }
        }
        return end == .exited(0) ? .bubblewrap(path: path) : .limitsOnly(.sandboxRefused)
    }
}

/// A sandbox as arguments of bubblewrap.
struct Sandbox {
    /// Paths that appear in it at their own place, read-only.
    let readable: [String]

    /// Everything shared with nobody, no environment, no capabilities, and of the files what starting a program needs.
    ///
    /// `/etc/alternatives` is where Debian's links to some of its libraries lead.
    var arguments: [String] {
        var arguments = [
            "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL",
            "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/lib", "/lib", "--ro-bind-try", "/lib64", "/lib64",
            "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
            "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
            "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/",
        ]
        for path in readable { arguments += ["--ro-bind", path, path] }
        return arguments
    }
}
