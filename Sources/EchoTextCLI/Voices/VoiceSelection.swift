import EchoText

/// What the library says of voices.
struct VoiceSelection: Sendable {
    let selected: Voice.ID
    let records: [Voice.ID: VoiceRecord]
    let losses: [VoiceLoss]

    /// Compares what is installed with what was; `nil` when the library is not open.
    static func taken(of stock: VoiceStock) async throws -> VoiceSelection? {
        try await ReachableLibrary.use { library in
            let records = try await library.voices.records()
            let inventory = VoiceInventory(of: stock, against: records)
            try await inventory.takeDown(in: library.voices)
            // What is damaged is told of as long as it lies there, and then as gone.
            try await library.voices.settle(inventory.losses.filter(\.isGone))
            return VoiceSelection(
                selected: try await library.profiles.chosen().profile.voice,
                records: records,
                losses: inventory.losses
            )
        }
    }
}

extension VoiceLoss {
    /// What a person is told.
    var words: String {
        let words = [failure.message, failure.suggestion].compactMap(\.self).joined(separator: " ")
        return isGone ? words : "\(id): \(words)"
    }
}
