import CMemoryFile
import EchoText
import FileSystem
package import Foundation
import Synchronization

/// An unnamed file in memory, for what must not touch a disk.
package final class MemoryFile: StoredSound {
    let descriptor: Int32
    private let size = Atomic(0)

    /// - Throws: ``AudioFileError`` when there is no more memory or no descriptor left.
    package init() throws {
        descriptor = memory_file()
        guard descriptor >= 0 else { throw AudioFileError(errno: errno, file: "memory") }
    }

    deinit { close(descriptor) }

    package var length: Int { size.load(ordering: .acquiring) }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``AudioFileError`` when there is no more memory.
    func append(_ bytes: Data) throws {
        try bytes.withUnsafeBytes { raw in
            try raw.writeAll(to: descriptor) { AudioFileError(errno: $0, file: "memory") }
        }
        size.add(bytes.count, ordering: .releasing)
    }

    /// Says that it is whole; what another program wrote into it counts too.
    func seal(length: Int64) {
        var status = stat()
        let written = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        size.store(max(Int(length), written), ordering: .releasing)
    }

    package func read(_ range: Range<Int>) async throws -> Data {
        var data = Data(count: range.count)
        var done = 0
        while done < range.count {
            let count = data.withUnsafeMutableBytes {
                pread(
                    descriptor,
                    $0.baseAddress?.advanced(by: done),
                    range.count - done,
                    off_t(range.lowerBound + done)
                )
            }
            guard count > 0 else { throw AudioFileError(errno: count < 0 ? errno : EIO, file: "memory") }
            done += count
        }
        return data
    }
}
