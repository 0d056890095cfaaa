import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext library show`, also called `info`.
struct LibraryShow: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show all that is known about a recording.",
        aliases: ["info"]
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        if json { return try Answer.json(ItemResponse(item)) }
        var lines = [
            ("name", item.name.text),
            ("id", item.id.rawValue),
            ("made", Answer.date(item.created)),
            ("length", Answer.time(item.duration)),
            ("size", Answer.size(item.size)),
            ("origin", item.origin.kind.rawValue),
            ("language", item.language),
            ("sample rate", "\(item.sampleRate) Hz"),
            ("words", String(item.words)),
            ("favourite", item.isFavorite ? "yes" : "no"),
        ]
        if let size = item.source?.fileSize { lines.append(("file as it came", Answer.size(size))) }
        if let narration = item.narration {
            lines.append(("voice", "\(narration.voiceName) (\(narration.voice.rawValue))"))
            if let speaker = await Self.speaker(of: narration) { lines.append(("speaker", speaker)) }
            lines += [
                ("engine", narration.engine.rawValue),
                ("speed", String(narration.speed)),
                ("pitch", String(narration.pitch)),
            ]
        }
        if let link = item.narration?.document { lines.append(("document", try await words(for: link, in: library))) }
        let width = lines.map(\.0.count).max() ?? 0
        try Answer.text(
            lines.map { "\($0.0.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.1)" }
                .joined(separator: "\n")
        )
    }

    /// The name of the voice's speaker; `nil` where the voice has only one, as far as is known.
    private static func speaker(of narration: NarrationOrigin) async -> String? {
        guard narration.engine == .piper else { return nil }
        // Without an engine only the speaker's number is known.
        let voice = (try? await Studio.with { await $0.voices })?.first { $0.id == narration.voice }
        return voice?.title(ofSpeaker: narration.speaker) ?? (narration.speaker > 0 ? "\(narration.speaker)" : nil)
    }

    /// The document's name, or that it was deleted, and the part that was spoken.
    private func words(for link: DocumentLink, in library: Library) async throws -> String {
        let document = try await library.documents.document(Document.ID(rawValue: link.id))
        let name = document?.name.text ?? "gone from the library"
        return link.part.map { "\(name), \($0)" } ?? name
    }
}

/// `echotext library text`.
struct LibraryText: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Print the text of a recording."
    )

    @Argument(help: "A recording, by id or name.")
    var recording: String

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Content: Encodable {
        let id: AudioItem.ID
        let text: String
    }

    func run(in library: Library) async throws {
        let item = try await library.audio.item(called: recording)
        let text = try await library.audio.text(of: item.id)
        if json { return try Answer.json(Content(id: item.id, text: text)) }
        try Answer.text(text)
    }
}
