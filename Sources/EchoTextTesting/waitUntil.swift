/// What a test waited for did not come.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String
}

/// Waits until `condition` holds, looking again and again.
///
/// - Parameters:
///   - what: What is waited for, in words that a failure shows.
///   - limit: How long that may take, on a busy machine too.
///   - isPossible: Whether it can still come; such as whether the program that is to bring it about still runs.
///   - condition: Looks whether it is there.
/// - Throws: ``WaitedInVain`` when it can come no more or the time is over; `CancellationError` when the task is cancelled;
///   what `condition` throws.
package func waitUntil(
    _ what: String,
    within limit: Duration = .seconds(60),
    while isPossible: @autoclosure () -> Bool = true,
    _ condition: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while true {
        // Seen before the last look: what has brought it about may have ended since.
        let isOver = !isPossible() || ContinuousClock.now >= deadline
        if try condition() { return }
        guard !isOver else { throw WaitedInVain(description: "waited in vain until \(what)") }
        try await Task.sleep(for: .milliseconds(10))
    }
}
