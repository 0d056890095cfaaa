import ArgumentParser
import EchoText
import Foundation

/// `echotext voices available`.
struct VoicesAvailable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "available",
        abstract: "List the voices that can be downloaded.",
        discussion: """
            The list comes with the program, so that it is there without a connection. With --refresh what is new is \
            asked for. Sizes with “about” are guessed.
            """
    )

    @Argument(help: "Words that are looked for in names and languages.")
    var words: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only voices of this language, such as en or en-GB.", valueName: "tag")
    )
    var language: String?

    @Option(help: "What they are sorted by within a language: \(VoiceCatalogue.Order.words).")
    var sort = VoiceCatalogue.Order.name

    @Flag(help: "Ask first what is new.")
    var refresh = false

    @OptionGroup(title: "Connection")
    var outbound: OutboundOptions

    @OptionGroup
    var answer: JSONOption

    /// A voice of the catalogue, as JSON.
    private struct Row: Encodable {
        let entry: String
        let id: String
        let language: String
        let name: String
        let quality: String?
        let variant: String?
        let speakers: Int?
        let sampleRate: Int?
        /// In bytes; absent when it is not known.
        let archiveSize: Int64?
        let expectedSize: Int64
        let state: String
        let bytes: Int64?
        let failure: JSONFailure.Content?

        init(_ entry: CatalogueEntry, _ state: VoiceDownload.State) {
            (self.entry, id) = (entry.id.rawValue, entry.voice?.rawValue ?? entry.id.rawValue)
            (language, name, quality) = (entry.language, entry.name, entry.quality?.rawValue)
            (variant, speakers, sampleRate) = (entry.variant?.rawValue, entry.speakers, entry.sampleRate)
            (archiveSize, expectedSize) = (entry.archiveBytes, entry.expectedBytes)
            self.state = state.name
            if case .paused(let progress) = state { bytes = progress.bytes } else { bytes = nil }
            if case .failed(let failure) = state { self.failure = JSONFailure.Content(failure) } else { failure = nil }
        }
    }

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await list() }
        }
    }

    private func list() async throws {
        let rules = try await outbound.rules(isConnecting: refresh)
        try await Studio.with { studio in
            try await studio.installer.sweep()
            let rows = try await studio.withVoiceDownloads(rules) { downloads in
                if refresh { try await downloads.refresh() }
                return try await self.rows(of: downloads)
            }
            if answer.json { return try Answer.json(rows) }
            guard !rows.isEmpty else { return EchoTextCommand.say("no voice that can be downloaded is like that") }
            try Answer.table(
                ["ID", "LANGUAGE", "QUALITY", "SPEAKERS", "SIZE", "STATE"],
                rows.map { row in
                    [
                        row.id, row.language, [row.quality, row.variant].compactMap(\.self).joined(separator: " "),
                        row.speakers.map(String.init) ?? "",
                        (row.archiveSize == nil ? "about " : "") + Answer.size(Int(row.expectedSize)), row.state,
                    ]
                }
            )
        }
    }

    private func rows(of downloads: VoiceDownloads) async throws -> [Row] {
        var catalogue = await downloads.catalogue().matching(words.joined(separator: " "), languages: Self.languages)
        if let language { catalogue = catalogue.speaking(language) }
        let selected = try await ReachableLibrary.use { try await $0.profiles.chosen().profile.voice }
        let states = await downloads.offers(of: try await downloads.installedVoices(), active: selected).compactMap {
            offer in
            offer.entry.map { ($0.id, offer.state) }
        }
        let byID = Dictionary(states) { first, _ in first }
        return catalogue.groups(by: sort).flatMap(\.entries).map { Row($0, byID[$0.id] ?? .notDownloaded) }
    }

    /// The names of languages in English, by their codes.
    private static var languages: [String: String] {
        let english = Locale(identifier: "en")
        let codes = VoiceCatalogue.bundled.voices.flatMap { [$0.language, LanguageTag.language(of: $0.language)] }
        let names = Set(codes).map { code in (code, english.localizedString(forIdentifier: code) ?? code) }
        return Dictionary(uniqueKeysWithValues: names)
    }
}

extension VoiceCatalogue.Order: ExpressibleByArgument {
    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
