import AudioFiles
import EchoText
import Foundation

/// The outputs of the speech and its timing table: files, a pipe, the loudspeaker, or several of them.
struct SpeakOutput: Sendable {
    private let writer: SoundFileWriter?
    private let timings: TimingFileWriter?
    private let loudspeaker: LoudspeakerSink?

    /// Rejects invalid combinations before anything is opened.
    ///
    /// - Parameters:
    ///   - options: The options of the output.
    ///   - input: The text's file, if it is one.
    /// - Throws: ``CommandError``, ``AudioFileError/unknownFormat(ending:formats:)``.
    static func check(_ options: OutputOptions, input: String?) throws {
        if let timings = options.timings {
            guard timings == "-" || TimingFormat(fileName: timings) != nil else {
                throw CommandError.contradiction(
                    "The ending of the --timings file says no format.",
                    hint: "Give it one of these: .json, .srt, .vtt."
                )
            }
        }
        if let output = options.output, output != "-", options.format == nil, AudioFormat(fileName: output) == nil {
            throw AudioFileError.unknownFormat(ending: (output as NSString).pathExtension)
        }
        let written = [options.output, options.timings].compactMap(\.self)
        guard Set(written.map(identity)).count == written.count else {
            throw CommandError.contradiction(
                "The sound and its timings would go to the same file.",
                hint: "Give -o and --timings different names."
            )
        }
        if let input, input != "-", written.contains(where: { $0 != "-" && identity($0) == identity(input) }) {
            throw CommandError.contradiction(
                "The output would replace the text it is made from.",
                hint: "Give the output another name."
            )
        }
        if options.json, written.contains("-") {
            throw CommandError.contradiction(
                "Standard output cannot take both the summary and the output.",
                hint: "Leave --json out, or write to a file."
            )
        }
        if written.contains("-") { try StandardStreams.checkOutput() }
        if options.output == "-", isatty(STDOUT_FILENO) == 1 { throw CommandError.soundOnTerminal }
    }

    /// Opens all outputs.
    ///
    /// - Parameters:
    ///   - options: The options of the output.
    ///   - isKept: Whether the library stores the speech, so that it is played only on request.
    ///   - sampleRate: In hertz.
    /// - Throws: ``AudioFileError``; no file is left behind then.
    init(_ options: OutputOptions, isKept: Bool = false, sampleRate: Int) async throws {
        let isPlayed = options.play || options.output == nil && !isKept
        writer = try await Self.writer(options, sampleRate: sampleRate)
        do {
            loudspeaker = isPlayed ? try await LoudspeakerSink(sampleRate: sampleRate) : nil
            timings = try await Self.timings(options, sampleRate: sampleRate)
        } catch {
            await writer?.discard()
            throw error
        }
    }

    /// Passes `passage` on, to the loudspeaker last because it plays at the listener's pace.
    func append(_ passage: Passage) async throws {
        if let writer {
            do {
                try await passage.forEachClip { try await writer.append($0) }
            } catch {
                // Where that is kept, what can be heard of the passage has its times.
                if let heard = passage.cut(at: await writer.samples) { await timings?.take(heard) }
                throw error
            }
        }
        try await timings?.append(passage)
        if let loudspeaker { try await passage.forEachClip { try await loudspeaker.append($0) } }
    }

    /// Completes all outputs, the sound first, since timings are useless without it.
    func finish() async throws {
        try await writer?.finish()
        try await timings?.finish()
        try await loudspeaker?.finish()
    }

    /// Completes the files with what has been made so far, and stops playing.
    ///
    /// - Returns: Whether the timings are kept as well, where there are any.
    /// - Throws: ``AudioFileError`` where the sound, or a table without sound, cannot be kept.
    func keep() async throws -> Bool {
        await loudspeaker?.discard()
        guard let writer else {
            try await timings?.finishPartial()
            return true
        }
        try await writer.finishPartial()
        return await keepTimings()
    }

