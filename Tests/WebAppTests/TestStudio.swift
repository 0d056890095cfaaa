import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import WebApp

/// A studio in memory, and a browser that has been let in.
final class TestStudio: Sendable {
    static let host = "test.localhost:80"

    let vault = MemoryVault()
    let events = StudioEvents()
    let sessions: SessionStore
    let librarySession: LibrarySession
    /// Every address that is answered.
    let routes: [(method: String, path: String)]
    private let responder: any HTTPResponder<WebRequestContext>
    private let token: Mutex<String>
    let folder: TemporaryFolder
    let web: WebStudio

    let catalogue = ScriptedCatalogue(["vits-piper-et_EE-new-medium.tar.bz2"])
    let installer = MemoryInstaller()
    let rules = TestRules()
    let enabled = EnabledVoices()
    let trials = ServiceTrials()

    init(
        archives: ScriptedArchives = ScriptedArchives(),
        sounds: any SoundFiles = NoSounds(),
        decoder: any SoundFileDecoder = WaveDecoder(),
        diarizer: any SpeakerDiarizer = ScriptedDiarizer(),
        recognizer: ScriptedRecognizer = ScriptedRecognizer(),
        sending: @escaping @Sendable (Recognizer.ID, _ seconds: Double) async throws -> Sending? = { _, _ in nil },
        beforeSpeaking: @escaping @Sendable (Utterance) async throws -> Void = { _ in },
        clock: any Clock<Duration> = ContinuousClock(),
        sessionClock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        folder = TemporaryFolder()
        let page = "\(folder.path)/www"
        try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: true)
        try "<!doctype html><title>Page</title>".write(toFile: "\(page)/index.html", atomically: true, encoding: .utf8)
        for (name, content) in [
            "app.js": "import { h } from \"./core/dom.js\";",
            "elsewhere.html": "<!doctype html><title>Elsewhere</title>", "core/dom.js": "export {};",
            "pages/library.js": "import { row } from \"./library/row.js\";",
            "pages/library/row.js": "export {};",
            "pages/library/sheet.js": "export {};",
            "pages/history.js": "export {};",
            "pages/lock.js": "export {};",
            "styles/library.css": "/**/",
        ] {
            let file = URL(filePath: "\(page)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(content.utf8).write(to: file)
        }
        let long = String(repeating: "export {};\n", count: 1_000)
        try long.write(toFile: "\(page)/long.js", atomically: true, encoding: .utf8)
        let profile = VoiceProfile(id: .standard, name: "Default", voice: ScriptedSynthesizer.narrator.id)
        try await vault.library.profiles.save(profile)
        let narrator = Narrator(
            synthesizer: ScriptedSynthesizer(beforeSpeaking: beforeSpeaking),
            segmenter: PlainSegmenter()
        )
        librarySession = LibrarySession(
            to: vault,
            narrator: narrator,
            transcription: .scripted(recognizer, diarizer: diarizer, sending: sending),
            network: ScriptedNetwork(),
            events: events,
            lanes: 1,
            // On a busy machine, closing must not give up what has not ended after some seconds.
            clock: ManualClock()
        )
        sessions = SessionStore(folder: "\(folder.path)/web", clock: sessionClock)
        let downloads = ModelDownloads(
            .init(catalogue: catalogue, archives: archives, installer: installer, memory: MemoryCatalogue()),
            events: events,
            hasChanged: { [librarySession] change in try? await librarySession.present?.library.voices.note(change) },
            now: { Date(timeIntervalSince1970: 1_790_000_000) }
        )
        web = WebStudio(
            librarySession: librarySession,
            narrator: narrator,
            voices: { [installer] in
                [ScriptedSynthesizer.narrator, ScriptedSynthesizer.actor] + installer.present
            },
            voiceServices: VoiceServices(
                downloads: downloads,
                inbox: TemporaryInbox(),
                folder: "/voices",
                rules: { [rules] in rules.now },
                enable: { [enabled] id in enabled.add(id) }
            ),
            reader: ScriptedReader(draws: true),
            sounds: sounds,
            soundImports: SoundImports(decoder: decoder, folder: folder.path),
            recognizersFolder: "/recognizers",
            version: "1.2.3",
            diagnostics: { "diagnostics" },
            tryService: { [trials] in try trials.hear($0) }
        )
        let router = try studioRouter(web, sessions: sessions, host: { Self.host }, page: page, clock: clock)
        routes = router.routes.map { (method: $0.method.rawValue, path: $0.path.description) }
        responder = router.buildResponder()
        token = Mutex(try await sessions.redeem(try await sessions.makeTicket()) ?? "")
    }

    var cookie: String { "\(SessionCookie.name)=\(token.withLock(\.self))" }

    /// The header fields of a browser with a session.
    var headers: HTTPFields {
        var headers: HTTPFields = [.cookie: cookie, .contentType: "application/json"]
        headers[.secFetchSite] = "same-origin"
        return headers
    }

