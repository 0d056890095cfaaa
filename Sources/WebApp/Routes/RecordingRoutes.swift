import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/recordings/sessions`: recordings in progress.
///
/// A page sends its chunks in sequence, and repeats each until it gets a response.
struct RecordingRoutes: Sendable {
    let studio: WebStudio

    /// In UTF-16 units, of a device's name.
    private static let longestName = 200

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("recordings/sessions", use: list)
            .post("recordings/sessions", use: begin)
            .get("recordings/sessions/:id", use: show)
            .patch("recordings/sessions/:id", use: change)
            .delete("recordings/sessions/:id", use: discard)
            .put("recordings/sessions/:id/chunks/:number", use: append)
            .post("recordings/sessions/:id/marks", use: mark)
            .post("recordings/sessions/:id/resume", use: resume)
            .post("recordings/sessions/:id/finish", use: finish)
            .get("recordings/sessions/:id/sound", use: sound)
    }

    // MARK: - Sessions

    struct ListResponse: ResponseEncodable {
        let sessions: [SessionResponse]
    }

    /// Files that are being imported are not listed.
    func list(_ request: Request, _ context: WebRequestContext) async throws -> ListResponse {
        let sessions = try await studio.librarySession.use().recorder.sessions().filter { session in
            session.order.source == .microphone || session.state == .interrupted
        }
        return ListResponse(sessions: sessions.map { SessionResponse($0) })
    }

    struct Order: Decodable {
        let name: String?
        let language: String?
        let sampleRate: Int
        let device: String?
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<SessionResponse> {
        let body = try await request.decode(as: Order.self, context: context)
        guard (body.device ?? "").utf16.count <= Self.longestName else {
            throw WebError.badRequest(what: "the name of a device has up to 200 characters")
        }
        let order = try RecordingOrder(
            name: try body.name.map { try ItemName($0) } ?? "Recording",
            language: body.language.map(LanguageTag.asked) ?? "und",
            sampleRate: body.sampleRate,
            source: .microphone,
            sourceName: body.device
        )
        let session = try await studio.librarySession.use().recorder.begin(order)
        return EditedResponse(status: .created, response: SessionResponse(session))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> SessionResponse {
        let id = try context.itemID()
        return SessionResponse(try await studio.librarySession.use().recorder.session(id))
    }

    struct Change: Decodable {
        let state: RecordingSession.State?
        let name: String?
        let language: String?
    }

    /// An open page says the state now and then, so that its session is not taken for abandoned.
    func change(_ request: Request, _ context: WebRequestContext) async throws -> SessionResponse {
        let id = try context.itemID()
        let body = try await request.decode(as: Change.self, context: context)
        let recorder = try await studio.librarySession.useInBackground().recorder
        let session = try await recorder.change(
            id,
            state: body.state,
            name: try body.name.map { try ItemName($0) },
            language: try body.language.map(LanguageTag.asked)
        )
        return SessionResponse(session)
    }

    func resume(_ request: Request, _ context: WebRequestContext) async throws -> SessionResponse {
        let id = try context.itemID()
        return SessionResponse(try await studio.librarySession.use().recorder.resume(id))
    }

    func finish(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<ItemResponse> {
        let id = try context.itemID()
        let item = try await studio.librarySession.use().recorder.finish(id)
        return EditedResponse(status: .created, response: ItemResponse(item))
    }

    func discard(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.itemID()
        try await studio.librarySession.use().recorder.discard(id)
        return .noContent
    }

    // MARK: - Sound and marks

    struct ChunkResponse: ResponseEncodable {
        let nextChunk: Int
        let seconds: Double
        /// The number of seconds until the disk is full.
        @Nullable var remaining: Double?
        /// The number of seconds for which the machine slept before the chunk.
        let slept: Double
    }

    func append(_ request: Request, _ context: WebRequestContext) async throws -> ChunkResponse {
        let id = try context.itemID()
        guard let number = Int(try context.parameters.require("number")) else { throw RecordingError.invalidChunk }
        let chunk = try RecordingChunk(number: number, samples: try await samples(of: request))
        // Chunks count as use, because a long recording needs no other action.
        let kept = try await studio.librarySession.useInBackground().recorder.append(chunk, to: id)
        return ChunkResponse(
            nextChunk: kept.session.nextChunk,
            seconds: kept.session.duration,
            remaining: kept.remaining,
            slept: kept.slept
        )
    }

    /// - Throws: ``RecordingError/invalidChunk``; errors of reading when the browser disconnects.
    private func samples(of request: Request) async throws -> [Int16] {
        var bytes = ByteBuffer()
        for try await buffer in request.body {
            guard bytes.readableBytes + buffer.readableBytes <= 2 * RecordingChunk.maximumSamples else {
                throw RecordingError.invalidChunk
            }
            bytes.writeImmutableBuffer(buffer)
        }
        guard bytes.readableBytes.isMultiple(of: 2) else { throw RecordingError.invalidChunk }
        let count = bytes.readableBytes / 2
        return [Int16](unsafeUninitializedCapacity: count) { samples, written in
            // Little-endian, as every machine is that Swift runs on.
            bytes.withUnsafeReadableBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            written = count
        }
    }

    func mark(_ request: Request, _ context: WebRequestContext) async throws -> SessionResponse {
        let id = try context.itemID()
        let body = try await request.decode(as: Marking.self, context: context)
        try body.verifyLabel()
        let recorder = try await studio.librarySession.use().recorder
        return SessionResponse(try await recorder.mark(id, at: body.seconds, label: body.label))
    }

    func sound(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.itemID()
        let open = try await studio.librarySession.use()
        let sound = UnfinishedSound(of: try await open.recorder.session(id), in: open.library.recordings)
        return try await StoredBytesResponse(sound, type: "audio/wav").response(to: request)
    }
}

/// `/api/library/ID/marks`: the places that a person has marked in a recording.
struct MarkRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("library/:id/marks", use: list)
            .put("library/:id/marks", use: replace)
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> [MarkResponse] {
        let library = try await studio.librarySession.use().library.audio
        return try await Self.marks(of: try await Self.item(context, in: library), in: library)
    }

    struct Marks: Decodable {
        let marks: [Marking]
        /// The marks that these were made from; `nil` replaces whatever is there.
        let base: [Marking]?
    }

    /// Replaces all marks, so that one can be added, named, moved or removed.
    ///
    /// A client that names the base loses nothing of what another one marks at the same time.
    func replace(_ request: Request, _ context: WebRequestContext) async throws -> [MarkResponse] {
        let body = try await request.decode(as: Marks.self, context: context)
        for mark in body.marks { try mark.verifyLabel() }
        guard body.marks.count <= RecordingMark.most else {
            throw RecordingError.tooManyMarks(limit: RecordingMark.most)
        }
        let library = try await studio.librarySession.use().library.audio
        let item = try await Self.item(context, in: library)
        let marks = body.marks.map { $0.mark(sampleRate: item.sampleRate) }
        if let base = body.base?.map({ $0.mark(sampleRate: item.sampleRate) }) {
            _ = try await library.changeMarks(of: item.id) { present in
                // As the client got them, so that a label that is written otherwise in the library is the same one.
                let seen = present.map { Marking($0, sampleRate: item.sampleRate).mark(sampleRate: item.sampleRate) }
                guard seen == base else { throw LibraryError.recordingChanged }
                present = marks
            }
        } else {
            try await library.setMarks(marks, of: item.id)
        }
        await studio.events.post(.library(changed: [item.id]))
        return try await Self.marks(of: item, in: library)
    }

    private static func item(_ context: WebRequestContext, in library: any AudioLibrary) async throws -> AudioItem {
        guard let item = try await library.item(try context.itemID()) else { throw LibraryError.itemNotFound }
        return item
    }

    private static func marks(of item: AudioItem, in library: any AudioLibrary) async throws -> [MarkResponse] {
        try await library.marks(of: item.id).map { MarkResponse($0, sampleRate: item.sampleRate) }
    }
}

/// A place that a person marks.
struct Marking: Decodable {
    let seconds: Double
    let label: String?

    /// - Throws: ``WebError/badRequest(what:)`` for a label that is too long.
    func verifyLabel() throws(WebError) {
        guard (label ?? "").utf16.count <= RecordingMark.longestLabel else {
            throw .badRequest(what: "the label of a mark has up to \(RecordingMark.longestLabel) characters")
        }
    }
}

extension Marking {
    fileprivate init(_ mark: RecordingMark, sampleRate: Int) {
        self.init(seconds: mark.seconds(at: sampleRate), label: mark.label)
    }

    fileprivate func mark(sampleRate: Int) -> RecordingMark {
        RecordingMark(at: seconds, label: label, sampleRate: sampleRate)
    }
}
