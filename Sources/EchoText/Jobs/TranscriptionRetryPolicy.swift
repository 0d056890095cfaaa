package import Foundation

/// The retry policy for a transcription whose recognizer fails.
package struct TranscriptionRetryPolicy: Sendable, Hashable {
    /// The number of consecutive failures after which the next recognizer of the order is used.
    package var maximumFailures: Int
    package var backoff: Backoff

    package init(maximumFailures: Int = 5, backoff: Backoff = Backoff()) {
        (self.maximumFailures, self.backoff) = (maximumFailures, backoff)
    }

    /// Returns the job's state after a failure.
    ///
    /// - Parameters:
    ///   - error: The error that the recognizer threw.
    ///   - job: The job before the failure.
    ///   - network: Whether other machines may be reached.
    ///   - now: The time of day.
    ///   - chance: A random number from 0 to 1, for the length of the wait.
    /// - Returns: The job after the failure. If it has another recognizer, the segments so far are dropped.
    package func job(
        after error: any Error,
        of job: TranscriptionJob,
        network: NetworkState,
        at now: Date,
        chance: Double
    ) -> TranscriptionJob {
        var job = job
        let failure = Failure(error)
        job.failure = failure
        let recoverable = error as? any RecoverableError
        if recoverable?.needsNetwork == true, network == .unreachable {
            job.state = .waitingForNetwork
            return job
        }
        guard error is RecognitionError || error is RemoteRecognitionError else {
            // Another recognizer would fail in the same way: a full disk, or a damaged recording.
            job.state = .failed(failure)
            return job
        }
        guard recoverable?.isWorthRetrying == true else { return next(job) }
        job.failures += 1
        guard job.failures < maximumFailures else { return next(job) }
        let wait = backoff.wait(afterFailures: job.failures, wanted: failure.retryAfter, chance: chance)
        job.state = .retrying(at: now + wait / .seconds(1))
        return job
    }

    /// The job with the next recognizer of its order, or failed.
    private func next(_ job: TranscriptionJob) -> TranscriptionJob {
        var job = job
        guard job.recognizer + 1 < job.order.recognizers.count else {
            job.state = .failed(job.failure ?? Failure(RecognitionError.noRecognizer))
            return job
        }
        job.recognizer += 1
        job.failures = 0
        job.progress = 0
        job.state = .queued
        return job
    }
}

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
