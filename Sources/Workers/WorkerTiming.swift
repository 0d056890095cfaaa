/// How long workers are waited for and kept.
package struct WorkerTiming: Sendable, Hashable {
    /// The longest time without a sign of life while a request is pending.
    ///
    /// An engine call of 400 symbols takes a second or two; loading a model from a slow disk, some ten.
    package var responseTimeout: Duration = .seconds(60)
    /// How long a worker may take to give up what was cancelled; an engine notices between two calls.
    package var cancelGrace: Duration = .seconds(2)
    /// How long an unused worker stays ready; loading its voice again takes about a second.
    package var idle: Duration = .seconds(120)
    /// Most workers that stay ready; each keeps a voice of up to some hundred megabytes in memory.
    package var mostWarm = 2
    /// Requests after which a worker is replaced, so that no honest one comes to the end of its processor time
    /// (``WorkerLimits/lifeSeconds``): a request takes a second or two.
    package var mostRequests = 10_000
    /// Deaths after which a voice is set aside.
    package var mostDeaths = 3
    /// Answers in a row after which deaths before them are forgotten.
    package var answersToForgive = 100
    /// The wait before a start that follows one death; doubled by each further death.
    package var firstBackOff: Duration = .milliseconds(100)
    package var longestBackOff: Duration = .seconds(30)

    package init() {}
}
