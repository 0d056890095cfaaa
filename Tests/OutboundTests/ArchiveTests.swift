import Crypto
import EchoText
import EchoTextTesting
import Foundation
import Outbound
import Synchronization
import Testing

@Suite("Archives from outside", .endsInTime)
struct ArchiveTests {
    private static let shared = Result { try ArchiveServer.withSamples() }

    private let server: ArchiveServer
    private let folder = TemporaryFolder()
    private let voice = ArchiveServer.voice.entry

    init() throws {
        server = try Self.shared.get()
    }

    /// The voice, of which nothing is known but its name.
    private var unknown: CatalogueEntry {
        get throws { try #require(CatalogueEntry(archive: voice.archive)) }
    }

    private func archives(
        at address: String,
        _ environment: OutboundArchives.Environment? = nil
    ) throws -> OutboundArchives {
        OutboundArchives(
            client: try OutboundClient(to: address),
            folder: folder("voices"),
            environment: environment ?? .hasty(for: address)
        )
    }

    private func fetch(_ scenario: String, _ entry: CatalogueEntry? = nil) async throws -> FetchedArchive {
        try await archives(at: server.address(scenario)).fetch(entry ?? voice)
    }

    /// Whether what comes is the archive that the server has, byte for byte.
    private func isRight(_ archives: OutboundArchives, _ entry: CatalogueEntry? = nil) async throws -> Bool {
        try await archives.fetch(entry ?? voice) { _ in
        } lending: {
            try Self.isRight($0)
        }
    }

    private func isRight(_ scenario: String, _ entry: CatalogueEntry? = nil) async throws -> Bool {
        try await isRight(archives(at: server.address(scenario)), entry)
    }

    private static func isRight(_ archive: FetchedArchive) throws -> Bool {
        let bytes = try Data(contentsOf: URL(filePath: archive.path))
        return bytes == ArchiveServer.voice.bytes && archive.sha256 == ArchiveServer.voice.entry.sha256
    }

    private var leftovers: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder("voices"))) ?? []).sorted()
    }

    private func absent() throws -> CatalogueEntry {
        try #require(CatalogueEntry(archive: "vits-piper-et_EE-absent-low.tar.bz2"))
    }

    @Test("keep the contract, from a server")
    func contractOfServer() async throws {
        try await verifyContract(of: archives(at: server.address("plain")), entry: voice, absent: absent())
        #expect(leftovers.isEmpty)
    }

    @Test("keep the contract, from a folder", arguments: ["", "/tts-models"])
    func contractOfFolder(inner: String) async throws {
        try await verifyContract(of: archives(at: server.folder.path + inner), entry: voice, absent: absent())
        #expect(leftovers.isEmpty)
    }

    @Test("may be a model's only file, from a server and from a folder", arguments: [false, true])
    func contractOfModel(isFolder: Bool) async throws {
        let address = isFolder ? server.folder.path : server.address("plain")
        try await verifyContract(of: archives(at: address), entry: ArchiveServer.model.entry, absent: absent())
        #expect(leftovers.isEmpty)
    }

    @Test("continue where the connection broke")
    func resumes() async throws {
        let scenario = ArchiveServer.scenario("cut=300000")
        #expect(try await isRight(scenario, unknown))
        let requests = try server.requests(scenario)
        let starts = requests.map { Int($0["range"]?.dropFirst("bytes=".count).dropLast() ?? "0") ?? -1 }
        // The last bytes before a break may be lost.
        #expect(starts.count >= 4 && starts[0] == 0 && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(requests.dropFirst().allSatisfy { $0["if-range"]?.hasPrefix("\"") == true })
        #expect(requests.allSatisfy { $0["accept-encoding"] == "identity" && $0["user-agent"] == "EchoText" })
    }

    @Test("continue in the next run of the program where the last one was left")
    func resumesLater() async throws {
        let scenario = ArchiveServer.scenario("gate=400000")
        let first = try archives(at: server.address(scenario))
        try FileManager.default.createDirectory(atPath: folder("voices"), withIntermediateDirectories: false)
        // Nothing comes after these bytes before the gate is opened, so they are reported though no others follow.
        let stopped = Task { [voice] in
            try await first.fetch(voice) { progress in
                if progress.bytes == 400_000 { withUnsafeCurrentTask { $0?.cancel() } }
            } lending: { _ in
            }
        }
        await #expect(throws: CancellationError.self) { try await stopped.value }
        let second = try archives(at: server.address(scenario))
        #expect(await second.begun(voice.id) == TransferProgress(bytes: 400_000, total: 1_000_000))
        try server.openGate(scenario)
        #expect(try await isRight(second))
        #expect(try server.requests(scenario).map { $0["range"] } == [nil, "bytes=400000-"])
    }

    @Test(
        "come whole whatever the server does",
        arguments: [
            "stall=200000,times=1", "silent,times=1", "status=500,times=2", "status=503,times=4",
            "status=429,retry=1,times=1", "cut=300000,times=1,noranges", "cut=300000,times=1,shifted",
            "cut=300000,times=1,weak", "cut=300000,times=1,untagged", "cut=300000,dated", "cut=0,times=2", "chunked",
            "chunked,cut=300000", "length=5000,times=1", "hop", "cut=999999", "stall=999999",
        ]
    )
    func comesWhole(scenario: String) async throws {
        #expect(try await isRight(ArchiveServer.scenario(scenario), unknown))
        #expect(leftovers.isEmpty)
    }

    @Test("are not put together of two files", arguments: ["", ",blind", ",noranges", ",dated", ",dated,blind"])
    func changedMeanwhile(how: String) async throws {
        let scenario = ArchiveServer.scenario("cut=300000,times=1,change" + how)
        let changed =
            Data(ArchiveServer.voice.bytes.prefix(4)) + ArchiveServer.voice.bytes.dropFirst(4).map { 255 - $0 }
        let whole = SHA256.hash(data: changed).map { String(format: "%02x", $0) }.joined()
        if how.contains("dated") {
            // Nothing but the checksum could show it.
            await #expect(throws: ModelDownloadError.wrongChecksum(voice.id)) { try await fetch(scenario) }
            #expect(leftovers.isEmpty)
        } else {
            #expect(try await fetch(scenario, unknown).sha256 == whole)
            await #expect(throws: ModelDownloadError.wrongChecksum(voice.id)) { try await fetch(scenario + ",2") }
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let scenario: String
        let error: ModelDownloadError
        /// How often is asked.
        let tries: Int
        var testDescription: String { scenario }
    }

    private static let id = ArchiveServer.voice.entry.id
    private static let host = "127.0.0.1"

    @Test(
        "are refused by name",
        arguments: [
            Refusal(scenario: "status=404", error: .notThere("\(id).tar.bz2"), tries: 1),
            Refusal(scenario: "status=410", error: .notThere("\(id).tar.bz2"), tries: 1),
            Refusal(scenario: "status=401", error: .refused(host: host, status: 401), tries: 1),
            Refusal(scenario: "status=403", error: .refused(host: host, status: 403), tries: 1),
            Refusal(scenario: "status=418", error: .refused(host: host, status: 418), tries: 1),
            Refusal(scenario: "status=206", error: .interrupted(bytes: 0, of: nil), tries: 5),
            Refusal(
                scenario: "status=429,retry=86400",
                error: .tooManyRequests(host: host, wait: .seconds(86_400)),
                tries: 1
            ),
            Refusal(scenario: "status=429,retry=soon", error: .tooManyRequests(host: host, wait: nil), tries: 5),
            Refusal(
                scenario: "status=429,retry=Sat%2C%2021%20Nov%202026%2010%3A10%3A00%20GMT",
                error: .tooManyRequests(host: host, wait: .seconds(600)),
                tries: 1
            ),
            Refusal(
                scenario: "status=403,spent=1795257000",
                error: .tooManyRequests(host: host, wait: .seconds(1_800)),
                tries: 1
            ),
            Refusal(scenario: "status=500", error: .serverFailed(host: host, status: 500), tries: 5),
            Refusal(scenario: "status=503", error: .serverFailed(host: host, status: 503), tries: 5),
            Refusal(scenario: "silent", error: .stalled(host: host), tries: 5),
            Refusal(scenario: "stall=0", error: .stalled(host: host), tries: 5),
            Refusal(scenario: "html", error: .wrongContent(id, host: host), tries: 1),
            Refusal(
                scenario: "length=5000",
                error: .wrongSize(id, bytes: 1_005_000, expected: 1_000_000),
                tries: 1
            ),
            Refusal(
                scenario: "length=-5000",
                error: .wrongSize(id, bytes: 995_000, expected: 1_000_000),
                tries: 1
            ),
            Refusal(scenario: "loop", error: .unsafeRedirect(host: host), tries: 6),
            Refusal(
                scenario: "to=http%253A%252F%252Fevil.example%252Fx",
                error: .unsafeRedirect(host: "evil.example"),
                tries: 1
            ),
            Refusal(
                scenario: "to=https%253A%252F%252F192.168.1.1%252Fx",
                error: .unsafeRedirect(host: "192.168.1.1"),
                tries: 1
            ),
            Refusal(
                scenario: "to=https%253A%252F%252Flocalhost%252Fx",
                error: .unsafeRedirect(host: "localhost"),
                tries: 1
            ),
            Refusal(scenario: "to=file%253A%252F%252F%252Fetc%252Fpasswd", error: .unsafeRedirect(host: "?"), tries: 1),
        ]
    )
    func refused(_ refusal: Refusal) async throws {
        let scenario = ArchiveServer.scenario(refusal.scenario)
        var environment = OutboundArchives.Environment.hasty(for: scenario)
        environment.now = { Date(timeIntervalSince1970: 1_795_255_200) }
        let archives = try archives(at: server.address(scenario), environment)
        await #expect(throws: refusal.error) { try await archives.fetch(voice) }
        #expect(leftovers.isEmpty)
        // A connection that is given up early because the machine is busy may not have been seen.
        let tries = try server.requests(scenario).count
        #expect(tries == refusal.tries || (tries < refusal.tries && refusal.error == .stalled(host: Self.host)))
        #expect(refusal.error.suggestion != nil, "every refusal says what to do")
    }

    @Test("are given up when the connection breaks at the same place again and again")
    func givenUp() async throws {
        let scenario = ArchiveServer.scenario("cut=300000,noranges")
        let archives = try archives(at: server.address(scenario))
        do {
            _ = try await archives.fetch(voice)
            Issue.record("it cannot be whole")
        } catch ModelDownloadError.interrupted(let bytes, 1_000_000) {
            #expect((1...300_000).contains(bytes))
        }
        #expect(try server.requests(scenario).count >= 5)
        #expect(await archives.begun(voice.id)?.total == 1_000_000, "the downloaded part is kept")
    }

    @Test("say that there is nobody at an address")
    func nobody() async throws {
        await #expect(throws: ModelDownloadError.unreachable(host: "127.0.0.1")) {
            try await archives(at: "http://127.0.0.1:1/nowhere").fetch(voice)
        }
        await #expect(throws: ModelDownloadError.folderMissing) {
            try await archives(at: "/nowhere/at/all").fetch(voice)
        }
    }

    @Test("want room for what comes of them before they come")
    func room() async throws {
        var environment = OutboundArchives.Environment.hasty()
        let needed = 1_000_000 + CatalogueEntry.room(forUnpacking: 1_000_000)
        environment.freeSpace = { _ in needed - 1 }
        let archives = try archives(at: server.address("room"), environment)
        await #expect(throws: ModelDownloadError.noSpace(needed: needed, free: needed - 1)) {
            try await archives.fetch(voice)
        }
        environment.freeSpace = { _ in needed }
        #expect(try await isRight(self.archives(at: server.address("room"), environment)))
    }

    @Test("outlive a network that shows a page in their place")
    func pageBetween() async throws {
        let scenario = ArchiveServer.scenario("cut=300000,noranges")
        let archives = try archives(at: server.address(scenario))
        await #expect(throws: ModelDownloadError.self) { try await archives.fetch(voice) }
        let begun = await archives.begun(voice.id)
        await #expect(throws: ModelDownloadError.wrongContent(voice.id, host: "127.0.0.1")) {
            try await fetch(ArchiveServer.scenario("html"))
        }
        #expect(await archives.begun(voice.id) == begun && begun != nil)
    }

    @Test("are fetched by one program at a time")
    func busy() async throws {
        let scenario = ArchiveServer.scenario("gate=1000")
        let first = try archives(at: server.address(scenario))
        let second = try archives(at: server.address(scenario))
        let refusal = Mutex<ModelDownloadError?>(nil)
        let isRight = try await first.fetch(voice) { [voice, server] _ in
            guard refusal.withLock({ $0 == nil }) else { return }
            do {
                _ = try await second.fetch(voice)
            } catch {
                refusal.withLock { $0 = error as? ModelDownloadError }
            }
            do {
                try server.openGate(scenario)
            } catch {
                Issue.record(error)
            }
        } lending: {
            try Self.isRight($0)
        }
        #expect(refusal.withLock(\.self) == .busy(voice.id))
        #expect(isRight)
    }

    @Test("say that they cannot be written")
    func unwritable() async throws {
        try Data().write(to: URL(filePath: folder("voices")))
        await #expect(throws: ModelDownloadError.cannotWrite) { try await fetch("plain") }
    }

    @Test("begin again when what is there is of no use")
    func uselessRemains() async throws {
        let path = folder("voices/\(voice.id).partial")
        try FileManager.default.createDirectory(atPath: folder("voices"), withIntermediateDirectories: true)
        let notes = [
            "", "{", "{\"place\":\"elsewhere\",\"tag\":\"\\\"1\\\"\",\"total\":1000000,\"isWhole\":false}",
            "{\"place\":\"elsewhere\",\"total\":3,\"isWhole\":false}",
        ]
        for (index, note) in notes.enumerated() {
            try Data("BZh but of another archive".utf8).write(to: URL(filePath: path))
            try Data(note.utf8).write(to: URL(filePath: path + ".json"))
            let scenario = ArchiveServer.scenario("remains\(index)")
            #expect(try await isRight(scenario), "\(note)")
            #expect(try server.requests(scenario).map { $0["range"] } == [nil])
        }
    }

    @Test("come once more when they were refused after they had come, and nothing is left of those")
    func refused() async throws {
        let archives = try archives(at: server.address("plain"))
        await #expect(throws: ModelInstallError.bomb) {
            try await archives.fetch(voice) { _ in
            } lending: { archive in
                try FileManager.default.removeItem(atPath: archive.path)
                throw ModelInstallError.bomb
            }
        }
        #expect(leftovers.isEmpty)
        #expect(try await isRight("plain"))
    }

    @Test("that have come again in another process are not taken away with what was used")
    func replaced() async throws {
        let (first, second) = (try archives(at: server.address("plain")), try archives(at: server.address("plain")))
        @Sendable func refuse(_ archives: OutboundArchives) async throws {
            try await archives.fetch(voice) { _ in
            } lending: { _ in
                throw ModelInstallError.silent
            }
        }
        try await first.fetch(voice) { _ in
        } lending: { archive in
            // An installer removes what it has used; before it says so, another process begins.
            try FileManager.default.removeItem(atPath: archive.path)
            _ = try? await refuse(second)  // the downloaded part stays
        }
        #expect(leftovers == ["\(voice.id).partial", "\(voice.id).partial.json"])
        #expect(try await isRight(second))
    }

    @Test("are swept of what ended processes have left beside them, and of nothing else")
    func sweeps() async throws {
        try FileManager.default.createDirectory(atPath: folder("voices"), withIntermediateDirectories: true)
        let ended = Process()
        ended.executableURL = URL(filePath: "/usr/bin/true")
        try ended.run()
        ended.waitUntilExit()
        let other = try absent()
        let useless = [
            "\(voice.id).partial.json", "\(other.id).partial.json.\(ended.processIdentifier).new",
            ".tts-models.json.\(ended.processIdentifier).new",
        ]
        let kept = [
            ".tts-models.json", ".tts-models.json.\(getpid()).new", "notes.json.new", "\(other.id).partial",
            "\(other.id).partial.json", "diary.partial.json",
        ]
        for name in useless + kept { try Data("{}".utf8).write(to: URL(filePath: folder("voices/\(name)"))) }
        try await archives(at: server.address("plain")).sweep()
        #expect(leftovers == kept.sorted())
    }

    /// How many there are; `nil` for a file that is not there yet.
    private func bytes(of path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
    }

    // MARK: - Offline

    @Test("are not asked for when the person wants to stay offline")
    func offline() async throws {
        let client = try OutboundClient(to: server.address("offline"), isOffline: true)
        let archives = OutboundArchives(client: client, folder: folder("voices"), environment: .hasty())
        await #expect(throws: ModelDownloadError.offline) { try await archives.fetch(voice) }
        await #expect(throws: ModelDownloadError.offline) {
            try await OutboundCatalogue(client: client).entries(of: .voices, since: nil)
        }
        #expect(try server.requests("offline").isEmpty)
        let local = try OutboundClient(to: "file://\(server.folder.path)", isOffline: true)
        let fromFolder = OutboundArchives(client: local, folder: folder("voices"), environment: .hasty())
        #expect(try await isRight(fromFolder), "a folder is no connection")
    }

    // MARK: - Trust

    @Test("come only from a server that proves who it is", .enabled(if: Certificate.isPossible, "needs openssl"))
    func trust() async throws {
        let certificate = try Certificate()
        let server = try ArchiveServer.withSamples(certificate: certificate)
        let address = "https://localhost:\(try #require(server.ports.https))/plain"
        let stranger = OutboundArchives(client: try OutboundClient(to: address), folder: folder("voices"))
        await #expect(throws: ModelDownloadError.untrusted(host: "localhost")) {
            try await stranger.fetch(voice)
        }
        let trusting = ["SSL_CERT_FILE": certificate.path]
        let friend = OutboundArchives(
            client: try OutboundClient(to: address, environment: trusting),
            folder: folder("voices")
        )
        #expect(try await isRight(friend))
        // The certificate is good, and of another name.
        let other = address.replacing("localhost", with: "127.0.0.1")
        let misled = OutboundArchives(
            client: try OutboundClient(to: other, environment: trusting),
            folder: folder("more")
        )
        await #expect(throws: ModelDownloadError.untrusted(host: "127.0.0.1")) {
            try await misled.fetch(voice)
        }
    }

    @Test("come through the proxy that the environment names", .enabled(if: Certificate.isPossible, "needs openssl"))
    func proxy() async throws {
        let certificate = try Certificate()
        let server = try ArchiveServer.withSamples(certificate: certificate)
        let environment = [
            "SSL_CERT_FILE": certificate.path, "https_proxy": "http://me:secret@127.0.0.1:\(server.ports.http)",
        ]
        let through = OutboundArchives(
            client: try OutboundClient(to: "https://mirror.example/plain", environment: environment),
            folder: folder("voices")
        )
        #expect(try await isRight(through))
        let asked = try server.requests("proxy")
        #expect(asked.map { $0["path"] } == ["mirror.example:443"])
        #expect(asked.first?["proxy-authorization"] == "Basic \(Data("me:secret".utf8).base64EncodedString())")
        let refused = OutboundArchives(
            client: try OutboundClient(to: "https://refused.example/plain", environment: environment),
            folder: folder("more")
        )
        await #expect(throws: ModelDownloadError.proxyRefused) { try await refused.fetch(voice) }
    }
}
