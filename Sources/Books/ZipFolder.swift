package import EchoText
import Foundation

/// An export into a ZIP file: each file is made in memory, and added to the archive when it is complete.
package struct ZipFolder: ExportFolder {
    private let zip: ZipArchive
    private let sounds: any SoundFiles

    /// - Parameters:
    ///   - zip: Receives the files.
    ///   - sounds: Makes sound files.
    package init(_ zip: ZipArchive, sounds: any SoundFiles) {
        self.zip = zip
        self.sounds = sounds
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        let (sink, bytes) = try await sounds.soundInMemory(order)
        return ZippedSound(sink: sink) { try await zip.add(path, bytes) }
    }

    package func file(at path: String) async throws -> any ByteSink {
        let bytes = MemoryBytes()
        return ZippedFile(sink: bytes) { try await zip.add(path, bytes) }
    }

    /// Stored bytes pass through piece by piece.
    package func write(_ bytes: any StoredBytes, to path: String) async throws { try await zip.add(path, bytes) }

    /// Folders appear only in the paths of their files.
    package func folder(at path: String) async throws {}

    /// Sent bytes cannot be withdrawn; the download ends without its last part, so that the browser detects the
    /// truncation.
    package func empty(_ path: String) async {}
}

private struct ZippedSound: AudioSink {
    let sink: any AudioSink
    let add: @Sendable () async throws -> Void

    func append(_ clip: AudioClip) async throws { try await sink.append(clip) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func discard() async { await sink.discard() }
}

private struct ZippedFile: ByteSink {
    let sink: any ByteSink
    let add: @Sendable () async throws -> Void

    func append(_ bytes: Data) async throws { try await sink.append(bytes) }

    func finish() async throws {
        try await sink.finish()
        try await add()
    }

    func discard() async { await sink.discard() }
}
