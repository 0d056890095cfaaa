import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext transcripts speakers`.
struct TranscriptSpeakers: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "speakers",
        abstract: "Find who speaks when, and name the speakers in a new version.",
        discussion: """
            The speakers are called “Speaker 1” and so on, in the order in which they first speak. Words and times stay as they \
            are; a paragraph in which several speak is divided. All of it happens on this machine, with models that “echotext \
            recognizers add --help” names, and recordings of up to four hours.

            Examples:
              echotext transcripts speakers "Interview"
              echotext transcripts speakers "Interview:1" --speakers 2 --json
            """
    )

    @OptionGroup
    var reference: TranscriptReference

    @Option(help: ArgumentHelp("How many people speak, from 1 to 20; found out when absent.", valueName: "n"))
    var speakers: Int?

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let count = try SpeakerCount(speakers)
        let id = try await library.transcript(called: reference.transcript).transcript.id
        let line = SpeakerLine(isShown: !json && isatty(STDERR_FILENO) == 1)
        let version = try await Studio.with { studio in
            try await studio.withTranscriptionTools(of: library, isOffline: true) { tools in
                defer { line.clear() }
                return try await SpeakerFinding(in: library, with: tools).find(in: id, count) { line.show($0) }
            }
        }
        if json { return try Answer.json(TranscriptVersionResponse(version)) }
        EchoTextCommand.say("\(version.source.speakers ?? 0) speakers, in version \(version.number)")
    }
}

/// Shows the progress of diarization on one line of the terminal.
private struct SpeakerLine {
    let isShown: Bool

    func show(_ share: Double) {
        guard isShown else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[Kfinding the speakers, \(Int(share * 100)) %".utf8))
    }

    func clear() {
        if isShown { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
    }
}
