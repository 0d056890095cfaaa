import CArchive
package import EchoText
import FileSystem
import Foundation
import Synchronization

/// Reads tar archives with libarchive in this process.
///
/// The library parses untrusted bytes; use it only in a worker. It only reads: it delivers names, kinds and bytes,
/// and writes no file.
package actor LibarchiveUnpacker: ArchiveUnpacker {
    /// The limit on bytes delivered at once.
    private static let piece = 1 << 20

    private let executor = BlockingExecutor(label: "echotext.unpacker")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package init() {}

    package func unpack(
        _ path: String,
        by rules: ArchiveRules,
        take: @escaping @Sendable (ArchivePiece) throws -> Void
    ) async throws {
        try Task.checkCancellation()
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw ModelInstallError.notAnArchive }
        let archive = try OpenArchive(path)
        var count = ArchiveCount(rules, archiveSize: Int(status.st_size))
        var isEmpty = true
        while let entry = try archive.next() {
            try Task.checkCancellation()
            isEmpty = false
            let name = try entry.plainName
            try count.begin(name, size: entry.isFolder ? nil : entry.size, isFolder: entry.isFolder)
            try take(entry.isFolder ? .folder(name) : .file(name))
            while !entry.isFolder, let bytes = try archive.bytes(most: Self.piece) {
                try Task.checkCancellation()
                try count.add(bytes.count)
                try take(.bytes(bytes))
            }
        }
        guard !isEmpty else { throw ModelInstallError.notAnArchive }
    }
}

/// Owns one `struct archive`, and frees it.
private final class OpenArchive {
    private let handle: OpaquePointer
    /// The error of a failed read: damaged for a file that begins like a packed archive, otherwise not an archive.
    private let unreadable: ModelInstallError

    init(_ path: String) throws(ModelInstallError) {
        unreadable = Self.isPacked(path) ? .damagedArchive : .notAnArchive
        guard let handle = archive_read_new() else { throw .notAnArchive }
        self.handle = handle
        archive_read_support_format_tar(handle)
        archive_read_support_filter_bzip2(handle)
        archive_read_support_filter_gzip(handle)
        archive_read_support_filter_xz(handle)
        archive_read_support_filter_zstd(handle)
        guard archive_read_open_filename(handle, path, 1 << 18) == ARCHIVE_OK else { throw unreadable }
        // The last filter represents the file itself.
        guard archive_filter_count(handle) <= 2 else { throw .bomb }
    }

    deinit { archive_read_free(handle) }

    /// Whether a file begins with the magic bytes of bzip2, gzip, xz or zstd.
    private static func isPacked(_ path: String) -> Bool {
        let signatures: [[UInt8]] = [
            Array("BZh".utf8), [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
        ]
        // A file that cannot be opened counts as not packed.
        let beginning = (try? FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: 6)) ?? Data()
        return signatures.contains { beginning.starts(with: $0) }
    }

    /// The next entry; `nil` at the archive's end.
    func next() throws(ModelInstallError) -> ArchiveEntry? {
        var entry: OpaquePointer?
        switch archive_read_next_header(handle, &entry) {
        case ARCHIVE_EOF: return nil
        case ARCHIVE_OK, ARCHIVE_WARN:
            guard let entry else { throw .damagedArchive }
            return ArchiveEntry(handle: entry)
        default:
            throw archive_format(handle) == 0 ? unreadable : .damagedArchive
        }
    }

    /// The next bytes of the entry; `nil` at its end.
    func bytes(most: Int) throws(ModelInstallError) -> [UInt8]? {
        var problem = false
        let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            while count < most {
                let read = archive_read_data(handle, buffer.baseAddress.map { $0 + count }, most - count)
                problem = read < 0
                guard read > 0 else { return }
                count += read
            }
        }
        guard !problem else { throw .damagedArchive }
        return bytes.isEmpty ? nil : bytes
    }
}

/// Libarchive's description of one entry, valid until the next one is read.
private struct ArchiveEntry {
    /// The set-user-ID and set-group-ID bits, which on a folder only affect the ownership of new files.
    private static let privileges: mode_t = 0o6000

    let handle: OpaquePointer

    /// Valid only after ``plainName`` has succeeded.
    var isFolder: Bool { archive_entry_filetype(handle) & S_IFMT == S_IFDIR }

    var size: Int? { archive_entry_size_is_set(handle) != 0 ? Int(archive_entry_size(handle)) : nil }

    /// Its name, if it is a plain file or folder.
    ///
    /// - Throws: ``ModelInstallError``.
    var plainName: String {
        get throws(ModelInstallError) {
            // The raw bytes, independent of the locale.
            guard let bytes = archive_entry_pathname(handle) ?? archive_entry_pathname_utf8(handle) else {
                throw .forbidden(.badName, name: "?")
            }
            guard let name = String(validatingCString: bytes) else { throw .forbidden(.badName, name: "?") }
            if let kind { throw .forbidden(kind, name: ArchiveRules.shown(name)) }
            guard isFolder || archive_entry_perm(handle) & Self.privileges == 0 else {
                throw .forbidden(.setUserID, name: ArchiveRules.shown(name))
            }
            return name
        }
    }

    /// The reason why it is not a regular file or folder; `nil` if it is one.
    private var kind: ModelInstallError.Forbidden? {
        if archive_entry_hardlink(handle) != nil { return .hardLink }
        if archive_entry_is_encrypted(handle) != 0 { return .badName }
        switch archive_entry_filetype(handle) & S_IFMT {
        case S_IFREG, S_IFDIR: return archive_entry_symlink(handle) == nil ? nil : .symbolicLink
        case S_IFLNK: return .symbolicLink
        case S_IFCHR, S_IFBLK: return .device
        case S_IFIFO: return .pipe
        case S_IFSOCK: return .socket
        default: return .badName
        }
    }
}

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
    /// - Throws: ``ModelInstallError``.
    init(into path: String) throws(ModelInstallError) {
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
    /// - Throws: ``ModelInstallError``.
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
    /// - Throws: ``ModelInstallError`` when the system reports a failed write only on closing.
    func finish() throws {
        try state.withLock { state in
            guard state.file >= 0 else { return }
            let file = state.file
            state.file = -1
            guard Glibc.close(file) == 0 else { throw ModelInstallError(writing: errno, at: path) }
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
                    ? ModelInstallError.forbidden(.twice, name: ArchiveRules.shown(name))
                    : ModelInstallError(writing: errno, at: path)
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
                    ModelInstallError(writing: $0, needed: Int64(bytes.count), at: path)
                }
            }
        }
    }

    /// Opens a folder below the root, creating it if needed; the caller closes it.
    private func folder(_ parts: some Collection<String>) throws(ModelInstallError) -> Int32 {
        var folder = fcntl(root, F_DUPFD_CLOEXEC, 0)
        for part in parts {
            let above = folder
            defer { Glibc.close(above) }
            let isThere = mkdirat(above, part, 0o755) == 0 || errno == EEXIST
            let problem = errno
            let next = isThere ? openat(above, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
            guard next >= 0 else {
                throw isThere
                    ? .forbidden(.twice, name: ArchiveRules.shown(part)) : ModelInstallError(writing: problem, at: path)
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
