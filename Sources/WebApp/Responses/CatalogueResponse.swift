import EchoText
import Foundation
import Hummingbird

/// The catalogue and the installed voices, for the page.
struct CatalogueResponse: ResponseEncodable {
    let voices: [CatalogueVoiceResponse]
    /// The voice that speaks when none is named.
    let active: String
    @Nullable var refreshedAt: Date?
    let isOffline: Bool
    /// Where voices come from: `sherpaOnnx`, `mirror` or `folder`.
    let source: String
    let losses: [VoiceLossResponse]
}

/// A voice of the catalogue, or one that the person has added.
struct CatalogueVoiceResponse: ResponseEncodable {
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

    @Nullable var entry: String?
    let voice: String
    let name: String
    let language: String
    @Nullable var quality: String?
    @Nullable var variant: String?
    @Nullable var speakers: Int?
    @Nullable var sampleRate: Int?
    @Nullable var archiveBytes: Int64?
    @Nullable var expectedBytes: Int64?
    /// Whether there is anything that a download could be compared with.
    let hasChecksum: Bool
    let download: VoiceStateResponse
    @Nullable var installed: Installed?
    let isFavorite: Bool
    @Nullable var lastUsed: Date?
    @Nullable var speed: Double?
    @Nullable var problem: FailureResponse?

    /// - Returns: `nil` for a recogniser.
    init?(_ offer: VoiceOffer, _ record: VoiceRecord?) {
        guard let id = offer.id else { return nil }
        // Of one that cannot be read the library knows what it was.
        let (entry, own) = (offer.entry, offer.installed ?? (offer.fault == nil ? nil : record?.installation))
        self.entry = entry?.id.rawValue
        voice = id.rawValue
        name = entry?.name ?? own?.voice.name ?? offer.fault?.folder.name ?? id.rawValue
        language = entry?.language ?? own?.voice.language ?? "und"
        quality = (entry?.quality ?? own?.quality)?.rawValue
        variant = entry?.variant?.rawValue
        speakers = own?.voice.speakers ?? entry?.speakers
        sampleRate = own?.voice.sampleRate ?? entry?.sampleRate
        archiveBytes = entry?.archiveBytes
        expectedBytes = entry?.expectedBytes
        hasChecksum = entry?.sha256 != nil
        download = VoiceStateResponse(offer.state)
        installed = own.map(Installed.init) ?? offer.fault.map(Installed.init)
        isFavorite = record?.isFavorite ?? false
        lastUsed = record?.lastUsed.map { Date(timeIntervalSince1970: $0) }
        speed = record?.speed
        let fault = offer.fault?.error.failure
        problem = (fault ?? offer.installed.flatMap { record?.problem(with: $0.voice.name) }).map(FailureResponse.init)
    }
}

extension CatalogueVoiceResponse.Installed {
    fileprivate init(_ voice: InstalledVoice) {
        self.init(
            bytes: voice.bytes,
            folder: voice.folder,
            licence: voice.licence.map { .init(name: $0.name, isCommercial: $0.isCommercial) },
            url: voice.receipt?.url,
            installedAt: voice.receipt.map { Date(timeIntervalSince1970: $0.installedAt) }
        )
    }

    /// The files of a voice that cannot be read.
    fileprivate init(_ fault: VoiceFault) {
        let folder = (fault.folder.path as NSString).lastPathComponent
        self.init(bytes: fault.bytes, folder: folder, licence: nil, url: nil, installedAt: nil)
    }
}

/// A voice whose files are gone or damaged.
struct VoiceLossResponse: Encodable {
    let voice: String
    let name: String
    @Nullable var entry: String?
    let failure: FailureResponse

    init(_ loss: VoiceLoss) {
        voice = loss.id.rawValue
        name = loss.name
        entry = loss.entry?.rawValue
        failure = FailureResponse(loss.failure)
    }
}
