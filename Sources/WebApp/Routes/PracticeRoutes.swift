import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/practice/sessions`: texts that are read aloud with pauses in which a person repeats them.
struct PracticeRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("practice/sessions", use: list)
            .post("practice/sessions", use: begin)
            .get("practice/sessions/:id", use: show)
            .delete("practice/sessions/:id", use: delete)
            .post("practice/sessions/:id/events", use: handle)
            .get("practice/sessions/:id/segments", use: segments)
            .get("practice/sessions/:id/segments/:number/sound", use: sound)
            .get("practice/sessions/:id/segments/:number/timing", use: timing)
    }

    // MARK: - Sessions

    func list(_ request: Request, _ context: WebRequestContext) async throws -> PracticesResponse {
        let session = try await studio.librarySession.use()
        let recognizers = try await session.practice.recognizers()
        let sessions = try await session.practice.sessions()
        return PracticesResponse(
            sessions: sessions.map { PracticeResponse($0, recognizer: recognizers($0.language)) },
            unreadable: try await session.library.practice.unreadable()
        )
    }

    func begin(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<PracticeResponse> {
        let body = try await request.decode(as: PracticeBody.self, context: context)
        let practice = try await studio.librarySession.use().practice
        let begun = try await practice.begin(body.order, voices: await studio.voices)
        return EditedResponse(status: .created, response: try await response(begun, in: practice))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> PracticeResponse {
        let practice = try await studio.librarySession.use().practice
        return try await response(try await practice.session(context.practiceID()), in: practice)
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.use().practice.delete(context.practiceID())
        return .noContent
    }

    private func response(_ kept: PracticeRecord, in practice: PracticeSessions) async throws -> PracticeResponse {
        PracticeResponse(kept, recognizer: try await practice.recognizers()(kept.language))
    }

    // MARK: - Events

    func handle(_ request: Request, _ context: WebRequestContext) async throws -> PracticeOutcomeResponse {
        let id = try context.practiceID()
        let happened = try await request.decode(as: PracticeEventsBody.self, context: context).happened
        // Automatic events do not count as use by the person.
        let session = studio.librarySession
        let isByPerson = happened.contains(where: \.isByPerson)
        let practice = isByPerson ? try await session.use().practice : try await session.useInBackground().practice
        let (kept, actions) = try await practice.handle(happened, in: id, voices: await studio.voices)
        return PracticeOutcomeResponse(
            session: PracticeResponse(kept, recognizer: try await practice.knownRecognizers()(kept.language)),
            actions: actions.map(PracticeOutcomeResponse.Action.init)
        )
    }

    // MARK: - Segments

    func segments(_ request: Request, _ context: WebRequestContext) async throws -> PracticeSegmentsResponse {
        let id = try context.practiceID()
        let first = try request.integer("from", in: 1...Int(Int32.max)) ?? 1
        let count = try request.integer("count", in: 1...500) ?? 50
        let practice = try await studio.librarySession.useInBackground().practice
        let (segments, known, isComplete) = try await practice.segments(
            of: id,
            from: first,
            count: count,
            voices: await studio.voices
        )
        let language = try await practice.session(id).language
        let hard = try await practice.hardDigests()
        return PracticeSegmentsResponse(
            segments: segments.map { segment in
                PracticeSegmentsResponse.Segment(
                    number: segment.number,
                    text: segment.text,
                    paragraph: segment.paragraph,
                    isHeading: segment.isHeading,
                    isHard: !hard.isEmpty && hard.contains(HardSegment.digest(of: segment.text, language: language))
                )
            },
            known: known,
            isComplete: isComplete
        )
    }

    func sound(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let isStreamed = try request.flag("streamed") ?? false
        let body =
            isStreamed
            ? try await streamed(request, context)
            : ResponseBody(byteBuffer: ByteBuffer(bytes: try await spoken(request, context).file))
        // The text may be segmented differently later under the same address.
        return Response(status: .ok, headers: [.contentType: "audio/wav", .cacheControl: "no-store"], body: body)
    }

    /// A WAV file that does not know its length, sent while the segment is being spoken.
    ///
    /// - Throws: What keeps the segment from being spoken at all; what happens later ends the answer early.
    private func streamed(_ request: Request, _ context: WebRequestContext) async throws -> ResponseBody {
        let (practice, segment, voices) = try await (practice(), SegmentAddress(request, context), studio.voices)
        let parts = AsyncThrowingStream<AudioClip, any Error> { listener in
            let speaking = Task {
                do {
                    _ = try await practice.sound(
                        of: segment.number,
                        rate: segment.rate,
                        in: segment.session,
                        voices: voices,
                        deliver: { part, _ in listener.yield(part) }
                    )
                    listener.finish()
                } catch {
                    listener.finish(throwing: error)
                }
            }
            listener.onTermination = { _ in speaking.cancel() }
        }
        let first = try await parts.first { _ in true }
        return ResponseBody { writer in
            if let first {
                let header = WAVHeader(sampleRate: first.sampleRate, dataLength: nil)
                try await writer.write(ByteBuffer(bytes: header.bytes))
                try await writer.write(ByteBuffer(samples: first.pcm16))
            }
            for try await part in parts { try await writer.write(ByteBuffer(samples: part.pcm16)) }
            try await writer.finish(nil)
        }
    }

    func timing(_ request: Request, _ context: WebRequestContext) async throws -> SegmentTimingResponse {
        SegmentTimingResponse(try await spoken(request, context))
    }

    private func spoken(_ request: Request, _ context: WebRequestContext) async throws -> SegmentSound {
        let segment = try SegmentAddress(request, context)
        let practice = try await practice()
        return try await practice.sound(
            of: segment.number,
            rate: segment.rate,
            in: segment.session,
            voices: await studio.voices
        )
    }

    private func practice() async throws -> PracticeSessions {
        try await studio.librarySession.useInBackground().practice
    }
}

/// The segment that a request names, and its rate.
private struct SegmentAddress {
    let session: PracticeRecord.ID
    let number: Int
    let rate: Double

    init(_ request: Request, _ context: WebRequestContext) throws {
        (session, number) = (try context.practiceID(), try context.segmentNumber())
        rate = try request.number("rate") ?? PracticeSettings().rate
    }
}

extension WebRequestContext {
    /// The practice session that the address names.
    func practiceID() throws -> PracticeRecord.ID { PracticeRecord.ID(rawValue: try parameters.require("id")) }

    /// The segment that the address names.
    func segmentNumber() throws -> Int {
        guard let number = Int(try parameters.require("number")) else {
            throw WebError.badRequest(what: "a segment has a number, from 1")
        }
        return number
    }
}

/// An order for practice, in a request's body.
struct PracticeBody: Decodable {
    let order: PracticeSessions.Order

    private enum Key: CodingKey {
        case source, settings, voice, speaker, from
    }

    private enum SourceKey: CodingKey {
        case kind, id, text, language, selection
    }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: Key.self)
        let source = try body.nestedContainer(keyedBy: SourceKey.self, forKey: .source)
        let language = try source.decodeIfPresent(String.self, forKey: .language)
        var order = PracticeSessions.Order(try Self.source(in: source, language))
        order.language = language
        order.settings =
            try body.decodeIfPresent(PracticeSettings.Changes.self, forKey: .settings) ?? PracticeSettings.Changes()
        order.voice = try body.decodeIfPresent(String.self, forKey: .voice)
        order.speaker = try body.decodeIfPresent(Int.self, forKey: .speaker).map(VoiceSpeaker.number)
        order.first = try body.decodeIfPresent(Int.self, forKey: .from) ?? 1
        guard order.first >= 1 else { throw WebError.badRequest(what: "“from” is a segment's number, from 1") }
        self.order = order
    }

    private static func source(
        in source: KeyedDecodingContainer<SourceKey>,
        _ language: String?
    ) throws -> PracticeSource {
        switch try source.decode(String.self, forKey: .kind) {
        case "text":
            return .text(
                try source.decode(String.self, forKey: .text),
                language: language.map { LanguageTag.canonical($0) } ?? "und"
            )
        case "speech": return .speech(Speech.ID(rawValue: try source.decode(String.self, forKey: .id)))
        case "document":
            return .document(
                try source.decode(Document.ID.self, forKey: .id),
                try source.decodeIfPresent(DocumentSelection.self, forKey: .selection)
            )
        case "recording": return .recording(try source.decode(AudioItem.ID.self, forKey: .id))
        case "history":
            guard let id = Int(try source.decode(String.self, forKey: .id)) else { throw LibraryError.textNotFound }
            return .history(id)
        case "hard": return .hard
        case "session": return .session(PracticeRecord.ID(rawValue: try source.decode(String.self, forKey: .id)))
        default:
            let kinds = "text, speech, document, recording, history, hard or session"
            throw WebError.badRequest(what: "“kind” of “source” is \(kinds)")
        }
    }
}

/// Events of a session, in a request's body.
struct PracticeEventsBody: Decodable {
    /// A request reports the events of a few moments.
    private static let maximumCount = 100

    let happened: [PracticeSessions.TimedEvent]

    private enum Key: CodingKey {
        case events
    }

    private struct Event: Decodable {
        let kind: String
        let at: Double
        let token: Int?
        let segment: Int?
        let seconds: Double?
        let reason: PracticeSession.Interruption?
        let settings: PracticeSettings.Changes?
        let isKept: Bool?

        var timed: PracticeSessions.TimedEvent {
            get throws {
                // Seconds since 1970, at most.
                guard (0...1e11).contains(at) else { throw WebError.badRequest(what: "“at” is a time in seconds") }
                return PracticeSessions.TimedEvent(try meaning(), at: .seconds(at))
            }
        }

        private func meaning() throws -> PracticeSessions.TimedEvent.Kind {
            switch kind {
            case "begin": .event(.begin)
            case "playbackFinished":
                .event(.playbackFinished(try need(token, "token"), seconds: try need(seconds, "seconds")))
            case "playbackFailed": .event(.playbackFailed(try need(token, "token")))
            case "echoElapsed": .event(.echoElapsed(try need(token, "token")))
            case "silenceHeard": .event(.silenceHeard(try need(token, "token")))
            case "pause": .event(.pause)
            case "resume": .event(.resume)
            case "interrupt": .event(.interrupt(try need(reason, "reason")))
            case "next": .event(.next)
            case "previous": .event(.previous)
            case "jump": .event(.jump(try need(segment, "segment")))
            case "setSettings": .change(try need(settings, "settings"), isKept: isKept ?? true)
            case "end": .event(.end)
            default: throw WebError.badRequest(what: "there is no event “\(kind.prefix(40))”")
            }
        }

        private func need<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else { throw WebError.badRequest(what: "“\(kind)” needs “\(name)”") }
            return value
        }
    }

    init(from decoder: any Decoder) throws {
        let events = try decoder.container(keyedBy: Key.self).decode([Event].self, forKey: .events)
        guard events.count <= Self.maximumCount else {
            throw WebError.badRequest(what: "at most \(Self.maximumCount) events at once")
        }
        happened = try events.map { try $0.timed }
    }
}

extension PracticeSessions.TimedEvent {
    /// Whether a person has done it, or said something.
    var isByPerson: Bool {
        switch kind {
        case .event(.playbackFinished), .event(.playbackFailed), .event(.echoElapsed), .event(.interrupt): false
        default: true
        }
    }
}

/// `/api/practice/takes` and `/api/practice/hard`: the recorded takes, their scores, the segments to practice again,
/// and when a speaker has fallen silent.
struct PracticeTakeRoutes: Sendable {
    let studio: WebStudio
    /// The most bytes of a short take: nearly a minute and a half of the page's sound.
    private static let short = 4_000_000
    /// Limits uploads of short takes, each held in memory: more than a browser has connections, so that stalled uploads
    /// do not block others.
    private let shortUploads = PrioritySemaphore(permits: 8)
    private let longUploads = PrioritySemaphore(permits: 2)
    /// The most bytes of a turn's piece: ten seconds of any sound.
    private static let largestPiece = 1_000_000

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("practice/sessions/:id/takes", use: list)
            .post("practice/sessions/:id/takes", use: keep)
            .post("practice/sessions/:id/voice", use: detectTurn)
            .post("practice/sessions/:id/segments/:number/hard", use: mark)
            .get("practice/hard", use: hard)
            .delete("practice/takes/:take", use: delete)
            .post("practice/takes/:take/score", use: score)
            .get("practice/takes/:take/sound", use: sound)
    }

    /// The takes of a session, oldest first.
    struct TakesResponse: ResponseEncodable {
        let takes: [TakeResponse]
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> TakesResponse {
        let id = try context.practiceID()
        let takes = try await studio.librarySession.use().practice.takes(of: id)
        return TakesResponse(takes: takes.map { TakeResponse($0) })
    }

    func keep(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<TakeResponse> {
        let id = try context.practiceID()
        guard let number = try request.integer("segment", in: 1...Int(Int32.max)) else {
            throw WebError.badRequest(what: "“segment” is a segment's number, from 1")
        }
        let repetition = try request.integer("repetition", in: 1...Int(Int32.max)) ?? 1
        let rate = try request.number("rate")
        let granularity: PracticeSettings.Granularity? = try request.choice("granularity")
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? .max
        let take = try await (length <= Self.short ? shortUploads : longUploads).pass { _ in
            let sound = try await bytes(of: request, limit: PracticeSessions.largestTake) {
                PracticeError.takeTooLong(limit: PracticeSessions.longestTake)
            }
            return try await studio.librarySession.use().practice.addTake(
                sound,
                of: number,
                cutBy: granularity,
                repetition: repetition,
                rate: rate,
                in: id,
                voices: await studio.voices
            )
        }
        return EditedResponse(status: .created, response: TakeResponse(take))
    }

    /// - Throws: `tooMany` for more than `limit` bytes; errors of reading when the browser disconnects.
    private func bytes(of request: Request, limit: Int, tooMany: () -> any Error) async throws -> Data {
        var bytes = Data()
        for try await buffer in request.body {
            guard bytes.count + buffer.readableBytes <= limit else { throw tooMany() }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
        return bytes
    }

    struct TurnDetectionResponse: ResponseEncodable {
        /// Whether a detector of voices is there.
        let isDetected: Bool
        /// Whether somebody has spoken and fallen silent.
        let isOver: Bool
    }

    /// A person who is silent uses nothing, so the idle time runs on.
    func detectTurn(_ request: Request, _ context: WebRequestContext) async throws -> TurnDetectionResponse {
        let id = try context.practiceID()
        guard let token = try request.integer("turn", in: 0...Int(Int32.max)) else {
            throw WebError.badRequest(what: "“turn” is a pause's token")
        }
        let practice = try await studio.librarySession.useInBackground().practice
        let piece = try await bytes(of: request, limit: Self.largestPiece) {
            WebError.badRequest(what: "a piece of a turn has at most \(Self.largestPiece) bytes")
        }
        let turn = try await practice.detectTurn(in: piece, of: token, in: id, voices: await studio.voices)
        return TurnDetectionResponse(isDetected: turn != nil, isOver: turn?.isOver == true)
    }

    func score(_ request: Request, _ context: WebRequestContext) async throws -> TakeScoreResponse {
        let open = try await studio.librarySession.use()
        let id = try context.takeID()
        let score = try await open.practice.score(id, voices: await studio.voices)
        return TakeScoreResponse(score, hasSound: try await open.library.practice.take(id).hasSound)
    }

    func sound(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let library = try await studio.librarySession.use().library
        let sound = try await library.practice.sound(of: context.takeID())
        return try await StoredBytesResponse(sound, type: "audio/wav").response(to: request)
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.use().practice.deleteTake(context.takeID())
        return .noContent
    }

    // MARK: - Hard segments

    /// The segments that are to be practiced again.
    struct HardSegmentsResponse: ResponseEncodable {
        let due: [HardSegmentResponse]
        let later: Int
        let upcoming: [HardSegmentResponse]

        init(due: [HardSegment], upcoming: [HardSegment]) {
            (self.due, later) = (due.map { HardSegmentResponse($0) }, upcoming.count)
            self.upcoming = upcoming.map { HardSegmentResponse($0) }
        }
    }

    func hard(_ request: Request, _ context: WebRequestContext) async throws -> HardSegmentsResponse {
        let (due, upcoming) = try await studio.librarySession.use().practice.hardSegments()
        return HardSegmentsResponse(due: due, upcoming: upcoming)
    }

    struct Mark: Decodable {
        let isHard: Bool
    }

    func mark(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        let (id, number) = (try context.practiceID(), try context.segmentNumber())
        let body = try await request.decode(as: Mark.self, context: context)
        let practice = try await studio.librarySession.use().practice
        try await practice.mark(number, isHard: body.isHard, in: id, voices: await studio.voices)
        return .noContent
    }
}

extension WebRequestContext {
    /// The take that the address names.
    fileprivate func takeID() throws -> PracticeTake.ID { PracticeTake.ID(rawValue: try parameters.require("take")) }
}

/// `/api/speeches`: texts of a person's own that are practiced.
struct SpeechRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.get("speeches", use: list)
            .post("speeches", use: create)
            .get("speeches/:id", use: show)
            .put("speeches/:id", use: replace)
            .delete("speeches/:id", use: delete)
    }

    /// All of them, the last changed first.
    struct SpeechesResponse: ResponseEncodable {
        let speeches: [SpeechResponse]
        /// How many more cannot be read.
        let unreadable: Int
        /// The most characters that a speech has.
        var limit = Speech.longest
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> SpeechesResponse {
        let speeches = try await speeches
        return SpeechesResponse(
            speeches: try await speeches.speeches().map { SpeechResponse($0, isListed: true) },
            unreadable: try await speeches.unreadable()
        )
    }

    struct Values: Decodable {
        let title: String?
        let text: String
        let language: String
        /// When the speech that a change was made from was changed; `nil` replaces whatever is there.
        let base: String?
    }

    func create(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<SpeechResponse> {
        let body = try await request.decode(as: Values.self, context: context)
        let speech = try Speech(title: body.title, text: body.text, language: body.language, created: .now)
        try await speeches.save(speech)
        await studio.events.post(.speeches)
        return EditedResponse(status: .created, response: SpeechResponse(speech))
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> SpeechResponse {
        SpeechResponse(try await speech(context))
    }

    func replace(_ request: Request, _ context: WebRequestContext) async throws -> SpeechResponse {
        let body = try await request.decode(as: Values.self, context: context)
        let seen = try await speech(context)
        let speech = try seen.changed(title: body.title, text: body.text, language: body.language, at: .now)
        if let base = body.base {
            guard base == seen.updated.inPage, try await speeches.save(speech, insteadOf: seen) else {
                throw SpeechError.changed
            }
        } else {
            try await speeches.save(speech)
        }
        await studio.events.post(.speeches)
        return SpeechResponse(speech)
    }

    func delete(_ request: Request, _ context: WebRequestContext) async throws -> HTTPResponse.Status {
        try await speeches.delete(Speech.ID(rawValue: try context.parameters.require("id")))
        await studio.events.post(.speeches)
        return .noContent
    }

    private func speech(_ context: WebRequestContext) async throws -> Speech {
        let id = Speech.ID(rawValue: try context.parameters.require("id"))
        guard let speech = try await speeches.speech(id) else { throw SpeechError.notFound }
        return speech
    }

    private var speeches: any Speeches {
        get async throws { try await studio.librarySession.use().library.speeches }
    }
}
