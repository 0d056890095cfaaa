import EchoText
import Foundation

/// Opens an age file that comes as a stream, such as a pipe.
///
/// Its output is authentic and in order; whether the file was complete is known only when ``next()`` has given
/// nil. Calls block; they belong on an executor that may.
package final class AgeStreamReader {
    private static let batch = AgeChunkCipher.batch * AgeChunkCipher.sealedSize

    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private let cipher: AgeChunkCipher
    /// The bytes that were read and not opened yet.
    private var pending: [UInt8]
    private var chunks = 0
    private var isAtEnd = false
    private var isDone = false

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - keys: What is tried on it.
    ///   - source: Fills the start of a buffer with the next bytes and says how many they are; 0 at the end.
    /// - Throws: ``AgeError``, ``VaultError/locked`` and what `source` throws.
    package init(keys: AgeKeys, source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) throws {
        var input = AgeHeaderInput(source: source)
        let header = try AgeHeader { try input.nextLine() }
        let fileKey = try keys.fileKey(from: header)
        while input.pending.count < AgeChunkCipher.nonceSize {
            guard try input.readMore(upTo: AgeChunkCipher.nonceSize) else { throw AgeError.header }
        }
        cipher = try AgeChunkCipher(fileKey: fileKey, nonce: Array(input.pending.prefix(AgeChunkCipher.nonceSize)))
        pending = Array(input.pending.dropFirst(AgeChunkCipher.nonceSize))
        self.source = source
    }

    /// The next bytes, at most 1 MiB and a chunk; nil at the end of a file that was whole.
    ///
    /// - Throws: ``AgeError/payload`` once what is left is not authentic, and what the source throws.
    package func next() throws -> [UInt8]? {
        guard !isDone else { return nil }
        try fill()
        // More is needed than a batch to know that the batch does not end the file.
        guard isAtEnd else { return try open(Self.batch, endsFile: false) }
        let plain = pending.count > Self.batch ? try open(Self.batch, endsFile: false) : try openEnd()
        return plain.isEmpty && isDone ? nil : plain
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while !isAtEnd, pending.count <= Self.batch {
            let count = try buffer.withUnsafeMutableBytes { try source($0) }
            buffer.withUnsafeBytes { pending += UnsafeRawBufferPointer(rebasing: $0[..<count]) }
            isAtEnd = count == 0
        }
    }

    /// Opens `count` pending bytes, whole chunks none of which is the file's last.
    private func open(_ count: Int, endsFile: Bool) throws -> [UInt8] {
        let (plain, good) = pending.withUnsafeBytes {
            cipher.open(UnsafeRawBufferPointer(rebasing: $0[..<count]), from: chunks, endsFile: endsFile)
        }
        pending.removeFirst(min(count, good * AgeChunkCipher.sealedSize))
        chunks += good
        guard plain.isEmpty else { return plain }
        // A last chunk with something behind it is authentic itself.
        guard let last = openFull(isLast: true) else { throw AgeError.payload }
        pending = [0]
        isAtEnd = true
        return last
    }

    /// Opens what is left, which ends the file.
    private func openEnd() throws -> [UInt8] {
        guard chunks == 0 || pending.count > AgeChunkCipher.tagSize else { throw AgeError.payload }
        let wanted = (pending.count + AgeChunkCipher.sealedSize - 1) / AgeChunkCipher.sealedSize
        let hasEmptyEnd = wanted > 1 && pending.count % AgeChunkCipher.sealedSize == AgeChunkCipher.tagSize
        let (plain, good) = pending.withUnsafeBytes { cipher.open($0, from: chunks, endsFile: true) }
        if wanted > 0, good == wanted, !hasEmptyEnd {
            isDone = true
            pending = []
            return plain
        }
        let authentic = hasEmptyEnd ? min(good, wanted - 1) : good
        guard authentic > 0 else { return try openBrokenEnd() }
        chunks += authentic
        pending.removeFirst(authentic * AgeChunkCipher.sealedSize)
        return Array(plain.prefix(authentic * AgeChunkCipher.plainSize))
    }

    /// Opens a chunk that cannot be followed by what is there, for what is authentic of it; the next call fails.
    ///
    /// It is the file's last before other bytes, or one that says another follows where none does.
    private func openBrokenEnd() throws -> [UInt8] {
        let isAlone = pending.count <= AgeChunkCipher.sealedSize
        guard let plain = openFull(isLast: !isAlone) else { throw AgeError.payload }
        chunks += 1
        pending = [0]
        return plain
    }

    private func openFull(isLast: Bool) -> [UInt8]? {
        guard pending.count >= AgeChunkCipher.sealedSize else { return nil }
        let (plain, good) = pending.withUnsafeBytes {
            let chunk = UnsafeRawBufferPointer(rebasing: $0[..<AgeChunkCipher.sealedSize])
            return cipher.open(chunk, from: chunks, endsFile: isLast)
        }
        return good == 1 ? plain : nil
    }
}

/// Reads the lines of a header from a stream and keeps what was read beyond them.
struct AgeHeaderInput {
    private let source: (UnsafeMutableRawBufferPointer) throws -> Int
    private(set) var pending: [UInt8] = []
    private var taken = 0

    init(source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.source = source
    }

    /// The next line without its end; nil when the stream ends before it does, or the header is too long.
    mutating func nextLine() throws -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[..<end]
                pending = Array(pending[(end + 1)...])
                taken += line.count + 1
                return line
            }
            searched = pending.count
            guard taken + pending.count <= AgeHeader.largest, try readMore(upTo: 4_096) else { return nil }
        }
    }

    /// Reads more, at most `count` bytes; false at the end.
    mutating func readMore(upTo count: Int) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: count)
        let read = try buffer.withUnsafeMutableBytes { try source($0) }
        pending += buffer[..<read]
        return read > 0
    }
}
