package import Foundation

/// A voice with everything that is known about it: built in, installed, or in the catalogue.
///
/// ```swift
/// let listings = await downloads.listings(of: installedVoices, speaking: voices)
/// let ready = listings.filter { $0.availability == .ready }
/// ```
package struct VoiceListing: Sendable, Hashable, Identifiable {
    /// Whether the voice can be used now; how far a download of it is, ``VoiceListing/download`` says.
    package enum Availability: Sendable, Hashable {
        case ready
        /// It is installed, but cannot speak, was changed after its installation, or is disabled.
        case faulty(Failure)
        case absent

        /// For programs; never translated.
        package var name: String {
            switch self {
            case .ready: "ready"
            case .faulty: "faulty"
            case .absent: "absent"
            }
        }

        package var problem: Failure? {
            if case .faulty(let failure) = self { failure } else { nil }
        }
    }

    /// The files of an installed voice.
    package struct Files: Sendable, Hashable {
        /// The name of its folder in the folder of the voices, never a path.
        package let folder: String
        /// The size of all files, in bytes.
        package let bytes: Int64
        package let licence: VoiceLicence?
        /// The receipt of its installation; `nil` for a folder that the person put there, and for an unreadable
        /// receipt.
        package let receipt: ModelReceipt?
    }

    package let id: Voice.ID
    /// The name for people, without the quality.
    package let name: String
    /// A BCP 47 tag; `und` when it is unknown.
    package let language: String
    package let engine: Voice.Engine
    /// How many people the voice can be; `nil` when that is not known before it is here.
    package let speakers: Int?
    /// The names of its speakers, in order; `nil` if the voice has no names, or is not installed.
    package let speakerNames: [String]?
    /// Samples per second, in hertz.
    package let sampleRate: Int?
    package let quality: VoiceQuality?
    /// Its entry in the catalogue; `nil` for a voice that is built in or that the person has added.
    package let entry: CatalogueEntry?
    /// `nil` for a voice that is built in or absent.
    package let files: Files?
    /// The voice as an engine speaks with it; `nil` when none can.
    package let voice: Voice?
    package let availability: Availability
    package let download: ModelDownload.State
    package let isFavorite: Bool
    package let lastUsed: Date?
    /// Real-time factor: seconds of speech per second of synthesis on this machine.
    package let speed: Double?
    /// Whether it is the chosen profile's voice, which speaks when none is named.
    package let isSelected: Bool

    /// The number format of the model's weights; `nil` for 32-bit floats, and for a voice that is not in the catalogue.
    package var variant: CatalogueEntry.Variant? { entry?.variant }
    package var isBuiltIn: Bool { engine == .espeakNG }
}

extension VoiceListing {
    /// Lists all voices that exist or can be downloaded.
    ///
    /// Only this function joins these sources; each voice is listed once.
    ///
    /// - Parameters:
    ///   - voices: The voices that the engines can use at the moment, built in or installed.
    ///   - installedVoices: The content of the voices folder, with faults.
    ///   - catalogue: The voices that can be downloaded.
    ///   - downloads: The states of all running, stopped and failed downloads.
    ///   - records: The library's records of voices; empty while it is closed.
    ///   - selected: The selected profile's voice; `nil` while the library is closed.
    /// - Returns: The built-in voices in their engine's order, followed by the others by id.
    package static func all(
        speaking voices: [Voice] = [],
        installed installedVoices: InstalledVoices = InstalledVoices(),
        catalogue: ModelCatalogue = ModelCatalogue([]),
        downloads: [CatalogueEntry.ID: ModelDownload.State] = [:],
        records: [Voice.ID: VoiceRecord] = [:],
        selected: Voice.ID? = nil
    ) -> [VoiceListing] {
        var sources: [Voice.ID: Source] = [:]
        for voice in voices { sources[voice.id, default: Source()].voice = voice }
        // The first of several voices with the same id counts.
        for voice in installedVoices.voices.reversed() { sources[voice.voice.id, default: Source()].installed = voice }
        for fault in installedVoices.faults.reversed() { sources[fault.id, default: Source()].fault = fault }
        for entry in catalogue.voices.reversed() {
            if let id = entry.voice { sources[id, default: Source()].entry = entry }
        }
        for (id, record) in records { sources[id]?.record = record }
        let builtIn = voices.map(\.id).filter { Voice.Engine(of: $0) == .espeakNG }
        let others = Set(sources.keys).subtracting(builtIn).sorted { $0.rawValue < $1.rawValue }
        return (builtIn + others).compactMap { id in
            sources[id].map { source in
                let download = source.entry.flatMap { downloads[$0.id] } ?? .none
                return VoiceListing(id, source, download: download, isSelected: id == selected)
            }
        }
    }

    /// Orders the voices as a person looks for them: favorites first, then installed ones, then built-in ones.
    package static func ranked(_ listings: [VoiceListing]) -> [VoiceListing] {
        func rank(_ listing: VoiceListing) -> Int { listing.isFavorite ? 0 : listing.isBuiltIn ? 2 : 1 }
        return (0...2).flatMap { wanted in listings.filter { rank($0) == wanted } }
    }

    /// The data of each source about one voice.
    private struct Source {
        var voice: Voice?
        var installed: InstalledVoice?
        var fault: VoiceFault?
        var entry: CatalogueEntry?
        var record: VoiceRecord?

        /// The installed voice; if it cannot be read, as the library has recorded it.
        var present: InstalledVoice? { installed ?? (fault == nil ? nil : record?.installation) }

        var files: Files? {
            if let present {
                return Files(
                    folder: present.folder,
                    bytes: present.bytes,
                    licence: present.licence,
                    receipt: present.receipt
                )
            }
            return fault.map {
                let folder = ($0.folder.path as NSString).lastPathComponent
                return Files(folder: folder, bytes: $0.bytes, licence: nil, receipt: nil)
            }
        }

        var availability: Availability {
            if let fault { return .faulty(fault.error.failure) }
            guard let name = installed?.voice.givenName ?? voice?.givenName else { return .absent }
            return record?.problem(with: name).map(Availability.faulty) ?? .ready
        }

        /// The language that the name of a damaged voice's model begins with.
        var languageInName: String? {
            fault.flatMap { CatalogueEntry(archive: Voice.ID.folderPrefix + $0.folder.name + CatalogueEntry.ending) }?
                .language
        }
    }

    private init(_ id: Voice.ID, _ source: Source, download: ModelDownload.State, isSelected: Bool) {
        let (entry, record, present) = (source.entry, source.record, source.present)
        let voice = present?.voice ?? source.voice
        self.id = id
        name = Voice.name(of: id, given: voice?.givenName ?? id.rawValue)
        language = entry?.language ?? voice?.language ?? source.languageInName ?? "und"
        engine = Voice.Engine(of: id) ?? voice?.engine ?? .piper
        speakers = voice?.speakers ?? entry?.speakers
        speakerNames = voice?.speakerNames
        sampleRate = voice?.sampleRate ?? entry?.sampleRate
        quality = entry?.quality ?? present?.quality
        self.entry = entry
        files = source.files
        self.voice = source.voice
        availability = source.availability
        self.download = download
        isFavorite = record?.isFavorite ?? false
        lastUsed = record?.lastUsed.map(Date.init(timeIntervalSince1970:))
        speed = record?.speed
        self.isSelected = isSelected
    }
}
