package import EchoText
import Foundation
import Glibc
import Synchronization

/// Decodes all kinds of sound and video files by FFmpeg.
///
/// FFmpeg runs as a program of its own, confined: it can read libraries and itself, write nothing, and start or reach nothing. It
/// gets the file through a socket, from its first byte to its last, and gives the sound through another; a file that cannot be
/// read so, and is not large, stands in memory. Nothing is written to temporary files.
///
/// It takes the track that the file prefers if somebody speaks in it as in the others. Where a track begins
/// later than the pictures, or has gaps, there is silence.
package struct FFmpegDecoder: SoundFileDecoder {
    private static let program = "ffmpeg"
    private static let prober = "ffprobe"
    /// The longest answer of the prober, in bytes.
    private static let longestAnswer = 1 << 20
    /// In bytes.
    private static let pieceLength = 128 << 10
    /// The longest processor time of one decoding.
    private static let processorSeconds: UInt64 = 1_800
    /// The largest file that is put into memory, in bytes.
    private static let maximumInMemory = 512 << 20

    private let searchPath: String
    private let needsConfinement: Bool
    private let idleTimeout: Duration
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - searchPath: Folders where FFmpeg may be, as in `PATH`.
    ///   - needsConfinement: Whether FFmpeg is not to be started where the kernel cannot confine it.
    ///   - idleTimeout: The longest time between two heartbeats.
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
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try Task.checkCancellation()
        let kind = try await SoundFileKind(of: file)
        guard let program = ChildProgram.path(of: Self.program, in: searchPath) else {
            throw SoundImportError.programMissing
        }
        let isConfined = ChildProgram.canBeConfined
        guard isConfined || !needsConfinement else { throw SoundImportError.notConfined }
        let parts = try await ContainerParts.find(kind, in: file)
        let beginning = SoundBeginning(take)
        var count = ContainerCount()
        for (index, part) in parts.enumerated() {
            let order = Order(
                kind: kind,
                part: part,
                file: parts.count == 1 && part.isAsStored ? file : StoredPart(part, of: file),
                track: track,
                program: program,
                isConfined: isConfined
            )
            let before = await beginning.seconds
            var outcome: (choice: TrackChoice, isWhole: Bool)?
            do {
                outcome = try await decode(order, into: beginning)
            } catch let error as SoundImportError {
                try count.add(error, of: index, among: parts.count)
            }
            let seconds = await beginning.seconds - before
            count.add(part, outcome?.choice, isWhole: outcome?.isWhole ?? true, seconds: seconds)
        }
        try await beginning.finish()
        if let notice = try count.notice(kept: await beginning.seconds) { try await take(.notice(notice)) }
    }

    /// A file, or a part of one, that is to be decoded.
    private struct Order {
        let kind: SoundFileKind
        let part: ContainerPart
        let file: any StoredBytes
        /// The one that was asked for, from 1.
        let track: Int?
        let program: String
        let isConfined: Bool
    }

    /// Decodes a file, or a part of one.
    ///
    /// - Returns: The track that was taken, and whether all of its packets were decoded.
    /// - Throws: ``SoundImportError``, `CancellationError`, and what taking the sound and reading throw.
    private func decode(
        _ order: Order,
        into beginning: SoundBeginning
    ) async throws -> (choice: TrackChoice, isWhole: Bool) {
        let (kind, program, isConfined) = (order.kind, order.program, order.isConfined)
        let file = kind == .movie ? try await SequentialMovie(order.file) : order.file
        let fits = file.length <= Self.maximumInMemory
        let taken = try await self.choice(of: order, in: file)
        // The only track may begin late, too.
        let delay = max(taken.delay, ContainerCount.lateness(order.part, taken))
        let choice = TrackChoice(track: taken.track, count: taken.count, delay: delay, isAsked: taken.isAsked)
        await beginning.set(choice.notices)
        let (before, rate) = await (beginning.samples, beginning.rate)
        let hasPauses = order.part.pausing.contains(choice.track)
        func decode(_ memory: MemoryFile?) async throws -> Bool {
            let arguments = Self.arguments(
                kind,
                isSeekable: memory != nil,
                track: choice.track,
                rate: rate,
                hasPauses: hasPauses
            )
            let work = try Work(program, arguments, reading: memory, isConfined: isConfined)
            // Where pauses are filled, so is the one before the beginning.
            let delay = hasPauses ? 0 : choice.delay
            return try await self.decode(file, by: work, after: delay, hasPauses: hasPauses) {
                try await beginning.take($0)
            }
        }
        let start = await beginning.seconds
        var isWhole = true
        do {
            isWhole = try await decode(kind.hasTagsAtEnd && fits ? try await Self.copy(of: file) : nil)
        } catch let error as SoundImportError {
            guard case .damaged(seconds: 0) = error, fits, await beginning.samples == before else { throw error }
            // Some formats say at their end what the beginning means.
            isWhole = try await decode(try await Self.copy(of: file))
        }
        if hasPauses, let held = ContainerCount.held(order.part, choice) {
            try await beginning.fill(upTo: start + choice.delay + held)
        }
        return (choice, isWhole)
    }

    private static func copy(of file: any StoredBytes) async throws -> MemoryFile {
        let memory = try MemoryFile()
        for start in stride(from: 0, to: file.length, by: pieceLength) {
            try Task.checkCancellation()
            try memory.append(try await file.read(start..<min(file.length, start + pieceLength)))
        }
        return memory
    }

    /// - Returns: Whether all packets were decoded.
    @discardableResult
    private func decode(
        _ file: any StoredBytes,
        by work: Work,
        after delay: Double = 0,
        hasPauses: Bool = false,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws -> Bool {
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
                try await work.sound(after: delay, watchdog, take)
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
        let (rate, samples) = try decoded.get()
        if isTooSlow.load(ordering: .relaxed) {
            throw SoundImportError.tooSlow(seconds: Int(idleTimeout / .seconds(1)))
        }
        // FFmpeg need not take all bytes; a failure to read them is the file's own.
        if case .failure(let error) = fed, !(error is AudioFileError), !(error is CancellationError) { throw error }
        return try work.standardError.check(status: status, rate: rate, samples: samples, hasPauses: hasPauses)
    }

    // MARK: - The track

    /// The track of `file` that is taken, and when it begins; the first one, at once, where that cannot be found out.
    ///
    /// - Throws: ``SoundImportError/noSuchTrack(_:of:)``, and what reading threw.
    private func choice(of order: Order, in file: any StoredBytes) async throws -> TrackChoice {
        let (kind, program, isConfined) = (order.kind, order.program, order.isConfined)
        guard kind.hasTracks || order.track != nil,
            let prober = ChildProgram.path(of: Self.prober, in: searchPath)
        else { return TrackChoice(track: (order.track ?? 1) - 1) }

        func probe(_ tracks: String) async throws -> ProbedTracks? {
            let arguments = ProbedTracks.arguments(tracks, demuxer: kind.demuxer)
            let work = try Work(prober, arguments, reading: nil, isConfined: isConfined)
            return try await answer(of: work, about: file).flatMap { ProbedTracks($0) }
        }
        guard let probed = try await probe("a"), !probed.tracks.isEmpty else {
            return TrackChoice(track: (order.track ?? 1) - 1)
        }
        func lateness(of track: Int) async throws -> Double? {
            guard kind.hasTimeStamps else { return nil }
            if let delay = probed.delay(of: track) { return delay }
            return try await probe("a:\(track)")?.delay(of: 0)
        }
        if let asked = order.track {
            let track = asked - 1
            guard probed.tracks.indices.contains(track) else {
                throw SoundImportError.noSuchTrack(asked, of: probed.sounds)
            }
            let delay = try await lateness(of: track)
            return TrackChoice(track: track, count: probed.tracks.count, delay: delay, isAsked: true)
        }
        guard probed.tracks.count > 1 else { return TrackChoice(delay: try await lateness(of: 0)) }
        var measures: [SpeechMeasure] = []
        let searched = probed.searched
        for track in searched {
            let listener = TrackListener()
            let arguments = Self.arguments(kind, isSeekable: false, track: track, isSample: true)
            let work = try Work(program, arguments, reading: nil, isConfined: isConfined)
            do {
                try await decode(file, by: work) { await listener.take($0) }
            } catch is SoundImportError {
                // The sound before the error counts.
            }
            measures.append(await listener.measure)
        }
        let preferred = searched.firstIndex(of: probed.preferred) ?? 0
        let track = searched[SpeechMeasure.best(of: measures, preferred: preferred)]
        return TrackChoice(track: track, count: probed.tracks.count, delay: try await lateness(of: track))
    }

    /// The answer of a program that reads `file`; `nil` when it fails.
    private func answer(of work: Work, about file: any StoredBytes) async throws -> [UInt8]? {
        let watchdog = Watchdog(timeout: idleTimeout, clock: clock)
        let feeding = Task { try await work.feed(file, watchdog) }
        let watching = Task {
            // This throws only when the program has ended.
            guard (try? await watchdog.expiration()) != nil else { return }
            work.program.kill()
        }
        defer { watching.cancel() }
        let bytes = await withTaskCancellationHandler {
            await work.answer(limit: Self.longestAnswer)
        } onCancel: {
            work.program.kill()
        }
        if bytes == nil { work.program.kill() }
        let status = await work.end()
        feeding.cancel()
        _ = await feeding.result  // the decoding meets what cannot be read, too
        try Task.checkCancellation()
        return status == 0 ? bytes : nil
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
        let standardError: StandardErrorTail
        /// `nil` where it reads memory.
        private let input: ChildChannel?
        private let output: ChildChannel
        private let feeder = BlockingExecutor(label: "decoder input")
        private let reader = BlockingExecutor(label: "decoder output")

        init(_ path: String, _ arguments: [String], reading memory: MemoryFile?, isConfined: Bool) throws {
            let input = memory == nil ? try ChildChannel() : nil
            let (output, errors) = (try ChildChannel(), try ChildChannel())
            let first = memory?.descriptor ?? input?.childEnd ?? -1
            let descriptors = [first, output.childEnd, errors.childEnd]
            defer { withExtendedLifetime(memory) {} }
            do {
                program =
                    isConfined
                    ? try ChildProgram(
                        confined: path,
                        arguments: arguments,
                        descriptors: descriptors,
                        // Only what it names can be opened again; an unnamed file takes no rule, and needs none.
                        output: -1,
                        processorSeconds: FFmpegDecoder.processorSeconds
                    )
                    : try ChildProgram(path: path, arguments: arguments, descriptors: descriptors)
            } catch {
                throw error.errno == ENOENT ? SoundImportError.programMissing : SoundImportError.cannotStart
            }
            for channel in [input, output, errors] { channel?.handOver() }
            (self.input, self.output) = (input, output)
            standardError = StandardErrorTail(errors)
        }

        func feed(_ file: any StoredBytes, _ watchdog: Watchdog) async throws {
            guard let input else { return }
            defer { input.end() }
            for start in stride(from: 0, to: file.length, by: pieceLength) {
                try Task.checkCancellation()
                let piece = try await file.read(start..<min(file.length, start + pieceLength))
                try await feeder.run { try piece.withUnsafeBytes { try input.writeAll($0) } }
                watchdog.heartbeat()
            }
        }

        /// Gives the sound as it comes, after `delay` seconds of silence.
        func sound(
            after delay: Double,
            _ watchdog: Watchdog,
            _ take: (DecodedSound) async throws -> Void
        ) async throws -> (rate: Int?, samples: Int) {
            var stream = WaveStream()
            var mixing: TrackMixing?
            var given = 0
            func give(_ more: [Int16]) async throws {
                guard !more.isEmpty else { return }
                var silence = given == 0 ? Int(delay * Double(mixing?.rate ?? 0)) : 0
                given += silence + more.count
                while silence > 0 {
                    let count = min(silence, DecodedSound.longestPiece)
                    try await take(.samples([Int16](repeating: 0, count: count)))
                    silence -= count
                }
                for start in stride(from: 0, to: more.count, by: DecodedSound.longestPiece) {
                    try await take(.samples(Array(more[start..<min(start + DecodedSound.longestPiece, more.count)])))
                }
            }
            while true {
                let bytes = await reader.run { [output] in output.read(upTo: FFmpegDecoder.pieceLength) }
                watchdog.heartbeat()
                guard !bytes.isEmpty else { break }
                let new = try stream.take(bytes)
                if let begun = new.facts {
                    let begin = try TrackMixing(begun)
                    mixing = begin
                    let facts = SoundFacts(sampleRate: begin.rate, channels: begun.channels, tags: begun.tags)
                    try await take(.facts(facts))
                }
                try await give(try mixing?.mix(new.samples, isLast: false) ?? [])
                watchdog.heartbeat()
            }
            try await give(try mixing?.mix([], isLast: true) ?? [])
            return (mixing?.rate, given)
        }

        /// All that the program writes; `nil` when that is more than `limit` bytes.
        func answer(limit: Int) async -> [UInt8]? {
            await reader.run { [output] () -> [UInt8]? in
                var bytes: [UInt8] = []
                while bytes.count <= limit {
                    let more = output.read(upTo: 65_536)
                    if more.isEmpty { return bytes }
                    bytes += more
                }
                return nil
            }
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
    /// The tags of the track, which counts from 0, join those of the file, such as its language. The sound has the rate of its file,
    /// unless another is wanted; of a sample, only some minutes are.
    static func arguments(
        _ kind: SoundFileKind,
        isSeekable: Bool,
        track: Int = 0,
        rate: Int? = nil,
        isSample: Bool = false,
        hasPauses: Bool = false
    ) -> [String] {
        let quiet = ["-nostdin", "-hide_banner", "-nostats", "-loglevel", "repeat+level+error"]
        let input = [
            "-protocol_whitelist", isSeekable ? "file" : "pipe", "-threads", "1", "-vn", "-sn", "-dn", "-f",
            kind.demuxer,
            "-i", isSeekable ? "file:/dev/fd/0" : "pipe:0",
        ]
        let tags = ["-map_metadata:g", "0:g", "-map_metadata:g", "0:s:a:\(track)", "-map_chapters", "-1"]
        let filter = gapFilter + (hasPauses ? ":first_pts=0" : "")
        let gaps = kind.hasTimeStamps ? ["-af", filter, "-dts_delta_threshold", String(longestJump)] : []
        // As many packets as one likes may be pauses.
        let pauses = hasPauses ? ["-max_error_rate", "1"] : []
        let wanted = isSample ? SpeechMeasure.sampleRate : rate
        let length = isSample ? ["-t", String(SpeechMeasure.longest)] : []
        let part = length + (wanted.map { ["-ar", String($0)] } ?? [])
        let output = ["-fflags", "+bitexact", "-f", "wav", "-protocol_whitelist", "pipe", "pipe:1"]
        let sound = ["-map", "0:a:\(track)"] + tags + gaps + part + ["-c:a", "pcm_s16le"]
        return quiet + pauses + input + sound + output
    }

    /// The longest gap that is filled with silence, in seconds; a longer one is a mistake in the file.
    private static let longestGap = 3_600
    /// The longest jump of the time stamps of a broadcast that is a gap, in seconds; one that is longer begins another program.
    private static let longestJump = 600

    /// Fills gaps in the time stamps with silence, and takes nothing away where they go back or jump too far.
    ///
    /// The registers are: 0 what is added to all stamps, 1 where the last frame ended, 2 where this one begins, 3 the gap.
    private static let gapFilter =
        #"asetpts=st(2\,if(isnan(PTS)\,ld(1)\,PTS+ld(0)))\;st(3\,(ld(2)-ld(1))*TB)\;"#
        + #"if(gt(N\,0)*(lt(ld(3)\,0)+gt(ld(3)\,\#(longestGap)))\,st(0\,ld(0)-ld(2)+ld(1))\;st(2\,ld(1)))\;"#
        + #"st(1\,ld(2)+NB_SAMPLES/SR/TB)\;ld(2),aresample=async=1"#
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
    /// Whether each piece of sound has a time.
    fileprivate var hasTimeStamps: Bool {
        switch self {
        case .movie, .matroska, .asf, .flv, .mpegTransport, .mpegProgram, .ogg: true
        default: false
        }
    }

    /// Whether there may be several tracks.
    fileprivate var hasTracks: Bool { hasTimeStamps || self == .avi }

    /// Whether tags usually stand behind the sound, which FFmpeg takes for damage where it cannot look there first.
    fileprivate var hasTagsAtEnd: Bool {
        switch self {
        case .wavPack, .monkey, .musepack, .musepack8, .trueAudio, .dsf: true
        default: false
        }
    }
}

extension StandardErrorTail {
    /// Messages about files that are damaged or cut.
    private static let damage = [
        "partial file", "prematurely", "corrupt", "Truncat", "truncat", "End of file", "EOF",
    ]
    /// The message about damage within, and about pauses.
    private static let invalid = "Invalid data found"
    /// Messages of different versions about a skipped packet.
    private static let losses = ["Error while decoding", "Error submitting packet"]

    /// Translates a failure into an error for a person; call it when the program has ended.
    ///
    /// - Parameters:
    ///   - status: The program's.
    ///   - rate: Of the samples, in hertz; `nil` when none have begun.
    ///   - samples: How many came.
    ///   - hasPauses: Whether what cannot be decoded is a pause.
    /// - Returns: Whether all packets were decoded.
    /// - Throws: ``SoundImportError``.
    fileprivate func check(status: Int32, rate: Int?, samples: Int, hasPauses: Bool) throws(SoundImportError) -> Bool {
        let said = text()
        guard samples > 0, let rate else {
            if said.contains("matches no streams") || status == 0 { throw .noSound }
            let unknown = ["not found", "could not find codec parameters", "Not yet implemented"]
            if unknown.contains(where: { said.contains($0) }) { throw .unknownKind(found: nil) }
            throw status >= 128 ? .decoderDied : .damaged(seconds: 0)
        }
        let signs = Self.damage + (hasPauses ? [] : [Self.invalid])
        let isDamaged = status != 0 || signs.contains { said.contains($0) }
        if isDamaged { throw .damaged(seconds: Double(samples) / Double(rate)) }
        return hasPauses || !Self.losses.contains { said.contains($0) }
    }
}

/// Holds the facts back until the first sound, so that a decoding without any can be repeated.
private actor SoundBeginning {
    /// How many have been given.
    private(set) var samples = 0
    /// The sample rate in hertz once the sound has begun; parts that follow have it, too.
    private(set) var rate: Int?
    private var facts: SoundFacts?
    private var notices: [SoundImportNotice] = []
    private let give: @Sendable (DecodedSound) async throws -> Void

    init(_ give: @escaping @Sendable (DecodedSound) async throws -> Void) {
        self.give = give
    }

    /// How much has been given.
    var seconds: Double { rate.map { Double(samples) / Double($0) } ?? 0 }

    /// Sets the notices that come where the sound begins.
    func set(_ notices: [SoundImportNotice]) {
        if rate == nil { self.notices = notices }
    }

    func take(_ sound: DecodedSound) async throws {
        switch sound {
        case .facts(let new):
            if rate == nil { facts = new }
        case .samples(let more):
            try await finish()
            samples += more.count
            try await give(sound)
        case .notice: try await give(sound)
        }
    }

    /// Gives silence until `end`, in seconds, where sound has begun.
    func fill(upTo end: Double) async throws {
        guard let rate else { return }
        var missing = Int(min(end, ContainerParts.longestStep + seconds) * Double(rate)) - samples
        while missing > 0 {
            let count = min(missing, DecodedSound.longestPiece)
            try await take(.samples([Int16](repeating: 0, count: count)))
            missing -= count
        }
    }

    /// Gives the facts of a file without sound.
    func finish() async throws {
        guard rate == nil, let facts else { return }
        rate = facts.sampleRate
        try await give(.facts(facts))
        for notice in notices { try await give(.notice(notice)) }
    }
}
