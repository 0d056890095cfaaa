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
            “echotext recordings unfinished” lists what there is.

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
            name: name.map { try ItemName($0) } ?? ItemName("Recording \(Answer.date(Date()))"),
            language: language.map(LanguageTag.canonical) ?? "und",
            capture: capture,
            answer: answer
        )
        try await order.run()
    }

    private func list(_ microphones: Microphones) async throws {
        let listings = await microphones.all()
        if answer.json { return try Answer.json(listings) }
        guard !listings.isEmpty else { throw CaptureError.noMicrophone }
        try Answer.table(["DEVICE", "NAME"], listings.map { [$0.id, $0.name] })
    }

    private struct Written: Encodable {
        let file: String
        let seconds: Double
        let sampleRate: Int
    }

    private func write(_ output: String, from microphones: Microphones) async throws {
        if output == "-" { try StandardStreams.checkOutput() }
        guard output != "-" || isatty(STDOUT_FILENO) == 0 else { throw CommandError.soundOnTerminal }
        guard let format = output == "-" ? .wav : AudioFormat(fileName: output) else {
            throw AudioFileError.unknownFormat(ending: (output as NSString).pathExtension)
        }
        let json = answer.json
        try await JSONFailure.printed(if: json) {
            try await TerminationSignals.cancelling {
                let line = LevelLine(isShown: capture.showsLevel)
                let file = RecordedFile(output, format)
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
                } catch {
                    await line.clear()
                    await file.discard()
                    throw error
                }
                let (seconds, rate) = try await Task { try await file.finish() }.value
                if json, output != "-" {
                    return try Answer.json(Written(file: output, seconds: seconds, sampleRate: rate))
                }
                EchoTextCommand.say("written, \(Answer.time(seconds))")
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
    private var samples = 0

    init(_ path: String, _ format: AudioFormat) {
        (self.path, self.format) = (path, format)
    }

    func open(sampleRate: Int) async throws {
        self.sampleRate = sampleRate
        writer = try await SoundFileWriter(
            destination: path == "-" ? .descriptor(STDOUT_FILENO) : .file(path),
            format: format,
            sampleRate: sampleRate
        )
    }

    func append(_ more: [Int16]) async throws {
        samples += more.count
        let amplitudes = more.amplitudes(fullScale: .storedFullScale)
        try await writer?.append(AudioClip(samples: amplitudes, sampleRate: sampleRate))
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

    func discard() async { await writer?.discard() }
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
