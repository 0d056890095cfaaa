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
        /// How the model is run; absent when it has not been found out.
        let model: String?
        /// The maker's description of the voice.
        let card: String?
    }

    /// Most characters of a card that are shown.
    private static let longestCard = 4_000

    func run() async throws {
        try await JSONFailure.printed(if: answer.json) { try await show() }
    }

    private func show() async throws {
        let studio = try await Studio.live()
        await studio.close()
        let id = try await studio.installedID(called: voice)
        let installedVoices = try await studio.installer.installedVoices()
        let selection = try await VoiceSelection.taken(of: installedVoices)
        let rows = await VoiceRow.all(in: studio, installedVoices, selection)
        guard var row = rows.first(where: { $0.id == id.rawValue }) else {
            // A variant of an espeak-ng voice is in no list.
            return try show(try await Self.variant(id, in: studio, selection), nil, nil)
        }
        // What it does not speak with is looked at as well.
        if row.problem == nil { row.problem = installedVoices.fault(of: id).map { .init(.init($0.error)) } }
        try show(row, installedVoices.voice(id), installedVoices.fault(of: id))
    }

    /// The maker's description, without control characters.
    private static func card(of installed: InstalledVoice?) -> String? {
        guard let folder = installed?.folder else { return nil }
        let path = URL(filePath: Settings.ofThisProcess.voicesFolder).appending(path: "\(folder)/MODEL_CARD").path
        // A voice without a card says nothing.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let shown = text.prefix(longestCard).unicodeScalars.filter { scalar in
            scalar == "\n" || ![.control, .format, .privateUse].contains(scalar.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(shown)).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func show(_ row: VoiceRow, _ installed: InstalledVoice?, _ fault: VoiceFault?) throws {
        let card = Self.card(of: installed)
        let folder = installed?.folder ?? fault.map { ($0.folder.path as NSString).lastPathComponent }
        if answer.json {
            return try Answer.json(
                Shown(
                    voice: row,
                    folder: folder,
                    url: installed?.receipt?.url,
                    archiveSize: installed?.receipt?.archiveBytes,
                    sha256: installed?.receipt?.sha256,
                    model: installed?.receipt?.currentLayout?.rawValue,
                    card: card
                )
            )
        }
        let lines = Self.lines(of: row, installed, folder).map { "\($0.0): \($0.1)" }
        try Answer.text((lines + (card.map { ["", $0] } ?? [])).joined(separator: "\n"))
    }

    private static func variant(
        _ id: Voice.ID,
        in studio: Studio,
        _ selection: VoiceSelection?
    ) async throws -> VoiceRow {
        var row = VoiceRow(try await studio.voice(called: id.rawValue))
        if let selection { row.add(selection) }
        return row
    }

    private static func lines(of row: VoiceRow, _ installed: InstalledVoice?, _ folder: String?) -> [(String, String)] {
        let lines: [(String, String?)] = [
            ("id", row.id),
            ("name", row.name),
            ("language", row.language),
            ("engine", row.engine),
            ("speakers", String(row.speakers)),
            ("sample rate", row.sampleRate.map { "\($0) Hz" }),
            ("quality", row.quality),
            ("spoken", installed.map { $0.receipt?.currentLayout?.words ?? "it shows when it speaks the first time" }),
            ("size", row.size.map { Answer.size(Int($0)) }),
            ("licence", row.licence.map(Self.words)),
            ("installed", row.installedAt.map(Answer.date)),
            ("from", installed?.receipt?.url),
            ("folder", folder),
            ("last used", row.lastUsed.map(Answer.date)),
            ("speed here", row.speed.map { String(format: "%.0f times as fast as it is heard", $0) }),
            ("favourite", row.isFavorite ? "yes" : nil),
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
