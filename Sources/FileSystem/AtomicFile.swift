package import Foundation

/// Replaces small files atomically: if the program is killed, either the old or the new file exists.
package enum AtomicFile {
    private static let ending = ".new"

    /// Writes a file and replaces an existing one; it is not synced, so a power cut may lose it.
    ///
    /// - Parameters:
    ///   - content: The content of the file.
    ///   - path: The path of the file.
    ///   - permissions: The file's permissions, reduced by the process's mask.
    /// - Throws: ``SystemError``; no part of the new file remains then.
    package static func write(_ content: Data, to path: String, permissions: mode_t = 0o600) throws(SystemError) {
        let draft = "\(path).\(getpid())\(ending)"
        unlink(draft)  // It may remain from an ended process with the same id.
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
        guard file >= 0 else { throw .last }
        do {
            defer { close(file) }
            try content.withUnsafeBytes { try $0.writeAll(to: file) { SystemError(errno: $0) } }
        } catch {
            unlink(draft)
            throw error as? SystemError ?? SystemError(errno: EIO)
        }
        guard rename(draft, path) == 0 else {
            let problem = SystemError.last
            unlink(draft)
            throw problem
        }
    }

    /// Removes drafts of ended processes from a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder in which files are written.
    ///   - fileExtension: The files' extension, without the dot.
    package static func sweep(_ folder: String, of fileExtension: String) {
        // A missing folder contains no drafts.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where isLeftOver(name, of: fileExtension) { unlink("\(folder)/\(name)") }
    }

    private static func isLeftOver(_ name: String, of fileExtension: String) -> Bool {
        guard name.hasSuffix(ending), name.contains(".\(fileExtension).") else { return false }
        let process = name.dropLast(ending.count).split(separator: ".").last.flatMap { pid_t($0) }
        guard let process, process > 0 else { return false }
        return kill(process, 0) != 0 && errno == ESRCH
    }
}
