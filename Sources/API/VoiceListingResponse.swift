package import EchoText
package import Foundation

/// A voice that is built in, installed or in the catalogue.
package struct VoiceListingResponse: Encodable, Sendable {
    package struct Installed: Encodable, Sendable {
        package let bytes: Int64
        package let folder: String
        @Nullable package var licence: Licence?
        @Nullable package var url: String?
        @Nullable package var installedAt: Date?

        package init(_ files: VoiceListing.Files) {
            (bytes, folder) = (files.bytes, files.folder)
            licence = files.licence.map { Licence($0) }
            (url, installedAt) = (files.receipt?.url, files.receipt.map(\.installed))
        }
    }

    package struct Licence: Encodable, Sendable {
        package let name: String
        @Nullable package var isCommercial: Bool?

        package init(_ licence: VoiceLicence) {
            (name, isCommercial) = (licence.name, licence.isCommercial)
        }
    }

    package let id: Voice.ID
    package let name: String
    package let language: String
    package let engine: Voice.Engine
    package let isBuiltIn: Bool
    @Nullable package var entry: CatalogueEntry.ID?
    @Nullable package var quality: String?
    @Nullable package var variant: String?
    @Nullable package var speakers: Int?
    @Nullable package var speakerNames: [String]?
    @Nullable package var sampleRate: Int?
    @Nullable package var archiveBytes: Int64?
    @Nullable package var expectedBytes: Int64?
    /// Whether there is anything that a download could be compared with.
    package let hasChecksum: Bool
    /// `ready`, `faulty` or `absent`.
    package let availability: String
    @Nullable package var problem: FailureResponse?
    package let download: VoiceStateResponse
    @Nullable package var installed: Installed?
    package let isFavorite: Bool
    @Nullable package var lastUsed: Date?
    @Nullable package var speed: Double?
    package let isSelected: Bool
    /// In a command's answer: the same as ``archiveBytes``.
    package private(set) var archiveSize: Int64?
    /// In a command's answer: the bytes of ``installed``.
    package private(set) var size: Int64?

    package init(_ listing: VoiceListing) {
        (id, name, language) = (listing.id, listing.name, listing.language)
        (engine, isBuiltIn) = (listing.engine, listing.isBuiltIn)
        entry = listing.entry?.id
        (quality, variant) = (listing.quality?.rawValue, listing.variant?.rawValue)
        (speakers, speakerNames, sampleRate) = (listing.speakers, listing.speakerNames, listing.sampleRate)
        (archiveBytes, expectedBytes) = (listing.entry?.archiveBytes, listing.entry?.expectedBytes)
        hasChecksum = listing.entry?.sha256 != nil
        availability = listing.availability.name
        problem = listing.availability.problem.map(FailureResponse.init)
        download = VoiceStateResponse(listing.download)
        installed = listing.files.map { Installed($0) }
        (isFavorite, isSelected) = (listing.isFavorite, listing.isSelected)
        (lastUsed, speed) = (listing.lastUsed, listing.speed)
    }

    /// The answer of a command about `listing`.
    package static func answer(about listing: VoiceListing) -> VoiceListingResponse {
        var answer = VoiceListingResponse(listing)
        (answer.archiveSize, answer.size) = (answer.archiveBytes, answer.installed?.bytes)
        return answer
    }
}
