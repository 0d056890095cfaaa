internal import EchoText

/// What of a request has been handed on, in however many tries.
struct HeardPieces {
    private var hasTimes = false
    private var samples = 0
    /// Samples of this try.
    private var repeated = 0

    mutating func begin() { repeated = 0 }

    /// The part of `piece` that is new; a model gives the same answer to the same request.
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
