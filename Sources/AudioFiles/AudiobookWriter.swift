import Dispatch
package import EchoText
import Glibc

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
        // A cover is untrusted; all else that FFmpeg gets is this program's own.
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

extension StandardErrorTail {
    /// Translates the program's failure into an error for a person; call it when the program has ended.
    fileprivate func error(status: Int32) -> any Error {
        let said = text()
        if said.contains("No space left on device") || said.contains("Disk quota exceeded") {
            return AudioFileError.diskFull
        }
        if said.contains("File too large") { return AudioFileError.fileTooLarge }
        return ExportError.audiobookProgramFailed(status: status)
    }
}

/// The arguments of FFmpeg: descriptors and numbers, nothing of a person's.
struct AudiobookCommand {
    let order: SoundOrder
    /// The child's descriptors for samples, for tags and chapters, for the cover, and of the file.
    let sound: Int
    let words: Int
    let cover: Int
    let output: Int

    /// Sampling rates of AAC, in hertz.
    ///
    /// - SeeAlso: ISO/IEC 14496-3, table of sampling frequency indices.
    private static let rates = [
        7_350, 8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]

    /// Most chapters of the list that some players read beside the chapters' own track; FFmpeg leaves out all after them, and
    /// a player would take the last of them for the rest of the book.
    private static let longestList = 255

    var metadata: String {
        FFMetadata(
            tags: order.tags,
            chapters: order.chapters,
            sampleRate: order.sampleRate,
            count: order.count,
            isAudiobook: order.format == .m4b
        ).text
    }

    /// Tags come first, because FFmpeg opens its inputs in their order and reads them to the end; the sound comes last.
    var arguments: [String] {
        let quiet = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "error", "-xerror", "-y"]
        let encoder = ["-c:a", "aac", "-b:a", String(bitRate), "-ar", String(storedRate)]
        let layout = order.chapters.count > Self.longestList ? "+faststart+disable_chpl" : "+faststart"
        let target = ["-movflags", layout, "-f", "ipod", "-protocol_whitelist", "file", "file:/dev/fd/\(output)"]
        return quiet + input("ffmetadata", words) + coverInput
            + input("s16le", sound, ["-ar", String(order.sampleRate), "-ac", "1"])
            + ["-map", order.cover == nil ? "1:a" : "2:a"] + coverOutput + ["-map_metadata", "0", "-map_chapters", "0"]
            + encoder + target
    }

    private func input(_ format: String, _ descriptor: Int, _ options: [String] = []) -> [String] {
        ["-protocol_whitelist", "pipe", "-f", format] + options + ["-i", "pipe:\(descriptor)"]
    }

    private var coverInput: [String] {
        switch order.cover?.kind {
        case .jpeg: input("jpeg_pipe", cover)
        case .png: input("png_pipe", cover)
        case nil: []
        }
    }

    private var coverOutput: [String] {
        order.cover == nil
            ? [] : ["-map", "1:v:0", "-c:v", "copy", "-frames:v", "1", "-disposition:v:0", "attached_pic"]
    }

    private var storedRate: Int {
        Self.rates.first { $0 >= order.sampleRate } ?? Self.rates[Self.rates.count - 1]
    }

    /// Bits per second that speech in one channel sounds clear at.
    private var bitRate: Int {
        switch storedRate {
        case ..<16_000: 32_000
        case ..<22_050: 48_000
        default: 64_000
        }
    }
}

/// Tags and chapters in the words that FFmpeg reads them in.
///
/// - SeeAlso: FFmpeg Formats Documentation, “Metadata”: `=`, `;`, `#`, `\` and line ends stand behind a `\`.
struct FFMetadata {
    let tags: AudioTags
    let chapters: [Chapter]
    /// The sample rate of the sound, in hertz; chapters are given in samples.
    let sampleRate: Int
    /// Where the last chapter ends, in samples.
    let count: Int
    /// Whether players are to keep it among the books.
    let isAudiobook: Bool

    var text: String {
        var lines = [";FFMETADATA1"]
        let fields = [
            ("title", tags.title), ("artist", tags.artist), ("album_artist", tags.album == nil ? nil : tags.artist),
            ("album", tags.album), ("comment", tags.comment), ("date", tags.date),
            ("genre", isAudiobook ? "Audiobook" : nil), ("media_type", isAudiobook ? "2" : nil),
        ]
        for case (let name, let value?) in fields { lines.append("\(name)=\(Self.escaped(value))") }
        for (chapter, end) in zip(chapters, chapters.dropFirst().map(\.start) + [count]) {
            lines += [
                "[CHAPTER]", "TIMEBASE=1/\(sampleRate)", "START=\(chapter.start)", "END=\(max(chapter.start, end))",
                "title=\(Self.escaped(chapter.title))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The value without zeros, which would end it.
    ///
    /// FFmpeg takes a line end behind any `\` for a part of the value, also behind one that stands for itself. There a zero,
    /// which ends a line too, goes before it.
    private static func escaped(_ value: String) -> String {
        var escaped = ""
        let scalars = value.unicodeScalars.filter { $0 != "\0" }
        for scalar in scalars {
            if "=;#\\\n\r".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return scalars.last == "\\" ? escaped + "\0" : escaped
    }
}
