/// A person's choices about a voice and measurements of it; they are private, so the library stores them.
///
/// Properties of the voice's files are not repeated here: see ``InstalledVoice``.
package struct VoiceRecord: Sendable, Hashable, Codable {
    package let id: Voice.ID
    package var isFavorite: Bool
    /// Seconds since 1970.
    package var lastUsed: Double?
    /// Real-time factor on this machine, from the last long narration with the voice.
    package var speed: Double?
    /// The ``UserFacingError/code`` of the reason why the voice is disabled.
    ///
    /// It becomes `nil` when the voice has spoken, was installed again, or is to be tried again.
    package var disabledBy: String?
    /// The voice as it was when it was last seen on this machine; `nil` when it never was, or was taken away.
    package var installation: InstalledVoice?

    package init(
        id: Voice.ID,
        isFavorite: Bool = false,
        lastUsed: Double? = nil,
        speed: Double? = nil,
        disabledBy: String? = nil,
        installation: InstalledVoice? = nil
    ) {
        self.id = id
        self.isFavorite = isFavorite
        self.lastUsed = lastUsed
        self.speed = speed
        self.disabledBy = disabledBy
        self.installation = installation
    }
}

/// The records of a person's voices, including those that are no longer installed.
package protocol VoiceRegistry: Sendable {
    /// All records, by id.
    func records() async throws -> [Voice.ID: VoiceRecord]

    /// Atomically changes the record of `id`, which is initially empty.
    ///
    /// - Returns: The updated record.
    @discardableResult
    func update(_ id: Voice.ID, _ change: @escaping @Sendable (inout VoiceRecord) -> Void) async throws -> VoiceRecord
}

/// A change of a voice on this machine.
package enum VoiceChange: Sendable {
    case came(InstalledVoice)
    case went(Voice.ID)
}

extension VoiceRegistry {
    /// Records a change of an installed voice.
    ///
    /// - Throws: ``VaultError``.
    package func note(_ change: VoiceChange) async throws {
        let (id, installation): (Voice.ID, InstalledVoice?) =
            switch change {
            case .came(let voice): (voice.voice.id, voice)
            case .went(let id): (id, nil)
            }
        try await update(id) { record in
            record.installation = installation
            record.disabledBy = nil
        }
    }

    /// Records that a voice is disabled, if that is why it could not speak.
    package func note(_ failure: any Error, of id: Voice.ID) async {
        guard let error = failure as? VoiceFolderError, case .disabled = error else { return }
        // Errors are ignored, because the person has to see the original failure.
        _ = try? await update(id) { $0.disabledBy = error.code }
    }

    /// Records that a disabled voice is to be tried again.
    ///
    /// - Returns: Whether it was disabled.
    /// - Throws: ``VaultError``.
    package func enable(_ id: Voice.ID) async throws -> Bool {
        guard try await records()[id]?.disabledBy != nil else { return false }
        try await update(id) { $0.disabledBy = nil }
        return true
    }
}

extension VoiceRecord {
    /// Why the voice is not used for now, in words for a person; `nil` when it is used.
    ///
    /// - Parameter name: The name of the voice's model.
    /// - Returns: Words without a number, which nobody remembers.
    package func problem(with name: String) -> Failure? {
        disabledBy.map { _ in VoiceFolderError.disabled("\(name).onnx", deaths: nil).failure }
    }
}

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
        failure = .init(ModelInstallError.gone(id, isInCatalogue: entry != nil))
    }

    fileprivate init(_ fault: VoiceFault, known voice: InstalledVoice?) {
        (id, name, entry) = (fault.id, Voice.name(of: fault.id, given: fault.folder.name), voice?.receipt?.entry)
        (isGone, isNews) = (false, voice != nil)
        failure = .init(fault.error)
    }
}
