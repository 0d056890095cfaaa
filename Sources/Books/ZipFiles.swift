package import EchoText
import Foundation

/// Export into a ZIP file: each file is made in memory, and goes into the archive when it is whole.
package struct ZipFiles: ExportFiles {
    private let zip: ZipArchive
    private let files: any ExportFiles & ExportedBytes

    /// - Parameters:
    ///   - zip: Where the files go.
    ///   - files: Where they are made.
    package init(_ zip: ZipArchive, files: any ExportFiles & ExportedBytes) {
        self.zip = zip
        self.files = files
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        ZippedSound(sink: try await files.sound(order, at: path)) { try await add(path) }
    }

    package func text(at path: String) async throws -> any TextSink {
        ZippedText(sink: try await files.text(at: path)) { try await add(path) }
    }

    private func add(_ path: String) async throws { try await zip.add(path, try await files.take(path)) }

    /// Folders appear only in the paths of their files.
    package func folder(at path: String) async throws {}

    /// Sent bytes cannot be taken back; the download ends without its last part, so that the browser sees that it was cut short.
    package func empty(_ path: String) async {}

    package func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
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
