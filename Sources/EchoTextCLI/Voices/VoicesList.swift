import ArgumentParser
import EchoText
import Foundation

/// `echotext voices list`.
struct VoicesList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the voices that can speak.",
        discussion: """
            A star marks the voice that speaks when none is named. Voices that are installed and cannot speak are listed \
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
        let selection = try await VoiceSelection.taken(by: studio.installer)
        for loss in selection?.losses ?? [] { EchoTextCommand.say("warning: \(loss.words)") }
        let rows = try await VoiceRow.all(in: studio, selection).filter { row in
            (language.map { LanguageTag.matches(row.language, range: $0) } ?? true)
                && (!installed || row.engine != Voice.Engine.espeakNG.rawValue)
        }
        await studio.close()
        if answer.json { return try Answer.json(rows) }
        guard !rows.isEmpty else {
            return EchoTextCommand.say(language.map { "no voice speaks “\($0)”" } ?? "no voice is installed")
        }
        try Answer.table(
            ["ID", "LANGUAGE", "NAME", "ENGINE", "SPEAKERS", "SIZE", "LICENCE", ""],
            rows.map(\.columns)
        )
    }
}

/// What the library says of voices.
struct VoiceSelection: Sendable {
    let selected: Voice.ID
    let records: [Voice.ID: VoiceRecord]
    let losses: [VoiceLoss]

    /// Compares what is installed with what was; `nil` when the library is not open.
    static func taken(by installer: any VoiceInstaller) async throws -> VoiceSelection? {
        try await ReachableLibrary.use { library in
            let losses = try await VoiceInventory(of: installer, in: library.voices).take()
            return VoiceSelection(
                selected: try await library.profiles.chosen().profile.voice,
                records: try await library.voices.records(),
                losses: losses
            )
        }
    }
}

extension VoiceLoss {
    /// What a person is told.
    var words: String { [failure.message, failure.suggestion].compactMap(\.self).joined(separator: " ") }
}

/// A voice in a list.
struct VoiceRow: Encodable {
    struct Problem: Encodable {
        let code: String
        let message: String
        let suggestion: String?
    }

    let id: String
    let name: String
    let language: String
    let engine: String
    let speakers: Int
    let sampleRate: Int?
    var quality: String?
    /// In bytes, unpacked.
    var size: Int64?
    var licence: VoiceLicence?
    var installedAt: Date?
    var lastUsed: Date?
    /// Seconds of speech in one second of this machine.
    var speed: Double?
    var isFavourite = false
    var isSelected = false
    var problem: Problem?

    init(_ voice: Voice) {
        (id, name, language) = (voice.id.rawValue, voice.name, voice.language)
        (engine, speakers, sampleRate) = (voice.engine.rawValue, voice.speakers, voice.sampleRate)
    }

    init(_ fault: VoiceFault) {
        (id, name) = (fault.id.rawValue, fault.folder.name)
        language = LanguageTag.canonical(String(fault.folder.name.prefix { $0 != "-" }))
        (engine, speakers, sampleRate) = (Voice.Engine.sherpaOnnx.rawValue, 1, nil)
        problem = Problem(
            code: fault.error.code,
            message: fault.error.message,
            suggestion: fault.error.suggestion
        )
    }

    mutating func add(_ installed: InstalledVoice) {
        (quality, size, licence) = (installed.quality?.rawValue, installed.bytes, installed.licence)
        installedAt = installed.receipt.map { Date(timeIntervalSince1970: $0.installedAt) }
    }

    mutating func add(_ selection: VoiceSelection) {
        let id = Voice.ID(rawValue: id)
        isSelected = selection.selected == id
        guard let record = selection.records[id] else { return }
        isFavourite = record.isFavourite
        speed = record.speed
        lastUsed = record.lastUsed.map(Date.init(timeIntervalSince1970:))
    }

    /// All voices, those that cannot speak too.
    static func all(in studio: Studio, _ selection: VoiceSelection?) async throws -> [VoiceRow] {
        let installed = try await studio.installer.installed()
        let byID = Dictionary(installed.map { ($0.voice.id.rawValue, $0) }) { first, _ in first }
        return (studio.voices.map { VoiceRow($0) } + studio.faults.map { VoiceRow($0) }).map { row in
            var row = row
            if let voice = byID[row.id] { row.add(voice) }
            if let selection { row.add(selection) }
            return row
        }
    }

    var columns: [String] {
        [
            id, language, name, engine, String(speakers), size.map { Answer.size(Int($0)) } ?? "",
            licence?.name ?? "",
            [isSelected ? "*" : nil, isFavourite ? "♥" : nil, problem?.message].compactMap(\.self)
                .joined(separator: " "),
        ]
    }
}
