import Dispatch
package import EchoText
import Foundation
import Glibc
import Synchronization

/// Decodes all kinds of sound and video files by FFmpeg.
///
/// FFmpeg runs as a program of its own, shut in: it can read libraries and itself, write nothing, and start or reach nothing. It
/// gets the file through a socket, from its first byte to its last, and gives the sound through another; a file that cannot be
/// read so, and is not large, stands in memory. Nothing is written to temporary files.
package struct FFmpegDecoder: SoundFileDecoder {
    private static let program = "ffmpeg"
    /// In bytes.
    private static let pieceLength = 128 << 10
    /// The largest file that is put into memory, in bytes.
    private static let maximumInMemory = 512 << 20

    private let searchPath: String
    private let needsConfinement: Bool
    private let idleTimeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - searchPath: Folders where FFmpeg may be, as in `PATH`.
    ///   - needsConfinement: Whether FFmpeg is not to be started where the kernel cannot shut it in.
    ///   - idleTimeout: The longest time between two signs of life.
    ///   - clock: Measures the timeout.
    package init(
        searchPath: String,
        needsConfinement: Bool = true,
        idleTimeout: Duration = .seconds(60),
        clock: any Clock<Duration> = .continuous
    ) {
        self.searchPath = searchPath
        self.needsConfinement = needsConfinement
        self.idleTimeout = idleTimeout
        self.clock = clock
    }

    package func decode(
        _ file: any StoredBytes,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let kind = try await SoundFileKind(of: file)
        guard let program = ChildProgram.path(of: Self.program, in: searchPath) else {
            throw SoundImportError.programMissing
        }
        let isConfined = ChildProgram.canBeConfined
        guard isConfined || !needsConfinement else { throw SoundImportError.notConfined }
        let file = kind == .movie ? try await SequentialMovie(file) : file
        let fits = file.length <= Self.maximumInMemory
        let beginning = SoundBeginning(take)
        do {
            let memory = kind.hasTagsAtEnd && fits ? try await Self.copy(of: file) : nil
            let work = try Work(program, kind, reading: memory, isConfined: isConfined)
            try await decode(file, by: work) { try await beginning.take($0) }
        } catch let error as SoundImportError {
            guard case .damaged(seconds: 0) = error, fits, await !beginning.hasSound else { throw error }
            // Some formats say at their end what the beginning means.
            let work = try Work(program, kind, reading: try await Self.copy(of: file), isConfined: isConfined)
            try await decode(file, by: work) { try await beginning.take($0) }
        }
        try await beginning.finish()
    }

    private static func copy(of file: any StoredBytes) async throws -> MemoryFile {
        let memory = try MemoryFile()
        for start in stride(from: 0, to: file.length, by: pieceLength) {
            try Task.checkCancellation()
            try memory.append(try await file.read(start..<min(file.length, start + pieceLength)))
        }
        return memory
    }

    private func decode(
        _ file: any StoredBytes,
        by work: Work,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        let watchdog = Watchdog(timeout: idleTimeout, clock: clock)
        let isTooSlow = Atomic(false)
        let feeding = Task { try await work.feed(file, watchdog) }
        let watching = Task {
            // This throws only when the decoding has ended.
            guard (try? await watchdog.expiration()) != nil else { return }
            isTooSlow.store(true, ordering: .relaxed)
            work.program.kill()
        }
        defer { watching.cancel() }
        let decoded = await Self.result {
            try await withTaskCancellationHandler {
                try await work.sound(watchdog, take)
            } onCancel: {
                work.program.kill()
            }
        }
        // After a failure nobody reads on.
        if case .failure = decoded { work.program.kill() }
        let status = await work.end()
        feeding.cancel()
        let fed = await feeding.result
        try Task.checkCancellation()
        let (facts, samples) = try decoded.get()
        if isTooSlow.load(ordering: .relaxed) {
            throw SoundImportError.tooSlow(seconds: Int(idleTimeout / .seconds(1)))
        }
        // What FFmpeg does not take is not to be read; what cannot be read is the file's own failure.
        if case .failure(let error) = fed, !(error is AudioFileError), !(error is CancellationError) { throw error }
        try work.complaints.check(status: status, rate: facts?.sampleRate, samples: samples)
    }

    private static func result<Output: Sendable>(_ work: () async throws -> Output) async -> Result<Output, any Error> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    // MARK: - The program

    /// FFmpeg at work on one file.
    private final class Work: Sendable {
        let program: ChildProgram
        let complaints: DecoderComplaints
        /// `nil` where it reads memory.
        private let input: ChildChannel?
        private let output: ChildChannel
        private let feeder = BlockingExecutor(label: "decoder input")
        private let reader = BlockingExecutor(label: "decoder output")

        init(_ path: String, _ kind: SoundFileKind, reading memory: MemoryFile?, isConfined: Bool) throws {
            let input = memory == nil ? try ChildChannel() : nil
            let (output, errors) = (try ChildChannel(), try ChildChannel())
            let first = memory?.descriptor ?? input?.childEnd ?? -1
            let descriptors = [first, output.childEnd, errors.childEnd]
            let arguments = FFmpegDecoder.arguments(kind, isSeekable: memory != nil)
            defer { withExtendedLifetime(memory) {} }
            do {
                program =
                    isConfined
                    ? try ChildProgram(
                        confined: path,
                        arguments: arguments,
                        descriptors: descriptors,
                        // Only what it names can be opened again; an unnamed file takes no rule, and needs none.
                        output: -1
                    )
                    : try ChildProgram(path: path, arguments: arguments, descriptors: descriptors)
            } catch {
                throw error.errno == ENOENT ? SoundImportError.programMissing : SoundImportError.cannotStart
            }
            for channel in [input, output, errors] { channel?.handOver() }
            (self.input, self.output) = (input, output)
            complaints = DecoderComplaints(errors)
        }

        func feed(_ file: any StoredBytes, _ watchdog: Watchdog) async throws {
            guard let input else { return }
            defer { input.end() }
            for start in stride(from: 0, to: file.length, by: pieceLength) {
                try Task.checkCancellation()
                let piece = try await file.read(start..<min(file.length, start + pieceLength))
                try await feeder.run { try piece.withUnsafeBytes { try input.writeAll($0) } }
                watchdog.heard()
            }
        }

        /// - Returns: The facts, if any came, and how many samples did.
        func sound(
            _ watchdog: Watchdog,
            _ take: (DecodedSound) async throws -> Void
        ) async throws -> (WaveFacts?, samples: Int) {
            var stream = WaveStream()
            var facts: WaveFacts?
            var converter: RateConverter?
            var samples = 0
            func give(_ more: [Int16]) async throws {
                for start in stride(from: 0, to: more.count, by: DecodedSound.longestPiece) {
                    try await take(.samples(Array(more[start..<min(start + DecodedSound.longestPiece, more.count)])))
                }
            }
            while true {
                let bytes = await reader.run { [output] in output.read(upTo: FFmpegDecoder.pieceLength) }
                watchdog.heard()
                guard !bytes.isEmpty else { break }
                let new = try stream.take(bytes)
                if let begun = new.facts {
                    facts = begun
                    let kept = SoundFacts.keptRate(of: begun.sampleRate)
                    if kept != begun.sampleRate { converter = try RateConverter(from: begun.sampleRate, to: kept) }
                    try await take(.facts(SoundFacts(sampleRate: kept, tags: begun.tags)))
                }
                samples += new.samples.count
                if let converter {
                    let clip = new.samples.map { Float($0) / 32_768 }
                    try await give(try converter.convert(clip[...], isLast: false).map(\.pcm16))
                } else {
                    try await give(new.samples)
                }
                watchdog.heard()
            }
            if let converter { try await give(try converter.convert([], isLast: true).map(\.pcm16)) }
            return (facts, samples)
        }

        /// Waits until the program has ended.
        ///
        /// - Returns: Its status.
        func end() async -> Int32 {
            await reader.run { [program] in program.wait() }
        }
    }

    /// Numbers and names of formats, nothing of a person's.
    ///
    /// The tags of the track, such as its language, join those of the file.
    static func arguments(_ kind: SoundFileKind, isSeekable: Bool) -> [String] {
        let quiet = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "repeat+level+error"]
        let input = [
            "-protocol_whitelist", isSeekable ? "file" : "pipe", "-threads", "1", "-vn", "-sn", "-dn", "-f",
            kind.demuxer,
            "-i", isSeekable ? "file:/dev/fd/0" : "pipe:0",
        ]
        let tags = ["-map_metadata:g", "0:g", "-map_metadata:g", "0:s:a:0", "-map_chapters", "-1"]
        let output = ["-fflags", "+bitexact", "-f", "wav", "-protocol_whitelist", "pipe", "pipe:1"]
        return quiet + input + ["-map", "0:a:0"] + tags + ["-ac", "1", "-c:a", "pcm_s16le"] + output
    }
}

