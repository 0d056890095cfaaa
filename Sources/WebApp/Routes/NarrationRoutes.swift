import API
import Books
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/narrations`: narrations in progress, which can be played meanwhile.
struct NarrationRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("narrations", use: list)
            .post("narrations", use: begin)
            .get("narrations/unfinished", use: unfinished)
            .get("narrations/:id", use: show)
            .delete("narrations/:id", use: discard)
            .get("narrations/:id/text", use: text)
            .get("narrations/:id/place", use: place)
            .put("narrations/:id/place", use: setPlace)
            .get("narrations/:id/timings", use: timings)
            .get("narrations/:id/chapters", use: chapters)
            .get("narrations/:id/sound", use: sound)
            .post("narrations/:id/stop", use: stop)
            .post("narrations/:id/continue", use: resume)
    }

    struct TextBody: Decodable {
        let text: String
        let narration: NarrationRequest

        private enum Key: CodingKey {
            case text
        }

        init(from decoder: any Decoder) throws {
            text = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .text)
            narration = try NarrationRequest(body: decoder)
        }
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<NarrationResponse> {
        let body = try await request.decode(as: TextBody.self, context: context)
        let open = try await studio.librarySession.use()
        let voices = await studio.voices
        let order = try await body.narration.resolve(in: open.library, among: voices, naming: body.text).order
        let status = try await open.narrations.take(order, text: body.text)
        let paragraphs = try await ParagraphResponse.all(in: body.text)
        return EditedResponse(status: .created, response: NarrationResponse(status, paragraphs: paragraphs))
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> [NarrationResponse] {
        try await studio.librarySession.use().narrations.narrations().map { NarrationResponse($0) }
    }

    func unfinished(_ request: Request, _ context: WebRequestContext) async throws -> [UnfinishedResponse] {
        try await studio.librarySession.use().unfinished().map(UnfinishedResponse.init)
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> NarrationResponse {
        let id = try context.itemID()
        return NarrationResponse(try await studio.librarySession.use().narrations.narration(id))
    }

    func text(_ request: Request, _ context: WebRequestContext) async throws -> ItemTextResponse {
        let id = try context.itemID()
        let library = try await studio.librarySession.use().library
        do {
            return try await ItemTextResponse(library.jobs.text(ofJob: id))
        } catch LibraryError.jobNotFound {
            // It has become a recording since the client last heard of it.
            guard try await library.audio.item(id) != nil else { throw LibraryError.jobNotFound }
            return try await ItemTextResponse(library.audio.text(of: id))
        }
    }

    /// The listening position.
    struct Place: ResponseCodable {
        /// Seconds from the narration's start.
        let seconds: Double
    }

    func place(_ request: Request, _ context: WebRequestContext) async throws -> Place {
        let id = try context.itemID()
        return Place(seconds: try await studio.librarySession.use().library.jobs.played(ofJob: id))
    }

    func setPlace(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.itemID()
        let body = try await request.decode(as: Place.self, context: context)
        guard body.seconds.isFinite, body.seconds >= 0 else {
            throw WebError.badRequest(what: "“seconds” is 0 or more")
        }
        let library = try await studio.librarySession.use().library
        do {
            try await library.jobs.save(played: body.seconds, ofJob: id)
        } catch LibraryError.jobNotFound {
            // It became a recording during the request.
            guard let item = try await library.audio.item(id) else { throw LibraryError.jobNotFound }
            let present = try await library.playback.bookmark()
            if let bookmark = Bookmark(played: body.seconds, of: item, made: Date(), beside: present) {
                try await library.playback.save(bookmark)
            }
        }
        return .noContent
    }

    func timings(_ request: Request, _ context: WebRequestContext) async throws -> TimingResponse {
        let id = try context.itemID()
        let open = try await studio.librarySession.use()
        do {
            let rate = try await open.narrations.narration(id).order.voice.sampleRate
            return TimingResponse(try await open.narrations.timings(of: id), sampleRate: rate)
        } catch LibraryError.jobNotFound, LibraryError.itemNotFound {
            // It has become a recording since the client last heard of it.
            guard let item = try await open.library.audio.item(id) else { throw LibraryError.jobNotFound }
            return TimingResponse(try await open.library.audio.timings(of: id), sampleRate: item.sampleRate)
        }
    }

    /// The chapters that have begun, and those that are still to be spoken if they are asked for.
    func chapters(_ request: Request, _ context: WebRequestContext) async throws -> [ChapterResponse] {
        let id = try context.itemID()
        let isPlan = try request.flag("ahead") ?? false
        let open = try await studio.librarySession.use()
        do {
            let order = try await open.narrations.narration(id).order
            let text = try await open.library.jobs.text(ofJob: id)
            let timings = try await open.narrations.timings(of: id)
            let plan = try await RecordedBook.plan(of: order, saying: text, timings: timings, in: open.library)
            return plan.filter { isPlan || $0.ahead == nil }
                .map { ChapterResponse($0.chapter, sampleRate: order.voice.sampleRate, ahead: $0.ahead) }
        } catch LibraryError.jobNotFound, LibraryError.itemNotFound {
            // It has become a recording since the client last heard of it.
            guard let item = try await open.library.audio.item(id) else { throw LibraryError.jobNotFound }
            return try await .all(of: item, in: open.library)
        }
    }

    /// Streams the sound from a sample on until the narration ends.
    func sound(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.itemID()
        let start = try request.integer("from", in: 0...Int(Int32.max)) ?? 0
        let open = try await studio.librarySession.use()
        let rate = try await sampleRate(of: id, in: open)
        let sound = open.narrations.sound(of: id, from: start)
        let body = ResponseBody { writer in
            for try await samples in sound {
                try await writer.write(ByteBuffer(samples: samples))
            }
            try await writer.finish(nil)
        }
        let headers: HTTPFields = [.contentType: "application/octet-stream", .sampleRate: String(rate)]
        return Response(status: .ok, headers: headers, body: body)
    }

    private func sampleRate(of id: AudioItem.ID, in open: OpenLibrary) async throws -> Int {
        do {
            return try await open.narrations.narration(id).order.voice.sampleRate
        } catch LibraryError.jobNotFound {
            guard let item = try await open.library.audio.item(id) else { throw LibraryError.itemNotFound }
            return item.sampleRate
        }
    }

    struct Stopping: Decodable {
        let keepPart: Bool
        /// Whether it stays unfinished, so that it can be continued.
        let leave: Bool?

        var ending: NarrationQueue.StopMode {
            if leave == true { return .leave }
            return keepPart ? .keepPart : .discard
        }
    }

    func stop(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.itemID()
        let body = try await request.decode(as: Stopping.self, context: context)
        try await studio.librarySession.use().stop(id, body.ending)
        return .noContent
    }

    func resume(_ request: Request, _ context: WebRequestContext) async throws -> NarrationResponse {
        let id = try context.itemID()
        return NarrationResponse(try await studio.librarySession.use().resume(id))
    }

    func discard(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let id = try context.itemID()
        try await studio.librarySession.use().stop(id, .discard)
        return .noContent
    }
}

extension NarrationRequest {
    private enum BodyKey: String, CodingKey {
        case voice, speaker, speed, pitch, liveliness, rhythm, profile, name
        case keepsTimes = "keepTimes"
    }

    /// Reads the voice settings in a request's body; missing values come from a profile.
    init(body decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: BodyKey.self)
        self.init()
        voice = try body.decodeIfPresent(String.self, forKey: .voice)
        speaker = try body.decodeIfPresent(Int.self, forKey: .speaker).map(VoiceSpeaker.number)
        speed = try body.decodeIfPresent(Double.self, forKey: .speed)
        pitch = try body.decodeIfPresent(Double.self, forKey: .pitch)
        liveliness = try body.decodeIfPresent(Double.self, forKey: .liveliness)
        rhythm = try body.decodeIfPresent(Double.self, forKey: .rhythm)
        profile = try body.decodeIfPresent(String.self, forKey: .profile).map { VoiceProfile.ID(rawValue: $0) }
        name = try body.decodeIfPresent(String.self, forKey: .name)
        keepsTimes = try body.decodeIfPresent(Bool.self, forKey: .keepsTimes) ?? false
    }
}
