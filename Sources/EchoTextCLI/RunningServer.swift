import FileSystem
import Foundation
import Synchronization
import WebApp

/// The running server of this person, as other processes find it.
///
/// The server locks its record for as long as it runs. The system releases the lock of a killed process, even if the
/// process is still a zombie.
final class RunningServer: Sendable {
    private struct Record: Codable {
        let host: String
        let port: Int
    }

    private let file: String
    private let held = Mutex<LockableFile?>(nil)

    init(folder: String) {
        file = "\(folder)/server.json"
    }

    /// The address it listens on; `nil` when no server is running.
    func address() -> WebServer.Address? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let record = LockableFile(descriptor)
        // A running server holds an exclusive lock; if a shared lock succeeds, no server is running.
        guard (try? record.lock(.shared)) == false else { return nil }
        let data = withExtendedLifetime(record) {
            FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).availableData
        }
        guard let found = try? JSONDecoder().decode(Record.self, from: data) else { return nil }
        return WebServer.Address(host: found.host, port: found.port)
    }

    /// - Throws: ``WebError/folderUnusable``; ``WebError/diskFull``, no part of a record being left.
    func remember(_ address: WebServer.Address) throws {
        let fresh = "\(file)-\(getpid())"
        unlink(fresh)
        defer { unlink(fresh) }
        let descriptor = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.problem(errno) }
        let record = LockableFile(descriptor)
        try JSONEncoder().encode(Record(host: address.host, port: address.port)).withUnsafeBytes {
            try $0.writeAll(to: descriptor) { Self.problem($0) }
        }
        // The record is locked before it gets its name, so whoever finds it there finds it locked.
        guard (try? record.lock()) == true, rename(fresh, file) == 0 else { throw WebError.folderUnusable }
        held.withLock { $0 = record }
    }

    private static func problem(_ number: Int32) -> WebError {
        // The folder itself may be missing, because there was no room to make it.
        [ENOSPC, EDQUOT, ENOENT].contains(number) ? .diskFull : .folderUnusable
    }

    func forget() {
        unlink(file)
    }
}
