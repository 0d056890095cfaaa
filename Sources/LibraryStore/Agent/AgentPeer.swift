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

    /// Whether secrets are exchanged with it: with the same person only, not even with the system's administrator.
    func isTrusted(by user: uid_t) -> Bool { self.user == user }

    /// Whether it is a process that has been shut in, as one is that opens strangers' files, and may have been taken over by one.
    ///
    /// EchoText's own workers are known by a limit that nothing in them can lift: they write no file. Others are known by what the
    /// kernel reports them: processes of their own that are seen from there, or filters of system calls that this process is
    /// not under as well.
    var isConfined: Bool {
        var limit: UInt64 = 0
        // One that cannot be asked about has gone, or is out of sight.
        guard process > 0, file_size_limit(process, &limit) == 0, limit > 0 else { return true }
        // The limit says enough where others' processes are hidden (hidepid).
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

    /// - Returns: `nil` when it has gone or is hidden.
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
