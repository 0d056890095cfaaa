import CSndFile
import EchoText
import FileSystem
import Glibc
import Synchronization

/// Where encoded bytes go: a file that appears when it is whole, a stream, or memory.
///
/// A path that names a regular file, or nothing yet, is written beside its place, in a hidden file of its folder that
/// has the permissions the finished file will have: those of the file it replaces, or else what the umask leaves of
/// 0666. It is locked for as long as it is written, so that those of ended processes are known and taken away. Anything else (a device, a FIFO, an open descriptor) is a stream and takes bytes in order only.
final class OutputFile {
    private enum Target {
        case partial(at: String, for: String, permissions: mode_t?)
        case stream(closing: Bool)
        /// The file belongs to whoever gave it.
        case memory(MemoryFile)
        /// A stream whose bytes somebody takes from here.
        case collected
    }

    /// The most that a pipe takes at once without blocking when it is ready, on every Linux.
    private static let pipeBuffer = 4_096

    private let interruption: WaitInterruption
    private let target: Target
    private let name: String
    /// −1 once closed.
    private var descriptor: Int32
    /// The hidden file, as long as it is open.
    private var partial: LockableFile?
    /// Whether it is put into its place only while that is unused, as it was when it was opened.
    private var staysBeside = false
    private var collected: [UInt8] = []
    /// Bytes from the first to the last that was written.
    private(set) var length: Int64 = 0

    /// True when bytes cannot be written twice.
    var isStream: Bool {
        switch target {
        case .stream, .collected: true
        case .partial, .memory: false
        }
    }

    /// The hidden file as another program can be given it to write; `nil` for a stream.
    var lentDescriptor: Int32? { isStream || descriptor < 0 ? nil : descriptor }

    /// Writes to a descriptor that the caller keeps open, and closes.
    init(descriptor: Int32, interruption: WaitInterruption) {
        self.descriptor = descriptor
        self.interruption = interruption
        name = "standard output"
        target = .stream(closing: false)
    }

    /// Opens `path` for writing.
    ///
    /// A FIFO is waited for until something reads it.
    ///
    /// - Parameters:
    ///   - path: Where to write.
    ///   - leavesUnfinished: Whether the unfinished file can be seen, and stays when the program is ended.
    ///   - interruption: Ends waits.
    /// - Throws: ``AudioFileError``, or `CancellationError`.
    init(path: String, leavesUnfinished: Bool = false, interruption: WaitInterruption) throws {
        self.interruption = interruption
        name = path.split(separator: "/").last.map(String.init) ?? path
        let (place, status) = try Self.place(of: path)
        guard let status, status.st_mode & S_IFMT != S_IFREG else {
            let (file, target) = try Self.openPartial(for: place, replacing: status, isVisible: leavesUnfinished)
            (partial, descriptor, self.target) = (file, file.descriptor, target)
            staysBeside = leavesUnfinished && status == nil
            return
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw AudioFileError.isFolder(file: name) }
        descriptor = try Self.openStream(at: place, interruption)
        target = .stream(closing: true)
    }

    /// Writes into memory, where it can be read from when it is whole.
    init(memory file: MemoryFile, interruption: WaitInterruption) {
        self.interruption = interruption
        descriptor = file.descriptor
        name = "memory"
        target = .memory(file)
    }

    /// Collects a stream, for whoever calls ``takeCollected()``.
    init(collectingFor interruption: WaitInterruption) {
        self.interruption = interruption
        descriptor = -1
        name = "stream"
        target = .collected
    }

    deinit { discard() }

    /// The bytes that have come since the last call.
    func takeCollected() -> [UInt8] {
        defer { collected = [] }
        return collected
    }

    /// Writes all of `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: Any number of them.
    ///   - position: Bytes from the start of the file; for a stream, always ``length``.
    /// - Throws: ``AudioFileError``, or `CancellationError` when interrupted while a stream was not taking any.
    func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws {
        precondition(!isStream || position == length, "a stream cannot be written at \(position), only at \(length)")
        if case .collected = target {
            collected += bytes
            length += Int64(bytes.count)
            return
        }
        try bytes.writeAll {
            let count = try writeSome($0, at: position + Int64(bytes.count - $0.count))
            return count < 0 && errno == EAGAIN ? 0 : count
        } orThrow: {
            AudioFileError(errno: $0, file: name)
        }
        length = max(length, position + Int64(bytes.count))
    }

