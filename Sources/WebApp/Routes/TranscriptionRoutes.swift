import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/transcriptions`: recordings that are being transcribed.
struct TranscriptionRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.post("library/:id/transcriptions", use: begin)
            .get("transcriptions", use: list)
            .get("transcriptions/:job", use: show)
            .delete("transcriptions/:job", use: discard)
            .get("transcriptions/:job/segments", use: segments)
            .post("transcriptions/:job/retry", use: retry)
            .post("transcriptions/:job/cancel", use: cancel)
            .post("transcriptions/:job/allow", use: allow)
    }

    struct TranscriptionBody: Decodable {
        let recognizers: [Recognizer.ID]?
        let language: String?
        let hotwords: [String]?
        let prompt: String?
        let from: Double?
        let to: Double?
        let base: Transcript.ID?
        let skipsSilence: Bool?
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<TranscriptionResponse> {
        let id = try context.itemID()
        let body = try await request.decode(as: TranscriptionBody.self, context: context)
        guard (body.hotwords ?? []).count <= 200, (body.hotwords ?? []).allSatisfy({ $0.utf16.count <= 100 }),
            (body.prompt ?? "").utf16.count <= TranscriptionService.longestPrompt
        else {
            throw WebError.badRequest(what: "up to 200 hotwords of 100 characters, and a prompt of 1,000 characters")
        }
        let open = try await studio.librarySession.use()
        guard let item = try await open.library.audio.item(id) else { throw LibraryError.itemNotFound }
        let range = try Self.range(of: body, in: item)
        let base = try await Self.base(of: body, for: item, in: open.library)
        // In the few seconds of a part, a language is found out wrongly.
        let spoken = item.language == "und" ? base?.language ?? "und" : item.language
        let preferred = try await open.library.settings.recognizerOrder()
        let known = try await open.transcriptions.recognizers()
        let asked = preferred.asked(of: known, for: body.language ?? spoken)
        var order = TranscriptionOrder(recognizers: body.recognizers ?? asked.map(\.id))
        order.settings = RecognitionSettings(
            language: body.language,
            hotwords: body.hotwords ?? [],
            prompt: body.prompt
        )
        order.settings.settleLanguage(
            spoken: spoken,
            among: order.recognizers.compactMap { id in known.first { $0.id == id } }
        )
        (order.range, order.base) = (range, base?.id)
        order.skipsSilence = body.skipsSilence ?? true
        let status = try await open.transcriptions.take(order, for: id)
        return EditedResponse(status: .created, response: TranscriptionResponse(status))
    }

    /// The part of the recording that is asked for; `nil` for all of it.
    private static func range(of order: TranscriptionBody, in item: AudioItem) throws -> Range<Double>? {
        guard order.from != nil || order.to != nil else { return nil }
        let (from, to) = (order.from ?? 0, min(order.to ?? item.duration, item.duration))
        guard from.isFinite, to.isFinite, 0 <= from, from < to else {
            throw WebError.badRequest(what: "“from” is below “to”, and both lie in the recording")
        }
        return from..<to
    }

    /// The version that a part is put into, if one is named.
    private static func base(
        of order: TranscriptionBody,
        for item: AudioItem,
        in library: Library
    ) async throws -> Transcript? {
        guard let id = order.base else { return nil }
        guard order.from != nil || order.to != nil else {
            throw WebError.badRequest(what: "“base” is for a part, from “from” to “to”")
        }
        let base = try await library.transcripts.transcript(id)
        guard base.item == item.id else { throw TranscriptError.notFound }
        return base
    }

    struct Jobs: ResponseEncodable {
        let jobs: [TranscriptionResponse]
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> Jobs {
        Jobs(jobs: try await queue.statuses().map(TranscriptionResponse.init))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionResponse {
        TranscriptionResponse(try await queue.status(try context.transcriptionID()))
    }

    struct Segments: ResponseEncodable {
        let segments: [TranscriptSegmentResponse]
    }

    /// Answers with the segments so far.
    func segments(_ request: Request, _ context: WebRequestContext) async throws -> Segments {
        let segments = try await queue.segments(of: try context.transcriptionID())
        var paragraphs = TranscriptParagraphs()
        let beginnings = paragraphs.beginnings(of: segments)
        return Segments(segments: TranscriptSegmentResponse.all(segments, beginnings: beginnings))
    }

    func retry(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionResponse {
        TranscriptionResponse(try await queue.retry(try context.transcriptionID()))
    }

    func cancel(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionResponse {
        let id = try context.transcriptionID()
        let queue = try await queue
        try await queue.cancel(id)
        return TranscriptionResponse(try await queue.status(id))
    }

    func allow(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionResponse {
        let id = try context.transcriptionID()
        let queue = try await queue
        _ = try await queue.status(id)
        let body = try await request.decode(as: SendingResponse.self, context: context)
        return TranscriptionResponse(try await queue.allow(body.sending, for: id))
    }

    func discard(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await queue.discard(try context.transcriptionID())
        return .noContent
    }

    private var queue: TranscriptionQueue {
        get async throws { try await studio.librarySession.use().transcriptions }
    }
}

extension WebRequestContext {
    /// The transcription that the address names.
    fileprivate func transcriptionID() throws -> TranscriptionJob.ID {
        TranscriptionJob.ID(rawValue: try parameters.require("job"))
    }
}

/// `/api/transcription-services`: services elsewhere that transcribe, and `/api/outbound/records`: the list of connections.
struct TranscriptionServiceRoutes: Sendable {
    let studio: WebStudio

    /// The most connections that one response lists.
    private static let maximumRecords = 100_000

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("transcription-services", use: list)
            .get("transcription-services/:name", use: show)
            .put("transcription-services/:name", use: save)
            .delete("transcription-services/:name", use: delete)
            .post("transcription-services/:name/try", use: attempt)
            .get("outbound/records", use: records)
    }

    private func services() async throws -> any TranscriptionServices {
        try await studio.librarySession.use().library.services
    }

    /// - Throws: ``TranscriptionServiceError/notFound``, also for an invalid name.
    private func service(_ context: WebRequestContext) async throws -> TranscriptionService {
        try await services().service(try name(context))
    }

    /// - Throws: ``TranscriptionServiceError/notFound`` for an invalid name.
    private func name(_ context: WebRequestContext) throws -> ServiceName {
        guard let name = try? ServiceName(try context.parameters.require("name")) else {
            throw TranscriptionServiceError.notFound
        }
        return name
    }

    struct ServicesResponse: ResponseEncodable {
        let services: [TranscriptionServiceResponse]
        /// How many more cannot be read.
        let unreadable: Int
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> ServicesResponse {
        let services = try await services()
        return ServicesResponse(
            services: try await services.services().map(TranscriptionServiceResponse.init),
            unreadable: try await services.unreadable()
        )
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionServiceResponse {
        TranscriptionServiceResponse(try await service(context))
    }

    struct Values: Decodable {
        let address: String
        let allowsPlain: Bool?
        let model: String
        let language: String?
        let prompt: String?
        /// Empty for none; if absent, the present key stays as long as the server does.
        let key: String?

        /// - Throws: ``TranscriptionServiceError``.
        func service(_ name: ServiceName, before: TranscriptionService?) throws -> TranscriptionService {
            let address = try ServiceAddress(address, allowsPlain: allowsPlain ?? false)
            // A key is for the server that it was entered for.
            let present = before?.address.sendsKeysTo(address) == true ? before?.key : nil
            let key: ServiceKey? = if let key { key.isEmpty ? nil : try ServiceKey(key) } else { present }
            return try TranscriptionService(
                name: name,
                address: address,
                model: model,
                language: language,
                prompt: prompt,
                key: key
            )
        }
    }

    func save(_ request: Request, _ context: WebRequestContext) async throws -> TranscriptionServiceResponse {
        let name = try ServiceName(try context.parameters.require("name"))
        let body = try await request.decode(as: Values.self, context: context)
        let services = try await services()
        let before = try await services.services().first { $0.name == name }
        let service = try body.service(name, before: before)
        try await services.save(service)
        await studio.events.post(.settings)
        return TranscriptionServiceResponse(service)
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        // Also where it cannot be read.
        try await services().delete(try name(context))
        await studio.events.post(.settings)
        return .noContent
    }

    /// The request is the person's permission: the page has shown the destination and size of the audio.
    func attempt(_ request: Request, _ context: WebRequestContext) async throws -> ServiceTrialResponse {
        let service = try await service(context)
        let recognized = try await SendingPermission(confirmed: ServiceTrial.sending(to: service)).use {
            try await studio.tryService(service)
        }
        return ServiceTrialResponse(text: recognized.text)
    }

    struct RecordsResponse: ResponseEncodable {
        let records: [OutboundRecordResponse]
    }

    func records(_ request: Request, _ context: WebRequestContext) async throws -> RecordsResponse {
        let limit = try request.integer("limit", in: 1...Self.maximumRecords) ?? 500
        let library = try await studio.librarySession.use().library
        let ledger: any OutboundLedger = studio.outbound ?? library.outbound
        return RecordsResponse(records: try await ledger.records(limit: limit).map(OutboundRecordResponse.init))
    }
}