extension SoundFileKind {
    /// FFmpeg's name for what reads it.
    fileprivate var demuxer: String {
        switch self {
        case .wav, .aiff, .au, .caf, .w64, .flac, .ogg, .mp3, .matroska, .avi, .asf, .flv, .aac, .ac3, .amr, .dsf:
            rawValue
        case .movie: "mov"
        case .mpegTransport: "mpegts"
        case .mpegProgram: "mpeg"
        case .wavPack: "wv"
        case .monkey: "ape"
        case .musepack: "mpc"
        case .musepack8: "mpc8"
        case .trueAudio: "tta"
        }
    }
}

extension SoundFileKind {
    /// Whether tags usually stand behind the sound, which FFmpeg takes for damage where it cannot look there first.
    fileprivate var hasTagsAtEnd: Bool {
        switch self {
        case .wavPack, .monkey, .musepack, .musepack8, .trueAudio, .dsf: true
        default: false
        }
    }
}

/// What FFmpeg says on its standard error, available once it has ended; never shown to anybody.
private final class DecoderComplaints: Sendable {
    /// What is said of files that are damaged or cut.
    private static let damage = [
        "partial file", "prematurely", "Invalid data found", "corrupt", "Truncat", "truncat", "End of file", "EOF",
    ]

    private let text = Mutex("")
    private let isRead = DispatchGroup()

