import API
import AsyncAlgorithms
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import ServiceLifecycle

/// `/api/events`: a live stream of events.
///
/// A stream ends when the library is closed. A stream that begins while it is closed reports only the vault's state, as
/// `/api/state` does.
///
/// - SeeAlso: HTML Living Standard, “Server-sent events”.
struct EventRoutes: Sendable {
    let studio: WebStudio

    private static let heartbeat = Duration.seconds(15)
    /// How long a browser waits before it reconnects after a stream has ended, in milliseconds.
    private static let comeBack = 300

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("events", use: events)
    }

    func events(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let known = request.headers[.lastEventID] ?? request.text("after")
        let seen = known.flatMap { number(in: $0) }
        let subscription = await studio.events.subscribe(after: seen)
        let events = studio.events
        let hasMissed = subscription.missedTooMuch || (known != nil && seen == nil)
        let first = hasMissed ? ServerSentEvent(name: "reset", id: events.id(of: subscription.start), data: "{}") : nil
        let encode = encode
        let body = ResponseBody { writer in
            // Something at once, so that a browser knows that it is connected; and how soon it is to come back.
            try await writer.write(ByteBuffer(string: "retry: \(Self.comeBack)\n\n"))
            if let first { try await writer.write(first.encoded) }
            let messages = Self.messages(subscription.entries, encode)
            for try await message in messages.cancelOnGracefulShutdown() { try await writer.write(message) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    private func number(in id: String) -> Int? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, parts[0] == studio.events.run else { return nil }
        return Int(parts[1])
    }

    /// Sends events and, between them, occasional comments, whose failure reveals a disconnected browser.
    private static func messages(
        _ entries: AsyncStream<StudioEvents.Entry>,
        _ encode: @escaping @Sendable (StudioEvents.Entry) async -> ByteBuffer?
    ) -> AsyncStream<ByteBuffer> {
        // A browser that does not read is disconnected: it reconnects and requests the missed events.
        AsyncStream(bufferingPolicy: .bufferingOldest(StudioEvents.capacity)) { continuation in
            // Only a write reveals a disconnected browser, and there may be nothing to write for hours.
            let beat = Task {
                for await _ in AsyncTimerSequence(interval: heartbeat, clock: .continuous) {
                    continuation.yield(ByteBuffer(string: ":\n\n"))
                }
            }
            let relay = Task {
                for await entry in entries {
                    guard let message = await encode(entry) else { continue }
                    if case .dropped = continuation.yield(message) { break }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in
                beat.cancel()
                relay.cancel()
            }
        }
    }

    private var encode: @Sendable (StudioEvents.Entry) async -> ByteBuffer? {
        let studio = studio
        return { entry in
            // A download runs on while the library is locked, and is reported when it is open again.
            if entry.event.isOfVoices, await studio.librarySession.present == nil { return nil }
            let id = studio.events.id(of: entry.number)
            // An event that cannot be encoded is skipped; the page reloads everything when it reconnects.
            return try? await ServerSentEvent(entry.event, id: id, in: studio).encoded
        }
    }
}

extension StudioEvent {
    fileprivate var isOfVoices: Bool {
        switch self {
        case .voice, .voices: true
        default: false
        }
    }
}

/// A message of a `text/event-stream`.
struct ServerSentEvent {
    let name: String
    let id: String
    /// JSON on one line.
    let data: String

    init(name: String, id: String, data: String) {
        (self.name, self.id, self.data) = (name, id, data)
    }

    var encoded: ByteBuffer { ByteBuffer(string: "id: \(id)\nevent: \(name)\ndata: \(data)\n\n") }
}

extension ServerSentEvent {
    private struct Sentence: Encodable {
        let narration: String
        let sentence: TimingResponse.Sentence
    }

    private struct Changes: Encodable {
        let added: [AudioItem.ID]
        let changed: [AudioItem.ID]
        let deleted: [AudioItem.ID]
    }

    private struct DocumentChanges: Encodable {
        let added: [Document.ID]
        let changed: [Document.ID]
        let deleted: [Document.ID]
    }

    private struct Recognized: Encodable {
        let item: AudioItem.ID
        let segments: [TranscriptSegmentResponse]
    }

    /// The progress of the batch, without its entries.
    private struct BatchSummary: Encodable {
        let total: Int
        let done: Int
        let failed: Int
        let current: Int
        let isRunning: Bool
        let isFinished: Bool
        /// Why the batch is stopped although entries are left.
        @Nullable var failure: FailureResponse?
        /// The entry in progress.
        @Nullable var entry: BatchEntryResponse?

        init(_ progress: BatchProgress) {
            let counts = progress.counts
            (total, done, failed) = (counts.total, counts.done, counts.failed)
            (current, isRunning, isFinished) = (counts.current, progress.isRunning, counts.isFinished)
            failure = progress.failure.map(FailureResponse.init)
            entry = progress.working.map { BatchEntryResponse($0) }
        }
    }

    private struct RecordingChange: Encodable {
        let id: AudioItem.ID
        /// `nil` when it is none any more.
        @Nullable var session: SessionResponse?

        init(of id: AudioItem.ID, _ session: RecordingSession?) {
            self.id = id
            self.session = session.map { SessionResponse($0) }
        }
    }

    private struct ExportEnd: Encodable {
        let id: String
        @Nullable var failure: FailureResponse?
        let leftOut: Int
        let lacksParts: Bool

        init(of id: String, _ outcome: ExportOutcome) {
            (self.id, leftOut, lacksParts) = (id, outcome.leftOut, outcome.lacksParts)
            failure = outcome.failure.map { FailureResponse($0) }
        }
    }

    private struct ExportProgress: Encodable {
        let id: String
        let percent: Int
    }

    private struct DraftChange: Encodable {
        /// The name of the page that had it.
        let taken: String
    }

    private struct Nothing: Encodable {}

    init(_ event: StudioEvent, id: String, in studio: WebStudio) async throws {
        let (name, value): (String, any Encodable) =
            switch event {
            case .narration(let status): ("narration", NarrationResponse(status))
            case .sentence(let sentence, let id, let rate):
                ("sentence", Sentence(narration: id.rawValue, sentence: .init(sentence, sampleRate: rate)))
            case .library(let added, let changed, let deleted):
                ("library", Changes(added: added, changed: changed, deleted: deleted))
            case .documents(let added, let changed, let deleted):
                ("documents", DocumentChanges(added: added, changed: changed, deleted: deleted))
            case .batch(let status): ("batch", BatchSummary(status))
            case .recording(let id, let session): ("recording", RecordingChange(of: id, session))
            case .transcription(let status): ("transcription", TranscriptionResponse(status))
            case .recognized(let segments, let beginnings, let item):
                (
                    "heard",
                    Recognized(item: item, segments: TranscriptSegmentResponse.all(segments, beginnings: beginnings))
                )
            case .speakers(let search): ("speakers", SpeakerSearchResponse(search))
            case .speechCheck(let id, let status): ("speechCheck", SpeechCheckResponse(of: id, status))
            case .voice(let status): ("voice", VoiceStateResponse(status))
            case .voices: ("voices", Nothing())
            case .export(let id, let outcome): ("export", ExportEnd(of: id, outcome))
            case .exportProgress(let id, let percent): ("exportProgress", ExportProgress(id: id, percent: percent))
            case .playback: ("playback", Nothing())
            case .history: ("history", Nothing())
            case .draft(let page): ("draft", DraftChange(taken: page))
            case .speeches: ("speeches", Nothing())
            case .practice: ("practice", Nothing())
            case .profiles: ("profiles", Nothing())
            case .settings: ("settings", Nothing())
            // The page reads everything again, as after events that it missed.
            case .changedByOthers: ("reset", Nothing())
            case .vault: ("vault", try await StateResponse(of: studio))
            }
        let data = String(decoding: try JSONEncoder.page.encode(value), as: UTF8.self)
        self.init(name: name, id: id, data: data)
    }
}

extension StudioEvents {
    /// The id of an event for a browser: the run and the number.
    nonisolated func id(of number: Int) -> String { "\(run)-\(number)" }
}

extension HTTPField.Name {
    // swift-format-ignore: NeverForceUnwrap
    // The initializer fails only for characters a header name may not have.
    static let lastEventID = Self("Last-Event-ID")!
}
