import CAttempts
import EchoText
import Foundation

/// Determines what a worker can reach; the answers are sent as samples.
enum Probe {
    static func answer(_ question: String) throws -> [Float] {
        let words = question.split(separator: " ").map(String.init)
        let argument = words.dropFirst().first ?? ""
        switch words.first {
        case "opens": return [Float(attempt_open(argument))]
        case "creates": return [Float(attempt_create(argument))]
        case "unlinks": return [Float(attempt_unlink(argument))]
        case "tcp": return [Float(attempt_connect_tcp(UInt16(argument) ?? 0))]
        case "udp": return [Float(attempt_send_udp(UInt16(argument) ?? 0))]
        case "unix": return [Float(attempt_connect_unix(argument))]
        case "forks": return [Float(attempt_fork())]
        case "namespace": return [Float(attempt_namespace())]
        case "executes": return [Float(attempt_execute(argument))]
        case "traces": return [Float(attempt_trace(Int32(argument) ?? 0))]
        case "memory": return [Float(attempt_read_memory(Int32(argument) ?? 0))]
        case "signals": return [Float(attempt_signal(Int32(argument) ?? 0))]
        case "owns": return [Float(attempt_own(Int32(argument) ?? 0))]
        case "outlives": return [Float(attempt_outlive())]
        case "unlimited": return [Float(attempt_unlimited())]
        case "readable": return [access(argument, R_OK) == 0 ? 1 : 0]
        case "connects": return [connects(toPort: UInt16(argument) ?? 0) ? 1 : 0]
        case "writes": return [writes(argument) ? 1 : 0]
        case "processes": return [Float(processes)]
        case "variables": return [Float(ProcessInfo.processInfo.environment.count)]
        case "variable": return [getenv(argument) == nil ? 0 : 1]
        case "privileges": return try privileges
        case "limit": return limit(argument)
        case "descriptors": return [Float(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)]
        default: throw SynthesisError.nothingToSay
        }
    }

    private static func connects(toPort port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress else { return false }
            return connect(socket, base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
    }

    private static func writes(_ path: String) -> Bool {
        signal(SIGXFSZ, SIG_IGN)
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return write(file, "x", 1) == 1
    }

    /// The number of visible processes.
    private static var processes: Int {
        let entries = try? FileManager.default.contentsOfDirectory(atPath: "/proc")
        return entries?.filter { Int($0) != nil }.count ?? 0
    }

    /// The number of the process's threads, and of those that can never gain privileges.
    private static var privileges: [Float] {
        get throws {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
            let bound = threads.filter { thread in
                let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
                return status?.contains("NoNewPrivs:\t1") ?? false
            }
            return [Float(threads.count), Float(bound.count)]
        }
    }

    /// The limit in the line of `/proc/self/limits` that begins with `name`; in kibibytes if it counts bytes.
    private static func limit(_ name: String) -> [Float] {
        let limits = (try? String(contentsOfFile: "/proc/self/limits", encoding: .utf8)) ?? ""
        let line = limits.split(separator: "\n").first { $0.hasPrefix("Max \(name)") }
        let numbers = line?.split(separator: " ").compactMap { Float($0) } ?? []
        return numbers.map { line?.hasSuffix("bytes     ") ?? false ? $0 / 1_024 : $0 }
    }
}
