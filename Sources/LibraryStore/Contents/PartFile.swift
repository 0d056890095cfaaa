import Crypto
import EchoText
import Foundation
import Glibc

/// An encrypted file that grows while its content is made, and whose flushed bytes can be recovered after a kill.
///
/// It has an age header, a nonce, then records: the length of the encrypted bytes in four bytes, big-endian, and these
/// bytes, encrypted by ChaCha20-Poly1305 with the record's number as nonce. The first record holds the content's name.
/// The key is derived from the age header's file key with its own label. A file is never resumed after its process has
/// ended: its bytes are copied to a new file with a new key, so that no nonce is used for two different records.
final class PartFile {
    private static let label = "echotext part"
    private static let lengthSize = 4

    private let file: ContentFile
    private let cipher: AgeChunkCipher
    private let start: Int
    private var pending: [UInt8] = []
    private var records = 0
    private var end: Int

    let name: String
    /// Bytes that were put in, flushed or not.
    private(set) var length = 0

    /// Begins a part in an empty file.
    init(in file: ContentFile, name: String, recipient: AgeRecipient) throws {
        let fileKey = SecretBytes(randomBytes: AgeHeader.fileKeySize)
        let header = try AgeHeader(stanzas: [recipient.stanza(wrapping: fileKey)], fileKey: fileKey).bytes
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<AgeChunkCipher.nonceSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce, label: Self.label)
        (self.file, self.name, start) = (file, name, header.count + nonce.count)
        end = start
        try (header + nonce).withUnsafeBytes { try file.write($0) }
        try Array(name.utf8).withUnsafeBytes { try append($0) }
    }

    /// Opens a part of another process for reading only.
    ///
    /// - Throws: ``VaultError/contentDamaged`` when not even its name can be read.
    init(reading file: ContentFile, identities: [AgeIdentity]) throws {
        let size = Int(try file.status().st_size)
        var input = AgeHeaderInput(size: size) { try file.read(at: $0, into: $1) }
        do {
            let header = try AgeHeader { try input.nextLine() }
            let fileKey = try identities.fileKey(from: header)
            var nonce = [UInt8](repeating: 0, count: AgeChunkCipher.nonceSize)
            try nonce.withUnsafeMutableBytes { try file.read(at: header.bytes.count, into: $0) }
            cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce, label: Self.label)
            start = header.bytes.count + nonce.count
        } catch is AgeError {
            throw VaultError.contentDamaged
        }
        self.file = file
        end = start
        guard let name = try Self.record(in: file, at: start, upTo: size, number: 0, cipher: cipher) else {
            throw VaultError.contentDamaged
        }
        self.name = String(decoding: name, as: UTF8.self)
        records = 1
        end = start + Self.lengthSize + name.count + AgeChunkCipher.tagSize
        let first = end
        try forEachRecord(from: first, upTo: size) { record in
            length += record.count
            end += Self.lengthSize + record.count + AgeChunkCipher.tagSize
        }
    }

    /// Writes any number of bytes; they survive a kill once a record is full, or after ``flush()``.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        length += bytes.count
        var rest = bytes[...]
        while pending.count + rest.count >= AgeChunkCipher.plainSize {
            let taken = rest.prefix(AgeChunkCipher.plainSize - pending.count)
            pending += taken
            rest = rest.dropFirst(taken.count)
            try writePending()
        }
        pending += rest
    }

    /// Syncs everything to the disk, so that it survives a kill and a power cut.
    func flush() throws {
        if !pending.isEmpty { try writePending() }
        try file.sync()
    }

    /// Reads back the flushed bytes.
    ///
    /// - Throws: ``VaultError/contentDamaged`` when some of them are missing.
    func forEachRecord(_ body: ([UInt8]) throws -> Void) throws {
        precondition(pending.isEmpty, "not all of the part is flushed")
        let first = start + Self.lengthSize + name.utf8.count + AgeChunkCipher.tagSize
        var read = 0
        try forEachRecord(from: first, upTo: end) { record in
            read += record.count
            try body(record)
        }
        guard read == length else { throw VaultError.contentDamaged }
    }

    private func forEachRecord(from first: Int, upTo end: Int, _ body: ([UInt8]) throws -> Void) throws {
        var (place, number) = (first, 1)
        while let record = try Self.record(in: file, at: place, upTo: end, number: number, cipher: cipher) {
            try body(record)
            place += Self.lengthSize + record.count + AgeChunkCipher.tagSize
            number += 1
        }
    }

    private func writePending() throws {
        try pending.withUnsafeBytes { try append($0) }
        pending.removeAll(keepingCapacity: true)
    }

    private func append(_ plain: UnsafeRawBufferPointer) throws {
        let size = plain.count + AgeChunkCipher.tagSize
        var record = [UInt8](repeating: 0, count: Self.lengthSize + size)
        record.withUnsafeMutableBytes { record in
            record.storeBytes(of: UInt32(size).bigEndian, as: UInt32.self)
            let sealed = UnsafeMutableRawBufferPointer(rebasing: record[Self.lengthSize...])
            cipher.seal(plain, number: records, isLast: false, into: sealed)
        }
        records += 1
        end += record.count
        try record.withUnsafeBytes { try file.write($0) }
    }

    /// Returns `nil` where there is no complete and authentic record.
    private static func record(in file: ContentFile, at place: Int, upTo end: Int, number: Int, cipher: AgeChunkCipher)
        throws -> [UInt8]?
    {
        guard place + lengthSize <= end else { return nil }
        var size: UInt32 = 0
        try withUnsafeMutableBytes(of: &size) { try file.read(at: place, into: $0) }
        let count = Int(UInt32(bigEndian: size))
        guard (AgeChunkCipher.tagSize...AgeChunkCipher.sealedSize).contains(count), place + lengthSize + count <= end
        else {
            return nil
        }
        var sealed = [UInt8](repeating: 0, count: count)
        try sealed.withUnsafeMutableBytes { try file.read(at: place + lengthSize, into: $0) }
        var plain = [UInt8](repeating: 0, count: count - AgeChunkCipher.tagSize)
        let isAuthentic = plain.withUnsafeMutableBytes { plain in
            sealed.withUnsafeBytes { cipher.open($0, number: number, isLast: false, into: plain) }
        }
        return isAuthentic ? plain : nil
    }
}

