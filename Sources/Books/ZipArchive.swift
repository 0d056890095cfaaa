package import EchoText
package import Foundation

/// Writes a ZIP file as a stream; its files are stored without compression.
///
/// libarchive, which reads archives elsewhere, cannot write these files: it puts the checksum after a file's bytes,
/// which streaming readers refuse for a stored file, and adds extra fields to the header of an EPUB's `mimetype`,
/// which are not allowed.
package actor ZipArchive {
    private let sink: any ByteSink
    private let time: Date
    private var directory = ZipDirectory()
    /// Why a file ended before its length; nothing can follow it.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - sink: Receives the bytes.
    ///   - time: The time of files without their own.
    package init(to sink: any ByteSink, at time: Date) {
        self.sink = sink
        self.time = time
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - made: The file's own time.
    ///   - bytes: The content; read twice.
    /// - Throws: ``LibraryError/recordingTooLong`` for 4 GiB and more; the errors of reading and writing.
    package func add(_ name: String, made: Date? = nil, _ bytes: any StoredBytes) async throws {
        guard bytes.length < Int(UInt32.max) else { throw LibraryError.recordingTooLong }
        var checksum = Checksum()
        try await bytes.forEachPiece { checksum.add($0) }
        try await begin(name, made, length: bytes.length, checksum: checksum.value)
        do {
            try await bytes.forEachPiece { try await sink.append($0) }
        } catch {
            failure = error
            throw error
        }
    }

    package func add(_ name: String, _ text: String) async throws { try await add(name, Data(text.utf8)) }

    package func add(_ name: String, _ bytes: Data) async throws {
        var checksum = Checksum()
        checksum.add(bytes)
        try await begin(name, nil, length: bytes.count, checksum: checksum.value)
        try await sink.append(bytes)
    }

    private func begin(_ name: String, _ made: Date?, length: Int, checksum: UInt32) async throws {
        if let failure { throw failure }
        let header = directory.begin(name, made: made ?? time, length: length, checksum: checksum)
        try await sink.append(Data(header))
    }

    /// Writes the end of the ZIP file.
    ///
    /// - Throws: The error that interrupted a file; errors of writing.
    package func finish() async throws {
        if let failure { throw failure }
        try await sink.append(Data(directory.end()))
    }
}
