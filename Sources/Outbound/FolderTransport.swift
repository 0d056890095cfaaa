import EchoText
import Foundation
import NIOCore

/// Transfers an archive in one attempt, which resumes where the last one ended.
protocol ArchiveTransport: Sendable {
    /// The archive's address, without anything private.
    var place: String { get }
    /// The host that errors name.
    var host: String { get }

    /// Returns when the archive is complete.
    ///
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func transfer(to sink: DownloadSink) async throws
}

#if canImport(Glibc)
import Glibc
#endif

/// Copies an archive from a folder, such as one on a USB stick.
struct FolderTransport: ArchiveTransport {
    let path: String

    private static let chunk = 1 << 20

    private let disk = BlockingExecutor(label: "echotext.stick")

    init(path: String) {
        self.path = path
    }

    var place: String { URL(filePath: path).absoluteString }
    var host: String { "file" }

    func transfer(to sink: DownloadSink) async throws {
        // A stick or a network disk may block.
        let file = try await disk.run { [path] in try SourceFile(path, named: sink.entry.archive) }
        let note = PartialArchive.Note(place: place, tag: file.tag, total: file.size)
        let old = await sink.partial.note
        let bytes = await sink.partial.bytes
        let offset = old?.place == place && old?.tag == file.tag && bytes <= file.size ? bytes : 0
        try await sink.begin(at: offset, note)
        var place = offset
        while place < file.size {
            try Task.checkCancellation()
            let buffer = try await file.read(at: place, count: Self.chunk)
            guard buffer.readableBytes > 0 else {
                throw VoiceDownloadError.wrongSize(sink.entry.id, bytes: place, expected: file.size)
            }
            place += Int64(buffer.readableBytes)
            try await sink.write(buffer)
        }
    }
}

/// A source file, opened once.
private actor SourceFile {
    let size: Int64
    /// Differs between two files, as far as that is known without reading them.
    let tag: String
    private let file: Int32
    private let executor = BlockingExecutor(label: "echotext.folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``VoiceDownloadError/notThere(_:)``.
    init(_ path: String, named name: String) throws(VoiceDownloadError) {
        // `O_NONBLOCK`: the path may name a pipe.
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
