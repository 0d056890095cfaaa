import CProcess
import EchoText
import Foundation

/// The protocol between agents and their clients.
///
/// Both sides begin with four letters and a version. The client then sends one request, and the agent one response. A
/// lease stays open; any further byte from the agent, or the end of the connection, means that the library is locked.
enum AgentProtocol {
    static let magic = Array("EchK".utf8)
    static let version: UInt8 = 1
    /// In bytes: the vault's secret.
    static let secretLength = 32
    /// How many connections an agent has at once.
    static let maximumConnections = 64
}

/// A client's request to an agent.
enum AgentRequest: UInt8, CaseIterable {
    /// The secret, for as long as the connection stays open.
    case lease = 1
    case status = 2
    case lock = 3

    /// Magic, version, kind.
    static let length = AgentProtocol.magic.count + 2

    var encoded: [UInt8] { AgentProtocol.magic + [AgentProtocol.version, rawValue] }
}

/// The meaning of a client's first bytes.
enum AgentGreeting: Equatable {
    case unfinished
    case request(AgentRequest)
    /// The client has another version.
    case otherVersion
    case nonsense

    /// - Parameter bytes: All that the client has said.
    init(_ bytes: [UInt8]) {
        let magic = AgentProtocol.magic
        let isMagic = zip(bytes, magic).allSatisfy { $0 == $1 }
        if !isMagic {
            self = .nonsense
        } else if bytes.count > magic.count, bytes[magic.count] != AgentProtocol.version {
            self = .otherVersion
        } else if bytes.count < AgentRequest.length {
            self = .unfinished
        } else if bytes.count == AgentRequest.length, let request = AgentRequest(rawValue: bytes[magic.count + 1]) {
            self = .request(request)
        } else {
            self = .nonsense
        }
    }
}

/// An agent's answer.
enum AgentAnswer: UInt8 {
    /// Followed by the secret.
    case secret = 1
    /// Followed by an ``AgentStatus``.
    case status = 2
    /// The library is locked, and the secret wiped.
    case locked = 3
    /// Every connection there may be is a lease.
    case busy = 4
    case otherVersion = 5

    /// Magic, version, kind.
    static let length = AgentProtocol.magic.count + 2

    var head: [UInt8] { AgentProtocol.magic + [AgentProtocol.version, rawValue] }
}

/// How an agent is doing.
package struct AgentStatus: Sendable, Hashable {
    /// How many connections have the secret.
    package let leaseCount: Int
    /// The time until it locks if nobody uses it; `nil` while it is in use, and if it never locks by itself.
    package let timeUntilLocked: Duration?

    static let length = 12
    private static let never = UInt64.max

    init(leaseCount: Int, timeUntilLocked: Duration?) {
        self.leaseCount = leaseCount
        self.timeUntilLocked = timeUntilLocked
    }

    /// The number of leases and milliseconds, the smallest byte first.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        let milliseconds = Self.number(bytes[4...])
        leaseCount = Int(Self.number(bytes[..<4]))
        timeUntilLocked = milliseconds == Self.never ? nil : .milliseconds(Int64(clamping: milliseconds))
    }

    var encoded: [UInt8] {
        let milliseconds = timeUntilLocked.map { UInt64(max(0, $0 / .milliseconds(1))) } ?? Self.never
        return Self.bytes(UInt64(leaseCount), count: 4) + Self.bytes(milliseconds, count: 8)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}

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

/// The kernel's facts about how a process is confined.
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