    /// Completes the files with what could be written before a failure, and stops playing.
    ///
    /// - Returns: Whether the timings are kept as well, where there are any.
    /// - Throws: ``AudioFileError`` where the sound cannot be kept.
    func keepWritten() async throws -> Bool {
        await loudspeaker?.discard()
        try await writer?.keepWritten()
        return await keepTimings()
    }

    /// Completes the table of a sound that is kept.
    ///
    /// - Returns: Whether that succeeded.
    private func keepTimings() async -> Bool {
        do {
            try await timings?.finishPartial()
            return true
        } catch {
            // The sound is worth more than its table, and the first failure is the one to report.
            await timings?.discard()
            return false
        }
    }

    func discard() async {
        await loudspeaker?.discard()
        await writer?.discard()
        await timings?.discard()
    }

    private static func timings(_ options: OutputOptions, sampleRate: Int) async throws -> TimingFileWriter? {
        guard let path = options.timings else { return nil }
        return try await TimingFileWriter(
            path: path == "-" ? nil : path,
            format: TimingFormat(fileName: path) ?? .json,
            sampleRate: sampleRate
        )
    }

    private static func writer(_ options: OutputOptions, sampleRate: Int) async throws -> SoundFileWriter? {
        guard let output = options.output else { return nil }
        return try await SoundFileWriter(
            destination: output == "-" ? .descriptor(STDOUT_FILENO) : .file(output),
            format: options.format ?? AudioFormat(fileName: output) ?? .wav,
            sampleRate: sampleRate,
            tags: AudioTags(title: options.title)
        )
    }

    /// A name that is the same for two paths exactly when they lead to the same file.
    static func identity(_ path: String) -> String {
        path == "-" ? "-" : URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
}

/// The result of a run of `echotext speak`.
struct SpeakSummary: Sendable, Encodable {
    let output: String?
    let timings: String?
    let voice: String
    let engine: String
    let speaker: Int
    let speed: Double
    let pitch: Double
    let sampleRate: Int
    /// In seconds of sound.
    private(set) var duration = 0.0
    private(set) var sentences = 0
    private(set) var words = 0
    /// UTF-16 units of text that were spoken or skipped.
    private(set) var characters = 0
    /// The first words of passages that could not be spoken, at most ``maximumUnspoken``.
    private(set) var unspoken: [String] = []
    /// How far the times of captions were kept; `nil` when they were not to be.
    private(set) var times: CaptionDelays?
    /// Notices about how the text was read.
    var notices: [NoticeReport] = []
    /// The time the work took, in seconds.
    var elapsed = 0.0 {
        didSet { realTimeFactor = duration > 0 ? elapsed / duration : 0 }
    }
    private(set) var realTimeFactor = 0.0

    /// The recording in the library.
    var item: AudioItem.ID?

    init(options: Speak, order: NarrationOrder, sampleRate: Int) {
        output = options.output.output
        timings = options.output.timings
        voice = order.voice.id.rawValue
        engine = order.voice.engine.rawValue
        speaker = order.speaker
        speed = order.speed
        pitch = order.pitch
        self.sampleRate = sampleRate
        times = order.cues.map { _ in CaptionDelays() }
    }

    mutating func add(_ passage: Passage) {
        duration = Double(passage.end) / Double(sampleRate)
        // The silence before a caption is no sentence.
        if passage.endsSentence, times == nil || !passage.source.isEmpty { sentences += 1 }
        times?.add(passage)
        words += passage.words.count
        characters = passage.source.upperBound
        if unspoken.count < Self.maximumUnspoken, let part = passage.unspoken() { unspoken.append(part) }
    }

    private static let maximumUnspoken = 20

    /// Reports the passages that were left out.
    func reportUnspoken() {
        for excerpt in unspoken {
            EchoTextCommand.say(warning(ofUnspoken: "“\(excerpt)”"))
        }
    }

    /// Reports captions that begin later than their times.
    func reportTimes() {
        if let words = times?.words { EchoTextCommand.say("note: \(words)") }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
