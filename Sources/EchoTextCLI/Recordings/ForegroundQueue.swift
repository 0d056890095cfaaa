import EchoText
import Foundation
import Outbound

/// Transcribes one recording while a person waits at the terminal.
struct ForegroundQueue: Sendable {
    private let library: Library
    private let events = StudioEvents()
    private let queue: TranscriptionQueue
    private let isShown: Bool

    /// - Parameters:
    ///   - library: The library with the recording.
    ///   - tools: Transcribe it.
    ///   - network: Reports when other machines may be reached.
    ///   - isShown: Whether the progress is reported.
    init(in library: Library, with tools: TranscriptionTools, network: any NetworkWatch, isShown: Bool) {
        self.library = library
        self.isShown = isShown
        queue = TranscriptionQueue(
            in: library,
            with: tools,
            consent: SendingConsent { try await library.settings.consentRule() },
            network: network,
            events: events
        ) {
            (try? await library.settings.lanes()) ?? ProcessInfo.processInfo.activeProcessorCount
        }
    }

    /// Starts a transcription and waits for its end.
    ///
    /// - Returns: The new version of the transcript.
    /// - Throws: ``TranscriptionEnd``; ``RemoteRecognitionError/notAllowed(host:)``; ``LibraryError/itemNotFound`` when the
    ///   recording is deleted meanwhile; `CancellationError` after an interruption, which leaves the job stored.
    func run(_ begin: (TranscriptionQueue) async throws -> TranscriptionStatus) async throws -> Transcript.ID {
        let subscription = await events.subscribe()
        await queue.watchNetwork()
        let status = try await begin(queue)
        let reporting = Task { await report(subscription.entries) }
        let queue = queue
        let end = await withTaskCancellationHandler {
            await queue.ending(of: status.id)
        } onCancel: {
            Task { await queue.close() }
        }
        reporting.cancel()
        await Task { await queue.close() }.value
        if let end, let version = end.version {
            if isShown, end.job.recognizer > 0, let failure = end.job.failure {
                EchoTextCommand.say("\(failure.message) \(end.job.asked) was asked instead")
            }
            return version
        }
        if end?.isGone == true { throw LibraryError.itemNotFound }
        if Task.isCancelled {
            EchoTextCommand.say(
                "what was heard is kept: continue with “echotext jobs retry \(status.id.rawValue.prefix(8))”"
            )
            throw CancellationError()
        }
        if let host = end?.sending?.host, end?.job.state == .cancelled {
            throw RemoteRecognitionError.notAllowed(host: host)
        }
        guard let failure = end?.job.failure else { throw TranscriptError.jobNotFound }
        throw TranscriptionEnd(failure: failure)
    }

    /// Shows the progress, and asks before something is sent.
    private func report(_ entries: AsyncStream<StudioEvents.Entry>) async {
        var reported = ""
        for await entry in entries {
            guard case .transcription(let status) = entry.event else { continue }
            if status.job.state == .waitingForConsent, let sending = status.sending {
                await ask(sending, for: status.id)
            }
            let words = Self.words(for: status)
            guard isShown, words != reported else { continue }
            reported = words
            EchoTextCommand.say(words)
        }
    }

    /// Asks whether audio may be sent; a refusal stops the transcription.
    private func ask(_ sending: Sending, for job: TranscriptionJob.ID) async {
        let question = "\(CommandOutput.harmless(sending.question)) [y/N] "
        let isAsked = isatty(STDIN_FILENO) == 1
        let answer = isAsked ? (try? await TerminalInput.line(asking: question)) ?? "" : ""
        // Errors are ignored: a job that was deleted needs neither answer.
        if ["y", "yes"].contains(answer.lowercased()) {
            _ = try? await queue.allow(sending, for: job)
        } else {
            if !isAsked {
                EchoTextCommand.say("\(sending.host) is asked only after you agree, at a terminal or by a setting")
            }
            try? await queue.cancel(job)
        }
    }

    private static func words(for status: TranscriptionStatus) -> String {
        switch status.job.state {
        case .queued: return "waiting"
        case .running:
            let tenths = Int(
                10 * (status.position - status.range.lowerBound)
                    / max(0.001, status.range.upperBound - status.range.lowerBound)
            )
            return "\(min(100, 10 * max(0, tenths))) % heard by \(status.job.asked)"
        case .waitingForNetwork: return "waiting for the network"
        case .waitingForConsent: return "waiting for your consent"
        case .retrying(let time):
            let reason = status.job.failure.map { "\($0.message) " } ?? ""
            return "\(reason)Trying again at \(CommandOutput.date(time))"
        case .failed: return "failed"
        case .cancelled: return "stopped"
        }
    }
}

extension Studio {
    /// Passes the transcription tools of a library to `work`, and closes their connections afterwards.
    ///
    /// - Parameters:
    ///   - library: The library with the services and the rules for connections.
    ///   - isOffline: Whether all connections are refused, whatever the library's settings say.
    ///   - work: The work that transcribes.
    /// - Returns: What `work` returned.
    /// - Throws: What `work` throws, ``VaultError``.
    func withTranscriptionTools<Output>(
        of library: Library,
        isOffline: Bool,
        _ work: (TranscriptionTools) async throws -> Output
    ) async throws -> Output {
        let client = OutboundClient.listing(in: library, isOffline: isOffline)
        return try await client.closing {
            try await work(transcriptionTools(through: client) { try await library.services.services() })
        }
    }
}

/// Why a transcription ended without a transcript.
struct TranscriptionEnd: UserFacingError {
    let failure: Failure
}
