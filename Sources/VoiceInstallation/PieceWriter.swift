import EchoText
import FileSystem
import Foundation
import Synchronization

/// Writes the content of an archive into a folder, and nothing outside it.
///
/// Every folder on a path is opened relative to its parent and never through a link; every file is created new. Names
/// that begin with a dot are skipped. Modes and times of the archive are ignored.
final class PieceWriter: Sendable {
    private struct State {
        var file: Int32 = -1
        /// Whether the current entry is skipped.
        var isPassedOver = true
    }

    private let root: Int32
    private let path: String
    private let state = Mutex(State())

    /// - Parameter path: An existing folder.
    /// - Throws: ``VoiceInstallError``.
    init(into path: String) throws(VoiceInstallError) {
        root = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        self.path = path
        guard root >= 0 else { throw .cannotWrite }
    }

    deinit {
        state.withLock { Self.close(&$0) }
        Glibc.close(root)
    }

    /// Writes the next piece.
    ///
    /// - Throws: ``VoiceInstallError``.
    func take(_ piece: ArchivePiece) throws {
        switch piece {
        case .folder(let name):
            state.withLock { Self.close(&$0) }
            let parts = try ArchiveRules.parts(of: name)
            guard !parts.contains(where: ArchiveRules.isHidden) else { return }
            Glibc.close(try folder(parts))
        case .file(let name): try begin(name)
        case .bytes(let bytes): try write(bytes)
        }
    }

    /// Ends the last file.
    ///
    /// - Throws: ``VoiceInstallError`` when the system reports a failed write only on closing.
    func finish() throws {
        try state.withLock { state in
            guard state.file >= 0 else { return }
            let file = state.file
            state.file = -1
            guard Glibc.close(file) == 0 else { throw VoiceInstallError(writing: errno, at: path) }
        }
    }

    private func begin(_ name: String) throws {
        let parts = try ArchiveRules.parts(of: name)
        let isPassedOver = parts.contains(where: ArchiveRules.isHidden)
        var file: Int32 = -1
        if !isPassedOver, let last = parts.last {
            let folder = try folder(parts.dropLast())
            defer { Glibc.close(folder) }
            file = openat(folder, last, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
            guard file >= 0 else {
                throw errno == EEXIST || errno == EISDIR
                    ? VoiceInstallError.forbidden(.twice, name: ArchiveRules.shown(name))
                    : VoiceInstallError(writing: errno, at: path)
            }
        }
        state.withLock {
            Self.close(&$0)
            $0.file = file
            $0.isPassedOver = isPassedOver
        }
    }

    private func write(_ bytes: [UInt8]) throws {
        try state.withLock { state in
            guard !state.isPassedOver else { return }
            try bytes.withUnsafeBytes { bytes in
                try bytes.writeAll(to: state.file) {
                    VoiceInstallError(writing: $0, needed: Int64(bytes.count), at: path)
                }
            }
        }
    }

    /// Opens a folder below the root, creating it if needed; the caller closes it.
    private func folder(_ parts: some Collection<String>) throws(VoiceInstallError) -> Int32 {
        var folder = fcntl(root, F_DUPFD_CLOEXEC, 0)
        for part in parts {
            let above = folder
            defer { Glibc.close(above) }
            let isThere = mkdirat(above, part, 0o755) == 0 || errno == EEXIST
            let problem = errno
            let next = isThere ? openat(above, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
            guard next >= 0 else {
                throw isThere
                    ? .forbidden(.twice, name: ArchiveRules.shown(part)) : VoiceInstallError(writing: problem, at: path)
            }
            folder = next
        }
        guard folder >= 0 else { throw .cannotWrite }
        return folder
    }

    private static func close(_ state: inout State) {
        if state.file >= 0 { Glibc.close(state.file) }
        state.file = -1
        state.isPassedOver = true
    }
}
