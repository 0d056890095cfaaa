import API
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
            return try Answer.json(
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
        try Answer.text((lines + (card.map { ["", $0] } ?? [])).joined(separator: "\n"))
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
            ("size", files.map { Answer.size(Int($0.bytes)) }),
            ("licence", files?.licence.map(Self.words)),
            ("installed", files?.receipt.map { Answer.date($0.installed) }),
            ("from", files?.receipt?.url),
            ("folder", files?.folder),
            ("last used", listing.lastUsed.map(Answer.date)),
            ("speed here", listing.speed.map { String(format: "%.0f times as fast as it is heard", $0) }),
            ("favourite", listing.isFavorite ? "yes" : nil),
            ("speaks when none is named", listing.isSelected ? "yes" : nil),
            ("problem", problem.map { [$0.message, $0.suggestion].compactMap(\.self).joined(separator: " ") }),
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
