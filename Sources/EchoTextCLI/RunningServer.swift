import Foundation
import Synchronization
import WebApp

/// The server that this person has running, as another run of the program finds it.
///
/// It holds a lock on its record for as long as it runs: the system takes that from a process that was killed, also while its number is
/// still there because nobody has asked how it ended.
final class RunningServer: Sendable {
    private struct Record: Codable {
        let host: String
        let port: Int
    }

    private let file: String
    private let lock = Mutex<Int32?>(nil)

    init(folder: String) {
        file = "\(folder)/server.json"
    }

    deinit { lock.withLock { if let descriptor = $0 { close(descriptor) } } }

    /// Where it listens; `nil` when none is running.
    func address() -> WebServer.Address? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // A running server holds the file exclusively; a shared lock that succeeds means that none is running.
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        let data = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).availableData
        guard let record = try? JSONDecoder().decode(Record.self, from: data) else { return nil }
        return WebServer.Address(host: record.host, port: record.port)
    }

    /// - Throws: ``WebError/folderUnusable``.
    func remember(_ address: WebServer.Address) throws {
        let fresh = "\(file)-\(getpid())"
        unlink(fresh)
        let descriptor = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw WebError.folderUnusable }
        do {
            let data = try JSONEncoder().encode(Record(host: address.host, port: address.port))
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: data)
        } catch {
            close(descriptor)
            throw WebError.folderUnusable
        }
        // Who finds it at its name finds it locked.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(fresh, file) == 0 else {
            close(descriptor)
            throw WebError.folderUnusable
        }
        lock.withLock { $0 = descriptor }
    }

    func forget() {
        unlink(file)
    }
}
