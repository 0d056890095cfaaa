import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext voices`: the installed voices and those that can be downloaded.
struct VoiceCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voices",
        abstract: "List, add and remove the voices that can speak.",
        discussion: """
            Give an ID to “echotext speak --voice”. espeak-ng's voices also come in variants: add +f1 to +f5, +m1 to +m8 \
            or another name from “espeak-ng --voices=variant”, as in “espeak/en-US+f3”.

            Examples:
              echotext voices --language et
              echotext voices available --language lv
              echotext voices download en_US-lessac-medium
              echotext voices add ~/Downloads/vits-piper-en_US-lessac-medium.tar.bz2
              echotext voices try piper/en_US-lessac-medium
              echotext voices select piper/en_US-lessac-medium
            """,
        subcommands: [
            VoicesList.self, VoicesAvailable.self, VoicesDownload.self, DownloadDiscard.self, VoicesAdd.self,
            VoicesRemove.self, VoicesSelect.self, VoicesFavorite.self, VoicesShow.self, VoicesTry.self,
            VoicesRetry.self,
        ],
        defaultSubcommand: VoicesList.self
    )
}

extension VoiceSpeaker: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension Studio {
    /// Finds the voice called `name`.
    ///
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``, or the fault of the voice with that id.
    func voice(called name: String) async throws -> Voice {
        do {
            return try VoiceSearch(among: await voices).voice(called: name)
        } catch {
            if let fault = await fault(called: name) { throw fault.error }
            throw error
        }
    }

    /// Why an installed voice cannot speak; `nil` when it can, or is not installed.
    func reason(for name: Voice.ID) async -> (any UserFacingError)? { await fault(called: name.rawValue)?.error }

    /// Finds the id of an installed voice, even one that cannot speak.
    ///
    /// - Throws: ``SynthesisError/voiceNotInstalled(_:similar:)``.
    func installedID(called name: String) async throws -> Voice.ID {
        if let fault = await fault(called: name) { return fault.id }
        return try VoiceSearch(among: await voices).voice(called: name).id
    }

    private func fault(called name: String) async -> VoiceFault? {
        await faults.first { $0.id.rawValue == name || $0.id.rawValue == "piper/\(name)" }
    }
}

/// `echotext voices list`.
struct VoicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the voices that can speak.",
        discussion: """
            Favourites stand first, then what was installed. A star marks the voice that speaks when none is named. Voices that are installed and cannot speak are listed \
            with what is wrong.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only voices of this language, such as en or en-GB.", valueName: "tag")
    )
    var language: String?

    @Flag(name: [.customShort("i"), .long], help: "Only those that were installed, not espeak-ng's.")
    var installed = false

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await list() }
    }

    private func list() async throws {
        let studio = try await Studio.live()
        try await studio.installer.sweep()
        let installedVoices = try await studio.installer.installedVoices()
        let (selection, losses) = try await VoiceSelection.audited(against: installedVoices)
        for loss in losses { EchoTextCommand.say("warning: \(loss.words)") }
        let present = try await studio.presentListings(installedVoices, selection)
        let voices = VoiceListing.ranked(present).filter { voice in
            (language.map { LanguageTag.matches(voice.language, range: $0) } ?? true)
                && (!installed || !voice.isBuiltIn)
        }
        await studio.close()
        if answer.json { return try CommandOutput.json(voices.map { VoiceListingResponse.answer(about: $0) }) }
        guard !voices.isEmpty else {
            return EchoTextCommand.say(language.map { "no voice speaks “\($0)”" } ?? "no voice is installed")
        }
        try CommandOutput.table(
            ["ID", "LANGUAGE", "NAME", "ENGINE", "SPEAKERS", "SIZE", "LICENCE", ""],
            voices.map(\.columns)
        )
    }
}

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
        let voice: VoiceListingResponse
        let folder: String?
        let url: String?
        let archiveSize: Int64?
        let sha256: String?
        /// How the model runs; absent when it was not measured.
        let model: String?
        /// The publisher's description of the voice.
        let card: String?
    }

    /// The most characters of a model card that are shown.
    private static let longestCard = 4_000

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await show() }
    }

    private func show() async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try await studio.installedID(called: voice)
        let installedVoices = try await studio.installer.installedVoices()
        let selection = try await VoiceSelection.read()
        let listings = try await studio.presentListings(installedVoices, selection)
        guard let listing = listings.first(where: { $0.id == id }) else {
            // No list contains the variants of an espeak-ng voice.
            let variant = try await studio.voice(called: id.rawValue)
            let records = selection?.records ?? [:]
            let own = VoiceListing.all(speaking: [variant], records: records, selected: selection?.selected)
            for listing in own { try show(listing) }
            return
        }
        try show(listing)
    }

    /// The publisher's description, without control characters.
    private static func card(of files: VoiceListing.Files?) -> String? {
        guard let folder = files?.folder else { return nil }
        let path = URL(filePath: Settings.ofThisProcess.voicesFolder).appending(path: "\(folder)/MODEL_CARD").path
        // A voice without a model card shows none.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let shown = text.prefix(longestCard).unicodeScalars.filter { scalar in
            scalar == "\n" || ![.control, .format, .privateUse].contains(scalar.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(shown)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func show(_ listing: VoiceListing) throws {
        let files = listing.files
        let card = Self.card(of: files)
        if answer.json {
            return try CommandOutput.json(
                Shown(
                    voice: .answer(about: listing),
                    folder: files?.folder,
                    url: files?.receipt?.url,
                    archiveSize: files?.receipt?.archiveBytes,
                    sha256: files?.receipt?.sha256,
                    model: files?.receipt?.currentLayout?.rawValue,
                    card: card
                )
            )
        }
        let lines = Self.lines(of: listing).map { "\($0.0): \($0.1)" }
        try CommandOutput.text((lines + (card.map { ["", $0] } ?? [])).joined(separator: "\n"))
    }

    /// “2: 0 low, 1 high”, with the numbers that `--speaker` takes.
    private static func words(for speakers: Int, called names: [String]?) -> String {
        guard let names else { return String(speakers) }
        return "\(speakers): " + names.enumerated().map { "\($0.offset) \($0.element)" }.joined(separator: ", ")
    }

    private static func lines(of listing: VoiceListing) -> [(String, String)] {
        let (files, problem) = (listing.files, listing.availability.problem)
        let unknownLayout = files == nil || problem != nil ? nil : "it shows when it speaks the first time"
        let lines: [(String, String?)] = [
            ("id", listing.id.rawValue),
            ("name", listing.name),
            ("language", listing.language),
            ("engine", listing.engine.rawValue),
            ("speakers", listing.speakers.map { Self.words(for: $0, called: listing.speakerNames) }),
            ("sample rate", listing.sampleRate.map { "\($0) Hz" }),
            ("quality", listing.quality?.rawValue),
            ("spoken", files?.receipt?.currentLayout?.words ?? unknownLayout),
            ("size", files.map { CommandOutput.size(Int($0.bytes)) }),
            ("licence", files?.licence.map(Self.words)),
            ("installed", files?.receipt.map { CommandOutput.date($0.installed) }),
            ("from", files?.receipt?.url),
            ("folder", files?.folder),
            ("last used", listing.lastUsed.map(CommandOutput.date)),
            ("speed here", listing.speed.map { String(format: "%.0f times as fast as it is heard", $0) }),
            ("favourite", listing.isFavorite ? "yes" : nil),
            ("speaks when none is named", listing.isSelected ? "yes" : nil),
            (
                "problem",
                problem.map { [$0.message, $0.inTerminal.suggestion].compactMap(\.self).joined(separator: " ") }
            ),
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

    @Option(help: "What they are sorted by within a language: \(ModelCatalogue.SortOrder.words).")
    var sort = ModelCatalogue.SortOrder.name

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
            let voices = try await studio.withModelDownloads(rules) { downloads in
                if refresh { try await downloads.refresh() }
                return try await offered(in: studio, from: downloads)
            }
            if answer.json { return try CommandOutput.json(voices.map { VoiceListingResponse.answer(about: $0) }) }
            guard !voices.isEmpty else { return EchoTextCommand.say("no voice that can be downloaded matches") }
            try CommandOutput.table(
                ["ID", "LANGUAGE", "NAME", "QUALITY", "SPEAKERS", "SIZE", "STATE"],
                voices.map(\.catalogueColumns)
            )
        }
    }

    private func offered(in studio: Studio, from downloads: ModelDownloads) async throws -> [VoiceListing] {
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
        let codes = ModelCatalogue.bundled.voices.flatMap { [$0.language, LanguageTag.language(of: $0.language)] }
        let names = Set(codes).map { code in (code, english.localizedString(forIdentifier: code) ?? code) }
        return Dictionary(uniqueKeysWithValues: names)
    }
}

extension ModelCatalogue.SortOrder: ExpressibleByArgument {
    static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// `echotext voices select`.
struct VoicesSelect: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Choose the voice that speaks when none is named.",
        discussion: "Changes the voice of the chosen profile; see “echotext profiles”."
    )

    @Argument(help: "An ID or a language.")
    var voice: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Which of the voice's people: a number from 0, or a name.", valueName: "n|name")
    )
    var speaker: VoiceSpeaker = 0

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let studio = try await Studio.live()
        await studio.close()
        let found = try await studio.voice(called: voice)
        let number = try found.number(of: speaker)
        let profile = try await library.profiles.select(found.id, speaker: number)
        if json { return try CommandOutput.json(profile) }
        let who = ["\(found.name) (\(found.id))", found.title(ofSpeaker: number).map { "as \($0)" }]
        let words = who.compactMap(\.self).joined(separator: " ")
        EchoTextCommand.say(CommandOutput.harmless("\(words) speaks from now on, in the profile “\(profile.name)”"))
    }

    static func select(_ voice: Voice) async throws {
        try await LibraryAccess.use { library in
            _ = try await library.profiles.select(voice.id, speaker: 0)
        }
    }
}

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

    private struct Mark: Encodable {
        let voice: String
        let isFavorite: Bool
    }

    func run(in library: Library) async throws {
        let ids = try await Studio.with { studio in
            try await studio.withModelDownloads(FollowedRules(OutboundRules(isOffline: true))) { downloads in
                var found: [Voice.ID] = []
                for voice in voices { found.append(try await id(of: voice, at: studio, downloads)) }
                return found
            }
        }
        for id in ids { try await library.voices.update(id) { [remove] in $0.isFavorite = !remove } }
        if json { return try CommandOutput.json(ids.map { Mark(voice: $0.rawValue, isFavorite: !remove) }) }
        for id in ids { EchoTextCommand.say(remove ? "\(id) is no favourite any more" : "\(id) is a favourite") }
    }

    /// Finds the installed voice with that name, else one that can be downloaded.
    private func id(of name: String, at studio: Studio, _ downloads: ModelDownloads) async throws -> Voice.ID {
        do {
            return try await studio.installedID(called: name)
        } catch {
            guard let voice = try? await downloads.catalogue().entry(called: name).voice else { throw error }
            return voice
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
            known = try await studio.voice(called: voice)
        }
        guard let found = known else { return }
        var arguments = ["--no-library", "--voice", found.id.rawValue, "--speaker", String(speaker)]
        if let output { arguments += ["--output", output] }
        if answer.json { arguments.append("--json") }
        let sentence = text ?? SampleSentence.sentence(in: found.language)
        try await Speak.parse(arguments + ["--", sentence]).run()
    }
}

/// The library's state of voices: the selection and favorites.
struct VoiceSelection: Sendable {
    let selected: Voice.ID
    let records: [Voice.ID: VoiceRecord]

    /// Reads it; `nil` when the library is not open.
    static func read() async throws -> VoiceSelection? {
        try await OptionalLibrary.use { try await VoiceSelection(in: $0) }
    }

    /// Reads it, and compares the installed voices with the recorded ones; a lost voice is reported once.
    ///
    /// - Returns: `nil` and no losses when the library is not open.
    static func audited(against installedVoices: InstalledVoices) async throws -> (VoiceSelection?, [UnavailableVoice])
    {
        try await OptionalLibrary.use { library in
            let selection = try await VoiceSelection(in: library)
            let audit = VoiceAudit(of: installedVoices, against: selection.records)
            try await audit.record(in: library.voices)
            // A damaged voice is reported as long as its files exist, and once more when they are gone.
            try await library.voices.settle(audit.losses.filter(\.isGone))
            return (selection, audit.losses)
        } ?? (nil, [])
    }

    private init(in library: Library) async throws {
        records = try await library.voices.records()
        selected = try await library.profiles.chosen().profile.voice
    }
}

extension UnavailableVoice {
    /// The messages for the person.
    var words: String {
        let words = [failure.message, failure.inTerminal.suggestion].compactMap(\.self).joined(separator: " ")
        return isGone ? words : "\(id): \(words)"
    }
}

extension VoiceListingResponse {
    /// Describes newly installed voices.
    ///
    /// - Parameters:
    ///   - voices: The voices.
    ///   - selected: The one that becomes the default voice.
    /// - Returns: An answer about each.
    static func answers(about voices: [InstalledVoice], selecting selected: Voice.ID?) -> [VoiceListingResponse] {
        voices.flatMap { VoiceListing.all(installed: InstalledVoices(voices: [$0]), selected: selected) }
            .map { .answer(about: $0) }
    }
}

extension VoiceListing {
    /// The columns of the table of installed voices.
    var columns: [String] {
        [
            id.rawValue, language, name, engine.rawValue, speakers.map(String.init) ?? "",
            files.map { CommandOutput.size(Int($0.bytes)) } ?? "", files?.licence?.name ?? "",
            [isSelected ? "*" : nil, isFavorite ? "♥" : nil, availability.problem?.message].compactMap(\.self)
                .joined(separator: " "),
        ]
    }

    /// The columns of the table of voices that can be downloaded.
    var catalogueColumns: [String] {
        [
            id.rawValue, language, name,
            [quality?.rawValue, variant?.rawValue].compactMap(\.self).joined(separator: " "),
            speakers.map(String.init) ?? "",
            entry.map { ($0.archiveBytes == nil ? "about " : "") + CommandOutput.size(Int($0.expectedBytes)) } ?? "",
            state,
        ]
    }

    private var state: String {
        switch (download, availability) {
        case (.none, .ready): isSelected ? "selected" : "installed"
        case (.none, .faulty): "faulty"
        case (.none, .absent): "not downloaded"
        case (let download, _): download.name
        }
    }
}

extension Studio {
    /// Lists every voice: built in, installed, or in the catalogue.
    ///
    /// - Parameters:
    ///   - downloads: The downloads, which know the catalogue; nothing is connected to.
    ///   - installedVoices: The installed voices.
    ///   - selection: The library's state of voices; `nil` when it is not open.
    /// - Returns: The built-in voices, then the others by id.
    func listings(
        from downloads: ModelDownloads,
        _ installedVoices: InstalledVoices,
        _ selection: VoiceSelection?
    ) async -> [VoiceListing] {
        await downloads.listings(
            of: installedVoices,
            speaking: await voices,
            records: selection?.records ?? [:],
            selected: selection?.selected
        )
    }

    /// The listings of the voices on this machine, usable or not.
    func presentListings(
        _ installedVoices: InstalledVoices,
        _ selection: VoiceSelection?
    ) async throws -> [VoiceListing] {
        try await withModelDownloads(FollowedRules(OutboundRules(isOffline: true))) { downloads in
            await listings(from: downloads, installedVoices, selection).filter { $0.availability != .absent }
        }
    }
}
