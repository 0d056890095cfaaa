import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// `echotext practice`.
struct PracticeCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice",
        abstract: "Practise a text aloud: it is read segment by segment, with pauses in which you repeat it.",
        subcommands: [
            Practice.self, PracticeHistory.self, PracticeTakes.self, PracticeListen.self, PracticeHard.self,
            PracticeMark.self, PracticeDelete.self, PracticeDeleteTake.self,
        ],
        defaultSubcommand: Practice.self
    )
}

/// `echotext practice history`.
struct PracticeHistory: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "List what was practised: unfinished sessions, then the others, the latest first."
    )

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let sessions = try await library.practice.practices().map(\.atRest)
        let unreadable = try await library.practice.unreadable()
        if unreadable > 0 {
            EchoTextCommand.say("notice: practice sessions that cannot be read and are not listed: \(unreadable)")
        }
        if json { return try CommandOutput.json(sessions.map { PracticeResponse.answer(about: $0) }) }
        guard !sessions.isEmpty else { return EchoTextCommand.say("nothing was practised yet") }
        try CommandOutput.table(
            ["ID", "PRACTISED", "AT", "SEGMENTS", "TAKES", "SCORE", "WORDS/MIN", "TIME", "TITLE"],
            sessions.map { practice in
                let summary = practice.summary
                return [
                    String(practice.id.rawValue.prefix(8)), CommandOutput.date(practice.updated),
                    practice.isFinished ? "end" : String(practice.session.position.segment),
                    String(summary?.segments ?? 0), String(summary?.takes ?? 0), Self.score(summary?.score),
                    summary?.pace.map { String(Int($0.rounded())) } ?? "–", CommandOutput.time(summary?.seconds ?? 0),
                    practice.title.text,
                ]
            }
        )
    }

    /// “82 %”.
    static func score(_ score: Double?) -> String { score.map { "\(Int((100 * $0).rounded())) %" } ?? "–" }
}

/// `echotext practice hard`.
struct PracticeHard: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "hard",
        abstract: "List the segments that were hard, and when each is offered again.",
        discussion: "“echotext practice --hard” practises those that are due."
    )

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let now = Date()
        let segments = try await library.practice.hardSegments()
        if json { return try CommandOutput.json(segments.map { HardSegmentResponse($0, isDue: $0.isDue(at: now)) }) }
        guard !segments.isEmpty else { return EchoTextCommand.say("no hard sentences") }
        try CommandOutput.table(
            ["NEXT", "SCORE", "TEXT"],
            segments.map { segment in
                [
                    segment.isDue(at: now) ? "now" : CommandOutput.date(segment.next),
                    PracticeHistory.score(segment.score),
                    CommandOutput.harmless(segment.text, isLine: true),
                ]
            }
        )
    }
}

/// `echotext practice mark`.
struct PracticeMark: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark a segment of a session as hard, so that it is offered again.",
        discussion: """
            “echotext practice hard” lists what is marked.

            Examples:
              echotext practice mark 3f2a91bc 4
              echotext practice mark 3f2a91bc 4 --remove
            """
    )

    @Argument(help: "A session, by its id in the history.")
    var session: String

    @Argument(help: "The segment's number, from 1.")
    var segment: Int

    @Flag(help: "Take the mark away: it is not offered again.")
    var remove = false

    @OptionGroup
    var answer: JSONOption

    private struct Marked: Encodable {
        let session: PracticeRecord.ID
        let segment: Int
        let isHard: Bool
    }

    func run(in library: Library) async throws {
        let practice = try await library.practice.practice(called: session)
        try await PracticeSessions.with(library) { sessions, voices in
            try await sessions.mark(segment, isHard: !remove, in: practice.id, voices: voices)
        }
        if json { return try CommandOutput.json(Marked(session: practice.id, segment: segment, isHard: !remove)) }
        EchoTextCommand.say("part \(segment) is \(remove ? "not hard any more" : "offered again")")
    }
}

