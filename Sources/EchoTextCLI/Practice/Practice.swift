import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext practice`, which practises, plans or writes a track.
struct Practice: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Practise a text, plan it, or write it as a track with the pauses in it.",
        discussion: """
            Without a source, reads standard input. Keys: space pauses; n and → move on, p and ← go back; r reads the segment again; \
            a number and Enter go to that segment; h marks the segment as hard or removes the \
            mark; b plays the voice and then your last take; + and - change the rate; q ends, and the session can be continued.

            Examples:
              echotext practice "Good evening, ladies and gentlemen. Thank you for coming."
              echotext practice --speech Wedding --record
              echotext practice --document "A book" --chapters 2 --granularity paragraph
              echotext practice --speech Wedding --plan
              echotext practice --speech Wedding --repeats 2 --render wedding.m4b
              echotext practice --continue 3f2a91bc
            """
    )

    @OptionGroup(title: "Text")
    var source: PracticeSourceOptions

    @Option(
        name: .customLong("continue"),
        help: ArgumentHelp("Continue this session of “echotext practice history”.", valueName: "id")
    )
    var session: String?

    @OptionGroup(title: "Practice")
    var options: PracticeSettingOptions

    @OptionGroup(title: "Recording")
    var recording: TakeOptions

    @Option(help: ArgumentHelp("Begin with this segment, counted from 1.", valueName: "n"))
    var from: Int?

    @Flag(help: "Print the segments with how long each is and the pause after it, and play nothing.")
    var plan = false

    @Option(
        help: ArgumentHelp(
            "Write a track with the pauses in it to this file; - is standard output.",
            valueName: "file"
        ),
        completion: .file()
    )
    var render: String?

    @Option(
        help: ArgumentHelp("How to store the track; as the file's name ends when absent.", valueName: "format"),
        completion: .list(ExportFormat.allCases.map(\.rawValue))
    )
    var format: ExportFormat?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func validate() throws {
        if plan, render != nil { throw ValidationError("Give --plan or --render, not both.") }
        if plan || render != nil, recording.record { throw ValidationError("A track is not recorded.") }
        if plan || render != nil, from != nil {
            throw ValidationError("Give a track its segments by --loop, such as --loop 3-9; --from is for practising.")
        }
        if let from, from < 1 { throw ValidationError("--from takes a number from 1.") }
        if format != nil, render == nil { throw ValidationError("--format is for --render.") }
        guard session != nil else { return }
        if source.count > 0 || plan || render != nil || from != nil || options.voice != nil || options.speaker != nil {
            throw ValidationError("A session that is continued has its text, place and voice.")
        }
    }

    func run(in library: Library) async throws {
        _ = try PracticeSettings().applying(changes)
        if plan || render != nil { return try await track(in: library) }
        let order = session == nil ? try await order(in: library) : nil
        let kept = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                let sessions = PracticeSessions(
                    in: library,
                    by: studio.narrator,
                    with: tools,
                    events: StudioEvents()
                )
                let practice = TerminalPractice(
                    sessions,
                    voices: await studio.voices,
                    output: Loudspeaker(),
                    microphone: recording.record ? .init(devices: Microphones(), device: recording.device) : nil,
                    listener: TurnListener(tools.detector),
                    line: PracticeLine(isTerminal: isatty(STDERR_FILENO) == 1)
                )
                let id = try await begin(order, sessions, in: library, voices: await studio.voices)
                return try await sessions.closing {
                    try await practice.run(id, changes: session == nil ? nil : changes)
                }
            }
        }
        if json { return try Answer.json(PracticeResponse.answer(about: kept)) }
        try await PracticeReport(of: kept, in: library)?.write()
        if !kept.isFinished {
            EchoTextCommand.say("continue with “echotext practice --continue \(kept.id.rawValue.prefix(8))”")
        }
    }

    private var changes: PracticeSettings.Changes {
        options.changes(
            records: recording.record ? true : nil,
            keepsTakes: recording.discard ? false : nil
        )
    }

    private func order(in library: Library) async throws -> PracticeSessions.Order {
        var order = PracticeSessions.Order(try await source.source(in: library))
        order.language = source.language
        order.settings = changes
        (order.voice, order.speaker) = (options.voice, options.speaker)
        order.first = from ?? options.loop?.first ?? 1
        return order
    }

    private func begin(
        _ order: PracticeSessions.Order?,
        _ sessions: PracticeSessions,
        in library: Library,
        voices: [Voice]
    ) async throws -> KeptPractice.ID {
        guard let order else { return try await library.practice.practice(called: session ?? "").id }
        return try await sessions.begin(order, voices: voices).id
    }

    // MARK: - Tracks

    private func track(in library: Library) async throws {
        let order = try await order(in: library)
        let place = try render.map { try TrackPlace(path: $0, format: format, isAnswered: json) }
        let track = try await Studio.with { studio in
            let reading = try await PracticeReading(
                order,
                in: library,
                by: studio.narrator,
                voices: await studio.voices,
                at: Date()
            )
            return try await TrackAnswer(of: reading, to: place)
        }
        if json { return try Answer.json(track) }
        if place != nil { return EchoTextCommand.say("written, \(Answer.time(track.seconds))") }
        try track.write()
    }
}

/// Whether and how the pauses are recorded.
struct TakeOptions: ParsableArguments {
    @Flag(help: "Record what you repeat with the microphone, and score it on this machine.")
    var record = false

    @Option(help: ArgumentHelp("The microphone, as “echotext record --devices” lists it.", valueName: "name"))
    var device: String?

    @Flag(help: "Discard each take when it has been scored.")
    var discard = false

    func validate() throws {
        if !record, device != nil || discard { throw ValidationError("--device and --discard are for --record.") }
    }
}
