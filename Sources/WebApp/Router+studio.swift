import EchoText
import Foundation
package import Hummingbird
import Logging

/// Makes the router for all requests: the page's API under `/api`, the one for developers under `/v1`, and the page itself.
///
/// - Parameters:
///   - studio: The studio that handles requests.
///   - sessions: The accepted sessions.
///   - host: The server's host name, as a browser sends it; `nil` while it is not known yet.
///   - page: The folder with `index.html`; `nil` uses the copy that ships with the program.
///   - clock: Measures how long a client does not read.
/// - Returns: A router without any connections; tests can make as many as they need.
/// - Throws: ``WebError/pageMissing``.
package func studioRouter(
    _ studio: WebStudio,
    sessions: SessionStore,
    host: @escaping @Sendable () -> String?,
    page: String? = nil,
    clock: any Clock<Duration> = ContinuousClock()
) throws -> Router<WebRequestContext> {
    let files = try PageFiles(
        folder: page ?? PageFiles.shipped(),
        librarySession: studio.librarySession,
        sessions: sessions
    )
    let router = Router(context: WebRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
        HeaderMiddleware()
        FailureMiddleware(librarySession: studio.librarySession)
        SameOriginMiddleware(host: host, elsewhere: files.elsewhere)
    }
    router.group().add(middleware: OnlyOnceMiddleware())
        .get("open/:ticket", use: TicketRoute(sessions: sessions).open)
    router.get("api/proof", use: ProofRoute(sessions: sessions).prove)
    ProgramRoutes(studio: studio, clock: clock).add(to: router)
    let guarded = router.group("api").add(middleware: SessionMiddleware(sessions: sessions))
    let source = try PageFiles.description()
    let knownParameters = KnownParametersMiddleware(of: source)
    let always = guarded.group().add(middleware: knownParameters)
    let vault = VaultRoutes(studio: studio, sessions: sessions)
    vault.add(to: always)
    SessionRoutes(sessions: sessions).add(to: always)
    EventRoutes(studio: studio).add(to: always)
    let description = APIDescription.completed(source)
    guarded.get("openapi.json") { _, _ -> Response in
        let bytes = try description.value.get()
        return Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: bytes))
    }
    let api = guarded.group()
        .add(middleware: OpenLibraryMiddleware(librarySession: studio.librarySession))
        .add(middleware: LastEventMiddleware(events: studio.events))
        .add(middleware: knownParameters)
    vault.addOfOpenLibrary(to: api)
    VoiceRoutes(studio: studio).add(to: api)
    CatalogueRoutes(studio: studio).add(to: api)
    ModelDownloadRoutes(studio: studio).add(to: api)
    InstalledVoiceRoutes(studio: studio).add(to: api)
    NarrationRoutes(studio: studio).add(to: api)
    DraftRoutes(studio: studio).add(to: api)
    LibraryRoutes(studio: studio).add(to: api)
    MarkRoutes(studio: studio).add(to: api)
    ImportRoutes(studio: studio).add(to: api)
    TranscriptRoutes(studio: studio).add(to: api)
    TranscriptionRoutes(studio: studio).add(to: api)
    SpeakerRoutes(studio: studio).add(to: api)
    SpeechCheckRoutes(studio: studio).add(to: api)
    RecordingRoutes(studio: studio).add(to: api)
    SpeechRoutes(studio: studio).add(to: api)
    PracticeRoutes(studio: studio).add(to: api)
    PracticeTakeRoutes(studio: studio).add(to: api)
    let exports = ExportRoutes(studio: studio, clock: clock)
    exports.add(to: api)
    exports.addDownloads(
        to: guarded.group()
            .add(middleware: OnlyOnceMiddleware())
            .add(middleware: RefusedDownloadMiddleware(events: studio.events))
            .add(middleware: OpenLibraryMiddleware(librarySession: studio.librarySession))
    )
    DocumentRoutes(studio: studio).add(to: api)
    DocumentReadingRoutes(studio: studio).add(to: api)
    DocumentSelectionRoutes(studio: studio).add(to: api)
    BatchRoutes(studio: studio).add(to: api)
    PlaybackRoutes(studio: studio).add(to: api)
    HistoryRoutes(studio: studio).add(to: api)
    ProfileRoutes(studio: studio).add(to: api)
    SettingsRoutes(studio: studio).add(to: api)
    StorageRoutes(studio: studio).add(to: api)
    VaultCheckRoute(studio: studio).add(to: api)
    TranscriptionServiceRoutes(studio: studio).add(to: api)
    KeyRoutes(studio: studio).add(to: api)
    RecognizerRoutes(studio: studio).add(to: api)
    guarded.get("**") { _, _ -> Response in throw WebError.notFound }
    router.get("/", use: files.serve).get("**", use: files.serve)
    return router
}
