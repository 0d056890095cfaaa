import ArgumentParser
import EchoText
import Foundation

/// `echotext voices show`.
struct VoicesShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a voice: size, licence, where it came from, and whether its files are as they were."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @OptionGroup
    var answer: JSONOption

    private struct Shown: Encodable {
        let voice: VoiceRow
        let folder: String?
        let url: String?
        let archiveSize: Int64?
        let sha256: String?
    }

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await show() }
    }

    private func show() async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try studio.installedID(called: voice)
        let selection = try await VoiceSelection.taken(by: studio.installer)
        let rows = try await VoiceRow.all(in: studio, selection)
        guard var row = rows.first(where: { $0.id == id.rawValue }) ?? Self.variant(id, in: studio, selection) else {
            throw SynthesisError.voiceNotInstalled(id)
        }
        let installed = try await studio.installer.installed().first { $0.voice.id == id }
        if installed != nil, row.problem == nil { row.problem = await Self.problem(with: id, in: studio) }
        if answer.json {
            return try Answer.json(
                Shown(
                    voice: row,
                    folder: installed?.folder,
                    url: installed?.receipt?.url,
                    archiveSize: installed?.receipt?.archiveBytes,
                    sha256: installed?.receipt?.sha256
                )
            )
        }
        try Answer.text(Self.lines(of: row, installed).map { "\($0.0): \($0.1)" }.joined(separator: "\n"))
    }

    /// A variant of an espeak-ng voice is in no list.
    private static func variant(_ id: Voice.ID, in studio: Studio, _ selection: VoiceSelection?) -> VoiceRow? {
        // Of what is not there nothing can be shown.
        guard let voice = try? studio.voice(called: id.rawValue) else { return nil }
        var row = VoiceRow(voice)
        if let selection { row.add(selection) }
        return row
    }

    private static func problem(with id: Voice.ID, in studio: Studio) async -> VoiceRow.Problem? {
        do {
            try await studio.installer.check(id)
            return nil
        } catch {
            let failure = VoiceDownload.Failure(error)
            return .init(code: failure.code, message: failure.message, suggestion: failure.suggestion)
        }
    }

    private static func lines(of row: VoiceRow, _ installed: InstalledVoice?) -> [(String, String)] {
        let lines: [(String, String?)] = [
            ("id", row.id),
            ("name", row.name),
            ("language", row.language),
            ("engine", row.engine),
            ("speakers", String(row.speakers)),
            ("sample rate", row.sampleRate.map { "\($0) Hz" }),
            ("quality", row.quality),
            ("size", row.size.map { Answer.size(Int($0)) }),
            ("licence", row.licence.map(Self.words)),
            ("installed", row.installedAt.map(Answer.date)),
            ("from", installed?.receipt?.url),
            ("folder", installed?.folder),
            ("last used", row.lastUsed.map(Answer.date)),
            ("speed here", row.speed.map { String(format: "%.0f times as fast as it is heard", $0) }),
            ("favourite", row.isFavourite ? "yes" : nil),
            ("speaks when none is named", row.isSelected ? "yes" : nil),
            ("problem", row.problem.map { [$0.message, $0.suggestion].compactMap(\.self).joined(separator: " ") }),
        ]
        return lines.compactMap { label, text in text.map { (label, $0) } }
    }

    private static func words(_ licence: VoiceLicence) -> String {
        switch licence.isCommercial {
        case true?: "\(licence.name) (commercial use allowed)"
        case false?: "\(licence.name) (not for commercial use)"
        case nil: licence.name
        }
    }
}

/// `echotext voices try`.
struct VoicesTry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Hear a sentence in a voice's own language."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @Argument(help: "What it says; a sentence of its language when absent.")
    var text: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Which of the voice's people, from 0.", valueName: "n"))
    var speaker = 0

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write a sound file instead of playing it; “-” for standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        var known: Voice?
        try await JSONFailure.printed(if: answer.json) {
            let studio = try await Studio.live()
            await studio.close()
            known = try studio.voice(called: voice)
        }
        guard let found = known else { return }
        var arguments = ["--voice", found.id.rawValue, "--speaker", String(speaker)]
        if let output { arguments += ["--output", output] }
        if answer.json { arguments.append("--json") }
        let sentence = text ?? SampleSentence.sentence(in: found.language)
        try await Speak.parse(arguments + ["--", sentence]).run()
    }
}
