package import Foundation

/// Small files that are replaced as a whole: whenever the program ends, there is the old one or the new one.
package enum AtomicFile {
    private static let ending = ".new"

    /// Puts a file in the place of the one that may be there; it is not synced, so a power cut may take it.
    ///
    /// - Parameters:
    ///   - content: What is to be in it.
    ///   - path: Where.
    ///   - permissions: The file's, less what the process's mask takes away.
    /// - Throws: ``SystemError``; nothing of the new file is left then.
    package static func write(_ content: Data, to path: String, permissions: mode_t = 0o600) throws(SystemError) {
        let draft = "\(path).\(getpid())\(ending)"
        unlink(draft)  // of an ended process that had the same number
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

    /// Removes from a folder what processes that have ended were writing.
    ///
    /// - Parameters:
    ///   - folder: Where files are written.
    ///   - fileExtension: Theirs, without the dot.
    package static func sweep(_ folder: String, of fileExtension: String) {
        // A folder that is not there holds nothing.
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
