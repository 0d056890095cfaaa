import FileSystem
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
    private let held = Mutex<LockableFile?>(nil)

    init(folder: String) {
        file = "\(folder)/server.json"
    }

    /// Where it listens; `nil` when none is running.
    func address() -> WebServer.Address? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let record = LockableFile(descriptor)
        // A running server holds the file exclusively; a shared lock that succeeds means that none is running.
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
        // Who finds it at its name finds it locked.
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