    init(_ channel: ChildChannel) {
        DispatchQueue(label: "decoder complaints").async(group: isRead) {
            let bytes = channel.tail(limit: 16_384)
            self.text.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
        }
    }

    /// Translates a failure into an error for a person; call it when the program has ended.
    ///
    /// - Parameters:
    ///   - status: The program's.
    ///   - rate: Of the sound before it is converted, in hertz; `nil` when none has begun.
    ///   - samples: How many came.
    /// - Throws: ``SoundImportError``.
    func check(status: Int32, rate: Int?, samples: Int) throws(SoundImportError) {
        isRead.wait()
        let said = text.withLock(\.self)
        guard samples > 0, let rate else {
            if said.contains("matches no streams") || status == 0 { throw .noSound }
            if said.contains("not found") || said.contains("could not find codec parameters") {
                throw .unknownKind(found: nil)
            }
            throw status >= 128 ? .decoderDied : .damaged(seconds: 0)
        }
        let isDamaged = status != 0 || Self.damage.contains { said.contains($0) }
        if isDamaged { throw .damaged(seconds: Double(samples) / Double(rate)) }
    }
}

/// Holds the facts back until the first sound, so that a decoding without any can be repeated.
private actor SoundBeginning {
    private(set) var hasSound = false
    private var facts: DecodedSound?
    private let give: @Sendable (DecodedSound) async throws -> Void

    init(_ give: @escaping @Sendable (DecodedSound) async throws -> Void) {
        self.give = give
    }

    func take(_ sound: DecodedSound) async throws {
        if case .facts = sound {
            facts = sound
            return
        }
        hasSound = true
        try await finish()
        try await give(sound)
    }

    /// Gives the facts of a file without sound.
    func finish() async throws {
        guard let facts else { return }
        self.facts = nil
        try await give(facts)
    }
}
