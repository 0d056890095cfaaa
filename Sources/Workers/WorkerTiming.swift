/// The timeouts and limits of engine workers.
package struct WorkerTiming: Sendable, Hashable {
    /// The longest time without a progress report while a request is pending.
    ///
    /// An engine call of 400 symbols takes a second or two; loading a model from a slow disk, some ten.
    package var responseTimeout: Duration = .seconds(60)
    /// How long a worker may take to end a cancelled request; an engine checks for cancellation between two calls.
    package var cancelGrace: Duration = .seconds(2)
    /// How long an unused worker stays ready; loading its voice again takes about a second.
    package var idle: Duration = .seconds(120)
    /// The limit on idle workers that stay ready; each holds a voice of up to some hundred megabytes in memory.
    package var maximumWarm = 2
    /// The number of requests after which a worker is replaced, so that no honest worker reaches its limit on
    /// processor time (``WorkerLimits/lifeSeconds``): a request takes a second or two.
    package var maximumRequests = 10_000
    /// The number of deaths after which a voice is quarantined.
    package var maximumDeaths = 3
    /// The number of answers in a row after which earlier deaths no longer count.
    package var answersToForgive = 100
    /// The delay before a restart after the first death; each further death doubles it.
    package var firstBackOff: Duration = .milliseconds(100)
    package var longestBackOff: Duration = .seconds(30)

    package init() {}
}
