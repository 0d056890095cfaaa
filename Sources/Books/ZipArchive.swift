package import EchoText
package import Foundation

/// Writes a ZIP file, file by file, stored as they are, while its bytes are taken.
///
/// libarchive, which reads strangers' archives, is not fit to write these: it puts the checksum behind a file's bytes, which readers
/// that go from front to back refuse for a stored file, and fields into the header of an EPUB's `mimetype`, where none may be.
package actor ZipArchive {
    private let sink: any ByteSink
    private let time: Date
    private var directory = ZipDirectory()

    /// - Parameters:
    ///   - sink: Where its bytes go.
    ///   - time: Of the files in it that have none of their own.
    package init(to sink: any ByteSink, at time: Date) {
        self.sink = sink
        self.time = time
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - made: Its own time.
    ///   - bytes: What is in it; read twice.
    /// - Throws: ``LibraryError/recordingTooLong`` for 4 GiB and more; what reading and writing throw.
    package func add(_ name: String, made: Date? = nil, _ bytes: any StoredBytes) async throws {
        guard bytes.length < Int(UInt32.max) else { throw LibraryError.recordingTooLong }
        var checksum = Checksum()
        try await bytes.forEachPiece { checksum.add($0) }
        try await begin(name, made, length: bytes.length, checksum: checksum.value)
        try await bytes.forEachPiece { try await sink.append($0) }
    }

    package func add(_ name: String, _ text: String) async throws { try await add(name, Data(text.utf8)) }

    package func add(_ name: String, _ bytes: Data) async throws {
        var checksum = Checksum()
        checksum.add(bytes)
        try await begin(name, nil, length: bytes.count, checksum: checksum.value)
        try await sink.append(bytes)
    }

    private func begin(_ name: String, _ made: Date?, length: Int, checksum: UInt32) async throws {
        let header = directory.begin(name, made: made ?? time, length: length, checksum: checksum)
        try await sink.append(Data(header))
    }

    /// Writes what stands at a ZIP file's end.
    package func finish() async throws { try await sink.append(Data(directory.end())) }
}
