import EchoText

/// The library's state of voices: the selection and favorites.
struct VoiceSelection: Sendable {
    let selected: Voice.ID
    let records: [Voice.ID: VoiceRecord]

    /// Reads it; `nil` when the library is not open.
    static func read() async throws -> VoiceSelection? {
        try await OptionalLibrary.use { try await VoiceSelection(in: $0) }
    }

    /// Reads it, and compares the installed voices with the recorded ones; a lost voice is reported once.
    ///
    /// - Returns: `nil` and no losses when the library is not open.
    static func audited(against installedVoices: InstalledVoices) async throws -> (VoiceSelection?, [UnavailableVoice])
    {
        try await OptionalLibrary.use { library in
            let selection = try await VoiceSelection(in: library)
            let audit = VoiceAudit(of: installedVoices, against: selection.records)
            try await audit.record(in: library.voices)
            // A damaged voice is reported as long as its files exist, and once more when they are gone.
            try await library.voices.settle(audit.losses.filter(\.isGone))
            return (selection, audit.losses)
        } ?? (nil, [])
    }

    private init(in library: Library) async throws {
        records = try await library.voices.records()
        selected = try await library.profiles.chosen().profile.voice
    }
}

extension UnavailableVoice {
    /// The messages for the person.
    var words: String {
        let words = [failure.message, failure.inTerminal.suggestion].compactMap(\.self).joined(separator: " ")
        return isGone ? words : "\(id): \(words)"
    }
}
