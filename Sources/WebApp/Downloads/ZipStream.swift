import AsyncAlgorithms
import EchoText
import Foundation
import Hummingbird

/// A ZIP file that is sent while it is made; a slow receiver slows the making down.
actor ZipStream {
    typealias Pieces = AsyncThrowingChannel<ByteBuffer, any Error>

    private static let piece = 262_144  // bytes

    private let pieces: Pieces
    private var directory = ZipDirectory()

    init(to pieces: Pieces) {
        self.pieces = pieces
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: Its path in the archive.
    ///   - made: Its time.
    ///   - bytes: What is in it; read twice.
    /// - Throws: ``LibraryError/recordingTooLong`` for 4 GiB and more; what reading throws.
    func add(_ name: String, made: Date, _ bytes: any StoredSound) async throws {
        guard bytes.length < Int(UInt32.max) else { throw LibraryError.recordingTooLong }
        var checksum = Checksum32()
        try await forEachPiece(of: bytes) { checksum.add($0) }
        let header = directory.begin(name, made: made, length: bytes.length, checksum: checksum.value)
        await pieces.send(ByteBuffer(bytes: header))
        try await forEachPiece(of: bytes) { await pieces.send(ByteBuffer(bytes: $0)) }
    }

    func finish() async throws {
        await pieces.send(ByteBuffer(bytes: directory.end()))
        pieces.finish()
    }

    private func forEachPiece(of bytes: any StoredSound, _ work: (Data) async -> Void) async throws {
        var position = 0
        while position < bytes.length {
            try Task.checkCancellation()
            let end = min(bytes.length, position + Self.piece)
            await work(try await bytes.read(position..<end))
            position = end
        }
    }
}

/// Export into a ZIP file: each file is made in memory, and goes into the archive when it is whole.
struct ZipFiles: ExportFiles {
    private let zip: ZipStream
    private let files: any ExportFiles & ExportedBytes
    private let time = Date()

    init(_ zip: ZipStream, files: any ExportFiles & ExportedBytes) {
        self.zip = zip
        self.files = files
    }

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        ZippedSound(sink: try await files.sound(order, at: path)) { try await add(path) }
    }

    func text(at path: String) async throws -> any TextSink {
        ZippedText(sink: try await files.text(at: path)) { try await add(path) }
    }

    private func add(_ path: String) async throws {
        try await zip.add(path, made: time, try await files.take(path))
    }

    /// Folders appear only in the paths of their files.
    func folder(at path: String) async throws {}

    /// Sent bytes cannot be taken back; the download ends without its last part, so that the browser sees that it was cut short.
    func empty(_ path: String) async {}

    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try files.rateConversion(from: inputRate, to: outputRate)
    }
}

private struct ZippedSound: AudioSink {
    let sink: any AudioSink
    let add: @Sendable () async throws -> Void

    func append(_ clip: AudioClip) async throws { try await sink.append(clip) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func abandon() async { await sink.abandon() }
}

private struct ZippedText: TextSink {
    let sink: any TextSink
    let add: @Sendable () async throws -> Void

    func append(_ text: String) async throws { try await sink.append(text) }

    func append(_ bytes: Data) async throws { try await sink.append(bytes) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func abandon() async { await sink.abandon() }
}