    private func writeSome(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws -> Int {
        guard isStream else { return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(position)) }
        try interruption.waitUntilWritable(descriptor)
        return Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.pipeBuffer))
    }

    /// Cuts off what a failed write has left of its bytes.
    func cutToLength() {
        guard let lentDescriptor else { return }
        // Where that fails, half a frame of sound stays at the end.
        _ = ftruncate(lentDescriptor, off_t(length))
    }

    /// Writes what there is of an unfinished file to the disk, where a power failure leaves it.
    func secure() throws(AudioFileError) {
        guard descriptor >= 0, case .partial = target, fdatasync(descriptor) != 0 else { return }
        switch errno {
        case EINTR, EINVAL, ENOSYS, EOPNOTSUPP: break  // The file system cannot, or not now; nothing is lost by that.
        default: throw AudioFileError(errno: errno, file: name)
        }
    }

    /// Puts the file into its place, on the disk and not only in memory.
    ///
    /// An unfinished file that can be seen replaces nothing that has come there since it was opened, such as a recording.
    func commit() throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        guard case .partial(let partial, let place, let permissions) = target else {
            if case .memory(let file) = target { file.seal(length: length) }
            return discard()
        }
        if let permissions, fchmod(descriptor, permissions) != 0 { throw AudioFileError(errno: errno, file: name) }
        guard fsync(descriptor) == 0 else { throw AudioFileError(errno: errno, file: name) }
        guard put(partial, into: place) else { throw AudioFileError(errno: errno, file: name) }
        self.partial = nil
        descriptor = -1
        let folder = open(Self.folder(of: place), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }  // the file is whole; only its name may be lost with the power
        fsync(folder)
        close(folder)
    }

    private func put(_ partial: String, into place: String) -> Bool {
        if staysBeside {
            if link(partial, place) == 0 {
                unlink(partial)
                return true
            }
            // Not every disk has files of two names.
            guard errno != EEXIST else { return false }
        }
        return rename(partial, place) == 0
    }

    /// Closes a file that could not be renamed to its path, and leaves it next to it.
    func leave() {
        guard descriptor >= 0, case .partial = target else { return discard() }
        partial = nil
        descriptor = -1
    }

    /// Closes without keeping anything.
    ///
    /// Does nothing after ``commit()``.
    func discard() {
        guard descriptor >= 0 else { return }
        switch target {
        case .partial(let path, _, _):
            unlink(path)
            partial = nil
        case .stream(let closing):
            if closing { close(descriptor) }
        case .memory, .collected: break
        }
        descriptor = -1
    }
}

extension OutputFile {
    /// Checks, before the work that a file is for, that it can be written; a device or FIFO is not opened.
    static func check(_ path: String) throws(AudioFileError) {
        let (place, status) = try place(of: path)
        switch status.map({ $0.st_mode & S_IFMT }) {
        case S_IFDIR?: throw AudioFileError(errno: EISDIR, file: path)
        case S_IFREG?, nil:
            guard access(folder(of: place), W_OK | X_OK) == 0 else { throw AudioFileError(errno: errno, file: path) }
        default: break
        }
    }

    /// Whether a regular file is at the path or would be made there, and no device or FIFO; symbolic links are followed.
    static func isRegular(at path: String) -> Bool {
        guard let (_, status) = try? place(of: path) else { return false }
        return status.map { $0.st_mode & S_IFMT == S_IFREG } ?? true
    }

