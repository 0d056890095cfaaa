import API
import EchoText
import Foundation
import Hummingbird

/// All voices, for the page.
struct VoiceListingsResponse: ResponseEncodable {
    let voices: [VoiceListingResponse]
    @Nullable var refreshedAt: Date?
    let isOffline: Bool
    /// The source of voices: `sherpaOnnx`, `mirror` or `folder`.
    let source: String
    let losses: [VoiceLossResponse]
}

/// A voice that is built in, installed or in the catalogue.
struct VoiceListingResponse: ResponseEncodable {
    struct Installed: Encodable {
        let bytes: Int64
        let folder: String
        @Nullable var licence: Licence?
        @Nullable var url: String?
        @Nullable var installedAt: Date?
    }

    struct Licence: Encodable {
        let name: String
        @Nullable var isCommercial: Bool?
    }

    let id: String
    let name: String
    let language: String
    let engine: String
    let isBuiltIn: Bool
    @Nullable var entry: String?
    @Nullable var quality: String?
    @Nullable var variant: String?
    @Nullable var speakers: Int?
    @Nullable var speakerNames: [String]?
    @Nullable var sampleRate: Int?
    @Nullable var archiveBytes: Int64?
    @Nullable var expectedBytes: Int64?
    /// Whether there is anything that a download could be compared with.
    let hasChecksum: Bool
    /// `ready`, `faulty` or `absent`.
    let availability: String
    @Nullable var problem: FailureResponse?
    let download: VoiceStateResponse
    @Nullable var installed: Installed?
    let isFavorite: Bool
    @Nullable var lastUsed: Date?
    @Nullable var speed: Double?
    let isSelected: Bool

    init(_ listing: VoiceListing) {
        (id, name, language) = (listing.id.rawValue, listing.name, listing.language)
        (engine, isBuiltIn) = (listing.engine.rawValue, listing.isBuiltIn)
        entry = listing.entry?.id.rawValue
        (quality, variant) = (listing.quality?.rawValue, listing.variant?.rawValue)
        (speakers, speakerNames, sampleRate) = (listing.speakers, listing.speakerNames, listing.sampleRate)
        (archiveBytes, expectedBytes) = (listing.entry?.archiveBytes, listing.entry?.expectedBytes)
        hasChecksum = listing.entry?.sha256 != nil
        availability = listing.availability.name
        problem = listing.availability.problem.map(FailureResponse.init)
        download = VoiceStateResponse(listing.download)
        installed = listing.files.map(Installed.init)
        (isFavorite, isSelected) = (listing.isFavorite, listing.isSelected)
        (lastUsed, speed) = (listing.lastUsed, listing.speed)
    }
}

extension VoiceListingResponse.Installed {
    fileprivate init(_ files: VoiceListing.Files) {
        self.init(
            bytes: files.bytes,
            folder: files.folder,
            licence: files.licence.map { .init(name: $0.name, isCommercial: $0.isCommercial) },
            url: files.receipt?.url,
            installedAt: files.receipt.map(\.installed)
        )
    }
}

/// A voice whose files are missing or damaged.
struct VoiceLossResponse: Encodable {
    let voice: String
    let name: String
    @Nullable var entry: String?
    let failure: FailureResponse

    init(_ loss: UnavailableVoice) {
        voice = loss.id.rawValue
        name = loss.name
        entry = loss.entry?.rawValue
        failure = FailureResponse(loss.failure)
    }
}
