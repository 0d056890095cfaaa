import EchoText

/// The playback's summary, for `echotext play --json`.
struct PlaySummary: Encodable {
    /// A recording, and the part of it that was played last.
    struct Played: Encodable {
        let id: AudioItem.ID
        let name: String
        /// In seconds.
        let from: Double
        /// In seconds; the recording's length if it was played to its end.
        var to: Double
    }

    struct PassedOver: Encodable {
        let id: AudioItem.ID
        /// The code of the error.
        let code: String
    }

    private(set) var played: [Played] = []
    private(set) var passedOver: [PassedOver] = []

    mutating func take(_ event: Player.Event) {
        switch event {
        case .began(let item, let position):
            played.append(Played(id: item.id, name: item.name.text, from: position, to: position))
        case .moved(let position):
            if !played.isEmpty { played[played.count - 1].to = position }
        case .passedOver(let id, let code): passedOver.append(PassedOver(id: id, code: code))
        case .paused, .resumed, .speedChanged, .placeNotKept, .ended: break
        }
    }
}