    /// The path, of a file with its symbolic links followed, and what is there.
    private static func place(of path: String) throws(AudioFileError) -> (String, stat?) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard access(path, W_OK) == 0 else { throw AudioFileError(errno: errno, file: path) }
            // The real name of a pipe under /dev/fd names nothing that can be opened.
            guard status.st_mode & S_IFMT == S_IFREG else { return (path, status) }
            guard let resolved = realpath(path, nil) else { throw AudioFileError(errno: errno, file: path) }
            defer { free(resolved) }
            return (String(cString: resolved), status)
        }
        guard errno == ENOENT else { throw AudioFileError(errno: errno, file: path) }
        guard !path.isEmpty else { throw .fileMissing(file: "") }
        guard !path.hasSuffix("/") else { throw .folderMissing(file: path) }
        // It would be replaced by the file, and a disk that is not there now be forgotten.
        if let target = linkTarget(of: path) {
            throw .linkToNothing(file: path.split(separator: "/").last.map(String.init) ?? path, target: target)
        }
        return (path, nil)
    }

    /// The path in a symbolic link, as it is written; `nil` for anything else.
    private static func linkTarget(of path: String) -> String? {
        let most = Int(PATH_MAX)
        var bytes = [CChar](repeating: 0, count: most)
        let count = readlink(path, &bytes, most)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func openPartial(
        for place: String,
        replacing old: stat?,
        isVisible: Bool
    ) throws(AudioFileError) -> (LockableFile, Target) {
        let permissions = old.map { $0.st_mode & 0o777 }
        let folder = folder(of: place)
        if swept.withLock({ $0.insert(folder).inserted }) { sweep(folder) }
        var (isCut, number) = (false, 1)
        while true {
            let unique = String(UInt64.random(in: .min ... .max), radix: 36)
            let hidden = "\(folder)/\(beginning)\(unique)\(ending)"
            let partial = isVisible ? unfinished(place, number, isCut: isCut) : hidden
            let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions ?? 0o666)
            if descriptor >= 0 {
                let file = LockableFile(descriptor)
                // Where there are no locks, nobody takes anything away either.
                let isLocked = (try? file.lock(waits: true)) ?? false
                if isLocked, file.isRemoved { continue }  // It was taken away before it was locked.
                return (file, .partial(at: partial, for: place, permissions: permissions))
            }
            switch errno {
            case EEXIST: number += 1
            case ENAMETOOLONG where isVisible && !isCut: isCut = true
            default: throw AudioFileError(errno: errno, file: place)
            }
        }
    }

    /// The name of an unfinished file that can be seen and was left by a process that has ended; `nil` if there is none.
    static func leftUnfinished(of path: String) -> String? {
        // Recording will say why the place cannot be used.
        guard let found = try? place(of: path) else { return nil }
        var (isCut, number) = (false, 1)
        while true {
            let left = unfinished(found.0, number, isCut: isCut)
            let descriptor = open(left, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            if descriptor >= 0 {
                // Where there are no locks, nobody knows whether it is still written.
                if (try? LockableFile(descriptor).lock()) == true {
                    return left.split(separator: "/").last.map(String.init)
                }
                number += 1
            } else if errno == ENAMETOOLONG, !isCut {
                isCut = true
            } else {
                return nil
            }
        }
    }

    /// The path of an unfinished file that can be seen, such as “note (unfinished).wav”; numbered from 2 on.
    ///
    /// `isCut`: whether the end of the name makes room for the words, so that it is no longer than the finished file's.
    private static func unfinished(_ place: String, _ number: Int, isCut: Bool) -> String {
        let words = number == 1 ? " (unfinished)" : " (unfinished \(number))"
        let name = place.lastIndex(of: "/").map { place[place.index(after: $0)...] } ?? place[...]
        let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
        var (stem, ending) = (name[..<dot], name[dot...])
        if isCut {
            // An ending that leaves no room is cut with the rest.
            if stem.utf8.count <= words.utf8.count { (stem, ending) = (name, "") }
            let length = max(0, stem.utf8.count - words.utf8.count)
            while stem.utf8.count > length { stem.removeLast() }
        }
        return "\(place[..<name.startIndex])\(stem)\(words)\(ending)"
    }

    private static let beginning = ".echotext-"
    private static let ending = ".partial"

    /// The folders that this process has looked through already.
    private static let swept = Mutex<Set<String>>([])

    /// Takes away what ended processes have left half written in a folder; what cannot be taken away stays.
    private static func sweep(_ folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        let base = dirfd(stream)
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(beginning), name.hasSuffix(ending) else { continue }
            let descriptor = openat(base, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            let file = LockableFile(descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                (try? file.lock()) == true
            else { continue }
            _ = withExtendedLifetime(file) { unlinkat(base, name, 0) }
        }
    }

    /// A descriptor of our own, so that making it non-blocking disturbs nobody.
    private static func openStream(at path: String, _ interruption: WaitInterruption) throws -> Int32 {
        while true {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            guard descriptor < 0 else { return descriptor }
            // A FIFO that nobody reads yet says so, and has no event for the reader's arrival.
            guard errno == ENXIO else { throw AudioFileError(errno: errno, file: path) }
            try interruption.pause(milliseconds: 50)
        }
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// An ``OutputFile`` as libsndfile sees it: with a position, and failures that are kept instead of lost.
///
/// libsndfile takes every file for one that it may write again. On a stream, what it writes a second time (lengths that
/// are known only at the end) has gone already and is dropped: those headers keep saying “unknown”.
final class VirtualFile {
    private let file: OutputFile
    private var position: Int64 = 0
    /// The first failure; nothing is written after it.
    private var failure: (any Error)?

    init(_ file: OutputFile) {
        self.file = file
    }

    func rethrowFailure() throws {
        if let failure { throw failure }
    }

    /// The callbacks for libsndfile; each takes the pointer that ``pointer`` gives.
    static var callbacks: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { VirtualFile.at($0).file.length },
            seek: { offset, whence, user in VirtualFile.at(user).seek(offset, whence) },
            read: { _, _, _ in 0 },
            write: { bytes, count, user in
                VirtualFile.at(user).write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            },
            tell: { VirtualFile.at($0).position }
        )
    }

    /// Valid as long as this object lives.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func at(_ pointer: UnsafeMutableRawPointer?) -> VirtualFile {
        guard let pointer else { preconditionFailure("libsndfile lost the file it was given") }
        return Unmanaged<VirtualFile>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        switch whence {
        case SEEK_SET: position = offset
        case SEEK_CUR: position += offset
        default: position = file.length + offset
        }
        return position
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        guard failure == nil else { return 0 }
        let gone = file.isStream ? min(bytes.count, Int(max(0, file.length - position))) : 0
        do {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[gone...])
            if !rest.isEmpty { try file.write(rest, at: position + Int64(gone)) }
        } catch {
            failure = error
            return 0
        }
        position += Int64(bytes.count)
        return Int64(bytes.count)
    }
}
