import EchoText

/// The library's records of voices.
struct VoiceSelection: Sendable {
    let selected: Voice.ID
    let records: [Voice.ID: VoiceRecord]
    let losses: [VoiceLoss]

    /// Compares what is installed with what was; `nil` when the library is not open.
    static func taken(of installedVoices: InstalledVoices) async throws -> VoiceSelection? {
        try await ReachableLibrary.use { library in
            let records = try await library.voices.records()
            let audit = VoiceAudit(of: installedVoices, against: records)
            try await audit.record(in: library.voices)
            // A damaged voice is reported as long as its files are there, and then as gone.
            try await library.voices.settle(audit.losses.filter(\.isGone))
            return VoiceSelection(
                selected: try await library.profiles.chosen().profile.voice,
                records: records,
                losses: audit.losses
            )
        }
    }
}

extension VoiceLoss {
    /// The messages for the person.
    var words: String {
        let words = [failure.message, failure.suggestion].compactMap(\.self).joined(separator: " ")
        return isGone ? words : "\(id): \(words)"
    }
}
