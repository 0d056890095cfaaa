/// Lets through as many requests, and as much of them, as a model is to speak at once.
///
/// Which of those that wait is next is chosen by what fits beside the others.
package struct ModelLanes: Sendable {
    /// How many phonemes a lane speaks at a time on average.
    ///
    /// Each needs about 0.9 MB while a medium voice speaks it, and memory that was needed once is not given back: two long
    /// requests at the same time, which every long text has sooner or later, are not worth what they cost for good.
    private static let phonemesPerLane = 56

    private let turnstile: WeightedTurnstile

    /// - Parameter count: How many requests are spoken at once at most, at least 1.
    package init(_ count: Int) {
        turnstile = WeightedTurnstile(places: count, bound: count * Self.phonemesPerLane)
    }

    /// Runs `body`, which speaks `request`, when there is room for it.
    ///
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or `CancellationError` when the task is cancelled while it waits.
    package func pass<Output>(_ request: PhonemeRequest, _ body: () async throws -> Output) async throws -> Output {
        try await turnstile.pass(weighing: request.phonemes.count, body)
    }
}
