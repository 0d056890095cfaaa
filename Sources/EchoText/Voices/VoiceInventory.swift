/// A voice that was here and is not what it was, or one that lies here and cannot speak.
package struct VoiceLoss: Sendable {
    package let id: Voice.ID
    package let name: String
    /// What it was of the catalogue, where that is known.
    package let entry: CatalogueEntry.ID?
    /// Whether its files are gone; else they were changed or are damaged, and lie there.
    package let isGone: Bool
    /// Whether it was here as a whole and the person has not been told since.
    package let isNews: Bool
    /// What is wrong, as a person is told.
    package let failure: Failure
}

/// Compares the voices that were installed with those that are there; writes nothing by itself.
package struct VoiceInventory: Sendable {
    /// What was lost, and what is not as it was installed, by name.
    package let losses: [VoiceLoss]
    /// Those that are whole, and not taken down as they are.
    private let new: [InstalledVoice]

    /// - Parameters:
    ///   - stock: What is there.
    ///   - records: What the library knows of voices.
    package init(of stock: VoiceStock, against records: [Voice.ID: VoiceRecord]) {
        new = stock.voices.filter { voice in
            stock.fault(of: voice.voice.id) == nil && records[voice.voice.id]?.installation != voice
        }
        let present = Set(stock.voices.map(\.voice.id) + stock.faults.map(\.id))
        let gone = records.values.filter { !present.contains($0.id) }.compactMap(\.installation).map(VoiceLoss.init)
        let broken = stock.faults.map { VoiceLoss($0, known: records[$0.id]?.installation) }
        losses = (gone + broken).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }

    /// Looks at what `installer` has, and takes down what is new.
    ///
    /// - Throws: ``VaultError``, and what the installer throws.
    package static func takeDown(what installer: any VoiceInstaller, in registry: any VoiceRegistry) async throws {
        let stock = try await installer.stock()
        try await VoiceInventory(of: stock, against: try await registry.records()).takeDown(in: registry)
    }

    /// Takes down what is new; what was lost stays to be told of.
    ///
    /// - Throws: ``VaultError``.
    package func takeDown(in registry: any VoiceRegistry) async throws {
        for voice in new { try await registry.update(voice.voice.id) { $0.installation = voice } }
    }
}

extension VoiceRegistry {
    /// Strikes out what was lost, when the person has been told.
    ///
    /// - Throws: ``VaultError``.
    package func settle(_ losses: [VoiceLoss]) async throws {
        for loss in losses where loss.isNews { try await update(loss.id) { $0.installation = nil } }
    }
}

extension VoiceLoss {
    /// Of one whose files are gone.
    fileprivate init(_ voice: InstalledVoice) {
        (id, name, entry) = (voice.voice.id, voice.voice.name, voice.receipt?.entry)
        (isGone, isNews) = (true, true)
        failure = .init(VoiceInstallError.gone(id, isInCatalogue: entry != nil))
    }

    fileprivate init(_ fault: VoiceFault, known voice: InstalledVoice?) {
        (id, name, entry) = (fault.id, voice?.voice.name ?? fault.folder.name, voice?.receipt?.entry)
        (isGone, isNews) = (false, voice != nil)
        failure = .init(fault.error)
    }
}