    /// Sets the library's passcode; the library stays open.
    ///
    /// - Returns: The recovery code.
    @discardableResult
    func setPasscode(_ passcode: String) async throws -> String {
        let code = try await proposedCode()
        let body = #"{"new":"\#(passcode)","recoveryCode":"\#(code)"}"#
        #expect(try await ask(.put, "/api/passcode", body).status == .ok)
        return code
    }

    func proposedCode() async throws -> String {
        try #require(try await ask(.post, "/api/recovery-code/propose", "{}").json["code"] as? String)
    }

    /// Asks once.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        host: String? = TestStudio.host,
        headers: HTTPFields? = nil
    ) async throws -> Answer {
        try await ask(method, path, bytes: Data((body ?? "").utf8), host: host, headers: headers)
    }

    /// Asks once, with any bytes.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        bytes: Data,
        host: String? = TestStudio.host,
        headers: HTTPFields? = nil
    ) async throws -> Answer {
        try await ask(method, path, body: RequestBody(buffer: ByteBuffer(bytes: bytes)), host: host, headers: headers)
    }

    /// Asks once, with a body that comes piece by piece.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestBody,
        host: String? = TestStudio.host,
        headers: HTTPFields? = nil
    ) async throws -> Answer {
        let response = try await respond(method, path, body: body, host: host, headers: headers)
        let collector = BodyCollector()
        try await response.body.write(collector)
        return Answer(
            status: response.status,
            headers: response.headers,
            data: await collector.data,
            trailers: await collector.trailers
        )
    }

    /// Sends a request on its own connection, and lets the caller read the response's body.
    func respond(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestBody = RequestBody(buffer: ByteBuffer()),
        host: String? = TestStudio.host,
        headers: HTTPFields? = nil,
        on channel: any Channel = NIOAsyncTestingChannel()
    ) async throws -> Response {
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: host,
            path: path,
            headerFields: headers ?? self.headers
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let context = WebRequestContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: Request(head: head, body: body), context: context)
        // As a browser does.
        if let cookie = response.headers[.setCookie]?.firstMatch(of: /echotext=([^;]+)/) {
            token.withLock { $0 = String(cookie.1) }
        }
        return response
    }

    /// A recording of `text`.
    @discardableResult
    func record(_ text: String, name: String = "Story") async throws -> AudioItem.ID {
        let subscription = await events.subscribe()
        let body = ["text": text, "name": name]
        let answer = try await ask(
            .post,
            "/api/narrations",
            String(decoding: JSONEncoder().encode(body), as: UTF8.self)
        )
        let id = AudioItem.ID(rawValue: try #require(try answer.json["id"] as? String, "\(answer.text)"))
        for await entry in subscription.entries {
            if case .library(let added, _, _) = entry.event, added.contains(id) { break }
        }
        return id
    }
}

/// The voices that were let speak again.
final class EnabledVoices: Sendable {
    private let kept = Mutex<[Voice.ID]>([])

    var voices: [Voice.ID] { kept.withLock(\.self) }

    func add(_ id: Voice.ID) { kept.withLock { $0.append(id) } }
}

/// The connections that the person of a test allows.
final class TestRules: Sendable {
    private let rules = Mutex(OutboundRules())

    var now: OutboundRules {
        get { rules.withLock(\.self) }
        set { rules.withLock { $0 = newValue } }
    }
}

/// The server's response.
struct Answer: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let data: Data
    /// The fields behind the body.
    let trailers: HTTPFields

    var text: String { String(decoding: data, as: UTF8.self) }

    var json: [String: Any] {
        get throws { try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:] }
    }

    var list: [[String: Any]] {
        get throws { try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? [] }
    }

    var code: String? { try? json["code"] as? String }
}

private actor Bytes {
    private(set) var data = Data()
    private(set) var trailers = HTTPFields()

    func add(_ buffer: ByteBuffer) { data.append(contentsOf: buffer.readableBytesView) }

    func end(with fields: HTTPFields) { trailers = fields }
}

private struct BodyCollector: ResponseBodyWriter {
    private let bytes = Bytes()

    var data: Data { get async { await bytes.data } }
    var trailers: HTTPFields { get async { await bytes.trailers } }

    func write(_ buffer: ByteBuffer) async throws { await bytes.add(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws { await bytes.end(with: trailingHeaders ?? [:]) }
}

/// It cannot encode anything; encoders are tested in their own target.
private struct NoSounds: SoundFiles {
    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink { throw ExportError.folderNotUsable }
    func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink {
        throw ExportError.folderNotUsable
    }
    func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes) {
        throw ExportError.folderNotUsable
    }
    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        throw ExportError.folderNotUsable
    }
}

/// Services with the results that a test defines.
final class ServiceTrials: Sendable {
    private let outcome = Mutex<Result<String, RemoteRecognitionError>>(.success(""))

    func answer(_ new: Result<String, RemoteRecognitionError>) { outcome.withLock { $0 = new } }

    func hear(_ service: TranscriptionService) throws -> RecognizedSpeech {
        guard SendingPermission.current?.sending.host == service.address.host else {
            throw RemoteRecognitionError.notAllowed(host: service.address.host)
        }
        return RecognizedSpeech(text: try outcome.withLock(\.self).get())
    }
}
