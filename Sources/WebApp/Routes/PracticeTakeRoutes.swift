import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/practice/takes` and `/api/practice/hard`: the recorded takes, their scores, the segments to practise again,
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

    func add(to group: RouterGroup<StudioContext>) {
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

    func list(_ request: Request, _ context: StudioContext) async throws -> TakesResponse {
        let id = try context.practiceID()
        let takes = try await studio.librarySession.enter().practice.takes(of: id)
        return TakesResponse(takes: takes.map { TakeResponse($0) })
    }

    func keep(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<TakeResponse> {
        let id = try context.practiceID()
        guard let number = try request.integer("segment", in: 1...Int(Int32.max)) else {
            throw WebError.badRequest(what: "“segment” is a segment's number, from 1")
        }
        let repetition = try request.integer("repetition", in: 1...Int(Int32.max)) ?? 1
        let rate = try request.number("rate")
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? .max
        let take = try await (length <= Self.short ? shortUploads : longUploads).pass { _ in
            let sound = try await bytes(of: request, limit: PracticeSessions.largestTake) {
                PracticeError.takeTooLong(limit: PracticeSessions.longestTake)
            }
            return try await studio.librarySession.enter().practice.addTake(
                sound,
                of: number,
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

    struct HeardTurnResponse: ResponseEncodable {
        /// Whether a detector of voices is there.
        let isDetected: Bool
        /// Whether somebody has spoken and fallen silent.
        let isOver: Bool
    }

    /// A person who is silent uses nothing, so the idle time runs on.
    func detectTurn(_ request: Request, _ context: StudioContext) async throws -> HeardTurnResponse {
        let id = try context.practiceID()
        guard let token = try request.integer("turn", in: 0...Int(Int32.max)) else {
            throw WebError.badRequest(what: "“turn” is a pause's token")
        }
        let practice = try await studio.librarySession.admit().practice
        let piece = try await bytes(of: request, limit: Self.largestPiece) {
            WebError.badRequest(what: "a piece of a turn has at most \(Self.largestPiece) bytes")
        }
        let turn = try await practice.detectTurn(in: piece, of: token, in: id, voices: await studio.voices)
        return HeardTurnResponse(isDetected: turn != nil, isOver: turn?.isOver == true)
    }

    func score(_ request: Request, _ context: StudioContext) async throws -> TakeScoreResponse {
        let open = try await studio.librarySession.enter()
        let id = try context.takeID()
        let score = try await open.practice.score(id, voices: await studio.voices)
        return TakeScoreResponse(score, hasSound: try await open.library.practice.take(id).hasSound)
    }

    func sound(_ request: Request, _ context: StudioContext) async throws -> Response {
        let library = try await studio.librarySession.enter().library
        let sound = try await library.practice.sound(of: context.takeID())
        return try await StoredBytesResponse(sound, type: "audio/wav").response(to: request)
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.enter().practice.deleteTake(context.takeID())
        return .noContent
    }

    // MARK: - Hard segments

    /// The segments that are to be practised again.
    struct HardSegmentsResponse: ResponseEncodable {
        let due: [HardSegmentResponse]
        let later: Int
        let upcoming: [HardSegmentResponse]

        init(due: [HardSegment], upcoming: [HardSegment]) {
            (self.due, later) = (due.map { HardSegmentResponse($0) }, upcoming.count)
            self.upcoming = upcoming.map { HardSegmentResponse($0) }
        }
    }

    func hard(_ request: Request, _ context: StudioContext) async throws -> HardSegmentsResponse {
        let (due, upcoming) = try await studio.librarySession.enter().practice.hardSegments()
        return HardSegmentsResponse(due: due, upcoming: upcoming)
    }

    struct Mark: Decodable {
        let isHard: Bool
    }

    func mark(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        let (id, number) = (try context.practiceID(), try context.segmentNumber())
        let body = try await request.decode(as: Mark.self, context: context)
        let practice = try await studio.librarySession.enter().practice
        try await practice.mark(number, isHard: body.isHard, in: id, voices: await studio.voices)
        return .noContent
    }
}

extension StudioContext {
    /// The take that the address names.
    fileprivate func takeID() throws -> PracticeTake.ID { PracticeTake.ID(rawValue: try parameters.require("take")) }
}
