import Dispatch
package import EchoText
import Glibc
import Synchronization

/// Encodes speech to AAC in MPEG-4 with chapters, tags and a cover, by FFmpeg.
///
/// FFmpeg runs as a program of its own, gets everything through sockets and writes into the hidden file that becomes the
/// audiobook: no word of a person's is in its arguments, and nothing is written to temporary files. Where it gets a cover, which may
/// be an untrusted picture, it is confined.
package actor AudiobookWriter: AudioSink {
    private struct Work {
        let file: OutputFile
        let program: ChildProgram
        let sound: ChildChannel
        /// FFmpeg's error output.
        let standardError: StandardErrorTail
    }

    private static let program = "ffmpeg"

    private nonisolated let executor = BlockingExecutor(label: "audiobook")
    private nonisolated let interruption: WaitInterruption
    private let sampleRate: Int
    /// `nil` once closed.
    private var work: Work?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts FFmpeg.
    ///
    /// - Parameters:
    ///   - order: ``ExportFormat/m4a`` or ``ExportFormat/m4b``.
    ///   - path: Where the audiobook will be.
    ///   - searchPath: Folders where FFmpeg may be, as in `PATH`.
    /// - Throws: ``ExportError``, ``AudioFileError``, `CancellationError`.
    package init(_ order: SoundOrder, path: String, searchPath: String) async throws {
        try await self.init(order, to: .file(path), searchPath: searchPath)
    }

    /// Starts FFmpeg, into a file or memory: an audiobook is written in more than one go.
    init(_ order: SoundOrder, to destination: SoundFileWriter.Destination, searchPath: String) async throws {
        sampleRate = order.sampleRate
        interruption = try WaitInterruption()
        guard let program = ChildProgram.path(of: Self.program, in: searchPath) else {
            throw ExportError.audiobookProgramMissing
        }
        try await interruptible { writer in
            writer.work = try Self.start(program, order, to: destination, interruption: writer.interruption)
        }
    }

    /// Hands `clip` on, and waits while FFmpeg is busy.
    ///
    /// - Throws: ``ExportError``, ``AudioFileError``, or `CancellationError` when the task is cancelled or the sink is closed.
    package func append(_ clip: AudioClip) async throws {
        precondition(clip.sampleRate == sampleRate, "opened for \(sampleRate) Hz, got a clip of \(clip.sampleRate) Hz")
        try await interruptible { writer in
            guard let work = writer.work else { throw CancellationError() }
            do {
                // Little-endian, as every machine is that Swift runs on.
                try clip.pcm16.withUnsafeBytes { try work.sound.write($0, writer.interruption) }
            } catch AudioFileError.brokenPipe {
                throw writer.failure(of: work)
            }
        }
    }

    package func finish() async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try close()
        } onCancel: { [program = work?.program] in
            program?.kill()
        }
    }

    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await closeUnfinished()
    }

    private func close() throws {
        guard let work else { return }
        work.sound.end()
        let status = work.program.wait()
        self.work = nil
        guard !Task.isCancelled else { throw CancellationError() }
        guard status == 0 else { throw work.standardError.error(status: status) }
        try work.file.commit()
    }

    /// Why FFmpeg takes no more sound.
    private func failure(of work: Work) -> any Error {
        work.program.kill()
        let status = work.program.wait()
        self.work = nil
        return work.standardError.error(status: status)
    }

    private func closeUnfinished() {
        guard let work else { return }
        self.work = nil
        work.program.kill()
        _ = work.program.wait()
        work.file.discard()
    }

    /// Runs `work` so that cancelling the task ends its wait.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible(_ work: (isolated AudiobookWriter) throws -> Void) async throws {
        try Task.checkCancellation()
        interruption.clear()
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }
}

extension AudiobookWriter {
    private static func start(
        _ program: String,
        _ order: SoundOrder,
        to destination: SoundFileWriter.Destination,
        interruption: WaitInterruption
    ) throws -> Work {
        let file = try open(destination, interruption)
        guard let output = file.lentDescriptor else { throw ExportError.audiobookNeedsFile }
        // A cover is a stranger's; all else that FFmpeg gets is this program's own.
        let isConfined = order.cover != nil
        guard !isConfined || ChildProgram.canBeConfined else { throw ExportError.coverNotConfined }
        let nothing = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { throw AudioFileError.system(errno: errno) }
        defer { _ = Glibc.close(nothing) }
        let errors = try ChildChannel()
        let (sound, words, cover) = (try ChildChannel(), try ChildChannel(), try ChildChannel())
        let inside = [nothing, nothing, errors.childEnd] + [sound, words, cover].map(\.childEnd) + [output]
        let command = AudiobookCommand(order: order, sound: 3, words: 4, cover: 5, output: 6)
        let child: ChildProgram
        do {
            child =
                isConfined
                ? try ChildProgram(
                    confined: program,
                    arguments: command.arguments,
                    descriptors: inside,
                    output: output
                ) : try ChildProgram(path: program, arguments: command.arguments, descriptors: inside)
        } catch {
            throw error.errno == ENOENT
                ? ExportError.audiobookProgramMissing : AudioFileError.system(errno: error.errno)
        }
        for channel in [errors, sound, words, cover] { channel.handOver() }
        feed(command.metadata, to: words, then: order.cover.map { Array($0.data) } ?? [], to: cover)
        return Work(file: file, program: child, sound: sound, standardError: StandardErrorTail(errors))
    }

    private static func open(
        _ destination: SoundFileWriter.Destination,
        _ interruption: WaitInterruption
    ) throws -> OutputFile {
        switch destination {
        case .memory(let file): return OutputFile(memory: file, interruption: interruption)
        case .descriptor, .bytes: throw ExportError.audiobookNeedsFile
        case .file(let path):
            var status = stat()
            if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
                throw ExportError.audiobookNeedsFile
            }
            return try OutputFile(path: path, interruption: interruption)
        }
    }

    /// Writes what FFmpeg reads before the sound, on a queue of its own, since it reads when it pleases.
    private static func feed(
        _ words: String,
        to wordChannel: ChildChannel,
        then cover: [UInt8],
        to coverChannel: ChildChannel
    ) {
        DispatchQueue(label: "audiobook metadata").async {
            for (bytes, channel) in [(Array(words.utf8), wordChannel), (cover, coverChannel)] {
                // FFmpeg's end, the only reason for a failure, is seen by whoever writes the sound.
                try? bytes.withUnsafeBytes { try channel.writeAll($0) }
                channel.end()
            }
        }
    }
}

/// The end of a program's standard error, available once it has ended; never shown to anybody.
private final class StandardErrorTail: Sendable {
    private let text = Mutex("")
    private let isRead = DispatchGroup()

    init(_ channel: ChildChannel) {
        DispatchQueue(label: "audiobook standard error").async(group: isRead) {
            let bytes = channel.tail(limit: 8_192)
            self.text.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Translates the program's failure into an error for a person; call it when the program has ended.
    func error(status: Int32) -> any Error {
        isRead.wait()
        let said = text.withLock(\.self)
        if said.contains("No space left on device") || said.contains("Disk quota exceeded") {
            return AudioFileError.diskFull
        }
        if said.contains("File too large") { return AudioFileError.fileTooLarge }
        return ExportError.audiobookProgramFailed(status: status)
    }
}
