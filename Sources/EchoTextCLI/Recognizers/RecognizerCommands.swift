import API
import ArgumentParser
import EchoText
import Foundation

/// `echotext recognizers`: local and remote speech recognizers.
struct RecognizerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recognizers",
        abstract: "List, add and remove what turns speech into text.",
        discussion: """
            Examples:
              echotext recognizers list --language et
              echotext recognizers download sherpa-onnx-whisper-base
              echotext recognizers add ~/Downloads/sherpa-onnx-whisper-tiny.en.tar.bz2
              echotext recognizers select sherpa/whisper-base
            """,
        subcommands: [
            RecognizersList.self, RecognizersDownload.self, DownloadDiscard.self, RecognizersAdd.self,
            RecognizersRemove.self, RecognizersSelect.self, ServiceCommands.self,
        ],
        defaultSubcommand: RecognizersList.self
    )
}

/// A recognizer or a diarization model, as commands show it.
enum RecognizerRow: Encodable {
    /// A diarization model, or a folder whose recognizer cannot be used.
    struct Other: Encodable {
        let id: Recognizer.ID?
        let kind: RecognizerEntryKind
        /// The purpose of a diarization model.
        let part: SpeakerModel.Kind?
        let name: String
        let languages: [String]
        /// In bytes.
        let size: Int64?
        let isInstalled: Bool
        let isDefault: Bool
        let fault: String?
    }

    case recognizer(RecognizerResponse)
    case offer(RecognizerOfferResponse)
    case other(Other)

    init(_ model: SpeakerModel) {
        self = .other(
            Other(
                id: model.id,
                kind: .speakers,
                part: model.kind,
                name: model.name,
                languages: [],
                size: model.size,
                isInstalled: true,
                isDefault: false,
                fault: nil
            )
        )
    }

    init(_ added: AddedModel, _ paces: RecognizerPaces) {
        switch added {
        case .recognizer(let local):
            self = .recognizer(RecognizerResponse.answer(about: local.recognizer, paces, isDefault: false))
        case .speakers(let model): self = RecognizerRow(model)
        }
    }

    init(_ found: (entry: CatalogueEntry, reason: RecommendedRecognizer.Reason?), _ paces: RecognizerPaces) {
        let offer = RecognizerOffer(entry: found.entry, reason: found.reason, download: .none, isInstalled: false)
        self = .offer(RecognizerOfferResponse.answer(about: offer, paces))
    }

    init(faulty folder: String, _ error: RecognitionError) {
        self = .other(
            Other(
                id: nil,
                kind: .recognizer,
                part: nil,
                name: folder,
                languages: [],
                size: nil,
                isInstalled: true,
                isDefault: false,
                fault: error.message
            )
        )
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .recognizer(let recognizer): try recognizer.encode(to: encoder)
        case .offer(let offer): try offer.encode(to: encoder)
        case .other(let other): try other.encode(to: encoder)
        }
    }

    /// The argument with which commands are given it.
    var argument: String {
        switch self {
        case .recognizer(let recognizer): recognizer.id.rawValue
        case .offer(let offer): offer.entry.rawValue
        case .other(let other): other.id?.rawValue ?? other.name
        }
    }

    var name: String {
        switch self {
        case .recognizer(let recognizer): recognizer.name
        case .offer(let offer): offer.name
        case .other(let other): other.name
        }
    }

    /// In bytes: on disk, or of the archive.
    var size: Int64? {
        switch self {
        case .recognizer(let recognizer): recognizer.size
        case .offer(let offer): offer.expectedBytes
        case .other(let other): other.size
        }
    }

    var columns: [String] {
        let shown = size.map { CommandOutput.size(Int($0)) } ?? ""
        switch self {
        case .recognizer(let recognizer):
            let languages = recognizer.languages.joined(separator: " ")
            return [argument, languages, recognizer.timing.rawValue, shown, recognizer.isDefault ? "*" : ""]
        case .offer(let offer):
            let reason = offer.reason.map { "recommended: \($0.rawValue)" } ?? ""
            return [argument, offer.languages.joined(separator: " "), "", "about \(shown)", reason]
        case .other(let other):
            return [argument, "", "", shown, other.fault ?? other.part?.words ?? ""]
        }
    }

    static let heading = ["ID", "LANGUAGE", "TIMES", "SIZE", ""]
}

