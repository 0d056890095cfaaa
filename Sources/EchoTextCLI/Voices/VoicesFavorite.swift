import ArgumentParser
import EchoText

/// `echotext voices favorite`.
struct VoicesFavorite: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "Mark voices as favourites, or no longer.",
        discussion: "Favourites come first on the page. Voices that can be downloaded may be marked too."
    )

    @Argument(help: "IDs or languages of voices.")
    var voices: [String]

    @Flag(help: "Remove the mark.")
    var remove = false

    @OptionGroup
    var answer: JSONOption

    var json: Bool { answer.json }

    private struct Mark: Encodable {
        let voice: String
        let isFavorite: Bool
    }

    func run(in library: Library) async throws {
        let ids = try await Studio.with { studio in
            try await studio.withVoiceDownloads(FollowedRules(OutboundRules(isOffline: true))) { downloads in
                var found: [Voice.ID] = []
                for voice in voices { found.append(try await id(of: voice, at: studio, downloads)) }
                return found
            }
        }
        for id in ids { try await library.voices.update(id) { [remove] in $0.isFavorite = !remove } }
        if json { return try Answer.json(ids.map { Mark(voice: $0.rawValue, isFavorite: !remove) }) }
        for id in ids { EchoTextCommand.say(remove ? "\(id) is no favourite any more" : "\(id) is a favourite") }
    }

    /// Finds the installed voice with that name, else one that can be downloaded.
    private func id(of name: String, at studio: Studio, _ downloads: VoiceDownloads) async throws -> Voice.ID {
        do {
            return try await studio.installedID(called: name)
        } catch {
            guard let voice = try? await downloads.catalogue().entry(called: name).voice else { throw error }
            return voice
        }
    }
}
