import EchoText
import Foundation
import HTTPTypes
import Hummingbird

/// `/v1`: the API for developers, as OpenAI's libraries use it.
///
/// It makes speech and transcribes sound for programs that have a key, with what is on this machine; nothing of that is
/// stored, and nothing of the library can be had.
struct ProgramRoutes: Sendable {
    let studio: WebStudio
    /// Measures how long a program does not read.
    let clock: any Clock<Duration>

    func add(to router: Router<WebRequestContext>) {
        let group = router.group("v1").add(middleware: APIKeyMiddleware(librarySession: studio.librarySession))
        ModelRoutes(studio: studio).add(to: group)
        ProgramSpeechRoute(studio: studio, clock: clock).add(to: group)
        ProgramTranscriptionRoute(studio: studio).add(to: group)
        for path in ["", "audio", "**"] as [RouterPath] {
            for method in HTTPRequest.Method.ofPrograms { group.on(path, method: method, use: Self.refuse) }
        }
    }

    private static let refuse: @Sendable (Request, WebRequestContext) async throws -> Response = { _, _ in
        throw ProgramError.notFound
    }
}

extension WebStudio {
    /// Runs `work` with the library open, outside the actor of its session, since speech and transcriptions take long.
    @concurrent
    func keepingOpen<Output: Sendable>(
        during work: @concurrent @Sendable (OpenLibrary) async throws -> Output
    ) async throws -> Output {
        try await librarySession.keepingOpen { open in try await work(open) }
    }
}

extension HTTPRequest.Method {
    /// The methods that are answered; HEAD is GET.
    static let ofPrograms: [Self] = [.get, .post, .put, .patch, .delete, .options]
}

extension RouterGroup<WebRequestContext> {
    /// Adds an address that takes one method.
    func only(
        _ method: HTTPRequest.Method,
        _ path: RouterPath,
        use handler: @escaping @Sendable (Request, WebRequestContext) async throws -> Response
    ) {
        on(path, method: method, use: handler)
        let allowed = method == .get ? "GET, HEAD" : method.rawValue
        for other in HTTPRequest.Method.ofPrograms where other != method {
            on(path, method: other) { _, _ -> Response in throw ProgramError.wrongMethod(allowed: allowed) }
        }
        guard method != .get else { return }
        on(path, method: .head) { _, _ -> Response in throw ProgramError.wrongMethod(allowed: allowed) }
    }
}

/// Answers only programs that have a key of the library, which has to be open for that; responses in progress break off when
/// it is closed.
struct APIKeyMiddleware: RouterMiddleware {
    let librarySession: LibrarySession

    func handle(
        _ request: Request,
        context: WebRequestContext,
        next: @concurrent (Request, WebRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearer else { throw ProgramError.noKey }
        guard let secret = APIKeySecret(text) else { throw ProgramError.wrongKey }
        // Only speech and transcripts are uses by a person: a program that asks for the models keeps nothing open.
        let open = try await librarySession.useInBackground()
        try await Self.check(secret, in: open.library)
        let response = try await next(request, context)
        guard !open.end.isSet else { throw VaultError.locked }
        // Transcribing and sending speech may take hours, in which the key may be removed, by another process too.
        try await Self.check(secret, in: open.library)
        return response.checkingPieces { [library = open.library] in try await Self.check(secret, in: library) }
            .breakingOff(at: open.end, cutting: context)
    }

    private static func check(_ secret: APIKeySecret, in library: Library) async throws {
        guard try await library.apiKeys.use(secret, at: Date()) != nil else { throw ProgramError.wrongKey }
    }
}

extension Request {
    /// The key behind `Bearer`; `nil` without such a field, or with several.
    fileprivate var bearer: String? {
        let fields = headers[values: .authorization]
        guard fields.count == 1 else { return nil }
        let parts = fields[0].split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].trimmingCharacters(in: .whitespaces)
    }
}

/// `/v1/models`: what can speak and transcribe on this machine.
struct ModelRoutes: Sendable {
    let studio: WebStudio

    func add(to group: RouterGroup<WebRequestContext>) {
        group.only(.get, "models", use: list)
        // A recognizer's id has a slash, which libraries send as it is or encoded.
        group.only(.get, "models/:id", use: show)
        group.only(.get, "models/:id/:name", use: showInTwo)
    }

    private struct Model: Encodable {
        let id: String
        let object = "model"
        /// Seconds since 1970, which is not known of a model here.
        let created = 0
        let ownedBy = "echotext"

        private enum CodingKeys: String, CodingKey {
            case id, object, created
            case ownedBy = "owned_by"
        }
    }

    private struct List: Encodable {
        let object = "list"
        let data: [Model]
    }

    private func models() async throws -> [Model] {
        let voices = await studio.voices
        let engines = Voice.Engine.allCases.filter { engine in voices.contains { $0.engine == engine } }
        let open = try await studio.librarySession.useInBackground()
        let order = try await open.library.settings.recognizerOrder()
        let recognizers = order.sorted(try await open.transcriptions.recognizers()).filter { $0.engine != .remote }
        return (engines.map(\.rawValue) + recognizers.map(\.id.rawValue)).map { Model(id: $0) }
    }

    func list(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        try context.json(List(data: try await models()), for: request)
    }

    func show(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        return try await answer(id.removingPercentEncoding ?? id, to: request, context)
    }

    func showInTwo(_ request: Request, _ context: WebRequestContext) async throws -> Response {
        let parts = (try context.parameters.require("id"), try context.parameters.require("name"))
        return try await answer("\(parts.0)/\(parts.1)", to: request, context)
    }

    private func answer(_ id: String, to request: Request, _ context: WebRequestContext) async throws -> Response {
        guard let model = try await models().first(where: { $0.id == id }) else { throw ProgramError.noSuchModel(id) }
        return try context.json(model, for: request)
    }
}

extension WebRequestContext {
    /// A whole answer in JSON.
    func json(_ value: some Encodable, for request: Request) throws -> Response {
        try responseEncoder.encode(value, from: request, context: self)
    }
}
