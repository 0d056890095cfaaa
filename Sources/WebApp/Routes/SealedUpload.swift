import Crypto
import EchoText
import Foundation
import Synchronization

/// An uploaded file, encrypted on disk: in an unnamed file, with a key that exists in memory only.
///
/// Hours of sound and pictures do not fit into memory, and a plain temporary file could be read by others or found
/// later.
final class SealedUpload: StoredBytes {
    /// Bytes that are sealed at once.
    private static let blockLength = 256 << 10
    /// ChaChaPoly's tag.
    private static let tagLength = 16

    private let descriptor: Int32
    private let key = SymmetricKey(size: .bits256)
    private let disk = BlockingExecutor(label: "upload")
    private let size = Atomic(0)
    /// The bytes that do not fill a block yet; empty once the upload is complete.
    private let rest = Mutex(Data())

    /// - Parameter folder: The folder whose disk is used.
    /// - Throws: ``VaultError/system(errno:)``.
    init(in folder: String) throws {
        descriptor = Self.unnamedFile(in: folder)
        guard descriptor >= 0 else { throw Self.failure }
    }

    /// Opens a file that has no name; −1 with the reason in `errno` when it cannot be had.
    private static func unnamedFile(in folder: String) -> Int32 {
        let unnamed = open(folder, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        guard unnamed < 0, [EOPNOTSUPP, EISDIR].contains(errno) else { return unnamed }
        // Some file systems do not support unnamed files; the name is removed at once.
        var path = Array("\(folder)/.upload-XXXXXX".utf8CString)
        let named = mkstemp(&path)
        guard named >= 0 else { return named }
        unlink(path)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

    deinit { close(descriptor) }

    var length: Int { size.load(ordering: .acquiring) }

    /// Adds bytes; one caller at a time.
    func append(_ bytes: Data) async throws {
        let blocks = rest.withLock { rest in
            rest.append(bytes)
            var blocks: [Data] = []
            while rest.count >= Self.blockLength {
                blocks.append(Data(rest.prefix(Self.blockLength)))
                rest = Data(rest.dropFirst(Self.blockLength))
            }
            return blocks
        }
        for block in blocks { try await write(block) }
    }

    /// Completes the upload; it can be read only afterwards.
    func finish() async throws {
        let last = rest.withLock { rest in
            defer { rest = Data() }
            return rest
        }
        if !last.isEmpty { try await write(last) }
    }

    /// - Throws: ``VaultError/contentDamaged`` when the bytes on disk are not what was written.
    func read(_ range: Range<Int>) async throws -> Data {
        guard !range.isEmpty else { return Data() }
        let length = length
        return try await disk.run { [self] in
            var data = Data(capacity: range.count)
            for block in range.lowerBound / Self.blockLength...(range.upperBound - 1) / Self.blockLength {
                let start = block * Self.blockLength
                let opened = try opened(block, length: min(Self.blockLength, length - start))
                let part = range.clamped(to: start..<start + opened.count)
                data.append(opened[(part.lowerBound - start)..<(part.upperBound - start)])
            }
            return data
        }
    }

    private func write(_ block: Data) async throws {
        let start = length
        try await disk.run { [self] in
            let number = start / Self.blockLength
            let sealed = try ChaChaPoly.seal(block, using: key, nonce: Self.nonce(number))
            try Self.write(sealed.ciphertext + sealed.tag, to: descriptor, at: Self.place(of: number))
        }
        size.store(start + block.count, ordering: .releasing)
    }

    private func opened(_ number: Int, length: Int) throws -> Data {
        var sealed = Data(count: length + Self.tagLength)
        var done = 0
        while done < sealed.count {
            let count = sealed.withUnsafeMutableBytes {
                pread(
                    descriptor,
                    $0.baseAddress?.advanced(by: done),
                    $0.count - done,
                    off_t(Self.place(of: number) + done)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw VaultError.contentDamaged }
            done += count
        }
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: Self.nonce(number),
                ciphertext: sealed.prefix(length),
                tag: sealed.suffix(Self.tagLength)
            )
            return try ChaChaPoly.open(box, using: key)
        } catch {
            throw VaultError.contentDamaged
        }
    }

    /// Each number is used once under the key.
    private static func nonce(_ number: Int) throws -> ChaChaPoly.Nonce {
        let counter = withUnsafeBytes(of: UInt64(number).littleEndian) { Data($0) }
        return try ChaChaPoly.Nonce(data: counter + Data(count: 4))
    }

    private static func place(of number: Int) -> Int { number * (blockLength + tagLength) }

    private static func write(_ bytes: Data, to descriptor: Int32, at place: Int) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(place + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            done += count
        }
    }

    /// The error of the system call that has just failed.
    private static var failure: VaultError { .system(errno: errno) }
}
