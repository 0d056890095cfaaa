import Foundation

/// Identifies a voice's files by their sizes, modification times and inodes, to detect replacements.
package struct VoiceStamp: Sendable, Hashable, CustomStringConvertible {
    private struct File: Sendable, Hashable {
        let size: Int
        let seconds: Int
        let nanoseconds: Int
        let inode: UInt
    }

    private let files: [File?]

    /// Looks at the disk; a file that is missing counts as such.
    package init(of folder: VoiceFolder) {
        files = [folder.model, folder.description, folder.tokens].map { path in
            var found = stat()
            guard stat(path, &found) == 0 else { return nil }
            return File(
                size: found.st_size,
                seconds: found.st_mtim.tv_sec,
                nanoseconds: found.st_mtim.tv_nsec,
                inode: found.st_ino
            )
        }
    }

    /// The same for the same files, also in another process.
    package var description: String {
        files.map { file in file.map { "\($0.size) \($0.seconds).\($0.nanoseconds)" } ?? "-" }.joined(separator: " ")
    }
}
