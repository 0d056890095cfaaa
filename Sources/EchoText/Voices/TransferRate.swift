/// How fast something comes, over the last few seconds.
package struct TransferRate: Sendable {
    /// How far it looks back.
    package static let window = Duration.seconds(5)
    /// The least time before a rate is given, since the first bytes suggest too high a rate.
    private static let shortest = Duration.milliseconds(200)

    private var arrivals: [(time: Duration, bytes: Int64)] = []

    package init() {}

    /// - Parameters:
    ///   - bytes: How many there are now, all in all.
    ///   - time: Since any fixed moment; never less than the time before.
    package mutating func add(_ bytes: Int64, at time: Duration) {
        arrivals.append((time, bytes))
        // The last arrival before the window remains, as the baseline for the window's bytes.
        while arrivals.count > 2, arrivals[1].time <= time - Self.window { arrivals.removeFirst() }
    }

    /// Bytes per second; `nil` before there is enough to measure.
    package var bytesPerSecond: Double? {
        guard let first = arrivals.first, let last = arrivals.last, last.time - first.time >= Self.shortest else {
            return nil
        }
        return Double(max(0, last.bytes - first.bytes)) / ((last.time - first.time) / .seconds(1))
    }
}
