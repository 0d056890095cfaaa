import EchoText
import Foundation
package import Hummingbird
import Logging

/// Everything a browser can ask for: the API under `/api`, and the page itself.
///
/// - Parameters:
///   - studio: What answers.
///   - sessions: Who may ask.
///   - hosts: The names the server answers to, each as a browser sends it: `localhost:7340`.
///   - page: The folder with `index.html`; `nil` takes the copy that ships with the program.
/// - Returns: A router that holds no connection and can be built as often as a test likes.
/// - Throws: ``WebError/pageMissing``.
package func studioRouter(
    _ studio: WebStudio,
    sessions: SessionStore,
    hosts: @escaping @Sendable () -> Set<String>,
    page: String? = nil
) throws -> Router<StudioContext> {
    let files = try PageFiles(folder: page ?? PageFiles.shipped(), door: studio.door)
    let router = Router(context: StudioContext.self)
    router.addMiddleware {
        HeaderMiddleware()
        ProblemMiddleware()
        SameOriginMiddleware(hosts: hosts)
    }
    router.get("open/:ticket", use: TicketRoute(sessions: sessions).open)
    let api = router.group("api").add(middleware: SessionMiddleware(sessions: sessions))
    VaultRoutes(studio: studio).add(to: api)
    VoiceRoutes(studio: studio).add(to: api)
    CatalogueRoutes(studio: studio).add(to: api)
    VoiceDownloadRoutes(studio: studio).add(to: api)
    VoiceShelfRoutes(studio: studio).add(to: api)
    NarrationRoutes(studio: studio).add(to: api)
    LibraryRoutes(studio: studio).add(to: api)
    ExportRoutes(studio: studio).add(to: api)
    DocumentRoutes(studio: studio).add(to: api)
    DocumentReadingRoutes(studio: studio).add(to: api)
    DocumentSelectionRoutes(studio: studio).add(to: api)
    BatchRoutes(studio: studio).add(to: api)
    PlaybackRoutes(studio: studio).add(to: api)
    HistoryRoutes(studio: studio).add(to: api)
    ProfileRoutes(studio: studio).add(to: api)
    SettingsRoutes(studio: studio).add(to: api)
    EventRoutes(studio: studio).add(to: api)
    let description = try PageFiles.description()
    api.get("openapi.json") { _, _ in
        Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: description))
    }
    api.get("**") { _, _ -> Response in throw WebError.notFound }
    router.get("/", use: files.serve).get("**", use: files.serve)
    return router
}
