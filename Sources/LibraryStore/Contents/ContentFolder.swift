package import EchoText
import FileSystem
import Glibc

/// A folder of the library, used through a descriptor, so that no one can replace it meanwhile.
///
/// Path components are opened one by one and never through a link.
final class ContentFolder: Sendable {
    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600
    /// Linux's constant, the same on all architectures; Swift does not import it.
    private static let doNotTouchAccessTime: Int32 = 0o1_000_000

    private let descriptor: Int32
    private let faults: FileFaults

    private init(_ descriptor: Int32, faults: FileFaults) {
        (self.descriptor, self.faults) = (descriptor, faults)
    }

    deinit { close(descriptor) }

    /// Opens the folder at `path`, and creates it when it is missing; its parent exists.
    ///
    /// - Throws: ``VaultError/unsafeFolder`` for a link or a folder of someone else's.
    convenience init(path: String, faults: FileFaults) throws {
        try self.init(at: AT_FDCWD, path, isMade: true, faults: faults)
    }

    /// Opens the subfolder `name`.
    ///
    /// - Throws: ``VaultError/contentMissing`` when it is missing and is not to be created.
    func folder(_ name: String, isMade: Bool) throws -> ContentFolder {
        try ContentFolder(at: descriptor, name, isMade: isMade, faults: faults, parent: self)
    }

    private convenience init(
        at parentDescriptor: Int32,
        _ name: String,
        isMade: Bool,
        faults: FileFaults,
        parent: ContentFolder? = nil
    ) throws {
        let isNew = isMade && mkdirat(parentDescriptor, name, Self.folderMode) == 0
        // On a read-only disk, opening shows whether it exists.
        if isMade, !isNew, errno != EEXIST, errno != EROFS { throw VaultError(writing: errno) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor: Int32 = try faults.perform(.makeFolder) { openat(parentDescriptor, name, flags) }
        self.init(descriptor, faults: faults)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else { throw VaultError.unsafeFolder }
        // This also corrects a folder that a looser umask, or a person, has left open to others.
        if status.st_mode & 0o777 != Self.folderMode {
            guard fchmod(descriptor, Self.folderMode) == 0 else { throw VaultError(writing: errno) }
        }
        if isNew { try parent?.sync() }
    }

    /// Creates a file that only its owner may read, and locks it.
    ///
    /// - Throws: ``VaultError/system(errno:)`` with `EEXIST` when it exists.
    func create(_ name: String) throws -> ContentFile {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = ContentFile(
            try faults.perform(.open) { openat(descriptor, name, flags, Self.fileMode) },
            faults: faults
        )
        guard fchmod(file.descriptor, Self.fileMode) == 0, file.lock() else { throw VaultError(writing: errno) }
        return file
    }

    /// Opens a file for reading without leaving a trace of it.
    ///
    /// - Throws: ``VaultError/contentMissing``; ``VaultError/unsafeFolder`` for a link, a device, or a file of someone else's.
    func open(_ name: String) throws -> ContentFile {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        var opened = openat(descriptor, name, flags | Self.doNotTouchAccessTime)
        if opened < 0, errno == EPERM { opened = openat(descriptor, name, flags) }
        guard opened >= 0 else { throw VaultError(writing: errno) }
        let file = ContentFile(opened, faults: faults)
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { throw VaultError.unsafeFolder }
        return file
    }

    func rename(_ name: String, to target: String) throws {
        try faults.perform(.rename) { renameat(descriptor, name, descriptor, target) }
    }

    /// Moves a file to another folder on the same disk.
    func move(_ name: String, to other: ContentFolder) throws {
        try faults.perform(.rename) { renameat(descriptor, name, other.descriptor, name) }
    }

    /// Removes a file; returns whether it existed.
    @discardableResult
    func remove(_ name: String) throws -> Bool {
        do {
            try faults.perform(.unlink) { unlinkat(descriptor, name, 0) }
            return true
        } catch VaultError.contentMissing {
            return false
        }
    }

    /// Has the names reach the disk.
    func sync() throws {
        try faults.perform(.sync) { fsync(descriptor) }
    }

    /// The names in it, in no order.
    func names() throws -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw VaultError.system(errno: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw VaultError.system(errno: errno) }
        return names
    }

    /// Whether it has something of this name, a link among others.
    func has(_ name: String) -> Bool { changed(name) != nil }

    /// The time of a file's last change (ctime); `nil` if it is missing.
    func changed(_ name: String) -> timespec? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_ctim
    }
}

/// An open file of the library, closed with its last owner.
final class ContentFile: Sendable {
    private let file: LockableFile
    private let faults: FileFaults

    var descriptor: Int32 { file.descriptor }

    /// Takes over `descriptor`.
    init(_ descriptor: Int32, faults: FileFaults) {
        (file, self.faults) = (LockableFile(descriptor), faults)
    }

    func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw VaultError.system(errno: errno) }
        return status
    }

    /// Writes all of `bytes` where the last call ended.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try bytes.writeAll { rest in
            try faults.perform(.write) { Glibc.write(descriptor, rest.baseAddress, rest.count) }
        } orThrow: {
            VaultError(writing: $0)
        }
    }

    /// Fills `buffer` from a position in the file.
    ///
    /// - Throws: ``VaultError/contentDamaged`` when the file ends before.
    func read(at place: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor,
                buffer.baseAddress?.advanced(by: done),
                buffer.count - done,
                off_t(place + done)
            )
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw VaultError.system(errno: errno) }
            guard count > 0 else { throw VaultError.contentDamaged }
            done += count
        }
    }

    /// Has everything reach the disk; after a failure its state is unknown, and a second try would not reveal it.
    func sync() throws {
        try faults.perform(.sync) { fsync(descriptor) }
    }

    /// Sets the times of the last change and use to 1970.
    func forgetTimes() throws {
        let times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
        try faults.perform(.setTimes) { futimens(descriptor, times) }
    }

    /// Locks the file unless another process has; the lock ends when the file is closed or the process ends.
    func lock() -> Bool { (try? file.lock()) ?? false }
}

/// The name of the file inside an encrypted one, for a person who decrypts it without EchoText.
///
/// It shows the kind of the file, not the person's name for it: the database has that name, which may be longer than a
/// file name.
package enum SealedName: Sendable, Hashable {
    /// A whole recording.
    case recording
    /// The file that a recording was imported from, with the ending of its name.
    case imported(ending: String?)
    /// A stretch of a recording that is being made.
    case recorded
    /// Sentences of a narration that is being made.
    case segment
    /// A document as it was given.
    case original(DocumentKind)
    /// The text of a document.
    case text
    /// Phrases that are remembered.
    case speech
    case take

    var text: String {
        switch self {
        case .recording: "recording.wav"
        case .imported(let ending): ending.map { "file.\($0)" } ?? "file"
        case .recorded: "recording.pcm"
        case .segment: "segment.pcm"
        case .original(let kind): "document.\(kind.fileExtension)"
        case .text: "text.txt"
        case .speech: "speech.pcm"
        case .take: "take.wav"
        }
    }
}