/// The kinds of calls with which contents touch the disk.
package enum FileCall: String, Sendable, CaseIterable, Codable {
    case makeFolder, open, write, sync, rename, unlink, setTimes
}

/// Injects faults into those calls in tests; none in the program.
package struct FileFaults: Sendable {
    package static let none = FileFaults { _ in nil }

    /// Asked before each call; a number of `errno` makes it fail with that, and it is not made.
    let failure: @Sendable (FileCall) -> Int32?

    package init(failure: @escaping @Sendable (FileCall) -> Int32?) {
        self.failure = failure
    }

    /// Makes a system call, and repeats it if a signal interrupts it.
    ///
    /// - Returns: What the call returned, 0 or more.
    /// - Throws: ``VaultError``.
    func perform(_ call: FileCall, _ body: () -> Int) throws -> Int {
        while true {
            if let failure = failure(call) { throw VaultError(writing: failure) }
            let result = body()
            if result >= 0 { return result }
            guard errno == EINTR else { throw VaultError(writing: errno) }
        }
    }

    @discardableResult
    func perform(_ call: FileCall, _ body: () -> Int32) throws -> Int32 {
        Int32(truncatingIfNeeded: try perform(call) { Int(body()) })
    }
}

extension VaultError {
    /// The case for a call that failed.
    init(writing errno: Int32) {
        self =
            switch errno {
            case ENOSPC, EDQUOT, EFBIG: .readOnly(.diskFull)
            case EIO: .readOnly(.deviceFailed)
            case EACCES, EPERM, EROFS: .readOnly(.noPermission)
            case ELOOP, ENOTDIR, EISDIR: .unsafeFolder
            case ENOENT: .contentMissing
            default: .system(errno: errno)
            }
    }
}
