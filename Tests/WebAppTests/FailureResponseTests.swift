import API
import EchoText
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import WebApp

@Suite("An answer to a failure")
struct FailureResponseTests {
    private static let voice = Voice.ID(rawValue: "piper/a")

    private static let errors: [(error: any UserFacingError, status: Int)] = [
        (WebError.noSession, 401), (WebError.foreignPage, 403), (VaultError.wrongRecoveryCode, 403),
        (WebError.notFound, 404), (LibraryError.documentNotFound, 404),
        (ModelInstallError.notInstalled(voice), 404),
        (LibraryError.profileNameTaken, 409), (ModelDownloadError.offline, 409), (VaultError.inUse, 409),
        (LibraryError.narrationStopped, 409),
        (DocumentError.tooLarge(limit: 1), 413), (WebError.tooLarge, 413), (WebError.notJSON, 415),
        (WebError.wrongAddress, 421),
        (WebError.badRequest(what: "a"), 422), (WebError.cutShort, 422), (DocumentError.noText, 422),
        (SynthesisError.nothingToSay, 422),
        (SynthesisError.voiceNotInstalled(voice), 422),
        (VaultError.locked, 423), (VaultError.deviceSecretMissing, 423), (VaultError.unsafeFolder, 423),
        (VaultError.newerSchema, 423), (VaultError.tpmUnavailable, 423), (VaultError.databaseDamaged, 423),
        (VaultError.lockedOut(wait: .seconds(1)), 429), (LibraryError.tooManyJobs(limit: 1), 429), (WebError.busy, 429),
        (VaultError.contentDamaged, 500), (WorkerError.cannotStart, 500), (WebError.pageMissing, 500),
        (ModelDownloadError.unreachable(host: "a"), 502), (ModelDownloadError.badCatalogue(host: "a"), 502),
        (ModelDownloadError.stalled(host: "a"), 504),
        (VaultError.readOnly(.diskFull), 507), (ModelInstallError.cannotWrite, 507),
        (ModelDownloadError.noSpace(needed: 2, free: 1), 507),
    ]

    @Test("has the status of the error's kind", arguments: errors)
    func status(_ end: (error: any UserFacingError, status: Int)) {
        #expect(HTTPResponse.Status(of: end.error.kind).code == end.status, "\(end.error)")
    }

    @Test("has a status for every kind but the one that only a command ends with")
    func complete() {
        #expect(Set(Self.errors.map(\.error.kind)) == Set(FailureKind.allCases).subtracting([.interrupted]))
    }

    @Test("holds what the description of the API says")
    func content() throws {
        let failure = VaultError.lockedOut(wait: .milliseconds(1_500)).failure
        let data = try JSONEncoder().encode(FailureResponse(failure))
        let fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(fields.keys) == ["code", "message", "suggestion"])
        #expect(fields["suggestion"] as? String == "Wait, or open the library with the recovery code.")
    }

    @Test(
        "says that the request broke off, where not all of its body comes, and keeps nothing of it",
        arguments: [
            (.put, "/api/draft", "application/json"), (.delete, "/api/history", "application/json"),
            (.post, "/api/documents?name=a.txt", "application/octet-stream"),
            (.post, "/api/library/imports?name=a.wav", "application/octet-stream"),
            (.post, "/api/draft/file", "application/octet-stream"),
        ] as [(HTTPRequest.Method, String, String)]
    )
    func brokenOff(_ method: HTTPRequest.Method, _ path: String, _ type: String) async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = type
        let parts = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            continuation.yield(ByteBuffer(string: "{"))
            // A connection throws this where the client has closed it, or half of it, too early.
            continuation.finish(throwing: HTTPParserError.invalidEOFState)
        }
        let answer = try await studio.ask(method, path, body: RequestBody(asyncSequence: parts), headers: headers)
        #expect((answer.status, answer.code) == (.badRequest, "web.cut-short"), "\(answer.text)")
        #expect(try await studio.ask(.get, "/api/draft").json["text"] as? String == "")
        #expect(try await studio.ask(.get, "/api/documents").json["total"] as? Int == 0)
        #expect(try await studio.ask(.get, "/api/library").json["total"] as? Int == 0)
    }

    @Test("says that the library is locked when work for it ends with it", arguments: [true, false])
    func closedUnder(_ isOpen: Bool) async throws {
        let studio = try await TestStudio()
        if isOpen { _ = try await studio.librarySession.use() }
        let router = Router(context: WebRequestContext.self)
        router.addMiddleware { FailureMiddleware(librarySession: studio.librarySession) }
        router.get("work") { _, _ -> String in throw CancellationError() }
        let head = HTTPRequest(method: .get, scheme: "http", authority: TestStudio.host, path: "/work")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let status: Int
        do {
            let responder = router.buildResponder()
            status = try await responder.respond(to: request, context: WebRequestContext(source: source)).status.code
        } catch let error as HTTPError {
            status = error.status.code
        }
        #expect(status == (isOpen ? 503 : 423))
    }
}
