import EchoText
import Foundation

/// Decrypts any part of an age file on disk.
///
/// The last chunk is decrypted first, so that a truncated file is rejected before anything of it is returned. Only
/// bytes of authentic chunks are returned. Calls block, so they need an executor that may block.
package final class AgeRangeReader {
    private let source: (_ offset: Int, UnsafeMutableRawBufferPointer) throws -> Void
    private let cipher: AgeChunkCipher
    private let chunks: Int
    /// The position of the first chunk in the file.
    private let start: Int
    /// The size of the file in bytes.
    private let size: Int
    /// The chunk that was last read only in part, as small reads often continue in it.
    private var recent: (number: Int, plain: [UInt8])?

    /// The header's bytes, without the nonce that follows.
    package let header: [UInt8]
    /// The bytes that are sealed in it.
    package let length: Int

    /// Reads the header and the last chunk.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - identities: The identities to try, in order.
    ///   - checkHeader: Called with the header's bytes before any key is tried.
    ///   - source: Fills a whole buffer with bytes from a position in the file.
    /// - Throws: ``AgeError``, ``VaultError/locked`` and what `source` and `checkHeader` throw.
    package init(
        size: Int,
        identities: [AgeIdentity],
        checkHeader: ([UInt8]) throws -> Void = { _ in },
        source: @escaping (_ offset: Int, UnsafeMutableRawBufferPointer) throws -> Void
    ) throws {
        var input = AgeHeaderInput(size: size, source: source)
        let header = try AgeHeader { try input.nextLine() }
        try checkHeader(header.bytes)
        let fileKey = try identities.fileKey(from: header)
        start = header.bytes.count + AgeChunkCipher.nonceSize
        guard size >= start else { throw AgeError.header }
        var nonce = [UInt8](repeating: 0, count: AgeChunkCipher.nonceSize)
        try nonce.withUnsafeMutableBytes { try source(header.bytes.count, $0) }
        cipher = try AgeChunkCipher(fileKey: fileKey, nonce: nonce)
        (self.header, self.size, self.source) = (header.bytes, size, source)

        chunks = (size - start + AgeChunkCipher.sealedSize - 1) / AgeChunkCipher.sealedSize
        let last = size - start - (chunks - 1) * AgeChunkCipher.sealedSize
        guard chunks > 0, last > AgeChunkCipher.tagSize || (last == AgeChunkCipher.tagSize && chunks == 1) else {
            throw AgeError.payload
        }
        length = size - start - chunks * AgeChunkCipher.tagSize
        recent = (chunks - 1, try open(chunks - 1..<chunks))
    }

    /// Returns the bytes in `range`, which is within 0 to ``length``.
    ///
    /// - Throws: ``AgeError/payload`` when a needed chunk is not authentic, and what the source throws.
    package func read(_ range: Range<Int>) throws -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "\(range) is not within \(length) bytes")
        var read: [UInt8] = []
        read.reserveCapacity(range.count)
        while read.count < range.count {
            let place = range.lowerBound + read.count
            let (plain, start) = try chunksFrom(place, to: range.upperBound)
            read += plain[(place - start)..<min(plain.count, range.upperBound - start)]
        }
        return read
    }

    /// Decrypts every chunk.
    ///
    /// - Throws: ``AgeError/payload`` when one is not authentic, what the source throws, and `CancellationError`.
    package func verify() throws {
        for first in stride(from: 0, to: chunks, by: AgeChunkCipher.batch) {
            try Task.checkCancellation()
            _ = try open(first..<min(chunks, first + AgeChunkCipher.batch))
        }
    }

    /// The chunk that holds `place`, or a batch that begins with it, and where that begins.
    private func chunksFrom(_ place: Int, to end: Int) throws -> (plain: [UInt8], start: Int) {
        let first = place / AgeChunkCipher.plainSize
        if let recent, recent.number == first { return (recent.plain, first * AgeChunkCipher.plainSize) }
        let wanted = min((end - 1) / AgeChunkCipher.plainSize + 1, first + AgeChunkCipher.batch + 1)
        let plain = try open(first..<wanted)
        if wanted * AgeChunkCipher.plainSize > end {
            recent = (wanted - 1, Array(plain[((wanted - 1 - first) * AgeChunkCipher.plainSize)...]))
        }
        return (plain, first * AgeChunkCipher.plainSize)
    }

    private func open(_ numbers: Range<Int>) throws -> [UInt8] {
        let from = start + numbers.lowerBound * AgeChunkCipher.sealedSize
        let to = min(size, start + numbers.upperBound * AgeChunkCipher.sealedSize)
        let sealed = try [UInt8](unsafeUninitializedCapacity: to - from) { buffer, count in
            try source(
                from,
                UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(to - from)])
            )
            count = to - from
        }
        let (plain, good) = sealed.withUnsafeBytes {
            cipher.open($0, from: numbers.lowerBound, endsFile: numbers.upperBound == chunks)
        }
        guard good == numbers.count else { throw AgeError.payload }
        return plain
    }
}
