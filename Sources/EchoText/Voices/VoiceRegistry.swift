/// A person's choices about a voice and measurements of it; they are private, so the library stores them.
///
/// Properties of the voice's files are not repeated here: see ``InstalledVoice``.
package struct VoiceRecord: Sendable, Hashable, Codable {
    package let id: Voice.ID
    package var isFavorite: Bool
    /// Seconds since 1970.
    package var lastUsed: Double?
    /// Seconds of speech that one second of this machine makes; from the last long narration with the voice.
    package var speed: Double?
    /// The ``UserFacingError/code`` of why it was not tried any more when it was last to speak.
    ///
    /// It is `nil` again when the voice has spoken, has been installed again, or is to be tried again.
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

/// Remembers what a person has made of voices, also of those that are not installed any more.
package protocol VoiceRegistry: Sendable {
    /// All records, by id.
    func records() async throws -> [Voice.ID: VoiceRecord]

    /// Changes the record of `id`, which begins empty, in one step that no other change comes into.
    ///
    /// - Returns: The record as it is now.
    @discardableResult
    func update(_ id: Voice.ID, _ change: @escaping @Sendable (inout VoiceRecord) -> Void) async throws -> VoiceRecord
}

/// A change of a voice on this machine.
package enum VoiceChange: Sendable {
    case came(InstalledVoice)
    case went(Voice.ID)
}

extension VoiceRegistry {
    /// Takes down what has happened.
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

    /// Takes down that a voice was set aside, where that is why it could not speak.
    package func note(_ failure: any Error, of id: Voice.ID) async {
        guard let error = failure as? VoiceFolderError, case .setAside = error else { return }
        // The failure itself is what the person has to hear.
        _ = try? await update(id) { $0.setAside = error.code }
    }

    /// Takes down that a voice is to be tried again.
    ///
    /// - Returns: Whether it was set aside.
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
