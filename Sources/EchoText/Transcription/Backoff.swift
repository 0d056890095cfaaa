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
    ///   - failures: How many tries in a row have failed, from 1.
    ///   - wanted: How long the other side asks to be left alone; the wait is never shorter.
    ///   - chance: From 0 to 1.
    /// - Returns: The wait before the next try.
    package func wait(afterFailures failures: Int, wanted: Duration?, chance: Double) -> Duration {
        let greatest = min(longest, first * (1 << min(max(failures - 1, 0), 20)))
        let wait = greatest * min(max(chance, 0), 1)
        return max(wait, wanted ?? .zero)
    }
}
