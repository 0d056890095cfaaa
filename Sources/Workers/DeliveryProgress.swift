internal import EchoText

/// Counts how much of a request's sound has been delivered, over all attempts.
struct DeliveryProgress {
    private var hasTimes = false
    private var samples = 0
    /// The samples received in this attempt.
    private var repeated = 0

    mutating func begin() { repeated = 0 }

    /// Returns the part of `piece` that was not delivered yet; a model gives the same answer to the same request.
    mutating func new(_ piece: AcousticPiece) -> AcousticPiece? {
        switch piece {
        case .times:
            defer { hasTimes = true }
            return hasTimes ? nil : piece
        case .samples(let stretch):
            let known = min(stretch.count, samples - repeated)
            repeated += stretch.count
            samples = max(samples, repeated)
            return known == stretch.count ? nil : .samples(known > 0 ? Array(stretch[known...]) : stretch)
        }
    }
}
