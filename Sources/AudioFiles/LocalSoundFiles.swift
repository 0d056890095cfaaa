package import EchoText
package import Foundation
import Glibc
import Synchronization

/// Sound files by the libraries at hand, audiobooks by FFmpeg.
package struct LocalSoundFiles: SoundFiles {
    private let searchPath: String

    /// - Parameter searchPath: Folders where FFmpeg may be, as in `PATH`.
    package init(searchPath: String) {
        self.searchPath = searchPath
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        try await sound(order, to: .file(path))
    }

    package func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink {
        try await sound(order, to: .bytes(bytes))
    }

    package func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes) {
        let file = try MemoryFile()
        return (try await sound(order, to: .memory(file)), file)
    }

    private func sound(_ order: SoundOrder, to place: SoundFileWriter.Destination) async throws -> any AudioSink {
        guard let format = order.format.soundFormat else {
            return try await AudiobookWriter(order, to: place, searchPath: searchPath)
        }
        return try await SoundFileWriter(
            destination: place,
            format: format,
            sampleRate: order.sampleRate,
            tags: order.tags
        )
    }

    package func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        try SampleRateConversion(from: inputRate, to: outputRate)
    }
}

/// Export into folders of this machine.
package struct DiskFolder: ExportFolder {
    /// The file that stands in a folder until everything is there; a process that is killed leaves it behind.
    private static let note = "UNFINISHED.txt"

    private let sounds: any SoundFiles
    private let made = MadePaths()

    /// - Parameter sounds: Makes sound files.
    package init(sounds: any SoundFiles) {
        self.sounds = sounds
    }

    package func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        made.note(path)
        return try await sounds.sound(order, at: path)
    }

    package func file(at path: String) async throws -> any ByteSink {
        made.note(path)
        return try await ByteFile(path: path)
    }

    package func folder(at path: String) async throws {
        made.note(path)
        if mkdir(path, 0o700) == 0 { return }
        guard errno == EEXIST else { throw ExportError.folderNotUsable }
        // Whatever else stands at the path cannot be listed either.
        guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path), access(path, W_OK) == 0 else {
            throw ExportError.folderNotUsable
        }
        guard !entries.contains(Self.note) else { throw ExportError.folderUnfinished }
        guard entries.isEmpty else { throw ExportError.folderNotEmpty }
    }

    package func begin(_ path: String) async throws {
        let file = try await file(at: "\(path)/\(Self.note)")
        let text = """
            Not everything is in this folder: EchoText is still writing it, or was cut off while it did.
            Unless it is still being written, delete this folder and export again.

            """
        try await file.completed { try await file.append(text) }
    }

    package func complete(_ path: String) async throws {
        guard remove("\(path)/\(Self.note)") == 0 || errno == ENOENT else {
            throw ExportError.noteNotRemoved(Self.note)
        }
    }

    package func empty(_ path: String) async {
        // The last first, so that folders are empty; one with other files in it stays.
        for path in made.takeAll(in: path).reversed() { _ = remove(path) }
    }
}

/// The paths at which an export has made something, in this order.
private final class MadePaths: Sendable {
    private let paths = Mutex<[String]>([])

    /// Notes a path at which there is nothing yet.
    func note(_ path: String) {
        var status = stat()
        guard lstat(path, &status) != 0 else { return }
        paths.withLock { $0.append(path) }
    }

    /// Forgets the paths below a folder, and returns them.
    func takeAll(in folder: String) -> [String] {
        paths.withLock { paths in
            let below = paths.filter { $0.hasPrefix("\(folder)/") }
            paths.removeAll { $0.hasPrefix("\(folder)/") }
            return below
        }
    }
}

/// Writes bytes piece by piece into a file that appears at its path when it is complete.
package actor ByteFile: ByteSink {
    private nonisolated let executor = BlockingExecutor(label: "byte file")
    private nonisolated let interruption: WaitInterruption
    /// `nil` once closed.
    private var file: OutputFile?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter path: Where to write.
    /// - Throws: ``AudioFileError``.
    package init(path: String) async throws {
        interruption = try WaitInterruption()
        try await interruptible { output in
            output.file = try OutputFile(path: path, interruption: output.interruption)
        }
    }

    /// Checks, before the work that a file is for, that it can be written; a device or FIFO is not opened.
    ///
    /// - Throws: ``AudioFileError``.
    package static func check(_ path: String) throws(AudioFileError) { try OutputFile.check(path) }

    /// Whether a regular file is at the path or would be made there, and no device or FIFO; symbolic links are followed.
    package static func isRegular(at path: String) -> Bool { OutputFile.isRegular(at: path) }

    package func append(_ bytes: Data) async throws {
        try await interruptible { output in
            guard let file = output.file else { throw CancellationError() }
            try bytes.withUnsafeBytes { try file.write($0, at: file.length) }
        }
    }

    package func finish() async throws {
        try await interruptible { output in
            try output.file?.commit()
            output.file = nil
        }
    }

    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await closeUnfinished()
    }

    private func closeUnfinished() {
        file?.discard()
        file = nil
    }

    /// Runs `work` so that cancelling the task ends its wait for a slow reader.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible(_ work: (isolated ByteFile) throws -> Void) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }
}
