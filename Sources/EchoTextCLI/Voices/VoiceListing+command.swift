import API
import EchoText
import Foundation

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
        from downloads: VoiceDownloads,
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
        try await withVoiceDownloads(FollowedRules(OutboundRules(isOffline: true))) { downloads in
            await listings(from: downloads, installedVoices, selection).filter { $0.availability != .absent }
        }
    }
}
