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

    private let folder: String
    private let file: String
    private let rename: @Sendable (_ old: String, _ new: String) -> Int32
    private let held = Mutex<LockableFile?>(nil)

    /// - Parameters:
    ///   - folder: Where its record is kept; it is made where it is missing.
    ///   - rename: Gives a file another name, as rename(2) does.
    init(
        folder: String,
        rename: @escaping @Sendable (_ old: String, _ new: String) -> Int32 = { Foundation.rename($0, $1) }
    ) {
        (self.folder, self.rename) = (folder, rename)
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
        var descriptor = Self.create(fresh)
        if descriptor < 0, errno == ENOENT {
            // Only making the folder shows whether there is no room for it or something else is wrong.
            try makeFolder()
            descriptor = Self.create(fresh)
        }
        guard descriptor >= 0 else { throw Self.problem(errno) }
        let record = LockableFile(descriptor)
        try JSONEncoder().encode(Record(host: address.host, port: address.port)).withUnsafeBytes {
            try $0.writeAll(to: descriptor) { Self.problem($0) }
        }
        // The record is locked before it gets its name, so whoever finds it there finds it locked.
        guard (try? record.lock()) == true else { throw WebError.folderUnusable }
        guard rename(fresh, file) == 0 else { throw Self.problem(errno) }
        held.withLock { $0 = record }
    }

    private static func create(_ path: String) -> Int32 {
        open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }

    private func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw (error as? CocoaError)?.code == .fileWriteOutOfSpace ? WebError.diskFull : WebError.folderUnusable
        }
    }

    private static func problem(_ number: Int32) -> WebError {
        [ENOSPC, EDQUOT].contains(number) ? .diskFull : .folderUnusable
    }

    func forget() {
        unlink(file)
    }
}
