package import EchoText
import Foundation

/// Writes speech into a sound file or a pipe, encoded while it is made.
///
/// A file appears in its place when ``finish()`` has returned, whole; until then whatever was there stays. A pipe, a
/// device or a descriptor gets every clip as soon as it has been appended, as far as the codec holds nothing back (at
/// most a second, and for Vorbis several where it is quiet). The process must ignore `SIGPIPE`, so that a reader that has
/// gone is an error and not the end.
package actor SoundFileWriter: AudioSink {
    /// Where the sound goes.
    package enum Destination: Sendable {
        /// A path, absolute or from the working folder.
        case file(String)
        /// An open descriptor, such as standard output's; it is written in order and left open.
        case descriptor(Int32)
        case memory(MemoryFile)
        /// A sink, which gets each piece before the next is encoded.
        case bytes(any ByteSink)
    }

    private enum State {
        case opening
        case open(OutputFile, any SoundEncoder)
        case closed
    }

    /// Samples encoded between two looks at whether the task was cancelled.
    private static let block = 16_384
    private static let longestSecuring = Duration.seconds(2)

    private nonisolated let executor = BlockingExecutor(label: "sound file")
    private nonisolated let interruption: WaitInterruption
    private let sampleRate: Int
    private let leavesUnfinished: Bool
    private nonisolated let sink: (any ByteSink)?
    private var state = State.opening
    /// How many samples the encoder has taken, also those of a clip whose end it did not; a codec holds back the last of them.
    package private(set) var samples = 0
    /// How long writing to the disk may take, in addition to half the time of the sound to come.
    private var timeToSecure = SoundFileWriter.longestSecuring

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the destination and writes the header.
    ///
    /// - Parameters:
    ///   - destination: Where to write. A FIFO is waited for until something reads it.
    ///   - format: How to encode.
    ///   - sampleRate: Of the clips to come, in hertz. Opus and MP3 know few rates and store the next higher one.
    ///   - tags: What the file says about itself.
    ///   - quality: 0 (smallest) to 1 (best) for what is lossy, or `nil` for the codec's own choice: in mono at 22,050
    ///     hertz about 75 kbit/s as MP3 (80 in a pipe), 55 as Vorbis, 40 as Opus.
    ///   - leavesUnfinished: Whether a file can be seen beside its place, called “unfinished”, until it is whole, and
    ///     stays there when the program is ended, or the power fails: for sound that cannot be made again.
    /// - Throws: ``AudioFileError``, or `CancellationError`.
    package init(
        destination: Destination,
        format: AudioFormat,
        sampleRate: Int,
        tags: AudioTags = AudioTags(),
        quality: Double? = nil,
        leavesUnfinished: Bool = false
    ) async throws {
        precondition(sampleRate > 0, "a sound file needs a sample rate above 0 Hz, got \(sampleRate)")
        self.sampleRate = sampleRate
        self.leavesUnfinished = leavesUnfinished
        interruption = try WaitInterruption()
        sink = if case .bytes(let sink) = destination { sink } else { nil }
        try await open(destination, leavesUnfinished, format: format, tags: tags, quality: quality)
    }

    private func open(
        _ destination: Destination,
        _ leavesUnfinished: Bool,
        format: AudioFormat,
        tags: AudioTags,
        quality: Double?
    ) async throws {
        try await interruptible { writer in
            guard format.storedSampleRate(for: writer.sampleRate) != nil else {
                throw AudioFileError.sampleRateUnsupported(writer.sampleRate, format)
            }
            _ = try format.soundFileFormat()
            let file =
                switch destination {
                case .file(let path):
                    try OutputFile(
                        path: path,
                        leavesUnfinished: leavesUnfinished,
                        interruption: writer.interruption
                    )
                case .descriptor(let descriptor):
                    OutputFile(descriptor: descriptor, interruption: writer.interruption)
                case .memory(let file): OutputFile(memory: file, interruption: writer.interruption)
                case .bytes: OutputFile(collectingFor: writer.interruption)
                }
            let rate = writer.sampleRate
            let encoder: any SoundEncoder =
                switch format {
                case .wav, .raw: try PCMEncoder(format: format, sampleRate: rate, tags: tags, file: file)
                case .flac, .mp3, .opus, .ogg:
                    try SoundFileEncoder(format: format, sampleRate: rate, tags: tags, quality: quality, file: file)
                }
            writer.state = .open(file, encoder)
        }
    }

    /// The name of the file beside `path` that ``init(destination:format:sampleRate:tags:quality:leavesUnfinished:)`` began
    /// in a process that was ended; `nil` if there is none.
    package static func leftUnfinished(of path: String) -> String? { OutputFile.leftUnfinished(of: path) }

    /// Encodes `clip`, and waits while a pipe is full.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when the task is cancelled or the sink is closed.
    package func append(_ clip: AudioClip) async throws {
        precondition(clip.sampleRate == sampleRate, "opened for \(sampleRate) Hz, got a clip of \(clip.sampleRate) Hz")
        let file = try await interruptible { writer in
            guard case .open(let file, let encoder) = writer.state else { throw CancellationError() }
            for start in stride(from: 0, to: clip.samples.count, by: Self.block) {
                try Task.checkCancellation()
                let block = clip.samples[start..<min(start + Self.block, clip.samples.count)]
                try encoder.encode(block)
                writer.samples += block.count
            }
            if writer.leavesUnfinished { try writer.secure(file, with: clip) }
            return file
        }
        try await sink?.append(Data(file.takeCollected()))
    }

    /// Writes what there is to the disk, of which `clip` is the last.
    ///
    /// A disk that is too slow for that is spared it now and then, so that the sound to come is not held up.
    private func secure(_ file: OutputFile, with clip: AudioClip) throws(AudioFileError) {
        timeToSecure = min(Self.longestSecuring, timeToSecure + .seconds(clip.seconds / 2))
        guard timeToSecure > .zero else { return }
        let begun = ContinuousClock.now
        try file.secure()
        timeToSecure -= ContinuousClock.now - begun
    }

    package func finish() async throws {
        let file = openFile
        try await interruptible { try $0.close() }
        try await finishSink(file)
    }

    /// Keeps what has been written so far as a file that plays to there, also in a task that was cancelled.
    package func finishPartial() async throws {
        interruption.clear()
        let file = openFile
        try close()
        try await finishSink(file)
    }

    /// Keeps what could be written of a file before a write failed, as one that plays to there.
    ///
    /// - Throws: ``AudioFileError`` where it cannot be renamed to its path; it stays next to it if it can be seen there.
    package func keepWritten() throws {
        guard case .open(let file, let encoder) = state else { return }
        interruption.clear()
        state = .closed
        do {
            try encoder.finish()
        } catch {
            // For what the codec has held back there is no room either.
        }
        file.cutToLength()
        do {
            try file.commit()
        } catch {
            // Nobody would find a hidden file.
            if leavesUnfinished { file.leave() } else { file.discard() }
            throw error
        }
    }

    private var openFile: OutputFile? {
        if case .open(let file, _) = state { file } else { nil }
    }

    /// Gives the sink what the codec has held back until the end.
    private func finishSink(_ file: OutputFile?) async throws {
        guard let sink, let file else { return }
        try await sink.append(Data(file.takeCollected()))
        try await sink.finish()
    }

    package nonisolated func discard() async {
        interruption.set(forGood: true)
        await closeUnfinished()
        await sink?.discard()
    }

    private func close() throws {
        guard case .open(let file, let encoder) = state else { return }
        try encoder.finish()
        try file.commit()
        state = .closed
    }

    private func closeUnfinished() {
        guard case .open(let file, _) = state else { return }
        state = .closed
        file.discard()
    }

    /// Runs `work` so that cancelling the task ends its wait for a slow reader.
    ///
    /// - Parameter work: Takes this actor, which keeps it on the actor's own queue: a closure that mentions no actor
    ///   would run on the shared pool.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible<Result>(_ work: (isolated SoundFileWriter) throws -> Result) async throws -> Result {
        try Task.checkCancellation()
        interruption.clear()
        return try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            interruption.set()
        }
    }
}

/// Turns samples into the bytes of one format.
///
/// Used by one ``SoundFileWriter``, on its queue.
protocol SoundEncoder: AnyObject {
    /// Encodes `samples`, any number of them, at the rate the encoder was made for.
    ///
    /// - Throws: ``AudioFileError``, or `CancellationError` when a stream was interrupted.
    func encode(_ samples: ArraySlice<Float>) throws

    /// Writes what is still held back, and the header's last word. The file itself is not closed.
    func finish() throws
}
