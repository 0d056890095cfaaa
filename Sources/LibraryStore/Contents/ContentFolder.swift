import EchoText
import Foundation
import Glibc

/// The folders and files of sealed contents: opened by descriptor, never through a link, ours alone.
struct ContentFolder: Sendable {
    /// `blobs` of the library.
    let path: String

    /// A folder that is open; closed with its last owner.
    final class Open: Sendable {
        let descriptor: Int32

        fileprivate init(_ descriptor: Int32) {
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }
    }

    /// The folder that `id` lies in.
    ///
    /// - Parameters:
    ///   - id: 32 hexadecimal digits.
    ///   - isMade: Whether it is made when it is missing.
    /// - Returns: It stays open as long as this lives.
    /// - Throws: ``VaultError/unsafeFolder`` when it is a link, of another kind or someone else's; ``VaultError/contentMissing``.
    func folder(of id: String, isMade: Bool) throws(VaultError) -> Open {
        if isMade, mkdir(path, 0o700) != 0, errno != EEXIST { throw VaultError(opening: errno) }
        let root = try open(AT_FDCWD, path)
        let name = String(id.prefix(2))
        if isMade, mkdirat(root.descriptor, name, 0o700) == 0 {
            guard fsync(root.descriptor) == 0 else { throw VaultError(opening: errno) }
        }
        return try open(root.descriptor, name)
    }

    /// All files there are, with the folder each lies in.
    func files() throws(VaultError) -> [(folder: String, name: String)] {
        var files: [(folder: String, name: String)] = []
        for folder in try names(in: path) {
            for name in try names(in: "\(path)/\(folder)") { files.append((folder, name)) }
        }
        return files
    }

    private func names(in folder: String) throws(VaultError) -> [String] {
        guard let names = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return [] }
            throw VaultError(opening: errno)
        }
        defer { closedir(names) }
        var found: [String] = []
        while let entry = readdir(names) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { found.append(name) }
        }
        return found
    }

    private func open(_ parent: Int32, _ name: String) throws(VaultError) -> Open {
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw errno == ENOENT ? .contentMissing : VaultError(opening: errno) }
        let folder = Open(descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { throw .unsafeFolder }
        if status.st_mode & 0o7777 != 0o700, fchmod(descriptor, 0o700) != 0 { throw VaultError(opening: errno) }
        return folder
    }
}
