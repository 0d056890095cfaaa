/// How long to wait before the next try, longer from failure to failure.
///
/// - SeeAlso: M. Brooker, “Exponential Backoff and Jitter”, AWS Architecture Blog, 2015: full jitter, because machines that failed together
///   must not come back together.
package struct Backoff: Sendable, Hashable {
    /// The greatest wait after the first failure.
    package var first: Duration
    /// The greatest wait of all.
    package var longest: Duration

    package init(first: Duration = .seconds(2), longest: Duration = .seconds(300)) {
        (self.first, self.longest) = (first, longest)
    }

    /// - Parameters:
    ///   - failures: The number of consecutive failures, from 1.
    ///   - wanted: The wait that the server requested; the result is never shorter.
    ///   - chance: A random number from 0 to 1.
    /// - Returns: The wait before the next attempt.
    package func wait(afterFailures failures: Int, wanted: Duration?, chance: Double) -> Duration {
        let greatest = min(longest, first * (1 << min(max(failures - 1, 0), 20)))
        let wait = greatest * min(max(chance, 0), 1)
        return max(wait, wanted ?? .zero)
    }
}
