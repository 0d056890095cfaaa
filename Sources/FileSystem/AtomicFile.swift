package import CProcess
import EchoText
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

/// A file of the person's, read by ranges; only a regular file, so that reading never blocks for long.
package final class StoredFile: StoredBytes {
    package let length: Int
    private let name: String
    private let descriptor: ReadableDescriptor
    private let opened: ReadableDescriptor.Version
    private let executor = BlockingExecutor(label: "file")

    /// - Throws: ``TextSourceError/notFound(file:)``, ``SoundImportError/unknownKind(found:)`` for a folder,
    ///   ``TextSourceError/unreadable(file:)``, ``TextSourceError/noFile(name:)``.
    package init(at path: String) throws {
        name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw TextSourceError.notFound(file: name)
        }
        guard !isFolder.boolValue else { throw SoundImportError.unknownKind(found: "a folder") }
        guard let descriptor = ReadableDescriptor(path: path) else { throw TextSourceError.unreadable(file: name) }
        guard let opened = descriptor.version else { throw TextSourceError.noFile(name: name) }
        (self.descriptor, self.opened, length) = (descriptor, opened, opened.size)
    }

    /// Whether the file is longer by now than it was when it was opened, as one that is still being downloaded.
    package var hasGrown: Bool { descriptor.size.map { $0 > length } ?? false }

    /// - Throws: ``TextSourceError/unreadable(file:)``; ``TextSourceError/changed(file:)`` once the file was written over or
    ///   truncated, as what was read before does not belong to the rest then.
    package func read(_ range: Range<Int>) async throws -> Data {
        try await executor.run { [descriptor, name, opened] in
            var data = Data(capacity: range.count)
            while data.count < range.count {
                let start = range.lowerBound + data.count
                guard let block = descriptor.block(at: start, upTo: range.upperBound - start) else {
                    throw TextSourceError.unreadable(file: name)
                }
                guard !block.isEmpty else { throw TextSourceError.changed(file: name) }
                data.append(block)
            }
            guard descriptor.version?.overwrites(opened) == false else { throw TextSourceError.changed(file: name) }
            return data
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes all bytes at the current position of `descriptor`.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to.
    ///   - failure: Makes the error from an `errno`.
    /// - Throws: The error of `failure`, when a write fails; some bytes may have been written.
    package func writeAll(to descriptor: Int32, orThrow failure: (_ number: Int32) -> any Error) throws {
        try writeAll(by: { write(descriptor, $0.baseAddress, $0.count) }, orThrow: failure)
    }

    /// Writes all bytes to a pipe.
    ///
    /// - Returns: Whether all bytes were written; `false` without a signal if the pipe has no reader.
    package func writeAll(toPipe descriptor: Int32) -> Bool {
        (try? writeAll(by: { child_write(descriptor, $0.baseAddress, $0.count) }, orThrow: SystemError.init(errno:)))
            != nil
    }

    /// Writes all bytes with as many calls of `write` as needed.
    ///
    /// - Parameters:
    ///   - write: Writes the first of the remaining bytes and returns how many, 0 to be called again, or −1 with the
    ///     reason in `errno`, like write(2).
    ///   - failure: Makes the error from an `errno`; after an interruption by a signal, `write` is called again
    ///     instead.
    /// - Throws: The error of `failure`, or the one that `write` throws.
    package func writeAll(
        by write: (_ rest: UnsafeRawBufferPointer) throws -> Int,
        orThrow failure: (_ number: Int32) -> any Error
    ) throws {
        var rest = self
        while !rest.isEmpty {
            let count = try write(rest)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno != EINTR {
                throw failure(errno)
            }
        }
    }
}

/// The free space of a disk.
package enum FreeSpace {
    /// The bytes that this user can still write on the disk of `path`; `nil` if unknown.
    package static func bytes(at path: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(path, &facts) == 0 else { return nil }
        return Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
    }
}

/// A failed system call.
package struct SystemError: Error, Equatable {
    /// The reason.
    ///
    /// - SeeAlso: errno(3).
    package let errno: Int32

    package init(errno: Int32) {
        self.errno = errno
    }

    /// The error of the system call that has just failed.
    static var last: SystemError { SystemError(errno: Foundation.errno) }
}
