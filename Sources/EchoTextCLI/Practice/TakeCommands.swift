import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

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

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let practice = try await library.practice.practice(called: session)
        let takes = try await library.practice.takes(of: practice.id)
        if json {
            var answers: [TakeResponse] = []
            for take in takes { answers.append(TakeResponse(take, try await library.practice.score(of: take.id))) }
            return try Answer.json(answers)
        }
        guard !takes.isEmpty else { return EchoTextCommand.say("nothing was recorded in this session") }
        try Answer.table(
            ["ID", "SEGMENT", "TIME", "SCORE", "WORDS/MIN", "SOUND", "TEXT"],
            takes.map { take in
                [
                    String(take.id.rawValue.prefix(8)), String(take.segment), Answer.time(take.seconds),
                    PracticeHistory.score(take.score), take.pace.map { String(Int($0.rounded())) } ?? "–",
                    take.hasSound ? "kept" : "–", Answer.harmless(take.text, isLine: true),
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

    var json: Bool { answer.json }

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
            if !json { try Answer.text(Self.lines(on: take, score).joined(separator: "\n")) }
            for sound in sounds { try await SegmentPlayback(of: sound, by: Loudspeaker(), isSilent: false).play() }
        }
        if json { try Answer.json(TakeResponse(take, score)) }
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
        try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                let sessions = PracticeSessions(in: library, by: studio.narrator, with: tools, events: StudioEvents())
                return try await sessions.closing {
                    try await sessions.model(of: take, voices: await studio.voices).clip
                }
            }
        }
    }

    private static func lines(on take: PracticeTake, _ score: TakeScore?) -> [String] {
        let text = "\(take.segment)  \(Answer.harmless(take.text, isLine: true))"
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
        let shortestPrefix = 4
        let wanted = reference.lowercased()
        guard wanted.count >= shortestPrefix else { throw PracticeError.takeNotFound }
        var found: [PracticeTake] = []
        for practice in try await practices() {
            found += try await takes(of: practice.id).filter { $0.id.rawValue.hasPrefix(wanted) }
        }
        guard found.count == 1 else { throw PracticeError.takeNotFound }
        return found[0]
    }
}
