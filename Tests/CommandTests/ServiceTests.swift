import EchoTextTesting
import Foundation
import Testing

@Suite("echotext, transcription services and connections", .endsInTime)
struct ServiceTests {
    private func add(_ home: LibraryHome, _ address: String, secrets: [String] = ["sk-secret"]) async throws {
        try await home.succeed(
            "recognizers",
            "service",
            "add",
            "office",
            "--address",
            address,
            "--model",
            "whisper-1",
            "--key-fd",
            "3",
            secrets: secrets
        )
    }

    private func records(_ home: LibraryHome) async throws -> [[String: Any]] {
        let text = try await home.succeed("outbound", "log", "--json")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    }

    @Test func `are added with a key that no output and no file shows, and removed`() async throws {
        try await LibraryHome.with { home in
            try await add(home, "https://speech.example.org/v1")
            for arguments in [["list"], ["list", "--json"]] {
                let shown = try await home.program(["recognizers", "service"] + arguments).run()
                #expect(shown.text.contains("office") && shown.text.contains("speech.example.org"), "\(shown.errors)")
                #expect(!shown.text.contains("secret") && !shown.errors.contains("secret"))
            }
            let listed = try await home.succeed("recognizers", "service", "list", "--json")
            let rows = try JSONSerialization.jsonObject(with: Data(listed.utf8)) as? [[String: Any]]
            #expect(rows?.first?["isOnThisMachine"] as? Bool == false)
            #expect((rows?.first?["trial"] as? [String: Any])?["host"] as? String == "speech.example.org")
            let files = FileManager.default.enumerator(atPath: home.folder.path)?.compactMap { $0 as? String } ?? []
            for file in files {
                // An entry that is not a file has no content.
                guard let content = FileManager.default.contents(atPath: home.folder(file)) else { continue }
                #expect(content.range(of: Data("sk-secret".utf8)) == nil, "\(file)")
            }
            let unsure = try await home.run("recognizers", "service", "remove", "office")
            #expect(unsure.status != 0, "nobody can be asked")
            try await home.succeed("recognizers", "service", "remove", "office", "--yes")
            #expect(try await home.succeed("recognizers", "service", "list", "--json").contains("[\n\n]"))
        }
    }

    @Test func `are tried with leave only, and every sending is listed`() async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("key=sk-secret,text=Ding.")
        try await LibraryHome.with { home in
            try await add(home, server.address(scenario))
            let unasked = try await home.run("recognizers", "service", "try", "office", "--json")
            #expect(unasked.status != 0 && unasked.text.contains("not-confirmed"), "\(unasked.text)")
            #expect(try server.requests(scenario).isEmpty)
            #expect(try await records(home).isEmpty)
            let tried = try await home.succeed("recognizers", "service", "try", "office", "--yes", "--json")
            #expect(tried.contains("Ding."), "\(tried)")
            let seen = try #require(try server.requests(scenario).first)
            #expect(seen.seconds == 1 && seen.authorization == "Bearer sk-secret")
            let record = try #require(try await records(home).first)
            #expect(record["host"] as? String == "127.0.0.1:\(server.port)" && record["seconds"] as? Double == 1)
            #expect(record["purpose"] as? String == "transcription" && record["outcome"] as? String == "answered")
        }
    }

    @Test func `get nothing offline, by option, setting and environment`() async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("offline")
        try await LibraryHome.with { home in
            try await add(home, server.address(scenario))
            let attempt = ["recognizers", "service", "try", "office", "--yes", "--json"]
            var closed = home.program(attempt)
            closed.environment["ECHOTEXT_OFFLINE"] = "1"
            var outcomes = [try await home.program(attempt + ["--offline"]).run(), try await closed.run()]
            try await home.succeed("settings", "set", "outbound.offline", "on")
            outcomes.append(try await home.program(attempt).run())
            #expect(outcomes.allSatisfy { $0.status != 0 && $0.text.contains("service.offline") })
            #expect(try server.requests(scenario).isEmpty)
            #expect(try await records(home).isEmpty)
        }
    }

    @Test func `are listed with downloads that were made while the library was locked`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            // A library that is not there yet takes over no connections.
            try await voices.succeed("library", "list")
            try await voices.succeed("voices", "available", "--refresh", "--from", server.address())
            let first = try await records(voices.home)
            #expect(first.map { $0["purpose"] as? String } == ["catalogue"], "\(first)")
            _ = try await voices.home.setPasscode("4071")
            try await voices.succeed("vault", "lock")
            var locked = voices.program(["voices", "available", "--refresh", "--from", server.address()])
            locked.environment["ECHOTEXT_OFFLINE"] = "0"
            let refreshed = try await locked.run()
            #expect(refreshed.status == 0, "\(refreshed.errors)")
            let noted = try await voices.program(["outbound", "log", "--json"]).run()
            #expect(noted.errors.contains("not open"), "\(noted.errors)")
            let hosts = noted.text.components(separatedBy: "\"host\"").count - 1
            #expect(noted.text.contains("\"answered\"") && hosts == 1, "\(noted.text)")
            locked.environment["ECHOTEXT_OFFLINE"] = "1"
            #expect(try await locked.run().text.isEmpty, "locked and offline")
            _ = try await voices.home.succeed("vault", "unlock", "--passcode-fd", "3", secrets: ["4071"])
            #expect(try await records(voices.home).count == 2, "both, each once")
            #expect(try await records(voices.home).count == 2)
        }
    }
}
