import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
import CVoiceInstallation
import EchoText
import Foundation

/// Operations on whole folders.
enum Disk {
    /// Creates a folder and its missing parents.
    ///
    /// - Throws: ``VoiceInstallError``.
    static func makeFolders(_ path: String) throws(VoiceInstallError) {
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
    /// - Throws: ``VoiceInstallError``.
    static func syncFiles(in path: String) throws(VoiceInstallError) {
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
    /// - Throws: ``VoiceInstallError``.
    static func sync(_ path: String) throws(VoiceInstallError) {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotWrite }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw VoiceInstallError(writing: errno, at: path) }
    }

    /// Moves a folder to its destination atomically; an existing folder there is exchanged with it.
    ///
    /// - Throws: ``VoiceInstallError``.
    static func move(_ folder: String, to place: String) throws(VoiceInstallError) {
        while true {
            if move_folder(folder, place, 0) == 0 { return }
            // File systems without exchange support a plain rename to a path that does not exist.
            if errno == EINVAL || errno == ENOSYS, rename(folder, place) == 0 { return }
            guard errno == EEXIST || errno == ENOTEMPTY else { throw VoiceInstallError(writing: errno, at: folder) }
            if move_folder(folder, place, 1) == 0 { return }
            // The existing folder has been removed meanwhile.
            guard errno == ENOENT else { throw VoiceInstallError(writing: errno, at: folder) }
        }
    }
}
