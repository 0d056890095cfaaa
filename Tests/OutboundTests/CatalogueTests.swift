import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Outbound

@Suite("Catalogue from outside", .endsInTime)
struct CatalogueTests {
    /// For those who change nothing.
    private static let server = Result { try ArchiveServer.withSamples() }

    private func catalogue(at address: String) throws -> OutboundCatalogue {
        OutboundCatalogue(
            client: try OutboundClient(to: address),
            idleTimeout: HastyClock.idleTimeout(of: address),
            clock: HastyClock(),
            now: { Date(timeIntervalSince1970: 1_795_255_200) }
        )
    }

    @Test("keeps the contract, from a server")
    func contractOfServer() async throws {
        let server = try ArchiveServer.withSamples()
        try await verifyContract(of: try catalogue(at: server.address("plain")), release: .voices) {
            try Data("BZh".utf8).write(to: URL(filePath: server.folder("tts-models/vits-piper-et_EE-new-low.tar.bz2")))
        }
    }

    @Test("keeps the contract, from a folder")
    func contractOfFolder() async throws {
        let server = try ArchiveServer.withSamples()
        try await verifyContract(of: try catalogue(at: server.folder.path), release: .voices) {
            try Data("BZh".utf8).write(to: URL(filePath: server.folder("tts-models/vits-piper-et_EE-new-low.tar.bz2")))
        }
    }

    @Test("has sizes and checksums, and only what there is a use for")
    func facts() async throws {
        let server = try Self.server.get()
        guard
            case .entries(let entries, let version) = try await catalogue(at: server.address("plain"))
                .entries(of: .voices, since: nil)
        else {
            Issue.record("no entries came")
            return
        }
        #expect(entries == [ArchiveServer.other.entry, ArchiveServer.voice.entry])
        #expect(version != nil)
        let others = try await catalogue(at: server.address("plain")).entries(of: .recognizers, since: nil)
        guard case .entries(let none, _) = others else {
            Issue.record("no entries came")
            return
        }
        #expect(none.isEmpty)
    }

    @Test(
        "says why it cannot be asked",
        arguments: [
            (
                "status=403,spent=1795257000",
                ModelDownloadError.tooManyRequests(host: "127.0.0.1", wait: .seconds(1_800))
            ),
            ("status=429,retry=30", .tooManyRequests(host: "127.0.0.1", wait: .seconds(30))),
            ("status=404", .notThere("tts-models list")), ("status=500", .serverFailed(host: "127.0.0.1", status: 500)),
            ("html", .badCatalogue(host: "127.0.0.1")), ("silent", .stalled(host: "127.0.0.1")),
            ("stall=100", .stalled(host: "127.0.0.1")), ("cut=100", .unreachable(host: "127.0.0.1")),
        ]
    )
    func refused(scenario: String, error: ModelDownloadError) async throws {
        let server = try Self.server.get()
        await #expect(throws: error) {
            try await catalogue(at: server.address(scenario)).entries(of: .voices, since: nil)
        }
    }

    @Test(
        "comes from a name of this machine without anybody's name server",
        arguments: ["speech.localhost", "localhost."]
    )
    func ownName(host: String) async throws {
        let server = try Self.server.get()
        let scenario = ArchiveServer.scenario("named")
        let mirror = try catalogue(at: "http://\(host):\(server.ports.http)/\(scenario)")
        guard case .entries(let entries, _) = try await mirror.entries(of: .voices, since: nil) else {
            Issue.record("there is no list")
            return
        }
        #expect(!entries.isEmpty)
        #expect(try server.requests(scenario).count == 1)
    }

    @Test(
        "takes no list that is none",
        arguments: ["", "null", "[]", "{\"assets\":{}}", "{\"assets\":[1]}", "{\"message\":\"Not Found\"}"]
    )
    func garbage(json: String) {
        #expect(throws: ModelDownloadError.badCatalogue(host: "example.org")) {
            try ReleaseList(Data(json.utf8), of: .voices, from: "example.org")
        }
    }

    @Test("leaves out what cannot be an archive of a voice")
    func strange() throws {
        let names = [
            "vits-piper-en_US-a-low.tar.bz2", "vits-piper-en_US-a-low.tar.bz2", "../vits-piper-en_US-b-low.tar.bz2",
            "vits-piper-en_US-c/../../d-low.tar.bz2", "vits-piper-en_US-e-low.zip", "vits-piper-en_US.tar.bz2",
            "vits-piper-en_US-\\u0000f-low.tar.bz2", "vits-piper-en US-g-low.tar.bz2", "vits-melo-tts-zh_en.tar.bz2",
        ]
        let assets =
            names.map { "{\"name\":\"\($0)\",\"size\":5}" } + [
                "{\"name\":\"vits-piper-en_US-h-low.tar.bz2\",\"size\":-5}",
                "{\"name\":\"vits-piper-en_US-i-low.tar.bz2\",\"size\":99999999999999}",
                "{\"name\":\"vits-piper-en_US-j-low.tar.bz2\",\"state\":\"starter\"}",
                "{\"name\":\"vits-piper-en_US-k-low.tar.bz2\",\"digest\":\"md5:12\"}",
            ]
        let json = "{\"assets\":[\(assets.joined(separator: ","))]}"
        let entries = try ReleaseList(Data(json.utf8), of: .voices, from: "example.org").entries
        #expect(entries.map(\.name) == ["a", "k"])
        #expect(entries.map(\.archiveBytes) == [5, nil] && entries.allSatisfy { $0.sha256 == nil })
    }

    @Test("is remembered in a file, and one that is damaged is as none")
    func memory() async throws {
        let folder = TemporaryFolder()
        let path = folder("voices")
        try await verifyContract(of: CatalogueFile(folder: path), reopened: CatalogueFile(folder: path))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [".tts-models.json"])
        for damage in ["", "{", "{\"entries\":[{\"id\":\"../x\"}]}"] {
            try Data(damage.utf8).write(to: URL(filePath: path + "/.tts-models.json"))
            #expect(await CatalogueFile(folder: path).remembered(.voices) == nil)
        }
        let escaping = CatalogueEntry(id: .init(rawValue: "../x"), kind: .piperVoice, language: "en", name: "x")
        let memory = CatalogueFile(folder: path)
        try await memory.remember(.init(entries: [escaping], version: nil, refreshedAt: 0), of: .voices)
        #expect(await memory.remembered(.voices) == nil, "ids are file names, whoever wrote them down")
    }
}
