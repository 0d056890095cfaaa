import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/transcriptions`: recordings that are being transcribed.
struct TranscriptionRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
        group.post("library/:id/transcriptions", use: begin)
            .get("transcriptions", use: list)
            .get("transcriptions/:job", use: show)
            .delete("transcriptions/:job", use: discard)
            .get("transcriptions/:job/segments", use: segments)
            .post("transcriptions/:job/retry", use: retry)
            .post("transcriptions/:job/cancel", use: cancel)
            .post("transcriptions/:job/allow", use: allow)
    }

    struct Order: Decodable {
        let recognizers: [Recognizer.ID]?
        let language: String?
        let hotwords: [String]?
        let prompt: String?
        let from: Double?
        let to: Double?
        let base: Transcript.ID?
        let skipsSilence: Bool?
    }

    func begin(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<TranscriptionResponse> {
        let id = try context.itemID()
        let body = try await request.decode(as: Order.self, context: context)
        guard (body.hotwords ?? []).count <= 200, (body.hotwords ?? []).allSatisfy({ $0.utf16.count <= 100 }),
            (body.prompt ?? "").utf16.count <= TranscriptionService.longestPrompt
        else {
            throw WebError.badRequest(what: "up to 200 hotwords of 100 characters, and a prompt of 1,000 characters")
        }
        let open = try await studio.librarySession.enter()
        guard let item = try await open.library.audio.item(id) else { throw LibraryError.itemNotFound }
        let preferred = try await open.library.settings.recognizerOrder()
        let known = preferred.asked(
            of: try await open.transcriptions.recognizers(),
            for: body.language ?? item.language
        )
        var order = TranscriptionOrder(recognizers: body.recognizers ?? known.map(\.id))
        order.settings = RecognitionSettings(
            language: body.language,
            hotwords: body.hotwords ?? [],
            prompt: body.prompt
        )
        order.range = try Self.range(of: body, in: item)
        order.base = body.base
        order.skipsSilence = body.skipsSilence ?? true
        if let base = body.base {
            guard order.range != nil else {
                throw WebError.badRequest(what: "“base” is for a part, from “from” to “to”")
            }
            guard try await open.library.transcripts.transcript(base).item == id else { throw TranscriptError.notFound }
        }
        let status = try await open.transcriptions.take(order, for: id)
        return EditedResponse(status: .created, response: TranscriptionResponse(status))
    }

    /// The part of the recording that is asked for; `nil` for all of it.
    private static func range(of order: Order, in item: AudioItem) throws -> Range<Double>? {
        guard order.from != nil || order.to != nil else { return nil }
        let (from, to) = (order.from ?? 0, min(order.to ?? item.duration, item.duration))
        guard from.isFinite, to.isFinite, 0 <= from, from < to else {
            throw WebError.badRequest(what: "“from” is below “to”, and both lie in the recording")
        }
        return from..<to
    }

    struct Jobs: ResponseEncodable {
        let jobs: [TranscriptionResponse]
    }

    func list(_ request: Request, _ context: StudioContext) async throws -> Jobs {
        Jobs(jobs: try await queue.statuses().map(TranscriptionResponse.init))
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> TranscriptionResponse {
        TranscriptionResponse(try await queue.status(try context.transcriptionID()))
    }

    struct Heard: ResponseEncodable {
        let segments: [TranscriptSegmentResponse]
    }

    /// What was heard so far.
    func segments(_ request: Request, _ context: StudioContext) async throws -> Heard {
        let segments = try await queue.segments(of: try context.transcriptionID())
        return Heard(segments: segments.map(TranscriptSegmentResponse.init))
    }

    func retry(_ request: Request, _ context: StudioContext) async throws -> TranscriptionResponse {
        TranscriptionResponse(try await queue.retry(try context.transcriptionID()))
    }

    func cancel(_ request: Request, _ context: StudioContext) async throws -> TranscriptionResponse {
        let id = try context.transcriptionID()
        let queue = try await queue
        try await queue.cancel(id)
        return TranscriptionResponse(try await queue.status(id))
    }

    func allow(_ request: Request, _ context: StudioContext) async throws -> TranscriptionResponse {
        let id = try context.transcriptionID()
        let queue = try await queue
        _ = try await queue.status(id)
        let body = try await request.decode(as: SendingResponse.self, context: context)
        return TranscriptionResponse(try await queue.allow(body.sending, for: id))
    }

    func discard(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await queue.discard(try context.transcriptionID())
        return .noContent
    }

    private var queue: TranscriptionQueue {
        get async throws { try await studio.librarySession.enter().transcriptions }
    }
}

extension StudioContext {
    /// The transcription that the address names.
    fileprivate func transcriptionID() throws -> TranscriptionJob.ID {
        TranscriptionJob.ID(rawValue: try parameters.require("job"))
    }
}
