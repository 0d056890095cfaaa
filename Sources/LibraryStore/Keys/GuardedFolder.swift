import EchoText
import FileSystem
import Foundation

/// A step of writing a file to disk.
///
/// Tests intercept the steps, to make one fail or to end the process there.
package enum FileStep: Sendable, Hashable {
    case makeFolder
    case openFolder
    case createFile
    case writeFile
    case syncFile
    case readFile
    case renameFile
    case syncFolder
    case removeFile
}

/// A folder of this user that holds keys: nobody else may access it, and links in it are not followed.
///
/// Every name is resolved from the folder's descriptor, so that no parent folder can be replaced in between.
final class GuardedFolder: Sendable {
    typealias Observer = @Sendable (FileStep) throws -> Void

    /// The error for a folder or a file that others can access.
    private let refusal: VaultError
    /// The path by which it was opened.
    let path: String
    private let descriptor: Int32
    private let willDo: Observer

    /// Opens the folder; `nil` when it is missing and is not to be created.
    ///
    /// - Parameters:
    ///   - path: Its path; missing parent folders are created too.
    ///   - isMade: Whether to create it if missing.
    ///   - isTightened: Whether to remove others' permissions instead of rejecting the folder.
    ///   - refusal: The error when it is a link, another user's or open to others.
    ///   - willDo: Called before each step.
    /// - Throws: `refusal`, or errors of the system.
    init?(
        path: String,
        isMade: Bool,
        isTightened: Bool,
        refusal: VaultError,
        willDo: @escaping Observer
    ) throws {
        if isMade {
            try willDo(.makeFolder)
            try Self.make(path, refusal)
        }
        try willDo(.openFolder)
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return nil }
            if number == ENOTDIR, Self.isBelowFile(path) { throw Self.problem(EACCES, refusal) }
            throw number == ELOOP || number == ENOTDIR ? refusal : Self.problem(number, refusal)
        }
        self.descriptor = descriptor
        self.path = path
        self.refusal = refusal
        self.willDo = willDo
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw problem(errno) }
        guard status.st_uid == geteuid() else { throw refusal }
        guard status.st_mode & 0o077 != 0 else { return }
        guard isTightened else { throw refusal }
        guard fchmod(descriptor, 0o700) == 0 else { throw problem(errno) }
    }

    deinit { close(descriptor) }

    private static func make(_ path: String, _ refusal: VaultError) throws {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            made += (made.isEmpty && !path.hasPrefix("/") ? "" : "/") + part
            guard mkdir(made, 0o700) == 0 || errno == EEXIST || errno == EACCES || errno == EROFS else {
                // In “/proc”, a new folder fails as a missing one; below a file, as one that is none.
                throw problem(errno == ENOENT || errno == ENOTDIR ? EACCES : errno, refusal)
            }
        }
    }

    /// Whether a file is where a folder above the path should be.
    private static func isBelowFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOTDIR
    }

    /// The error for a failed call, by the folder of the call.
    private static func problem(_ number: Int32, _ refusal: VaultError) -> VaultError {
        let problem = VaultError(fileProblem: number)
        return problem == .readOnly(.noPermission) && refusal == .deviceSecretUnsafe ? .deviceFolderReadOnly : problem
    }

    private func problem(_ number: Int32) -> VaultError { Self.problem(number, refusal) }

    /// Whether there is something of this name, of whatever kind.
    func contains(_ name: String) -> Bool {
        faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    // MARK: Reading

    /// Passes the bytes of a file to `body`; returns `nil` when it is missing.
    ///
    /// - Parameters:
    ///   - name: Its name in the folder.
    ///   - limit: The most bytes it may have.
    ///   - damage: The error when it has more.
    ///   - body: Receives the bytes, which are wiped afterwards.
    /// - Returns: What `body` returned.
    /// - Throws: The refusal, `damage`, errors of the system and what `body` throws.
    func read<Result>(
        _ name: String,
        limit: Int,
        damage: VaultError,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result? {
        try willDo(.readFile)
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw errno == ELOOP ? refusal : problem(errno)
        }
        defer { close(file) }
        try check(file)
        var length = 0
        let bytes = try SecretBytes(count: limit + 1) { buffer in
            while length < buffer.count {
                let count = Glibc.read(file, buffer.baseAddress.map { $0 + length }, buffer.count - length)
                guard count >= 0 || errno == EINTR else { throw problem(errno) }
                if count == 0 { break }
                length += max(0, count)
            }
        }
        defer { bytes.wipe() }
        guard length <= limit else { throw damage }
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
    }

    /// Rejects anything but a regular file of this user with a single name, which nobody else may read.
    private func check(_ file: Int32) throws {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw problem(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
            status.st_nlink == 1
        else { throw refusal }
    }

    // MARK: Writing

    /// Atomically replaces or creates a file: afterwards either the complete new file or the complete old one exists,
    /// whatever happens.
    ///
    /// - Parameters:
    ///   - name: Its name in the folder.
    ///   - bytes: Its new content.
    ///   - verify: Receives the name of the new file before it replaces the old one.
    /// - Throws: Errors of the system and what `verify` throws.
    func write(
        _ name: String,
        _ bytes: UnsafeRawBufferPointer,
        verify: (_ draft: String) throws -> Void = { _ in }
    ) throws {
        let draft = Self.draft(of: name)
        do {
            try createDraft(draft, bytes)
            try verify(draft)
            try willDo(.renameFile)
            guard renameat(descriptor, draft, descriptor, name) == 0 else { throw problem(errno) }
        } catch {
            try? discardDraft(of: name)  // If it remains, it is removed before the next one is written.
            throw error
        }
        try syncFolder()
    }

    private static func draft(of name: String) -> String { ".\(name).partial" }

    /// Whether an interrupted write has left a draft.
    func containsDraft(of name: String) -> Bool { contains(Self.draft(of: name)) }

    /// Removes the draft of an interrupted write.
    func discardDraft(of name: String) throws {
        if containsDraft(of: name) { try remove(Self.draft(of: name)) }
    }

    private func createDraft(_ draft: String, _ bytes: UnsafeRawBufferPointer) throws {
        try willDo(.createFile)
        // It belongs to an ended process: the lock on changes excludes that another one is using it.
        guard unlinkat(descriptor, draft, 0) == 0 || errno == ENOENT else { throw problem(errno) }
        let file = openat(descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw problem(errno) }
        defer { close(file) }
        guard fchmod(file, 0o600) == 0 else { throw problem(errno) }
        try willDo(.writeFile)
        try bytes.writeAll(to: file, orThrow: problem)
        try willDo(.syncFile)
        guard fsync(file) == 0 else { throw problem(errno) }
    }

    /// Removes a file; a missing one is no error.
    func remove(_ name: String) throws {
        try willDo(.removeFile)
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw problem(errno) }
        try syncFolder()
    }

    private func syncFolder() throws {
        try willDo(.syncFolder)
        guard fsync(descriptor) == 0 else { throw problem(errno) }
    }

    // MARK: Locking

    /// Runs `body` while it exclusively holds the lock of this name.
    ///
    /// The lock belongs to the open file, of which every call has its own, so threads exclude each other as processes
    /// do; the system releases it when the process ends for any reason.
    ///
    /// - Throws: ``VaultError/attemptInProgress`` when it is held.
    func excluding<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
        let opened = openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw errno == ELOOP ? refusal : problem(errno) }
        let file = LockableFile(opened)
        do {
            guard try file.lock() else { throw VaultError.attemptInProgress }
        } catch let error as SystemError {
            throw problem(error.errno)
        }
        return try withExtendedLifetime(file) { try body() }
    }
}

extension VaultError {
    /// The vault's error for a failed call on a file.
    init(fileProblem: Int32) {
        switch fileProblem {
        case ENOSPC, EDQUOT: self = .readOnly(.diskFull)
        case EIO: self = .readOnly(.deviceFailed)
        case EACCES, EPERM, EROFS: self = .readOnly(.noPermission)
        default: self = .system(errno: fileProblem)
        }
    }
}

/// Distinguishes two states of a file without reading it.
struct FileStamp: Sendable, Hashable {
    private let inode: UInt64
    private let size: Int64
    /// Nanoseconds; it cannot be set, as the time of writing can.
    private let changed: Int64

    /// - Returns: `nil` when there is no such file.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}
