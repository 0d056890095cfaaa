import AudioFiles
import EchoText
import Foundation

/// Where a practice track, or what was recorded, goes.
struct TrackPlace {
    private let path: String
    private let format: ExportFormat

    /// - Throws: ``AudioFileError/unknownFormat(ending:formats:)``, ``CommandError``.
    init(path: String, format: ExportFormat?, isAnswered: Bool) throws {
        if path == "-" {
            try StandardStreams.checkOutput()
            guard isatty(STDOUT_FILENO) == 0 else { throw CommandError.soundOnTerminal }
            guard !isAnswered else {
                throw CommandError.contradiction(
                    "Standard output cannot take both the answer and the sound.",
                    hint: "Leave --json out, or write to a file."
                )
            }
        }
        guard let format = format ?? (path == "-" ? .wav : ExportFormat(fileName: path)) else {
            throw AudioFileError.unknownFormat(
                ending: (path as NSString).pathExtension,
                formats: ExportFormat.allCases.map(\.rawValue)
            )
        }
        if path == "-", format.soundFormat == nil { throw ExportError.audiobookNeedsFile }
        (self.path, self.format) = (path, format)
    }

    /// Whether the format has chapters, which have to be known before the sound is written.
    var hasChapters: Bool { format.soundFormat == nil }

    /// - Throws: ``AudioFileError``, ``ExportError``.
    func sink(sampleRate: Int, title: String, chapters: [Chapter] = [], count: Int = 0) async throws -> any AudioSink {
        if path == "-", let format = format.soundFormat {
            return try await SoundFileWriter(
                destination: .descriptor(STDOUT_FILENO),
                format: format,
                sampleRate: sampleRate
            )
        }
        let order = SoundOrder(
            format: format,
            sampleRate: sampleRate,
            count: count,
            tags: AudioTags(title: title),
            chapters: chapters
        )
        return try await LocalSoundFiles(searchPath: LibraryExport.searchPath).sound(order, at: path)
    }
}

/// A practice track as a command prints it.
struct TrackAnswer: Encodable {
    fileprivate struct Row: Encodable {
        let segment: Int
        let repetition: Int
        let pass: Int
        let rate: Double
        /// In seconds.
        let start: Double
        let duration: Double
        let pause: Double
        let text: String
    }

    private let title: String
    private let language: String
    private let voice: Voice.ID
    let seconds: Double
    private let segments: [Row]

    /// Synthesizes the track, and writes it to a file if `place` names one.
    init(of reading: PracticeReading, to place: TrackPlace?) async throws {
        (title, language, voice) = (reading.text.title.text, reading.language, reading.voice.id)
        let rate = reading.voice.sampleRate
        var sink = try await place?.sink(sampleRate: rate, title: title)
        var held: HeldTrack?
        if let place, place.hasChapters {
            // It was started early so that a missing encoder is reported before anything is spoken.
            await sink?.discard()
            let title = title
            held = HeldTrack { try await place.sink(sampleRate: rate, title: title, chapters: $0, count: $1) }
            sink = held
        }
        var entries: [PracticeTrack.Entry] = []
        do {
            seconds = try await reading.track(to: sink, unspoken: sayUnspoken) { entries.append($0) }
            try await held?.write(PracticeTrack.chapters(of: entries, sampleRate: rate))
            try await sink?.finish()
        } catch {
            await sink?.discard()
            throw error
        }
        segments = entries.map { Row($0) }
    }

    /// Prints the segments for a person.
    func write() throws {
        try CommandOutput.table(
            ["SEGMENT", "RATE", "START", "SECONDS", "PAUSE", "TEXT"],
            segments.map { row in
                [
                    String(row.segment), String(row.rate), CommandOutput.time(row.start),
                    String(format: "%.2f", row.duration), String(format: "%.2f", row.pause),
                    CommandOutput.harmless(row.text, isLine: true),
                ]
            }
        )
    }
}

extension TrackAnswer.Row {
    fileprivate init(_ entry: PracticeTrack.Entry) {
        self.init(
            segment: entry.segment.number,
            repetition: entry.repetition,
            pass: entry.pass,
            rate: entry.rate,
            start: entry.start,
            duration: entry.seconds,
            pause: entry.pause,
            text: entry.segment.text
        )
    }
}

/// A track held in memory until its chapters are known, because an audiobook's file begins with them.
///
/// A track with more speech than ``maximumSamples`` is written as it is synthesized, without chapters.
actor HeldTrack: AudioSink {
    private enum Piece {
        case sound([Int16])
        case silence(Int)
    }

    /// The most samples held, other than silence: about 75 minutes, or 200 MB.
    static let maximumSamples = 100_000_000

    private let maximum: Int
    private let begin: @Sendable (_ chapters: [Chapter], _ count: Int) async throws -> any AudioSink
    private var sink: (any AudioSink)?
    private var pieces: [Piece] = []
    private var sampleRate = 0
    private var held = 0
    private var count = 0

    /// - Parameters:
    ///   - maximum: The most samples held, other than silence.
    ///   - begin: Begins the file, given its number of samples and its chapters.
    init(
        maximum: Int = maximumSamples,
        begin: @escaping @Sendable (_ chapters: [Chapter], _ count: Int) async throws -> any AudioSink
    ) {
        (self.maximum, self.begin) = (maximum, begin)
    }

    func append(_ clip: AudioClip) async throws {
        if let sink { return try await sink.append(clip) }
        (sampleRate, count) = (clip.sampleRate, count + clip.samples.count)
        if clip.samples.allSatisfy({ $0 == 0 }) { return pieces.append(.silence(clip.samples.count)) }
        pieces.append(.sound(clip.pcm16))
        held += clip.samples.count
        if held > maximum { try await write([]) }
    }

    /// Writes the samples held in memory, unless writing has begun already.
    ///
    /// - Throws: ``AudioFileError``, ``ExportError``, `CancellationError`.
    func write(_ chapters: [Chapter]) async throws {
        guard sink == nil else { return }
        let sink = try await begin(chapters, count)
        self.sink = sink
        let writing = pieces
        pieces = []
        for piece in writing {
            let clip =
                switch piece {
                case .sound(let sound): AudioClip(pcm16: sound, sampleRate: sampleRate)
                case .silence(let count): AudioClip(samples: Array(repeating: 0, count: count), sampleRate: sampleRate)
                }
            try await sink.append(clip)
        }
    }

    func finish() async throws { try await sink?.finish() }

    func discard() async {
        pieces = []
        await sink?.discard()
    }
}
