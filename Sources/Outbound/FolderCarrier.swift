import EchoText
import Foundation
import NIOCore

#if canImport(Glibc)
import Glibc
#endif

/// Brings an archive from a folder, such as one on a stick.
struct FolderCarrier: ArchiveCarrier {
    let path: String

    private static let chunk = 1 << 20

    private let disk = BlockingExecutor(label: "echotext.stick")

    init(path: String) {
        self.path = path
    }

    var place: String { URL(filePath: path).absoluteString }
    var host: String { "file" }

    func carry(to arrival: Arrival) async throws {
        // A stick or a disk of the network may take its time.
        let file = try await disk.run { [path] in try SourceFile(path, named: arrival.entry.archive) }
        let note = PartialArchive.Note(place: place, tag: file.tag, total: file.size)
        let old = await arrival.partial.note
        let bytes = await arrival.partial.bytes
        let offset = old?.place == place && old?.tag == file.tag && bytes <= file.size ? bytes : 0
        try await arrival.begin(at: offset, note)
        var place = offset
        while place < file.size {
            try Task.checkCancellation()
            let buffer = try await file.read(at: place, count: Self.chunk)
            guard buffer.readableBytes > 0 else {
                throw VoiceDownloadError.wrongSize(arrival.entry.id, bytes: place, expected: file.size)
            }
            place += Int64(buffer.readableBytes)
            try await arrival.write(buffer)
        }
    }
}

/// A file that is copied from, opened once.
private actor SourceFile {
    let size: Int64
    /// Differs when the file is another, as far as that can be told without reading it.
    let tag: String
    private let file: Int32
    private let executor = BlockingExecutor(label: "echotext.folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``VoiceDownloadError/notThere(_:)``.
    init(_ path: String, named name: String) throws(VoiceDownloadError) {
        // Not waiting, should a pipe lie there.
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw .notThere(name) }
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            _ = Glibc.close(opened)
            throw .notThere(name)
        }
        file = opened
        size = Int64(facts.st_size)
        tag = "\(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }

    deinit { _ = Glibc.close(file) }

    /// - Throws: ``VoiceDownloadError/interrupted(bytes:of:)`` when the disk does not give it.
    func read(at place: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, pread(file, bytes.baseAddress, min(count, bytes.count), off_t(place)))
        }
        guard read > 0 || place >= size else { throw VoiceDownloadError.interrupted(bytes: place, of: size) }
        return buffer
    }
}
