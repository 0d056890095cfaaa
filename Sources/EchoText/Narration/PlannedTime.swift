/// When something of a narration that keeps times is to be heard, in seconds from its start.
enum PlannedTime: Sendable, Hashable {
    /// Silence that lasts until then; none when it is later already.
    case silence(until: Double)
    /// Speech that begins when its range does, or once what is before it has ended, and that should end with its range.
    case speech(Range<Double>)

    /// The time of one of the phrases that are said one after another in it: each should end when its share is over.
    ///
    /// - Parameters:
    ///   - index: Which phrase it is, from 0.
    ///   - lengths: How long each of the phrases is, in any unit.
    /// - Returns: The same for silence.
    func part(_ index: Int, of lengths: [Int]) -> PlannedTime {
        guard case .speech(let range) = self, index < lengths.count - 1 else { return self }
        let said = Double(lengths[...index].reduce(0, +)) / Double(lengths.reduce(0, +))
        return .speech(range.lowerBound..<range.lowerBound + (range.upperBound - range.lowerBound) * said)
    }
}