/// `echotext practice delete`.
struct PracticeDelete: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a session with its takes.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes."
    )

    @Argument(help: "A session, by its id in the history.")
    var session: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let practice = try await library.practice.practice(called: session)
        try await confirmation.confirm("Delete the practice of “\(practice.title)” with its takes for good?")
        try await library.practice.delete(practice.id)
        if json { try CommandOutput.json(DeletedOutput(deleted: practice.id)) }
    }
}

/// `echotext practice delete-take`.
struct PracticeDeleteTake: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete-take",
        abstract: "Delete what you said in one take; the session and its other takes stay.",
        discussion: "Asks first on a terminal; elsewhere it wants --yes."
    )

    @Argument(help: "A take, by its id in “echotext practice takes”.")
    var take: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let take = try await library.practice.take(called: take)
        let text = CommandOutput.harmless(take.text, isLine: true)
        try await confirmation.confirm("Delete the take of part \(take.segment), “\(text)”, for good?")
        try await PracticeSessions.with(library) { sessions, _ in try await sessions.deleteTake(take.id) }
        if json { try CommandOutput.json(DeletedOutput(deleted: take.id)) }
    }
}

extension PracticeSessions {
    /// Runs `work` with the sessions of a library, and with the voices that can speak, without a network.
    static func with<Output: Sendable>(
        _ library: Library,
        _ work: (PracticeSessions, [Voice]) async throws -> Output
    ) async throws -> Output {
        try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                let sessions = PracticeSessions(in: library, by: studio.narrator, with: tools, events: StudioEvents())
                return try await sessions.closing { try await work(sessions, await studio.voices) }
            }
        }
    }
}

extension PracticeStore {
    /// Finds a session by its id.
    ///
    /// - Parameter reference: Its id, or at least four characters that begin no other session's id.
    /// - Returns: The session.
    /// - Throws: ``PracticeError/sessionNotFound``.
    func practice(called reference: String) async throws -> PracticeRecord {
        let found = try await practices().filter { $0.id.begins(with: reference) }
        guard found.count == 1 else { throw PracticeError.sessionNotFound }
        return found[0]
    }
}

/// The results of a session in words.
struct PracticeReport {
    private let rows: [(name: String, value: String)]

    /// - Returns: `nil` when nothing was practiced.
    /// - Throws: ``VaultError``.
    init?(of practice: PracticeRecord, in library: Library) async throws {
        guard let summary = practice.summary else { return nil }
        self.init(summary, try await library.practice.takes(of: practice.id))
    }

    /// - Parameters:
    ///   - summary: The results.
    ///   - takes: The takes, which hold the texts of the segments to name.
    init(_ summary: PracticeSummary, _ takes: [PracticeTake]) {
        func segment(_ segment: PracticeSummary.Segment?) -> String? {
            segment.map { segment in
                let text = takes.last { $0.segment == segment.number }.map { "  \($0.text)" } ?? ""
                return "\(segment.number): \(PracticeHistory.score(segment.score))\(text)"
            }
        }
        let rows: [(String, String?)] = [
            ("Segments", String(summary.segments)),
            ("Takes", String(summary.takes)),
            ("Score", summary.score.map(PracticeHistory.score)),
            ("Pace", summary.pace.map { "\(Int($0.rounded())) words a minute" }),
            ("Best", segment(summary.best)),
            ("Worst", summary.worst == summary.best ? nil : segment(summary.worst)),
            ("Time", CommandOutput.time(summary.seconds)),
        ]
        self.rows = rows.compactMap { name, value in value.map { (name, $0) } }
    }

    var lines: [String] {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.map { row in
            row.name.padding(toLength: width, withPad: " ", startingAt: 0)
                + CommandOutput.harmless(row.value, isLine: true)
        }
    }

    /// - Throws: ``CommandError/outputFailed(errno:)``.
    func write() throws { try CommandOutput.text(lines.joined(separator: "\n")) }
}

