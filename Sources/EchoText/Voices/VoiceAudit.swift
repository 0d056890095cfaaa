/// An installed voice that is missing, changed or damaged.
package struct UnavailableVoice: Sendable {
    package let id: Voice.ID
    package let name: String
    /// Its entry in the catalogue, where that is known.
    package let entry: CatalogueEntry.ID?
    /// Whether its files are missing; otherwise they are changed or damaged.
    package let isGone: Bool
    /// Whether the voice was complete before, and the person has not seen this loss yet.
    package let isNews: Bool
    /// The error, for a person.
    package let failure: Failure
}

/// Compares the recorded voices with the installed ones; writes nothing by itself.
package struct VoiceAudit: Sendable {
    /// The voices that are missing, changed or damaged, by name.
    package let losses: [UnavailableVoice]
    /// The complete voices that the registry does not have in their present form.
    private let new: [InstalledVoice]

    /// - Parameters:
    ///   - installedVoices: The voices that are installed now.
    ///   - records: The library's records of voices.
    package init(of installedVoices: InstalledVoices, against records: [Voice.ID: VoiceRecord]) {
        new = installedVoices.voices.filter { voice in
            installedVoices.fault(of: voice.voice.id) == nil && records[voice.voice.id]?.installation != voice
        }
        let present = Set(installedVoices.voices.map(\.voice.id) + installedVoices.faults.map(\.id))
        let gone = records.values.filter { !present.contains($0.id) }.compactMap(\.installation).map(
            UnavailableVoice.init
        )
        let broken = installedVoices.faults.map { UnavailableVoice($0, known: records[$0.id]?.installation) }
        losses = (gone + broken).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }

    /// Compares the installed voices with the registry, and records the new ones.
    ///
    /// - Throws: ``VaultError``, and what the installer throws.
    package static func record(voicesOf installer: any VoiceInstaller, in registry: any VoiceRegistry) async throws {
        let installedVoices = try await installer.installedVoices()
        try await VoiceAudit(of: installedVoices, against: try await registry.records()).record(in: registry)
    }

    /// Records the new voices; losses stay until ``VoiceRegistry/settle(_:)``.
    ///
    /// - Throws: ``VaultError``.
    package func record(in registry: any VoiceRegistry) async throws {
        for voice in new { try await registry.update(voice.voice.id) { $0.installation = voice } }
    }
}

extension VoiceRegistry {
    /// Clears losses that the person has seen.
    ///
    /// - Throws: ``VaultError``.
    package func settle(_ losses: [UnavailableVoice]) async throws {
        for loss in losses where loss.isNews { try await update(loss.id) { $0.installation = nil } }
    }
}

extension UnavailableVoice {
    /// The loss of a voice whose files are missing.
    fileprivate init(_ voice: InstalledVoice) {
        (id, name, entry) = (voice.voice.id, voice.voice.name, voice.receipt?.entry)
        (isGone, isNews) = (true, true)
        failure = .init(VoiceInstallError.gone(id, isInCatalogue: entry != nil))
    }

    fileprivate init(_ fault: VoiceFault, known voice: InstalledVoice?) {
        (id, name, entry) = (fault.id, Voice.name(of: fault.id, given: fault.folder.name), voice?.receipt?.entry)
        (isGone, isNews) = (false, voice != nil)
        failure = .init(fault.error)
    }
}
