import CProcess
import EchoText
import Foundation

/// The process at the other end of a socket, as the kernel reports it.
struct AgentPeer: Hashable {
    let user: uid_t
    /// 0 for a process that cannot be seen from here.
    let process: pid_t

    init(user: uid_t, process: pid_t) {
        self.user = user
        self.process = process
    }

    /// - Throws: ``VaultError/system(errno:)``.
    init(of socket: Int32) throws(VaultError) {
        var process: pid_t = 0
        var user: uid_t = 0
        let failure = peer_credentials(socket, &user, &process)
        guard failure == 0 else { throw .system(errno: failure) }
        self.init(user: user, process: process)
    }

    /// Whether it may receive secrets: only a process of the same user may, not even the administrator's.
    func isTrusted(by user: uid_t) -> Bool { self.user == user }

    /// Whether it is a confined process, such as one that opens untrusted files, which may have taken it over.
    ///
    /// EchoText's own workers have a limit that nothing in them can lift: they cannot write files. Others are
    /// recognized by what the kernel reports: a separate PID namespace, or system call filters that this process does
    /// not have.
    var isConfined: Bool {
        var limit: UInt64 = 0
        // A process that cannot be queried has exited, or is invisible.
        guard process > 0, file_size_limit(process, &limit) == 0, limit > 0 else { return true }
        // The limit suffices where other users' processes are hidden (hidepid).
        guard let peer = ProcessStatus(of: process), let own = ProcessStatus(of: getpid()) else { return false }
        return peer.isNested || peer.filters > own.filters
    }
}

/// The kernel's facts about a process's surroundings.
///
/// - SeeAlso: proc(5), /proc/PID/status.
struct ProcessStatus: Hashable {
    /// Whether it numbers processes by itself, as a sandbox does, besides the number that it has here.
    let isNested: Bool
    /// How many filters of system calls it is under.
    let filters: Int

    /// - Returns: `nil` when it has exited or is hidden.
    init?(of process: pid_t) {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        self.init(text)
    }

    init(_ text: String) {
        var fields: [Substring: [Substring]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(maxSplits: 1) { $0 == ":" }
            guard let name = parts.first else { continue }
            fields[name] = parts.dropFirst().first?.split(whereSeparator: \.isWhitespace) ?? []
        }
        isNested = fields["NSpid"]?.count ?? 1 > 1
        // Kernels before 5.9 report only that there are some.
        let isFiltered = fields["Seccomp"]?.first == "2"
        filters = fields["Seccomp_filters"]?.first.flatMap { Int($0) } ?? (isFiltered ? 1 : 0)
    }
}
