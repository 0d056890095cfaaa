package import Foundation

/// Writes a ZIP file, file by file, stored as they are.
package struct ZipArchive {
    private let sink: any TextSink
    private let time: Date
    private var directory = ZipDirectory()

    /// - Parameters:
    ///   - sink: Where its bytes go.
    ///   - time: Of every file in it.
    package init(to sink: any TextSink, at time: Date) {
        self.sink = sink
        self.time = time
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - bytes: What is in it; read twice.
    /// - Throws: ``LibraryError/recordingTooLong`` for 4 GiB and more; what reading and writing throw.
    package mutating func add(_ name: String, _ bytes: any StoredBytes) async throws {
        guard bytes.length < Int(UInt32.max) else { throw LibraryError.recordingTooLong }
        var checksum = Checksum32()
        try await bytes.forEachPiece { checksum.add($0) }
        try await begin(name, length: bytes.length, checksum: checksum.value)
        try await bytes.forEachPiece { try await sink.append($0) }
    }

    package mutating func add(_ name: String, _ text: String) async throws { try await add(name, Data(text.utf8)) }

    package mutating func add(_ name: String, _ bytes: Data) async throws {
        var checksum = Checksum32()
        checksum.add(bytes)
        try await begin(name, length: bytes.count, checksum: checksum.value)
        try await sink.append(bytes)
    }

    private mutating func begin(_ name: String, length: Int, checksum: UInt32) async throws {
        try await sink.append(Data(directory.begin(name, made: time, length: length, checksum: checksum)))
    }

    /// Writes what stands at a ZIP file's end.
    package func finish() async throws { try await sink.append(Data(directory.end())) }
}
