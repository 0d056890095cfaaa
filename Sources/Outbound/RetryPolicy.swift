import EchoText

/// When it is worth trying again, and how long to wait before that.
struct RetryPolicy: Sendable {
    /// How many tries in a row may bring nothing.
    static let maximumFailures = 5
    /// The same for a server that cannot be reached at all, where waiting seldom helps.
    private static let maximumUnreached = 3
    private static let shortest = Duration.milliseconds(500)
    private static let longest = Duration.seconds(16)
    /// The longest delay that a server may ask for; beyond it the error is reported to the person.
    private static let longestRest = Duration.seconds(60)

    private var failures = 0

    /// - Parameters:
    ///   - error: What ended the last try.
    ///   - hasProgressed: Whether that try brought something new.
    ///   - chance: From 0 to 1, so that many machines do not come back at once.
    /// - Returns: How long to wait before the next try; `nil` to give up.
    mutating func wait(after error: VoiceDownloadError, hasProgressed: Bool, chance: Double) -> Duration? {
        failures = hasProgressed ? 1 : failures + 1
        let backOff = min(Self.longest, Self.shortest * (1 << min(failures - 1, 10))) * (0.5 + chance / 2)
        switch error {
        case .unreachable: return failures < Self.maximumUnreached ? backOff : nil
        case .stalled, .interrupted, .serverFailed: return failures < Self.maximumFailures ? backOff : nil
        case .tooManyRequests(_, let rest):
            guard failures < Self.maximumFailures, (rest ?? .zero) <= Self.longestRest else { return nil }
            return max(rest ?? .zero, backOff)
        default: return nil
        }
    }
}
