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
    /// The ``UserFacingError/code`` of the reason why the voice is quarantined.
    ///
    /// It becomes `nil` when the voice has spoken, was installed again, or is to be tried again.
    package var setAside: String?
    /// The voice as it was when it was last seen on this machine; `nil` when it never was, or was taken away.
    package var installation: InstalledVoice?

    package init(
        id: Voice.ID,
        isFavorite: Bool = false,
        lastUsed: Double? = nil,
        speed: Double? = nil,
        setAside: String? = nil,
        installation: InstalledVoice? = nil
    ) {
        self.id = id
        self.isFavorite = isFavorite
        self.lastUsed = lastUsed
        self.speed = speed
        self.setAside = setAside
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
            record.setAside = nil
        }
    }

    /// Records that a voice is quarantined, if that is why it could not speak.
    package func note(_ failure: any Error, of id: Voice.ID) async {
        guard let error = failure as? VoiceFolderError, case .setAside = error else { return }
        // Errors are ignored, because the person has to see the original failure.
        _ = try? await update(id) { $0.setAside = error.code }
    }

    /// Records that a quarantined voice is to be tried again.
    ///
    /// - Returns: Whether it was quarantined.
    /// - Throws: ``VaultError``.
    package func forgive(_ id: Voice.ID) async throws -> Bool {
        guard try await records()[id]?.setAside != nil else { return false }
        try await update(id) { $0.setAside = nil }
        return true
    }
}

extension VoiceRecord {
    /// Why the voice is not used for now, in words for a person; `nil` when it is used.
    ///
    /// - Parameter name: The name of the voice's model.
    /// - Returns: Words without a number, which nobody remembers.
    package func problem(with name: String) -> Failure? {
        setAside.map { _ in VoiceFolderError.setAside("\(name).onnx", deaths: nil).failure }
    }
}
