import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/api/practice/sessions`: texts that are read aloud with pauses in which a person repeats them.
struct PracticeRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<StudioContext>) {
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

    func list(_ request: Request, _ context: StudioContext) async throws -> PracticesResponse {
        let practice = try await studio.librarySession.enter().practice
        let recognizers = try await practice.recognizers()
        return PracticesResponse(
            sessions: try await practice.sessions().map { PracticeResponse($0, recognizer: recognizers($0.language)) }
        )
    }

    func begin(_ request: Request, _ context: StudioContext) async throws -> EditedResponse<PracticeResponse> {
        let body = try await request.decode(as: PracticeBody.self, context: context)
        let practice = try await studio.librarySession.enter().practice
        let begun = try await practice.begin(body.order, voices: await studio.voices)
        return EditedResponse(status: .created, response: try await response(begun, in: practice))
    }

    func show(_ request: Request, _ context: StudioContext) async throws -> PracticeResponse {
        let practice = try await studio.librarySession.enter().practice
        return try await response(try await practice.session(context.practiceID()), in: practice)
    }

    func delete(_ request: Request, _ context: StudioContext) async throws -> HTTPResponse.Status {
        try await studio.librarySession.enter().practice.delete(context.practiceID())
        return .noContent
    }

    private func response(_ kept: KeptPractice, in practice: PracticeSessions) async throws -> PracticeResponse {
        PracticeResponse(kept, recognizer: try await practice.recognizers()(kept.language))
    }

    // MARK: - Events

    func handle(_ request: Request, _ context: StudioContext) async throws -> PracticeOutcomeResponse {
        let id = try context.practiceID()
        let happened = try await request.decode(as: PracticeEventsBody.self, context: context).happened
        // Automatic events do not count as use by the person.
        let session = studio.librarySession
        let isByPerson = happened.contains(where: \.isByPerson)
        let practice = isByPerson ? try await session.enter().practice : try await session.admit().practice
        let (kept, actions) = try await practice.handle(happened, in: id, voices: await studio.voices)
        return PracticeOutcomeResponse(
            session: PracticeResponse(kept, recognizer: try await practice.knownRecognizers()(kept.language)),
            actions: actions.map(PracticeOutcomeResponse.Action.init)
        )
    }

    // MARK: - Segments

    func segments(_ request: Request, _ context: StudioContext) async throws -> PracticeSegmentsResponse {
        let id = try context.practiceID()
        let first = try request.integer("from", in: 1...Int(Int32.max)) ?? 1
        let count = try request.integer("count", in: 1...500) ?? 50
        let practice = try await studio.librarySession.admit().practice
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

    func sound(_ request: Request, _ context: StudioContext) async throws -> Response {
        let file = try await spoken(request, context).file
        // The text may be segmented differently later under the same address.
        let headers: HTTPFields = [.contentType: "audio/wav", .cacheControl: "no-store"]
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file)))
    }

    func timing(_ request: Request, _ context: StudioContext) async throws -> SegmentTimingResponse {
        SegmentTimingResponse(try await spoken(request, context))
    }

    private func spoken(_ request: Request, _ context: StudioContext) async throws -> SegmentSound {
        let (id, number) = (try context.practiceID(), try context.segmentNumber())
        let rate = try request.number("rate") ?? PracticeSettings().rate
        let practice = try await studio.librarySession.admit().practice
        return try await practice.sound(of: number, rate: rate, in: id, voices: await studio.voices)
    }
}

extension StudioContext {
    /// The practice session that the address names.
    func practiceID() throws -> KeptPractice.ID { KeptPractice.ID(rawValue: try parameters.require("id")) }

    /// The segment that the address names.
    func segmentNumber() throws -> Int {
        guard let number = Int(try parameters.require("number")) else {
            throw WebError.badRequest(what: "a segment has a number, from 1")
        }
        return number
    }
}
