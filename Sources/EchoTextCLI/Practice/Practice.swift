import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext practice`, which practices, plans or writes a track.
struct Practice: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Practise a text, plan it, or write it as a track with the pauses in it.",
        discussion: """
            Without a source, reads standard input. Keys: space pauses; n and → move on, p and ← go back; r reads the segment again; \
            a number and Enter go to that segment; h marks the segment as hard or removes the \
            mark; b plays the voice and then your last take, a both at once, word by word; + and - change the rate; \
            q ends, and the session can be continued.

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

    func validate() throws {
        if plan, render != nil { throw ValidationError("Give --plan or --render, not both.") }
        if plan || render != nil, recording.record { throw ValidationError("A track is not recorded.") }
        if plan || render != nil, from != nil {
            throw ValidationError("Give a track its parts by --loop, such as --loop 3-9; --from is for practising.")
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
        var engines = Studio.Engines()
        engines.first = try await firstVoice(for: order, in: library)
        let kept = try await Studio.with(engines) { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                let sessions = PracticeSessions(
                    in: library,
                    by: studio.narrator,
                    with: tools,
                    events: StudioEvents()
                )
                let practice = TerminalPractice(
                    sessions,
                    voices: { await studio.voices },
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
        if json { return try CommandOutput.json(PracticeResponse.answer(about: kept)) }
        try await PracticeReport(of: kept, in: library)?.write()
        if !kept.isFinished {
            EchoTextCommand.say("continue with “echotext practice --continue \(kept.id.rawValue.prefix(8))”")
        }
    }

    private var changes: PracticeSettings.Changes { options.changes(keepsTakes: recording.discard ? false : nil) }

    /// The voice that reads the first segment, where that is known before the text is divided.
    private func firstVoice(
        for order: PracticeSessions.Order?,
        in library: Library
    ) async throws -> Studio.FirstVoice? {
        guard let order else {
            let kept = try await library.practice.practice(called: session ?? "")
            return .init(id: kept.voice, language: nil)
        }
        if let named = order.voice { return .init(id: Voice.ID(rawValue: named), language: nil) }
        var language = order.language
        switch order.source {
        case .text: break
        case .speech(let id):
            let own = try await library.speeches.speech(id)?.language
            if let own, own != "und" { language = own }
        default: return nil
        }
        let profile = try await NarrationDefaults(of: library).chosen.profile
        return .init(id: profile.voice, language: language)
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
    ) async throws -> PracticeRecord.ID {
        guard let order else {
            let kept = try await library.practice.practice(called: session ?? "")
            if let notice = Self.notice(of: kept.voice, among: voices) { EchoTextCommand.say(notice) }
            return kept.id
        }
        return try await sessions.begin(order, voices: voices).id
    }

    /// - Returns: That another voice speaks for a session's, or `nil` where its own does.
    static func notice(of voice: Voice.ID, among voices: [Voice]) -> String? {
        guard (try? VoiceSearch(among: voices).voice(called: voice.rawValue)) == nil else { return nil }
        return "notice: the voice \(voice) is not there any more, so another speaks in its place"
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
        if json { return try CommandOutput.json(track) }
        if place != nil { return EchoTextCommand.say("written, \(CommandOutput.time(track.seconds))") }
        try track.write()
    }
}

/// Whether and how the pauses are recorded.
struct TakeOptions: ParsableArguments {
    @Flag(help: "Record what you repeat with the microphone, and score it on this machine.")
    var record = false

    @Option(help: ArgumentHelp("The microphone, as “echotext record --devices” lists it.", valueName: "name"))
    var device: String?

    @Flag(help: "Discard each take of this session when it has been scored.")
    var discard = false

    func validate() throws {
        if !record, device != nil || discard { throw ValidationError("--device and --discard are for --record.") }
    }
}

/// The options that name what is practiced.
struct PracticeSourceOptions: ParsableArguments {
    @Argument(help: "The text.")
    var text: String?

    @Option(name: [.short, .long], help: "Read the text from this file; - is standard input.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("A speech, by id or title.", valueName: "id|title"))
    var speech: String?

    @Option(help: ArgumentHelp("A document of the library, by id or name.", valueName: "id|name"))
    var document: String?

    @OptionGroup(title: "Document")
    var choice: SelectionOptions

    @Option(help: ArgumentHelp("The text of a recording, by id or name.", valueName: "id|name"))
    var recording: String?

    @Option(help: ArgumentHelp("A text of the history, by its id in “echotext history”.", valueName: "id"))
    var history: Int?

    @Flag(help: "The hard segments that are due.")
    var hard = false

    @Option(
        help: ArgumentHelp("The language of the text, such as en-GB or et; the voice's when absent.", valueName: "tag")
    )
    var language: String?

    /// How many sources were named.
    var count: Int {
        let named: [Any?] = [text, file, speech, document, recording, history]
        return named.count { $0 != nil } + (hard ? 1 : 0)
    }

    func validate() throws {
        guard count <= 1 else { throw ValidationError("Give only one text, speech, document or recording.") }
        if document == nil, choice.isGiven {
            throw ValidationError("--pages, --chapters and --with are for --document.")
        }
    }

    /// Returns the named source; standard input when none was named.
    func source(in library: Library) async throws -> PracticeSource {
        if hard { return .hard }
        if let history { return .history(history) }
        if let speech { return .speech(try await library.speeches.speech(called: speech).id) }
        if let recording { return .recording(try await library.audio.item(called: recording).id) }
        if let document {
            let selection = choice.isGiven ? try choice.selection() : nil
            let id = try await library.documents.document(called: document).id
            for notice in try await library.documents.structure(of: id).notices {
                EchoTextCommand.say("note: \(notice.message)")
            }
            return .document(id, selection)
        }
        let input = try SpeakInput(text: text, file: file)
        var whole = ""
        while let piece = try await input.source.next() {
            whole += piece
            guard whole.utf8.count <= Self.largestText else { throw CommandError.textTooLong }
        }
        await input.reportNotices()
        return .text(whole, language: language ?? "und")
    }

    /// The largest text, in bytes: 100 MB.
    private static let largestText = 100_000_000
}

/// The settings of a session; omitted ones come from the library's settings.
struct PracticeSettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How fast, 0.1 to 1; 0.5 is the voice's own pace.", valueName: "rate"))
    var rate: Double?

    @Option(
        help: "What is read at once.",
        completion: .list(PracticeSettings.Granularity.allCases.map(\.rawValue))
    )
    var granularity: PracticeSettings.Granularity?

    @Option(
        help: ArgumentHelp(
            "The pause after a segment: timed (as long as the segment), wait (until you are silent, with --record; else until a key is pressed), off.",
            valueName: "pause"
        ),
        completion: .list(PracticeSettings.Echo.allCases.map(\.rawValue))
    )
    var echo: PracticeSettings.Echo?

    @Option(help: ArgumentHelp("How many times as long as the segment the pause is, 0.5 to 3.", valueName: "factor"))
    var factor: Double?

    @Option(help: ArgumentHelp("How often each segment is practised, 1 to 10.", valueName: "n"))
    var repeats: Int?

    @Option(help: ArgumentHelp("Practise these segments again and again, such as 2-5.", valueName: "from-to"))
    var loop: SegmentRange?

    @Option(
        help: ArgumentHelp(
            "listen-and-repeat, together (without pauses) or listen-first (everything once without pauses, then with them).",
            valueName: "order"
        ),
        completion: .list(PracticeSettings.Order.allCases.map(\.name))
    )
    var order: PracticeSettings.Order?

    @Flag(inversion: .prefixedNo, help: "Make each repetition, or pass of the loop, 0.05 faster.")
    var faster: Bool?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Who reads: an ID or a language from “echotext voices”.", valueName: "id")
    )
    var voice: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Which of the voice's people: a number from 0, or a name.", valueName: "n|name")
    )
    var speaker: VoiceSpeaker?

    @Flag(inversion: .prefixedNo, help: "Do not show the text; repeat it as you heard it.")
    var hideText: Bool?

    func changes(keepsTakes: Bool? = nil) -> PracticeSettings.Changes {
        var changes = PracticeSettings.Changes()
        changes.rate = rate
        changes.granularity = granularity
        changes.echo = echo
        changes.factor = factor
        changes.repeats = repeats
        changes.order = order
        changes.faster = faster
        changes.hidesText = hideText
        changes.keepsTakes = keepsTakes
        if let loop { changes.loop = .some(PracticeLoop(first: loop.first, last: loop.last)) }
        return changes
    }
}

/// “2-5”, or “3” for one segment.
struct SegmentRange: ExpressibleByArgument, Equatable {
    let first: Int
    let last: Int

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1], first >= 1,
            last >= first
        else { return nil }
        (self.first, self.last) = (first, last)
    }
}

extension PracticeSettings.Granularity: ExpressibleByArgument {}
extension PracticeSettings.Echo: ExpressibleByArgument {}

extension PracticeSettings.Order: ExpressibleByArgument {
    static var allValueStrings: [String] { allCases.map(\.name) }

    /// The name as it is typed on the command line.
    var name: String {
        switch self {
        case .listenAndRepeat: "listen-and-repeat"
        case .together: "together"
        case .listenFirst: "listen-first"
        }
    }

    init?(argument: String) {
        guard let order = Self.allCases.first(where: { $0.name == argument.lowercased() }) else { return nil }
        self = order
    }
}
