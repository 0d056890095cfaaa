import API
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

    @Argument(help: "Words to find in names and languages.")
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

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await list() }
        }
    }

    private func list() async throws {
        let rules = try await outbound.rules(isConnecting: refresh)
        try await Studio.with { studio in
            try await studio.installer.sweep()
            let voices = try await studio.withVoiceDownloads(rules) { downloads in
                if refresh { try await downloads.refresh() }
                return try await offered(in: studio, from: downloads)
            }
            if answer.json { return try Answer.json(voices.map { VoiceListingResponse.answer(about: $0) }) }
            guard !voices.isEmpty else { return EchoTextCommand.say("no voice that can be downloaded matches") }
            try Answer.table(
                ["ID", "LANGUAGE", "NAME", "QUALITY", "SPEAKERS", "SIZE", "STATE"],
                voices.map(\.catalogueColumns)
            )
        }
    }

    private func offered(in studio: Studio, from downloads: VoiceDownloads) async throws -> [VoiceListing] {
        var catalogue = await downloads.catalogue().matching(words.joined(separator: " "), languages: Self.languages)
        if let language { catalogue = catalogue.speaking(language) }
        let installedVoices = try await downloads.installedVoices()
        let listings = await studio.listings(from: downloads, installedVoices, try await VoiceSelection.read())
        let byEntry = Dictionary(listings.map { ($0.entry?.id, $0) }) { first, _ in first }
        return catalogue.groups(by: sort).flatMap(\.entries).compactMap { byEntry[$0.id] }
    }

    /// The English names of languages, by code.
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