/// `echotext recognizers list`.
struct RecognizersList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recognisers.",
        discussion: """
            A star marks the one that is asked first. Models that tell speakers apart are listed too, and say so. With \
            --available also those that can be downloaded are listed, the recommended ones first. TIMES says how exactly a recogniser knows when something was said.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Only recognisers of this language, such as en or et.", valueName: "tag")
    )
    var language: String?

    @Flag(name: .shortAndLong, help: "Also those that can be downloaded.")
    var available = false

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await list() }
    }

    private func list() async throws {
        let tools = RecognizerTools()
        let installed = try await tools.installer.installed()
        let order = try await OptionalLibrary.use { try await $0.settings.recognizerOrder() } ?? RecognizerOrder([])
        let usable = order.sorted(try await tools.recognizers.recognizers(), for: language)
        let paces = await tools.paces.paces()
        var rows = usable.filter { $0.knows(language) }.map { one in
            RecognizerRow.recognizer(.answer(about: one, paces, isDefault: one.id == usable.first?.id))
        }
        for one in installed {
            if case .failure(let error) = one.result { rows.append(RecognizerRow(faulty: one.folder, error)) }
        }
        rows += try await tools.installer.speakerModels().map { RecognizerRow($0) }
        if available {
            let catalogue = ModelCatalogue.bundled.recognizers(for: language)
            rows += catalogue.filter { !$0.entry.isInstalled(among: installed) }.map { RecognizerRow($0, paces) }
        }
        if answer.json { return try CommandOutput.json(rows) }
        guard !rows.isEmpty else {
            EchoTextCommand.say("no recogniser is installed")
            return EchoTextCommand.say(
                "hint: “echotext recognizers list --available” lists those that can be downloaded."
            )
        }
        try CommandOutput.table(RecognizerRow.heading, rows.map(\.columns))
    }
}

/// The objects that commands about recognizers use.
struct RecognizerTools {
    let installer: any RecognizerInstaller
    let recognizers: any SpeechRecognizer
    let paces: any RecognizerPaceStore

    init() {
        let settings = Settings.ofThisProcess
        let logger = Studio.logger(at: settings.logLevel)
        installer = Studio.recognizerInstaller(settings, logger: logger)
        recognizers = Studio.localRecognizers(settings, logger: logger)
        paces = Studio.recognizerPaces(settings)
    }

    /// Finds the id of the recognizer or diarization model called `name`.
    ///
    /// - Throws: ``RecognitionError/noSuchRecognizer(_:)``.
    func installedID(called name: String) async throws -> Recognizer.ID {
        let model = try await installer.speakerModels().first { [$0.id.rawValue, $0.name].contains(name) }
        if let model { return model.id }
        return try await recognizer(called: name).id
    }

    /// Finds the recognizer called `name`: its id, or the part of the id after the slash.
    ///
    /// - Throws: ``RecognitionError/noSuchRecognizer(_:)``.
    func recognizer(called name: String) async throws -> Recognizer {
        let found = try await recognizers.recognizers().first { one in
            let id = one.id.rawValue.lowercased()
            return id == name.lowercased() || id.hasSuffix("/\(name.lowercased())")
        }
        guard let found else { throw RecognitionError.noSuchRecognizer(Recognizer.ID(rawValue: name)) }
        return found
    }
}

extension SpeakerModel.Kind {
    fileprivate var words: String {
        switch self {
        case .segmentation: "speakers: finds who speaks"
        case .embedding: "speakers: compares voices"
        }
    }
}

/// `echotext recognizers download`.
struct RecognizersDownload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Download recognisers, or the models that tell speakers apart, and install them.",
        discussion: """
            Without a name the recommended one for the language is taken, or the quickest of all. A download that was \
            interrupted continues where it stopped. Each recogniser is tried before it is taken in. One that fails does not \
            stop the others; what is installed is printed, and the exit code is that of the first failure.

            Example, to tell speakers apart:
              echotext recognizers download sherpa-onnx-pyannote-segmentation-3-0 nemo_en_titanet_small
            """
    )

    @Argument(help: "What “echotext recognizers list --available” calls them.")
    var recognizers: [String] = []

    @Option(name: .shortAndLong, help: ArgumentHelp("The language that is spoken.", valueName: "tag"))
    var language: String?

    @OptionGroup(title: "Connection")
    var outbound: OutboundOptions

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await download() }
        }
    }

    private func download() async throws {
        let rules = try await outbound.rules()
        let events = StudioEvents()
        try await Studio.with { studio in
            let (asked, results) = try await studio.withModelDownloads(rules, events: events) { downloads in
                try await downloads.sweep()
                let entries = try entries(of: await downloads.catalogue())
                let progress = await DownloadLine(of: entries, events: events)
                var results: [Result<AddedModel, any Error>] = []
                for entry in entries {
                    do {
                        try Task.checkCancellation()
                        results.append(.success(try await downloads.downloadModel(entry.id)))
                    } catch {
                        results.append(.failure(error))
                    }
                }
                await progress.end()
                return (entries, results)
            }
            let brought = results.compactMap { try? $0.get() }  // failures are reported below
            let failures = try FailedDownload.all(of: asked, results)
            if brought.isEmpty, failures.count == 1 { throw failures[0].error }
            let paces = await Studio.recognizerPaces(Settings.ofThisProcess).paces()
            let rows = brought.map { RecognizerRow($0, paces) }
            if answer.json {
                try CommandOutput.json(rows)
            } else {
                for row in rows { try CommandOutput.text(row.argument) }
            }
            try FailedDownload.report(failures)
        }
    }

    private func entries(of catalogue: ModelCatalogue) throws -> [CatalogueEntry] {
        let offered = catalogue.recognizers(for: language).map(\.entry)
        guard !recognizers.isEmpty else { return Array(offered.prefix(1)) }
        return try recognizers.map { name in
            let entry = try catalogue.entry(called: name)
            guard entry.kind != .piperVoice else {
                throw ModelDownloadError.unknownEntry(String(name.prefix(100)), similar: [])
            }
            return entry
        }
    }
}

/// `echotext recognizers add`.
struct RecognizersAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a recogniser, or a model that tells speakers apart, from an archive, a folder or a file.",
        discussion: """
            Takes an archive of sherpa-onnx's “asr-models” release, or the folder that was in one: Whisper, Moonshine, \
            Zipformer and other transducers, Parakeet, Paraformer and SenseVoice. The recogniser is tried before it is taken \
            in; what you give stays as it is.

            To tell speakers apart, two models are needed: an archive of its “speaker-segmentation-models” release, and a file of \
            its “speaker-recongition-models” release. Of several of one kind the one that was added last is used.

            Examples:
              echotext recognizers add sherpa-onnx-whisper-tiny.en.tar.bz2
              echotext recognizers add sherpa-onnx-pyannote-segmentation-3-0.tar.bz2
              echotext recognizers add nemo_en_titanet_small.onnx
            """
    )

    @Argument(help: "The archive, folder or file.", completion: .file())
    var path: String

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            try await TerminationSignals.cancelling { try await add() }
        }
    }

    private func add() async throws {
        let tools = RecognizerTools()
        let installer = tools.installer
        try await installer.sweep()
        let phases = PhaseLine(isShown: isatty(STDERR_FILENO) == 1)
        defer { phases.clear() }
        let path = URL(filePath: path).standardizedFileURL.path
        let added = try await installer.add(path) { phase in
            phases.show(phase == .extracting ? "unpacking…" : "trying it…")
        }
        phases.clear()
        let row = RecognizerRow(added, await tools.paces.paces())
        if answer.json { return try CommandOutput.json(row) }
        try CommandOutput.text(row.argument)
        EchoTextCommand.say("installed “\(row.name)”, \(CommandOutput.size(Int(row.size ?? 0)))")
        guard case .speakers = added, let missing = try await Self.missing(of: installer) else { return }
        EchoTextCommand.say("hint: speakers are told apart once there is a model of \(missing) too.")
    }

    /// The part that speaker diarization still lacks; `nil` if it is complete.
    private static func missing(of installer: any RecognizerInstaller) async throws -> String? {
        let installed = Set(try await installer.speakerModels().map(\.kind))
        if !installed.contains(.segmentation) { return "sherpa-onnx's “speaker-segmentation-models”" }
        return installed.contains(.embedding) ? nil : "sherpa-onnx's “speaker-recongition-models”"
    }
}

/// `echotext recognizers remove`.
struct RecognizersRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Delete an installed recogniser, or a model that tells speakers apart.",
        discussion: "Transcripts that were made with it stay."
    )

    @Argument(help: "Its ID.")
    var recognizer: String

    @OptionGroup
    var confirmation: ConfirmationOption

    @OptionGroup
    var answer: JSONOption

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) {
            let tools = RecognizerTools()
            let id = try await tools.installedID(called: recognizer)
            try await confirmation.confirm("Delete “\(id)”?")
            try await tools.installer.remove(id)
            if answer.json { try CommandOutput.json(["removed": id.rawValue]) }
        }
    }
}

/// `echotext recognizers select`.
struct RecognizersSelect: LibraryCommand {
    static let configuration = CommandConfiguration(
        commandName: "select",
        abstract: "Let recognisers be asked first, in the order given.",
        discussion: "When one fails, the next is asked. Changes the setting transcription.recognizers."
    )

    @Argument(help: "Their IDs.")
    var recognizers: [String]

    @OptionGroup
    var answer: JSONOption

    func run(in library: Library) async throws {
        let tools = RecognizerTools()
        var ids: [Recognizer.ID] = []
        for name in recognizers {
            // Only the library knows a service's recognizer, which has to be named by its whole id.
            var id = Recognizer.ID(rawValue: name)
            if !id.isOfService { id = try await tools.recognizer(called: name).id }
            ids.append(id)
        }
        let order = RecognizerOrder(ids)
        try await library.settings.store(order.text, for: SettingsCatalogue.recognizers.name)
        if json { return try CommandOutput.json(["order": order.ids.map(\.rawValue)]) }
        if let first = order.ids.first { EchoTextCommand.say("\(first) is asked first from now on") }
    }
}
