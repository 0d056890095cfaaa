import EchoTextTesting
import Foundation
import Testing

@Suite("echotext, downloaded voices", .endsInTime)
struct ModelDownloadTests {
    private let id = VoiceHome.id
    private let entry = VoiceHome.folderName

    /// The fixture voice in the list of available voices.
    private func offered(in voices: VoiceHome, from address: String, _ more: String...) async throws -> [String:
        Any]
    {
        let outcome = try await voices.program(["voices", "available", "--json", "--from", address] + more).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
        return try #require(rows.first { $0["id"] as? String == id })
    }

    @Test func `for which no checksum is known say so before they are asked for`() async throws {
        try await VoiceHome.with { voices in
            let outcome = try await voices.run(
                "voices",
                "download",
                "en_US-lessac-medium",
                "--from",
                "http://127.0.0.1:1/"
            )
            #expect(outcome.status != 0)
            #expect(
                outcome.errors.hasPrefix("echotext: note: no checksum is known of piper/en_US-lessac-medium"),
                "\(outcome.errors)"
            )
        }
    }

    @Test func `are found, downloaded, selected, heard and removed`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            let unknown = try await voices.run("voices", "download", id, "--from", server.address())
            #expect(unknown.status == 69 && unknown.errors.contains("no voice called"), "\(unknown.errors)")
            let offered = try await offered(in: voices, from: server.address(), "--refresh")
            #expect(offered["availability"] as? String == "absent" && offered["archiveSize"] as? Int ?? 0 > 100_000)

            let outcome = try await voices.run(
                "voices",
                "download",
                "en_US-fixture-low",
                "--from",
                server.address(),
                "--select",
                "--json"
            )
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains(#""id" : "\#(id)""#) && outcome.errors.isEmpty)
            let names = voices.names.filter { !$0.hasPrefix(".") }
            #expect(names == [entry], "the archive goes")
            let shown = try await voices.object("voices", "show", id)
            #expect((shown["url"] as? String)?.hasSuffix("\(entry).tar.bz2") == true)
            #expect((shown["sha256"] as? String)?.count == 64)
            let here = try await self.offered(in: voices, from: server.address())
            #expect(here["availability"] as? String == "ready" && here["isSelected"] as? Bool == true)
            let listed = try await voices.installed().first { $0["id"] as? String == id }
            #expect(listed?["entry"] as? String == entry && listed?["name"] as? String == here["name"] as? String)

            let spoken = try await voices.object("speak", "Hello.", "-o", "a.wav")
            #expect(spoken["voice"] as? String == id)
            try await voices.succeed("voices", "remove", id, "--yes")
            let gone = try await self.offered(in: voices, from: server.address())
            #expect(gone["availability"] as? String == "absent")
        }
    }

    @Test func `are resumed after Ctrl-C where they were`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            let partial = "\(voices.folder)/\(entry).partial"
            let stopped = try await voices.program(
                ["voices", "download", id, "--from", server.address("stall=100000")]
            ).run { running in
                await running.untilThere(partial, bytes: 100_000)
                running.signal(SIGINT)
            }
            #expect(stopped.status == 130, "\(stopped.errors)")
            let left = try await offered(in: voices, from: server.address())
            let download = try #require(left["download"] as? [String: Any], "\(left)")
            #expect(download["state"] as? String == "paused" && download["bytes"] as? Int == 100_000, "\(left)")
            try await voices.succeed("voices", "download", id, "--from", server.address())
            #expect(try await voices.installed().count == 1)
            #expect(voices.names.filter { !$0.hasPrefix(".") } == [entry], "nothing of it is left")
        }
    }

    @Test func `are discarded after Ctrl-C by a command, which says how much had arrived`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            let partial = "\(voices.folder)/\(entry).partial"
            let stopped = try await voices.program(
                ["voices", "download", id, "--from", server.address("stall=100000")]
            ).run { running in
                await running.untilThere(partial, bytes: 100_000)
                running.signal(SIGINT)
            }
            #expect(stopped.status == 130, "\(stopped.errors)")
            let discarded = try await voices.run("voices", "discard", id, "--json")
            let rows = try #require(try JSONSerialization.jsonObject(with: discarded.output) as? [[String: Any]])
            #expect(rows.map { $0["entry"] as? String } == [entry] && rows.map { $0["bytes"] as? Int } == [100_000])
            #expect(voices.names.filter { !$0.hasPrefix(".") }.isEmpty, "\(voices.names)")
            let again = try await voices.run("voices", "discard", id)
            #expect(again.status == 0 && again.errors.contains("nothing had arrived"), "\(again.errors)")
            #expect(try await voices.run("voices", "discard", "piper/none").status == 69)
        }
    }

    /// Behaviors of a server, and the resulting ends of downloads.
    static let refusals: [(scenario: String, code: String, status: Int32)] = [
        ("status=404", "download.not-there", 69), ("html", "download.wrong-content", 65),
        ("status=403", "download.refused", 69),
    ]

    @Test(arguments: refusals)
    func `that fail are reported with a code`(refusal: (scenario: String, code: String, status: Int32))
        async throws
    {
        let (scenario, code, status) = refusal
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            let outcome = try await voices.run("voices", "download", id, "--from", server.address(scenario), "--json")
            #expect(outcome.status == status && outcome.text.contains(code), "\(outcome.text)")
            #expect(try await voices.installed().isEmpty)
        }
    }

    @Test func `are reported in one document, successes and failures`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            let (amy, ryan) = ("piper/en_US-amy-medium", "piper/en_US-ryan-medium")
            let names = [amy, id, ryan]
            let outcome = try await voices.program(
                ["voices", "download"] + names + ["--from", server.address(), "--json"]
            ).run()
            #expect(outcome.status == 69)
            let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
            #expect((report["voices"] as? [[String: Any]])?.map { $0["id"] as? String } == [id])
            let failures = report["failures"] as? [[String: Any]] ?? []
            #expect(failures.map { $0["voice"] as? String } == [amy, ryan])
            #expect(failures.allSatisfy { $0["code"] as? String == "download.not-there" })
            #expect([amy, ryan].allSatisfy(outcome.errors.contains), "each is said: \(outcome.errors)")
        }
    }

    @Test func `are reported though the one that was installed could not be selected`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            _ = try await voices.home.setPasscode("4071")
            try await voices.succeed("vault", "lock")
            let amy = "piper/en_US-amy-medium"
            var program = voices.program(
                ["voices", "download", id, amy, "--select", "--from", server.address(), "--json"]
            )
            // A locked library may forbid every connection, so it has to be allowed here.
            program.environment["ECHOTEXT_OFFLINE"] = "0"
            let outcome = try await program.run()
            #expect(outcome.status != 0)
            let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
            let installed = report["voices"] as? [[String: Any]] ?? []
            #expect(installed.map { $0["id"] as? String } == [id])
            let failures = report["failures"] as? [[String: Any]] ?? []
            #expect(failures.map { $0["voice"] as? String } == [amy, id])
            #expect(failures.map { $0["code"] as? String } == ["download.not-there", "vault.locked"])
        }
    }

    @Test func `are refused offline, and nothing is asked`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            let before = try server.requests().count
            for arguments in [
                ["voices", "download", id, "--offline"], ["voices", "available", "--refresh", "--offline"],
            ] {
                let outcome = try await voices.program(arguments + ["--json", "--from", server.address()]).run()
                #expect(outcome.status == 69 && outcome.text.contains("outbound.offline"), "\(outcome.text)")
            }
            var program = voices.program(["voices", "download", id, "--from", server.address()])
            program.environment["ECHOTEXT_OFFLINE"] = "1"
            #expect(try await program.run().status == 69)
            #expect(try server.requests().count == before, "nothing connects")
        }
    }

    @Test(arguments: [false, true])
    func `end when another command forbids all connections`(hasLibrary: Bool) async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            _ = try await offered(in: voices, from: server.address(), "--refresh")
            // Otherwise the other command makes the library.
            if hasLibrary { try await voices.succeed("settings", "set", "outbound.offline", "off") }
            let partial = "\(voices.folder)/\(entry).partial"
            let address = server.address(ArchiveServer.scenario("stall=100000"))
            let outcome = try await voices.program(["voices", "download", id, "--from", address, "--json"]).run {
                running in
                await running.untilThere(partial, bytes: 100_000)
                try await voices.succeed("settings", "set", "outbound.offline", "on")
            }
            #expect(outcome.status == 69 && outcome.text.contains("outbound.offline"), "\(outcome.text)")
            #expect(try await voices.installed().isEmpty)
        }
    }

    @Test func `are not asked for while the library that may forbid it is locked`() async throws {
        let server = try ArchiveServer.withFixture()
        try await VoiceHome.with { voices in
            try await voices.succeed("settings", "set", "outbound.offline", "on")
            _ = try await voices.home.setPasscode("4071")
            try await voices.succeed("vault", "lock")
            for arguments in [
                ["voices", "available", "--refresh"], ["voices", "download", id],
                ["voices", "download", id, "--from", server.address()],
            ] {
                let outcome = try await voices.program(arguments).run()
                #expect(outcome.status == 77, "\(arguments): \(outcome.errors)")
            }
            #expect(try server.requests().isEmpty)
            try await voices.succeed("voices", "available", "fixture")
            var program = voices.program(["voices", "available", "--refresh", "--from", server.address()])
            program.environment["ECHOTEXT_OFFLINE"] = "0"
            #expect(try await program.run().status == 0)
        }
    }

    @Test(.enabled(if: canLeaveNetwork, "needs unshare -rn"))
    func `come from a folder on a machine without a network`() async throws {
        try await VoiceHome.with { voices in
            let stick = voices.home.folder("stick")
            try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: false)
            try FileManager.default.copyItem(atPath: VoiceHome.archive, toPath: "\(stick)/\(entry).tar.bz2")
            for arguments in [
                ["voices", "available", "--refresh", "--offline", "--from", stick],
                ["voices", "download", id, "--offline", "--from", stick, "--select"],
                ["speak", "Hello.", "-o", "a.wav", "--json"],
            ] {
                var program = voices.program(arguments)
                program.tracer = ["/usr/bin/unshare", "-rn"]
                let outcome = try await program.run()
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
                if arguments[0] == "speak" { #expect(outcome.text.contains(id)) }
            }
            #expect(FileManager.default.fileExists(atPath: "\(stick)/\(entry).tar.bz2"), "the stick stays as it is")
        }
    }

    static let canLeaveNetwork: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = ["-rn", "/usr/bin/true"]
        // Not started means not there.
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
