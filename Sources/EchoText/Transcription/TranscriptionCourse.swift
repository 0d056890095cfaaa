package import Foundation

/// What becomes of a transcription whose recogniser fails.
package struct TranscriptionCourse: Sendable, Hashable {
    /// How often a recogniser may fail in a row before the next one of the order is asked.
    package var maximumFailures: Int
    package var backoff: Backoff

    package init(maximumFailures: Int = 5, backoff: Backoff = Backoff()) {
        (self.maximumFailures, self.backoff) = (maximumFailures, backoff)
    }

    /// The state after a failure.
    ///
    /// - Parameters:
    ///   - error: What the recogniser has thrown.
    ///   - job: The job before.
    ///   - network: Whether other machines may be reached.
    ///   - now: The time of day.
    ///   - chance: From 0 to 1, for the length of the wait.
    /// - Returns: The job after. Where its recogniser is another one, what the first has heard is dropped.
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
            // Another recogniser would meet the same: a full disk, or damage of the recording.
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

    /// The job with the next recogniser of its order, or failed.
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
