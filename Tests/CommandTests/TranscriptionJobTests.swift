import EchoText
import EchoTextTesting
import Foundation
import Testing

/// Faults of services, as `Tests/Fixtures/transcription-server.py` simulates them, and their effect on transcriptions.
@Suite("echotext jobs", .endsInTime)
struct TranscriptionJobTests {
    private struct Unfinished: Decodable {
        struct Job: Decodable {
            struct Failure: Decodable { let code: String }

            let id: String
            let state: String
            let recognizer: String
            let name: String
            let tries: Int
            let failure: Failure?
        }

        let transcriptions: [Job]
    }

    private func jobs(_ home: TranscriptionHome) async throws -> [Unfinished.Job] {
        try await home.json(Unfinished.self, "jobs", "list").transcriptions
    }

    @Test(
        "AT5, AT6: a service that answers late, or is well again, has its transcript in the end",
        arguments: [
            ("good", 1), ("slow=1500", 1), ("status=429,retry=1,times=1", 2), ("status=500,times=2", 3),
            ("cut=10,times=1", 2), ("close,times=1", 2),
        ]
    )
    func passing(words: String, tries: Int) async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("\(words),key=sk-secret")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            let said = try await home.succeed("transcribe", "talk.wav", "--service", "remote/office")
            #expect(said.contains("Hello, world."))
            // Two stretches of speech are two requests at once.
            let requests = try server.requests(scenario)
            #expect(requests.count >= tries && requests.count <= 2 * tries, "\(requests.count)")
            #expect(try await jobs(home).isEmpty)
        }
    }

    @Test(
        "AT6, AT10: what no further try can change is not tried again, and the job says why",
        arguments: [
            ("status=401", "service.key-refused"), ("garbage", "service.bad-answer"), ("wrong", "service.bad-answer"),
            ("status=402", "service.quota-spent"), ("status=404", "service.not-there"),
        ]
    )
    func staying(words: String, code: String) async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario(words)
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            let outcome = try await home.run("transcribe", "talk.wav", "--service", "office", "--json")
            #expect(outcome.status == 69, "\(outcome.errors)")
            #expect(outcome.code == code, "\(outcome.text)")
            #expect(try server.requests(scenario).count <= 2, "a request for each clip at most")
            let job = try #require(try await jobs(home).first)
            #expect(job.name == "talk", "\(job)")
            #expect(job.state == "failed" && job.failure?.code == code)
            #expect(try await home.succeed("jobs", "show").contains("failed"))
            #expect(try await home.home.names() == ["talk"], "the recording is kept")
        }
    }

    @Test("AT5, AT6: the next recognizer of the person's order hears what the first cannot")
    func fallback() async throws {
        struct Version: Decodable { let recognizer: String? }
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("status=401")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            try await home.succeed("recognizers", "select", "remote/office", "nemo-ctc-fixture-en")
            let outcome = try await home.run("transcribe", "talk.wav")
            #expect(outcome.status == 0 && outcome.text == "good morning\n\nlittle bird\n", "\(outcome.errors)")
            #expect(outcome.errors.contains("\(TranscriptionHome.recognizer) was asked instead"), "\(outcome.errors)")
            #expect(try !server.requests(scenario).isEmpty)
            let versions = try await home.json([Version].self, "transcripts", "list", "talk")
            #expect(versions.map(\.recognizer) == [TranscriptionHome.recognizer])
            struct Notice: Decodable { let message: String }
            struct Written: Decodable { let notices: [Notice] }
            let again = try await home.json(Written.self, "transcribe", "talk")
            let said = again.notices.map(\.message)
            #expect(said.contains { $0.hasSuffix("\(TranscriptionHome.recognizer) was asked instead") }, "\(said)")
        }
    }

    @Test("AT5: without leave nothing is sent; the transcription waits among the jobs")
    func consent() async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("good")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            try await home.succeed("settings", "set", "transcription.consent", "each-time")
            let outcome = try await home.run("transcribe", "talk.wav", "--service", "office")
            #expect(outcome.status != 0 && outcome.errors.contains("was not allowed"), "\(outcome.errors)")
            #expect(try server.requests(scenario).isEmpty)
            #expect(try await jobs(home).map(\.state) == ["cancelled"])
            let again = try await home.run("jobs", "retry", "--offline", "--json")
            #expect(again.code == "service.offline", "\(again.text)")
            #expect(try server.requests(scenario).isEmpty)
        }
    }

    @Test(
        "AT5: a sending ends when another command forbids it",
        arguments: [
            (["settings", "set", "outbound.offline", "on"], "service.offline"),
            (["settings", "set", "transcription.consent", "each-time"], "service.not-allowed"),
            (["recognizers", "service", "remove", "office", "--yes"], "service.changed"),
        ]
    )
    func forbidden(change: [String], code: String) async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("gate")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            let transcribing = home.program(["transcribe", "talk.wav", "--service", "office", "--json"])
            let outcome = try await transcribing.run { running in
                try await waitUntil("the service is asked", while: !running.hasEnded) {
                    try !server.requests(scenario).isEmpty
                }
                _ = try await home.program(change).succeed()
            }
            #expect(outcome.code == code, "\(outcome.text) \(outcome.errors)")
            #expect(try server.requests(scenario).count <= 2, "a request for each clip at most")
            try server.openGate(scenario)
        }
    }

    @Test(
        "AT5: a sending by the page's server ends when a command forbids it",
        arguments: [
            (["settings", "set", "outbound.offline", "on"], "service.offline"),
            (["recognizers", "service", "remove", "office", "--yes"], "service.changed"),
        ]
    )
    func forbiddenOnPage(change: [String], code: String) async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("drip=20")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            try await home.program(["transcribe", "talk.wav", "--service", "office"]).run { running in
                try await waitUntil("the service is asked", while: !running.hasEnded) {
                    try !server.requests(scenario).isEmpty
                }
                running.signal(SIGKILL)
            }
            try await waitUntil("it has lost who asked") {
                let counts = try server.counts(scenario)
                return counts.begun == counts.ended
            }
            let begun = try server.counts(scenario).begun
            let outcome = try await home.program(["serve", "--port", "0", "--no-browser"]).run { running in
                try await waitUntil("the page's server asks it", while: !running.hasEnded) {
                    try server.counts(scenario).begun > begun
                }
                _ = try await home.program(change).succeed()
                while try await jobs(home).first?.state != "failed" { try #require(!running.hasEnded) }
                try await waitUntil("its connections are closed", while: !running.hasEnded) {
                    let counts = try server.counts(scenario)
                    return counts.begun == counts.ended
                }
                running.signal(SIGINT)
            }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try server.counts(scenario).begun <= begun + 2, "a request for each clip at most")
            #expect(try await jobs(home).map(\.failure?.code) == [code])
        }
    }

    @Test("AT6, AT9: the page's server ends though a recognizer does not answer, and what it did continues later")
    func stubborn() async throws {
        try await TranscriptionHome.with { home in
            let stretch = Tones.samples("good", "mor", "ning") + [Int16](repeating: 0, count: 3 * Tones.rate)
            let sound = Array(repeating: stretch, count: 60).flatMap(\.self)
            try home.home.folder.write(WAVHeader.file(of: sound, sampleRate: Tones.rate), to: "long.wav")
            let runs: [(arguments: [String], end: Int32)] = [
                (["transcribe", "long.wav", "--service", TranscriptionHome.recognizer], SIGKILL),
                (["serve", "--port", "0", "--no-browser"], SIGINT),
            ]
            for (arguments, end) in runs {
                var workers: [pid_t] = []
                let outcome = try await home.program(arguments).run { running in
                    try await waitUntil("a recogniser is running", while: !running.hasEnded) {
                        running.descendants.contains { Self.words(of: $0)?.first?.hasSuffix("/echotext") == true }
                    }
                    // Its own process and those that confine it.
                    workers = running.descendants.filter { Self.words(of: $0) != nil }
                    for worker in workers { kill(worker, SIGSTOP) }
                    running.signal(end)
                }
                #expect(outcome.status == (end == SIGKILL ? 128 + SIGKILL : 0), "\(outcome.errors)")
                try await waitUntil("its recogniser has ended, too") { !workers.contains(where: isAlive) }
            }
            let left = try await jobs(home)
            #expect(left.map(\.name) == ["long"] && left.first?.state != "failed", "\(left)")
            #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
            #expect(try await home.succeed("jobs", "retry").contains("good morning"), "no lock is held")
        }
    }

    /// The command of a process, if that is a recognizer or confines one.
    private static func words(of pid: pid_t) -> [String]? {
        let words = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline")?.split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
        return words.flatMap { $0.contains("recognizer") ? $0 : nil }
    }

    @Test("AT6, AT9: one that is killed is there afterwards, and continues", arguments: [SIGKILL, SIGINT])
    func stopped(_ signal: Int32) async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("gate")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            let outcome = try await home.program(["transcribe", "talk.wav", "--service", "office"]).run { running in
                try await waitUntil("the service is asked", while: !running.hasEnded) {
                    try !server.requests(scenario).isEmpty
                }
                running.signal(signal)
            }
            #expect(outcome.status == (signal == SIGINT ? 130 : 128 + signal), "\(outcome.errors)")
            if signal == SIGINT { #expect(outcome.errors.contains("jobs retry")) }
            let job = try #require(try await jobs(home).first)
            #expect(!["failed", "cancelled"].contains(job.state), "\(job.state)")
            try server.openGate(scenario)
            let said = try await home.succeed("jobs", "retry", String(job.id.prefix(8)))
            #expect(said.contains("Hello, world."))
            #expect(try await jobs(home).isEmpty)
            #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
        }
    }

    @Test("AT6: one that has ended the program twice is given up, the next one continues, and it is tried again")
    func endsProgram() async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("gate")
        try await TranscriptionHome.with { home in
            try await home.addService(server, scenario)
            // Each has a single stretch of speech, which is one request for each start.
            let sounds = [Tones.samples("good", "mor", "ning"), Tones.samples("li", "ttle", "bird")]
            for (name, sound) in zip(["first", "second"], sounds) {
                try home.home.folder.write(WAVHeader.file(of: sound, sampleRate: Tones.rate), to: "\(name).wav")
            }
            let serve = ["serve", "--port", "0", "--no-browser"]
            let runs: [(arguments: [String], end: Int32)] = [
                (["transcribe", "first.wav", "--service", "office"], SIGKILL),
                (["transcribe", "second.wav", "--service", "office"], SIGKILL),
                (serve, SIGKILL), (serve, SIGINT),
            ]
            for (number, (arguments, end)) in runs.enumerated() {
                let outcome = try await home.program(arguments).run { running in
                    try await waitUntil("the service is asked by \(arguments)", while: !running.hasEnded) {
                        try server.requests(scenario).count > number
                    }
                    running.signal(end)
                }
                #expect(outcome.status == (end == SIGKILL ? 128 + SIGKILL : 0), "\(outcome.errors)")
            }
            let left = try await jobs(home)
            #expect(left.map { $0.state == "failed" } == [true, false], "\(left.map(\.state))")
            #expect(left.map(\.failure?.code) == ["transcription.ended-program", nil])
            let shown = try await home.succeed("jobs", "show", String(left[0].id.prefix(8)))
            #expect(shown.contains("ended twice"), "\(shown)")
            try server.openGate(scenario)
            for job in left {
                #expect(try await home.succeed("jobs", "retry", String(job.id.prefix(8))).contains("Hello, world."))
            }
            #expect(try await jobs(home).isEmpty)
        }
    }

    @Test("are cancelled, tried again and forgotten, and unknown ones refused")
    func changed() async throws {
        let server = try TranscriptionServer()
        let scenario = TranscriptionServer.scenario("status=401,times=1")
        try await TranscriptionHome.with { home in
            #expect(try await jobs(home).isEmpty)
            for command in ["show", "retry", "cancel", "delete"] {
                let outcome = try await home.run("jobs", command, "--json")
                #expect(outcome.status == 66 && outcome.code == "transcription.job-not-found", "\(command)")
            }
            try await home.addService(server, scenario)
            #expect(try await home.run("transcribe", "talk.wav", "--service", "office").status == 69)
            try await home.succeed("jobs", "cancel")
            #expect(try await jobs(home).map(\.state) == ["cancelled"])
            #expect(try await home.succeed("jobs", "retry").contains("Hello, world."))
            #expect(try await jobs(home).isEmpty)

            try await home.addService(server, TranscriptionServer.scenario("status=401"))
            #expect(try await home.run("transcribe", "talk", "--service", "office").status == 69)
            #expect(try await home.run("jobs", "delete", "--json").code == "command.not-confirmed")
            try await home.succeed("jobs", "delete", "--yes")
            #expect(try await jobs(home).isEmpty)
            #expect(try await home.home.names() == ["talk"])
        }
    }
}
