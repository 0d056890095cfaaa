import ArgumentParser
import EchoText
import Foundation

/// `echotext voices`: who can speak.
struct Voices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the voices that can speak.",
        discussion: """
            Give an ID to “echotext speak --voice”. espeak-ng's voices also come in variants: add +f1 to +f5, +m1 to +m8 \
            or another name from “espeak-ng --voices=variant”, as in “espeak/en-US+f3”.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only voices of this language, such as en or en-GB.", valueName: "tag")
    )
    var language: String?

    @Flag(help: "Print the list, or what went wrong, as JSON.")
    var json = false

    func run() async throws {
        try await JSONFailure.printed(if: json) { try await list() }
    }

    private func list() async throws {
        let studio = try await Studio.live()
        let voices = studio.voices.filter { voice in
            language.map { LanguageTag.matches(voice.language, range: $0) } ?? true
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try EchoTextCommand.answer(String(decoding: try encoder.encode(voices), as: UTF8.self))
        } else if voices.isEmpty {
            EchoTextCommand.say("no voice speaks “\(language ?? "")”")
        } else {
            try EchoTextCommand.answer(Self.table(of: voices))
        }
    }

    private static func table(of voices: [Voice]) -> String {
        let rows =
            [["ID", "LANGUAGE", "NAME", "ENGINE", "SPEAKERS"]]
            + voices.map { [$0.id.rawValue, $0.language, $0.name, $0.engine.rawValue, String($0.speakers)] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces)
        }
        .joined(separator: "\n")
    }
}
