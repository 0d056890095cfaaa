import Foundation
import WebApp

/// The server that this person has running, as another run of the program finds it.
struct RunningServer: Sendable {
    private struct Record: Codable {
        let host: String
        let port: Int
        let process: Int32
        /// When the process was started, so that another with its number is not taken for it.
        let started: String
    }

    private let file: String

    init(folder: String) {
        file = "\(folder)/server.json"
    }

    /// Where it listens; `nil` when none is running.
    func address() throws -> WebServer.Address? {
        guard let data = FileManager.default.contents(atPath: file),
            let record = try? JSONDecoder().decode(Record.self, from: data),
            Self.start(of: record.process) == record.started
        else { return nil }
        return WebServer.Address(host: record.host, port: record.port)
    }

    func remember(_ address: WebServer.Address) throws {
        let own = getpid()
        let record = Record(host: address.host, port: address.port, process: own, started: Self.start(of: own) ?? "")
        let data = try JSONEncoder().encode(record)
        guard FileManager.default.createFile(atPath: file, contents: data, attributes: [.posixPermissions: 0o600])
        else {
            throw WebError.folderUnusable
        }
    }

    func forget() {
        unlink(file)
    }

    /// The start time of a process in the kernel's own counting; `nil` when there is none.
    ///
    /// - SeeAlso: proc_pid_stat(5), field 22.
    private static func start(of process: Int32) -> String? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : nil
    }
}
