import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext record`.
struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record from a microphone, into the library or a sound file.",
        discussion: """
            Ctrl-C ends the recording and keeps it. In the library every half second is kept at once: after a power failure \
            “echotext recordings unfinished” lists what there is. With -o, what there is stays in a file beside it that is \
            called “unfinished” and plays as it is; the last second may be missing, and of Ogg up to ten where it was quiet. A \
            file that has something in it is not replaced.

            Examples:
              echotext record --name "Morning walk"
              echotext record -o note.flac --max 10:00
              echotext record --devices
            """
    )

    @Option(name: .shortAndLong, help: "Write a sound file, and keep nothing in the library.", completion: .file())
    var output: String?

    @OptionGroup
    var capture: CaptureOptions

    @Flag(help: "List the microphones.")
    var devices = false

    @Option(help: ArgumentHelp("What it is to be called; the date and time when absent.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The language that is spoken, such as en or et.", valueName: "tag"))
    var language: String?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if output != nil, name != nil || language != nil {
            throw ValidationError("--name and --language are for recordings of the library.")
        }
    }

    func run() async throws {
        let microphones = Microphones()
        if devices { return try await list(microphones) }
        if let output { return try await write(output, from: microphones) }
        let order = try LibraryRecording(
            name: name.map { try ItemName($0) } ?? ItemName("Recording \(CommandOutput.date(Date()))"),
            language: language.map(LanguageTag.canonical) ?? "und",
            capture: capture,
            answer: answer
        )
        try await order.run()
    }

    private func list(_ microphones: Microphones) async throws {
        let listings = await microphones.all()
        if answer.json { return try CommandOutput.json(listings) }
        guard !listings.isEmpty else { throw CaptureError.noMicrophone }
        try CommandOutput.table(["DEVICE", "NAME"], listings.map { [$0.id, $0.name] })
    }

    private struct Written: Encodable {
        let file: String
        let seconds: Double
        let sampleRate: Int
    }

    /// Refuses to replace a file that has something in it: an earlier recording cannot be made again.
    private static func checkUnused(_ path: String) throws {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let present = try? file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        guard let present, present.isRegularFile == true, present.fileSize ?? 0 > 0 else { return }
        let error = CommandError.contradiction(
            "This file is there already, and would be replaced.",
            hint: "Give -o another name, or move that file away."
        )
        throw FileFailure.naming(path, error)
    }

    /// Names the file that was not put into its place, because the program was ended or another file is there by now.
    private static func sayWhatIsLeft(beside output: String) {
        guard output != "-", let left = SoundFileWriter.leftUnfinished(of: output) else { return }
        let name = CommandOutput.harmless(left, isLine: true)
        EchoTextCommand.say("“\(name)” is there, with the sound of a recording that was cut off")
    }

    private func write(_ output: String, from microphones: Microphones) async throws {
        if output == "-" { try StandardStreams.checkOutput() }
        guard output != "-" || isatty(STDOUT_FILENO) == 0 else { throw CommandError.soundOnTerminal }
        guard let format = output == "-" ? .wav : AudioFormat(fileName: output) else {
            throw AudioFileError.unknownFormat(ending: (output as NSString).pathExtension)
        }
        Self.sayWhatIsLeft(beside: output)
        let json = answer.json
        try await JSONFailure.printed(if: json) {
            if output != "-" { try Self.checkUnused(output) }
            try await TerminationSignals.cancelling {
                let line = LevelLine(isShown: capture.showsLevel)
                let file = RecordedFile(output, format)
                let written: (seconds: Double, sampleRate: Int)
                do {
                    let end = try await SoundCapture(from: microphones).run(capture.options) { device in
                        try await file.open(sampleRate: device.sampleRate)
                        await line.begin(device)
                    } report: {
                        await line.show($0)
                    } take: {
                        try await file.append($0)
                    }
                    await line.end(end)
                    // A new task, because Ctrl-C, which ends the recording, has cancelled this one.
                    written = try await Task { try await file.finish() }.value
                } catch {
                    await line.clear()
                    if let seconds = await file.keepWritten() {
                        EchoTextCommand.say("the first \(CommandOutput.time(seconds)) could be written")
                    } else {
                        Self.sayWhatIsLeft(beside: output)
                    }
                    throw error
                }
                if json, output != "-" {
                    return try CommandOutput.json(
                        Written(file: output, seconds: written.seconds, sampleRate: written.sampleRate)
                    )
                }
                EchoTextCommand.say("written, \(CommandOutput.time(written.seconds))")
            }
        }
    }
}

/// How the microphone is used.
struct CaptureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The microphone, as --devices lists it.", valueName: "name"))
    var device: String?

    @Option(help: ArgumentHelp("End after this time: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var max: PlayTime?

    @Flag(inversion: .prefixedNo, help: "Show time and level, also where standard error is no terminal.")
    var level: Bool?

    @Option(help: ArgumentHelp("Samples per second, such as 48000, 44100 or 16000.", valueName: "hertz"))
    var rate: Int?

    func validate() throws {
        if let rate, !RecordingOrder.sampleRates.contains(rate) {
            throw ValidationError("--rate takes 8000 to 192000.")
        }
        if let max, max.seconds <= 0 { throw ValidationError("--max takes a time above 0.") }
    }

    var options: SoundCapture.Options {
        SoundCapture.Options(device: device, sampleRate: rate, longest: max?.seconds)
    }

    var showsLevel: Bool { level ?? (isatty(STDERR_FILENO) == 1) }
}

/// The sound file that receives a recording.
private actor RecordedFile {
    private let path: String
    private let format: AudioFormat
    private var writer: SoundFileWriter?
    private var sampleRate = 1
    /// How many samples have been written.
    private var samples = 0

    init(_ path: String, _ format: AudioFormat) {
        (self.path, self.format) = (path, format)
    }

    func open(sampleRate: Int) async throws {
        self.sampleRate = sampleRate
        writer = try await SoundFileWriter(
            destination: path == "-" ? .descriptor(STDOUT_FILENO) : .file(path),
            format: format,
            sampleRate: sampleRate,
            leavesUnfinished: true
        )
    }

    func append(_ more: [Int16]) async throws {
        try await writer?.append(AudioClip(pcm16: more, sampleRate: sampleRate))
        samples += more.count
    }

    /// - Throws: ``RecordingError/nothingRecorded``; no file is left then.
    func finish() async throws -> (seconds: Double, sampleRate: Int) {
        guard samples > 0 else {
            await discard()
            throw RecordingError.nothingRecorded
        }
        try await writer?.finish()
        return (Double(samples) / Double(sampleRate), sampleRate)
    }

    /// Keeps what was written until a failure, such as a full disk.
    ///
    /// - Returns: Its length in seconds; `nil` when there is no file.
    func keepWritten() async -> Double? {
        guard path != "-", samples > 0 else {
            await discard()
            return nil
        }
        do {
            try await writer?.keepWritten()
        } catch {
            // The failure that came first is the one to report.
            await discard()
            return nil
        }
        return Double(samples) / Double(sampleRate)
    }

    private func discard() async { await writer?.discard() }
}

/// `echotext recordings resume`.
struct RecordingsResume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Continue an interrupted recording."
    )

    @Argument(help: "Its id; not needed when there is only one.")
    var session: String?

    @OptionGroup
    var capture: CaptureOptions

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await LibraryRecording(resuming: session, capture: capture, answer: answer).run()
    }
}

/// Records into the library: a new recording, or the continuation of one.
struct LibraryRecording: LibraryCommand {
    private enum Work {
        case new(ItemName, language: String)
        case resumed(String?)
    }

    private var work: Work
    private var capture: CaptureOptions
    private(set) var answer: JSONOption

    init() {
        preconditionFailure("made by other commands only")
    }

    init(from decoder: any Decoder) throws {
        preconditionFailure("made by other commands only")
    }

    /// - Parameters:
    ///   - name: The name of the recording.
    ///   - language: BCP 47.
    ///   - capture: How the microphone is used.
    ///   - answer: How to answer.
    init(name: ItemName, language: String, capture: CaptureOptions, answer: JSONOption) {
        work = .new(name, language: language)
        (self.capture, self.answer) = (capture, answer)
    }

    init(resuming session: String?, capture: CaptureOptions, answer: JSONOption) {
        work = .resumed(session)
        (self.capture, self.answer) = (capture, answer)
    }

    func run(in library: Library) async throws {
        let sessions = library.recordings
        var options = capture.options
        let writer = SessionWriter(into: sessions) { error in
            EchoTextCommand.say(
                "cannot be stored now: \(Failure(error).message) The recording continues, and what waits is stored when it can be."
            )
        }
        if case .resumed(let reference) = work {
            let left = try await sessions.session(called: reference)
            guard left.order.source == .microphone else {
                throw CommandError.contradiction(
                    "This is the beginning of a file whose import was interrupted.",
                    hint: "Import the file again for all of it; “echotext recordings keep” keeps its beginning."
                )
            }
            let session = try await sessions.resume(left.id)
            options.sampleRate = session.order.sampleRate
            options.present = session.samples
            await writer.hold(session)
        }
        let line = LevelLine(isShown: capture.showsLevel)
        let item: AudioItem
        do {
            let end = try await SoundCapture(from: Microphones()).run(options) { device in
                if case .new(let name, let language) = work {
                    let order = try RecordingOrder(
                        name: name,
                        language: language,
                        sampleRate: device.sampleRate,
                        source: .microphone,
                        sourceName: device.name
                    )
                    await writer.hold(try await sessions.begin(order))
                } else if await writer.sampleRate != device.sampleRate {
                    throw CaptureError.deviceNotFound(device.name)
                }
                await line.begin(device)
            } report: { event in
                await line.show(event)
                guard case .lost(let length, let place) = event, let rate = await writer.sampleRate else { return }
                await writer.mark(RecordingMark(at: place, label: LevelLine.missing(length), sampleRate: rate))
            } take: {
                try await writer.append($0)
            }
            await line.end(end)
            // A new task, because Ctrl-C, which ends the recording, has cancelled this one.
            item = try await Task { try await writer.finish() }.value
        } catch {
            await line.clear()
            Self.say(await writer.leave())
            throw error
        }
        try CommandOutput.kept(item, asJSON: json)
    }

    private static func say(_ left: SessionWriter.Left) {
        if left.lost > 0 {
            EchoTextCommand.say("the last \(CommandOutput.time(left.lost)) could not be stored, and are lost")
        }
        guard let session = left.session else { return }
        EchoTextCommand.say(
            "what was recorded so far is kept: see “echotext recordings keep \(session.rawValue.prefix(8))”"
        )
    }
}

/// `echotext recordings marks`: the places that a person has marked in a recording.
struct RecordingMarks: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "marks",
        abstract: "List the marks of a recording, or add, name and remove one.",
        discussion: """
            Marks are made while recording, or later. They are the chapters of what was recorded or imported, and stand in \
            exported transcripts.

            Examples:
              echotext recordings marks "Interview"
              echotext recordings marks "Interview" --add 12:30 --label "The harbour"
              echotext recordings marks "Interview" --name 2 --label "The storm"
              echotext recordings marks "Interview" --remove 2
            """
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @Option(help: ArgumentHelp("Add a mark: seconds, m:ss or h:mm:ss.", valueName: "time"))
    var add: PlayTime?

    @Option(help: ArgumentHelp("Give this mark the label; without --label it loses its own.", valueName: "number"))
    var name: Int?

    @Option(help: ArgumentHelp("Remove this mark.", valueName: "number"))
    var remove: Int?

    @Option(help: "What the mark is called.")
    var label: String?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        let changes = [add != nil, name != nil, remove != nil].filter { $0 }.count
        if changes > 1 { throw ValidationError("Give one of --add, --name and --remove.") }
        if label != nil, add == nil, name == nil { throw ValidationError("--label is for --add and --name.") }
        guard (label ?? "").utf16.count <= RecordingMark.longestLabel else {
            throw ValidationError("A label has up to \(RecordingMark.longestLabel) characters.")
        }
    }

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        let typed = TypedName(recording, for: item.id.rawValue, item.name)
        if name ?? remove != nil { try typed.requireWhole() }
        if add != nil { typed.report() }
        // The number is that of now: another program may change the marks meanwhile.
        let before = try await library.audio.marks(of: item.id)
        let meant = try (name ?? remove).map { before[try Self.index(of: $0, in: before)] }
        let marks = try await library.audio.changeMarks(of: item.id) { try change(&$0, meant, of: item) }
        let listed = marks.enumerated().map { index, mark in
            MarkResponse(mark, sampleRate: item.sampleRate, number: index + 1)
        }
        if json { return try CommandOutput.json(listed) }
        guard !listed.isEmpty else { return EchoTextCommand.say("there are no marks in this recording") }
        try CommandOutput.table(
            ["NUMBER", "TIME", "LABEL"],
            listed.map { [$0.number.map(String.init) ?? "", WrittenTranscript.clock($0.seconds), $0.label ?? ""] }
        )
    }

    private func change(_ marks: inout [RecordingMark], _ meant: RecordingMark?, of item: AudioItem) throws {
        if let add {
            guard marks.count < RecordingMark.most else {
                throw RecordingError.tooManyMarks(limit: RecordingMark.most)
            }
            marks.append(RecordingMark(at: add.seconds, label: label, sampleRate: item.sampleRate))
        }
        guard let meant else { return }
        guard let index = marks.firstIndex(of: meant) else {
            throw CommandError.contradiction(
                "Another program has changed that mark.",
                hint: "Leave out --name and --remove for a list."
            )
        }
        if remove != nil {
            marks.remove(at: index)
        } else {
            let seconds = meant.seconds(at: item.sampleRate)
            marks[index] = RecordingMark(at: seconds, label: label, sampleRate: item.sampleRate)
        }
    }

    private static func index(of number: Int, in marks: [RecordingMark]) throws -> Int {
        guard number >= 1, number <= marks.count else {
            throw CommandError.contradiction(
                "There is no mark \(number) in this recording.",
                hint: "Leave out --name and --remove for a list."
            )
        }
        return number - 1
    }
}

/// Shows a recording on one line of the terminal: its length and level.
actor LevelLine {
    private static let shortestStep = Duration.milliseconds(80)
    private static let width = 30
    /// The level at the left end of the meter, in dBFS.
    private static let quietest = -60.0

    private let isShown: Bool
    private var lastDrawn: ContinuousClock.Instant?
    /// The second of the recording that was last drawn.
    private var lastSecond = -1
    /// The highest level since the last drawing.
    private var peak = SoundLevel.floor
    private var isClipped = false
    /// Seconds of sound that are missing, for each place.
    private var losses: [Double] = []

    init(isShown: Bool) {
        self.isShown = isShown
    }

    func begin(_ device: any CaptureDevice) {
        let name = CommandOutput.harmless(device.name, isLine: true)
        EchoTextCommand.say("recording from \(name), \(device.sampleRate) Hz; Ctrl-C ends it")
    }

    func show(_ event: SoundCapture.Event) {
        switch event {
        case .continued(let name):
            clear()
            EchoTextCommand.say("the microphone is gone; continuing with \(CommandOutput.harmless(name, isLine: true))")
        case .lost(let length, let place):
            losses.append(length)
            clear()
            let time = CommandOutput.time(place.rounded(.down))
            EchoTextCommand.say("\(Self.missing(length)) at \(time), as this machine was too busy to take it")
        case .level(let level, let seconds):
            guard isShown else { return }
            peak = max(peak, level.peak)
            isClipped = isClipped || level.isClipped
            let now = ContinuousClock.now
            if let last = lastDrawn, now - last < Self.shortestStep, Int(seconds) == lastSecond { return }
            (lastDrawn, lastSecond) = (now, Int(seconds))
            draw(level, seconds)
        }
    }

    func end(_ end: SoundCapture.End) {
        clear()
        switch end {
        case .deviceGone:
            EchoTextCommand.say("the microphone is gone, and there is no other; the recording ends here")
        case .full: EchoTextCommand.say("this is as long as one recording can be; it ends here")
        case .stopped, .longest: break
        }
        guard !losses.isEmpty else { return }
        let places = losses.count == 1 ? "one place" : "\(losses.count) places"
        EchoTextCommand.say("\(Self.missing(losses.reduce(0, +))) in all, at \(places)")
    }

    /// Says how much sound is missing.
    static func missing(_ seconds: Double) -> String { String(format: "about %.1f s of sound missing", seconds) }

    /// Clears the line.
    func clear() {
        guard isShown, lastDrawn != nil else { return }
        lastDrawn = nil
        EchoTextCommand.show("\r\u{1B}[K")
    }

    /// A bar of `width` characters: the average level, and the peak beyond it, both in dBFS.
    static func meter(_ average: Double, peak: Double, width: Int) -> String {
        func place(_ decibels: Double) -> Int {
            Int((max(0, 1 - decibels / quietest) * Double(width)).rounded())
        }
        let (loud, top) = (place(average), place(peak))
        return (0..<width).map { $0 < loud ? "█" : $0 < top ? "▒" : "░" }.joined()
    }

    private func draw(_ level: SoundLevel, _ seconds: Double) {
        let bar = Self.meter(level.average, peak: peak, width: Self.width)
        let words = String(format: "%4.0f dB, peak %4.0f dB", level.average, peak)
        let warning = isClipped ? "  too loud" : ""
        (peak, isClipped) = (SoundLevel.floor, false)
        let line = "● \(CommandOutput.time(seconds.rounded(.down)))  \(bar)  \(words)\(warning)"
        EchoTextCommand.show("\r\u{1B}[K\u{1B}[?7l\(line)\u{1B}[?7h")
    }
}
