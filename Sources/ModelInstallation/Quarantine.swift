import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
import CModelInstallation
import EchoText
import FileSystem
import Foundation

/// A hidden folder next to the voices, in which a voice is assembled before it is moved into place.
///
/// The process that uses it holds its lock, which the system releases when the process ends. A quarantine without a
/// lock is left over and may be removed.
final class Quarantine: Sendable {
    private static let prefix = ".incoming-"

    let path: String
    private let held: LockableFile

    /// - Throws: ``ModelInstallError/cannotWrite`` or ``ModelInstallError/noSpace(needed:free:)``.
    init(in voicesFolder: String) throws(ModelInstallError) {
        while true {
            let path = "\(voicesFolder)/\(Self.prefix)\(UUID().uuidString.lowercased())"
            guard mkdir(path, 0o700) == 0 else { throw ModelInstallError(writing: errno) }
            let held: LockableFile?
            do {
                held = try Self.lock(path)
            } catch {
                rmdir(path)
                throw error
            }
            // A sweep may have removed the folder before it was locked; then another one is created.
            guard let held else { continue }
            self.path = path
            self.held = held
            return
        }
    }

    /// Removes the folder with its remaining content.
    func discard() {
        Self.remove(path)
    }

    /// Locks a folder; `nil` when another process holds the lock or has removed the folder.
    ///
    /// - Throws: ``ModelInstallError/cannotWrite`` where folders cannot be locked, as on some network disks.
    private static func lock(_ path: String) throws(ModelInstallError) -> LockableFile? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw .cannotWrite }
            return nil
        }
        let folder = LockableFile(descriptor)
        guard let isOurs = try? folder.lock() else { throw .cannotWrite }
        return isOurs && folder.isNamed(path) ? folder : nil
    }

    /// Removes quarantines in a folder of voices that no process uses.
    ///
    /// - Returns: The number of quarantines removed.
    static func sweep(_ voicesFolder: String) -> Int {
        // A folder that does not exist yet contains no quarantines.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: voicesFolder)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.count { name in
            let path = "\(voicesFolder)/\(name)"
            // A folder that cannot be locked remains for another sweep.
            guard let held = try? lock(path) else { return false }
            return withExtendedLifetime(held) { remove(path) }
        }
    }

    @discardableResult
    private static func remove(_ path: String) -> Bool {
        // The next sweep retries what cannot be removed now.
        (try? FileManager.default.removeItem(atPath: path)) != nil
    }
}

extension ModelInstallError {
    /// The error of a failed write.
    init(writing problem: Int32, needed: Int64 = 0, at path: String? = nil) {
        guard problem == ENOSPC || problem == EDQUOT else {
            self = .cannotWrite
            return
        }
        self = .noSpace(needed: needed, free: path.flatMap(FreeSpace.bytes) ?? 0)
    }
}

/// Operations on whole folders.
enum Disk {
    /// Creates a folder and its missing parents.
    ///
    /// - Throws: ``ModelInstallError``.
    static func makeFolders(_ path: String) throws(ModelInstallError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite
        }
    }

    /// A file's size in bytes; 0 if it does not exist.
    static func size(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Waits until the files of a voice and their names are on the disk.
    ///
    /// Files in subfolders are not needed for speech and are not synced; the receipt records their sizes.
    ///
    /// - Throws: ``ModelInstallError``.
    static func syncFiles(in path: String) throws(ModelInstallError) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .cannotWrite
        }
        for name in names { try sync("\(path)/\(name)") }
        try sync(path)
    }

    /// Waits until a file's bytes, or a folder's names, are on the disk.
    ///
    /// - Throws: ``ModelInstallError``.
    static func sync(_ path: String) throws(ModelInstallError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw ModelInstallError(writing: errno, at: path) }
    }

    /// Moves a folder to its destination atomically; an existing folder there is exchanged with it.
    ///
    /// - Throws: ``ModelInstallError``.
    static func move(_ folder: String, to place: String) throws(ModelInstallError) {
        while true {
            if move_folder(folder, place, 0) == 0 { return }
            // File systems without exchange support a plain rename to a path that does not exist.
            if errno == EINVAL || errno == ENOSYS, rename(folder, place) == 0 { return }
            guard errno == EEXIST || errno == ENOTEMPTY else { throw ModelInstallError(writing: errno, at: folder) }
            if move_folder(folder, place, 1) == 0 { return }
            // The existing folder has been removed meanwhile.
            guard errno == ENOENT else { throw ModelInstallError(writing: errno, at: folder) }
        }
    }
}
