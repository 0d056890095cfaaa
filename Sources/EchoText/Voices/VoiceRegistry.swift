/// What a person has made of a voice, and what was learned of it here; private, so the library keeps it.
///
/// What follows from the voice's own files is not repeated here: ``InstalledVoice`` says it.
package struct VoiceRecord: Sendable, Hashable, Codable {
    package let id: Voice.ID
    package var isFavourite: Bool
    /// Seconds since 1970.
    package var lastUsed: Double?
    /// Seconds of speech that one second of this machine makes; from the last long narration with the voice.
    package var speed: Double?
    /// Why it is not used for now: the ``UserFacingError/code`` of what happened.
    package var setAside: String?
    /// The voice as it was when it was last seen on this machine; `nil` when it never was, or was taken away.
    package var installation: InstalledVoice?

    package init(
        id: Voice.ID,
        isFavourite: Bool = false,
        lastUsed: Double? = nil,
        speed: Double? = nil,
        setAside: String? = nil,
        installation: InstalledVoice? = nil
    ) {
        self.id = id
        self.isFavourite = isFavourite
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

    func forget(_ id: Voice.ID) async throws
}
