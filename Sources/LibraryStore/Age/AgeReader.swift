import Dispatch
import EchoText
package import Foundation
import Glibc

/// Reads an age file by ranges.
///
/// The last chunk is opened before any other, so that a file that was cut short gives nothing; no byte is given whose chunk
/// has not been proved genuine.
package struct AgeReader: Sendable {
    private let descriptor: Int32
    private let key: SecretBytes
    /// Where the chunks begin in the file.
    private let start: Int
    private let chunks: Int
    /// Bytes of contents.
    package let length: Int
    /// The header as it stands in the file.
    package let header: Data

    /// Opens the file that `descriptor` reads; the caller closes it, after the last use of the reader.
    ///
    /// - Parameters:
    ///   - descriptor: Of a regular file.
    ///   - identities: Any of which may be the one it is sealed for.
    /// - Throws: ``AgeFailure``; ``VaultError/system(errno:)`` where the file cannot be read, ``VaultError/locked``.
    package init(descriptor: Int32, identities: [AgeIdentity]) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw VaultError.system(errno: errno) }
        let size = Int(status.st_size)
        let beginning = try Self.read(descriptor, at: 0, count: min(size, AgeHeader.longest))
        let header = try AgeHeader(parsing: beginning)
        let fileKey = try header.fileKey(for: identities)
        let nonceLength = 16
        let payload = size - header.length - nonceLength
        guard payload >= AgeChunk.tag else { throw AgeFailure.payload }
        chunks = (payload + AgeChunk.sealed - 1) / AgeChunk.sealed
        let last = payload - (chunks - 1) * AgeChunk.sealed
        // Only a file without contents ends with an empty chunk.
        guard last > AgeChunk.tag || chunks == 1 && last == AgeChunk.tag else { throw AgeFailure.payload }
        length = payload - chunks * AgeChunk.tag
        start = header.length + nonceLength
        self.header = Data(beginning.prefix(header.length))
        self.descriptor = descriptor
        key = try AgeChunk.key(
            of: fileKey,
            nonce: try Self.read(descriptor, at: header.length, count: nonceLength)
        )
        _ = try open(chunks - 1..<chunks)
    }

    /// - Parameter range: Within `0..<length`.
    /// - Returns: As many bytes as `range`.
    /// - Throws: ``AgeFailure/payload``, ``VaultError/system(errno:)``, ``VaultError/locked``.
    package func read(_ range: Range<Int>) throws -> Data {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "\(range) is not within 0..<\(length)")
        guard !range.isEmpty else { return Data() }
        let first = range.lowerBound / AgeChunk.plain
        let opened = try open(first..<(range.upperBound - 1) / AgeChunk.plain + 1)
        let from = range.lowerBound - first * AgeChunk.plain
        return opened.subdata(in: from..<from + range.count)
    }

    /// Opens whole chunks, on all cores.
    private func open(_ range: Range<Int>) throws -> Data {
        let isToTheEnd = range.upperBound == chunks
        let plainEnd = isToTheEnd ? length : range.upperBound * AgeChunk.plain
        let count = plainEnd - range.lowerBound * AgeChunk.plain
        let sealed = try Self.read(
            descriptor,
            at: start + range.lowerBound * AgeChunk.sealed,
            count: count + range.count * AgeChunk.tag
        )
        var plain = Data(count: max(1, count))
        let areGenuine = try key.withUnsafeBytes { key in
            sealed.withUnsafeBytes { sealed in
                plain.withUnsafeMutableBytes { open(range, sealed, into: $0, key: key) }
            }
        }
        guard areGenuine else { throw AgeFailure.payload }
        return plain.prefix(count)
    }

    private func open(
        _ range: Range<Int>,
        _ sealed: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer,
        key: UnsafeRawBufferPointer
    ) -> Bool {
        let failures = FailureCount()
        // Each chunk is its own stretch of both buffers, and none is used after the last chunk is done.
        nonisolated(unsafe) let (sealed, plain, key) = (sealed, plain, key)
        DispatchQueue.concurrentPerform(iterations: range.count) { place in
            let from = place * AgeChunk.sealed
            let piece = sealed[from..<min(from + AgeChunk.sealed, sealed.count)]
            guard let target = plain.baseAddress?.advanced(by: place * AgeChunk.plain) else { return }
            let index = range.lowerBound + place
            let isGenuine = AgeChunk.open(
                UnsafeRawBufferPointer(rebasing: piece),
                into: target,
                index: index,
                isLast: index == chunks - 1,
                key: key
            )
            if !isGenuine { failures.add() }
        }
        return failures.isZero
    }

    private static func read(_ descriptor: Int32, at offset: Int, count: Int) throws -> Data {
        var bytes = Data(count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw VaultError.system(errno: errno) }
            // The file is shorter than it was a moment ago.
            guard got > 0 else { throw AgeFailure.payload }
            done += got
        }
        return bytes
    }
}
