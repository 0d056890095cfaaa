package import EchoText
package import Foundation

/// A voice that is built in, installed or in the catalogue.
package struct VoiceListingResponse: Encodable, Sendable {
    package struct Installed: Encodable, Sendable {
        /// On disk.
        package let bytes: Int64
        /// Its name.
        package let folder: String
        /// The licence of its files.
        @Nullable package var licence: Licence?
        /// Its source.
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
    /// BCP 47; `und` when it is unknown.
    package let language: String
    package let engine: Voice.Engine
    package let isBuiltIn: Bool
    /// Its entry in the catalogue; null for a voice that is built in or that the person has added.
    @Nullable package var entry: CatalogueEntry.ID?
    /// `x_low`, `low`, `medium`, `high`, or the maker's own word.
    @Nullable package var quality: String?
    /// The format of its weights; null for the usual one.
    @Nullable package var variant: CatalogueEntry.Variant?
    @Nullable package var speakers: Int?
    /// In order; null if the voice has none.
    @Nullable package var speakerNames: [String]?
    /// In hertz.
    @Nullable package var sampleRate: Int?
    /// The download's size, if known.
    @Nullable package var archiveBytes: Int64?
    /// A guess where `archiveBytes` is null.
    @Nullable package var expectedBytes: Int64?
    /// Whether a SHA-256 of the archive is known, which a download is compared with; else only its sender vouches for it.
    package let hasChecksum: Bool
    /// `faulty`: it is here, and cannot speak or is not as it was installed.
    package let availability: String
    /// Why it is faulty.
    @Nullable package var problem: FailureResponse?
    package let download: VoiceStateResponse
    /// Null for a voice that is built in or absent.
    @Nullable package var installed: Installed?
    package let isFavorite: Bool
    @Nullable package var lastUsed: Date?
    /// Seconds of speech that a second of this machine has made.
    @Nullable package var speed: Double?
    /// Whether it speaks when none is named.
    package let isSelected: Bool
    /// In a command's answer: the same as ``archiveBytes``.
    package private(set) var archiveSize: Int64?
    /// In a command's answer: the bytes of ``installed``.
    package private(set) var size: Int64?

    package init(_ listing: VoiceListing) {
        (id, name, language) = (listing.id, listing.name, listing.language)
        (engine, isBuiltIn) = (listing.engine, listing.isBuiltIn)
        entry = listing.entry?.id
        (quality, variant) = (listing.quality?.rawValue, listing.variant)
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

/// The state of a download.
package struct VoiceStateResponse: Encodable, Sendable {
    /// The catalogue's entry; left out where it is known.
    package private(set) var entry: CatalogueEntry.ID?
    package let state: String
    @Nullable package var bytes: Int64?
    /// Bytes.
    @Nullable package var total: Int64?
    /// Bytes per second.
    @Nullable package var rate: Double?
    @Nullable package var secondsLeft: Double?
    /// Set when it failed.
    @Nullable package var failure: FailureResponse?

    package init(_ status: VoiceStatus) {
        self.init(status.state)
        entry = status.entry
    }

    package init(_ state: ModelDownload.State) {
        self.state = state.name
        switch state {
        case .downloading(let progress), .paused(let progress):
            (bytes, total, rate) = (progress.bytes, progress.total, progress.rate)
            secondsLeft = progress.left.map { $0 / .seconds(1) }
        case .failed(let failure): self.failure = FailureResponse(failure)
        default: break
        }
    }
}