/// `echotext practice takes`.
struct PracticeTakes: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "takes",
        abstract: "List what you said in a session, the oldest take first.",
        discussion: "“echotext practice listen” plays one, and says how it went."
    )

    @Argument(help: "A session, by its id in the history.")
    var session: String

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let practice = try await library.practice.practice(called: session)
        let takes = try await library.practice.takes(of: practice.id)
        if json {
            var answers: [TakeResponse] = []
            for take in takes { answers.append(TakeResponse(take, try await library.practice.score(of: take.id))) }
            return try CommandOutput.json(answers)
        }
        guard !takes.isEmpty else { return EchoTextCommand.say("nothing was recorded in this session") }
        try CommandOutput.table(
            ["ID", "SEGMENT", "TIME", "SCORE", "WORDS/MIN", "SOUND", "TEXT"],
            takes.map { take in
                [
                    String(take.id.rawValue.prefix(8)), String(take.segment), CommandOutput.time(take.seconds),
                    PracticeHistory.score(take.score), take.pace.map { String(Int($0.rounded())) } ?? "–",
                    take.hasSound ? "kept" : "–", CommandOutput.harmless(take.text, isLine: true),
                ]
            }
        )
    }
}

/// `echotext practice listen`.
struct PracticeListen: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Play what you said in a take, and say how it went.",
        discussion: """
            Examples:
              echotext practice listen 9c41ab12
              echotext practice listen 9c41ab12 --model
              echotext practice listen 9c41ab12 -o mine.wav
            """
    )

    @Argument(help: "A take, by its id in “echotext practice takes”.")
    var take: String

    @Flag(help: "Play first what you heard before you said it.")
    var model = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write it to this file instead; - is standard output, as WAV.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup
    var answer: JSONOption

    func validate() throws {
        if model, output != nil { throw ValidationError("A file has what you said alone: leave --model or -o out.") }
    }

    func run(in library: Library) async throws {
        let take = try await library.practice.take(called: take)
        let score = try await library.practice.score(of: take.id)
        let sound = try await library.practice.recording(of: take.id)
        if let output {
            let title = try await library.practice.practice(take.practice).title.text
            try await write(sound, to: TrackPlace(path: output, format: nil, isAnswered: json), title: title)
        } else {
            var sounds = [sound]
            if model { sounds = [try await modelSound(of: take, in: library), sound] }
            if !json { try CommandOutput.text(Self.lines(on: take, score).joined(separator: "\n")) }
            let loudspeaker = SessionLoudspeaker(Loudspeaker())
            for sound in sounds {
                try await SegmentPlayback(on: loudspeaker).play(sound)
                try await loudspeaker.finish()
            }
        }
        if json { try CommandOutput.json(TakeResponse(take, score)) }
    }

    private func write(_ sound: AudioClip, to place: TrackPlace, title: String) async throws {
        let sink = try await place.sink(sampleRate: sound.sampleRate, title: title, count: sound.samples.count)
        do {
            try await sink.append(sound)
            try await sink.finish()
        } catch {
            await sink.discard()
            throw error
        }
    }

    private func modelSound(of take: PracticeTake, in library: Library) async throws -> AudioClip {
        try await PracticeSessions.with(library) { sessions, voices in
            try await sessions.model(of: take, voices: voices).clip
        }
    }

    private static func lines(on take: PracticeTake, _ score: TakeScore?) -> [String] {
        let text = "\(take.segment)  \(CommandOutput.harmless(take.text, isLine: true))"
        return [text] + (score.map { ["   \(PracticeLine.words(for: $0, of: take.text))"] } ?? [])
    }
}

extension PracticeStore {
    /// The take that a person means.
    ///
    /// - Parameter reference: Its id, or at least four characters that only its id begins with.
    /// - Returns: The one take.
    /// - Throws: ``PracticeError/takeNotFound``, ``VaultError``.
    func take(called reference: String) async throws -> PracticeTake {
        guard reference.count >= PracticeTake.ID.shortestPrefix else { throw PracticeError.takeNotFound }
        var found: [PracticeTake] = []
        for practice in try await practices() {
            found += try await takes(of: practice.id).filter { $0.id.begins(with: reference) }
        }
        guard found.count == 1 else { throw PracticeError.takeNotFound }
        return found[0]
    }
}
