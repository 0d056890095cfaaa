import API
import EchoText
import Foundation

/// A voice as JSON.
struct VoiceRow: Encodable {
    struct Download: Encodable {
        let state: String
        var bytes: Int64?
        var failure: FailureResponse?

        init?(_ state: VoiceDownload.State) {
            guard state != .none else { return nil }
            self.state = state.name
            if case .paused(let progress) = state { bytes = progress.bytes }
            if case .failed(let failure) = state { self.failure = FailureResponse(failure) }
        }
    }

    let id: String
    let name: String
    let language: String
    let engine: String
    let isBuiltIn: Bool
    let speakers: Int?
    let speakerNames: [String]?
    let sampleRate: Int?
    let quality: String?
    let variant: String?
    /// Its name in the catalogue.
    let entry: String?
    /// In bytes; absent when it is not known.
    let archiveSize: Int64?
    /// In bytes, guessed where ``archiveSize`` is absent.
    let expectedSize: Int64?
    /// `ready`, `faulty` or `absent`.
    let availability: String
    let problem: FailureResponse?
    /// Absent when there is no running or partial download.
    let download: Download?
    /// In bytes, unpacked.
    let size: Int64?
    let licence: VoiceLicence?
    let installedAt: Date?
    let lastUsed: Date?
    /// Real-time factor: seconds of speech per second of synthesis on this machine.
    let speed: Double?
    let isFavorite: Bool
    let isSelected: Bool

    init(_ listing: VoiceListing) {
        (id, name, language) = (listing.id.rawValue, listing.name, listing.language)
        (engine, isBuiltIn) = (listing.engine.rawValue, listing.isBuiltIn)
        (speakers, speakerNames, sampleRate) = (listing.speakers, listing.speakerNames, listing.sampleRate)
        (quality, variant) = (listing.quality?.rawValue, listing.variant?.rawValue)
        entry = listing.entry?.id.rawValue
        (archiveSize, expectedSize) = (listing.entry?.archiveBytes, listing.entry?.expectedBytes)
        availability = listing.availability.name
        problem = listing.availability.problem.map(FailureResponse.init)
        download = Download(listing.download)
        (size, licence) = (listing.files?.bytes, listing.files?.licence)
        installedAt = listing.files?.receipt.map(\.installed)
        (lastUsed, speed) = (listing.lastUsed, listing.speed)
        (isFavorite, isSelected) = (listing.isFavorite, listing.isSelected)
    }

    /// Describes newly installed voices.
    ///
    /// - Parameters:
    ///   - voices: The voices.
    ///   - selected: The one that becomes the default voice.
    /// - Returns: A row for each.
    static func rows(of voices: [InstalledVoice], selecting selected: Voice.ID?) -> [VoiceRow] {
        voices.flatMap { VoiceListing.all(installed: InstalledVoices(voices: [$0]), selected: selected) }
            .map(VoiceRow.init)
    }
}

extension VoiceListing {
    /// The columns of the table of installed voices.
    var columns: [String] {
        [
            id.rawValue, language, name, engine.rawValue, speakers.map(String.init) ?? "",
            files.map { Answer.size(Int($0.bytes)) } ?? "", files?.licence?.name ?? "",
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
            entry.map { ($0.archiveBytes == nil ? "about " : "") + Answer.size(Int($0.expectedBytes)) } ?? "", state,
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
