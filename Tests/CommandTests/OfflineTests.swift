import EchoTextTesting
import Foundation
import Testing

/// The program's connections, as the kernel sees them.
@Suite("echotext, offline", .endsInTime)
struct OfflineTests {
    /// Whether a process may have a network namespace without a network.
    private static let hasNamespaces: Bool = {
        let unshare = Process()
        unshare.executableURL = URL(filePath: "/usr/bin/unshare")
        unshare.arguments = ["-rn", "true"]
        unshare.standardError = FileHandle.nullDevice
        // Without unshare there are no namespaces either.
        guard (try? unshare.run()) != nil else { return false }
        unshare.waitUntilExit()
        return unshare.terminationStatus == 0
    }()

    /// A folder of archives, as on a stick.
    private static let stick = "\(Fixtures.folder)/archives/good"

    /// Calls of the network that a run has made, its children's too.
    private func connections(
        _ voices: VoiceHome,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (Program.Outcome, [String]) {
        let log = voices.home.folder("trace")
        var program = voices.program(arguments)
        program.environment.merge(environment) { _, new in new }
        program.tracer = ["/usr/bin/strace", "-f", "-qq", "-e", "signal=none", "-e", "trace=%network", "-o", log]
        program.limit = .seconds(120)
        let outcome = try await program.run()
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        return (outcome, lines.filter { $0.contains("AF_INET") || $0.contains("sin_port") })
    }

    @Test(
        "connects to nothing with --offline, and says so",
        .enabled(if: Program.hasTracer, "needs the package strace")
    )
    func refuses() async throws {
        try await VoiceHome.with { voices in
            for arguments in [
                ["voices", "download", "en_US-lessac-medium", "--offline"],
                ["voices", "available", "--refresh", "--offline"],
                ["voices", "download", "en_US-lessac-medium", "--offline", "--from", "http://127.0.0.1:1/"],
            ] {
                let (outcome, calls) = try await connections(voices, arguments + ["--json"])
                #expect(outcome.status != 0 && outcome.text.contains("outbound.offline"), "\(outcome.text)")
                #expect(outcome.errors.contains("offline"), "\(outcome.errors)")
                #expect(calls.isEmpty, "\(arguments): \(calls)")
            }
            try await voices.succeed("settings", "set", "outbound.offline", "on")
            let (outcome, calls) = try await connections(
                voices,
                ["voices", "download", "en_US-lessac-medium", "--json"]
            )
            #expect(outcome.status != 0 && outcome.text.contains("outbound.offline"), "the setting says it too")
            #expect(calls.isEmpty)
        }
    }

    @Test("connects when it is asked to, and only then", .enabled(if: Program.hasTracer, "needs the package strace"))
    func connects() async throws {
        try await VoiceHome.with { voices in
            // Nobody listens there: the attempt shows that the trace works.
            let address = ["--from", "http://127.0.0.1:1/"]
            let (asked, calls) = try await connections(
                voices,
                ["voices", "available", "--refresh", "--json"] + address
            )
            #expect(asked.status != 0 && asked.text.contains("download.unreachable"), "\(asked.text)")
            #expect(calls.contains { $0.contains("connect(") && $0.contains("htons(1)") }, "\(calls)")
            for arguments in [
                ["voices", "available", "--json"] + address, ["voices", "list"], ["speak", "Hello.", "-o", "a.wav"],
                ["voices", "available", "--refresh", "--from", Self.stick],
                ["voices", "download", "en_US-fixture-low", "--offline", "--from", Self.stick],
            ] {
                let (outcome, calls) = try await connections(voices, arguments)
                #expect(outcome.status == 0 && calls.isEmpty, "\(arguments): \(outcome.errors) \(calls)")
            }
        }
    }

    @Test(
        "practises a text, records it and scores it without a connection",
        .enabled(if: Program.hasTracer && SoundCard.isThere, "needs the packages strace and libasound2")
    )
    func practises() async throws {
        try await TranscriptionHome.with { transcription in
            try await transcription.succeed("recognizers", "select", "nemo-ctc-fixture-en")
            let voices = VoiceHome(home: transcription.home)
            let folder = voices.home.folder
            let silence = [Int16](repeating: 0, count: 60 * Tones.rate)
            let said = Tones.samples("good", "mor", "ning", "li", "ttle", "bird") + silence
            try folder.write(said.withUnsafeBytes { Data($0) }, to: "microphone")
            let (outcome, calls) = try await connections(
                voices,
                ["practice", "Good morning little bird.", "--record", "--voice", "espeak/en-US", "--factor", "3"],
                environment: [
                    "ALSA_CONFIG_PATH": try SoundCard.microphone(in: folder, hearing: "microphone"),
                    "ECHOTEXT_RECOGNIZERS": folder("recognizers"), "ECHOTEXT_VOICE_ACTIVITY": "/nowhere",
                ]
            )
            #expect(outcome.status == 0 && outcome.text.contains("Takes     1"), "\(outcome.text) \(outcome.errors)")
            #expect(outcome.text.contains("Score     100 %"), "\(outcome.text) \(outcome.errors)")
            #expect(calls.isEmpty, "\(calls)")
        }
    }

    @Test(
        "asks no name server about a name of this machine",
        .enabled(if: Program.hasTracer, "needs the package strace")
    )
    func ownName() async throws {
        try await VoiceHome.with { voices in
            let refresh = ["voices", "available", "--refresh", "--json"]
            for address in ["http://speech.localhost:1/", "http://localhost.:1/"] {
                for isSetting in [false, true] {
                    let (outcome, calls) = try await connections(
                        voices,
                        isSetting ? refresh : refresh + ["--from", address],
                        environment: isSetting ? ["ECHOTEXT_CATALOGUE": address] : [:]
                    )
                    #expect(outcome.text.contains("download.unreachable"), "\(outcome.text)")
                    #expect(calls.contains { $0.contains("htons(1)") && $0.contains("127.0.0.1") }, "\(calls)")
                    #expect(!calls.contains { $0.contains("htons(53)") }, "\(calls)")
                }
            }
        }
    }

    @Test(
        "does all but download where there is no network",
        .enabled(if: hasNamespaces, "needs “unshare -rn”")
    )
    func withoutNetwork() async throws {
        try await VoiceHome.with { voices in
            func alone(_ arguments: String...) async throws -> Program.Outcome {
                var program = voices.program(arguments)
                program.tracer = ["/usr/bin/unshare", "-rn"]
                return try await program.run()
            }
            #expect(try await alone("speak", "Hello.", "-o", "a.wav").status == 0)
            #expect(try await alone("voices", "available", "lessac").text.contains("en_US-lessac-medium"))
            let refused = try await alone("voices", "download", "en_US-lessac-medium", "--json")
            #expect(refused.status != 0 && refused.text.contains("download.unreachable"), "\(refused.text)")
            #expect(refused.errors.contains("github.com") && refused.errors.contains("hint: "), "\(refused.errors)")
            #expect(try await alone("voices", "available", "--refresh", "--from", Self.stick).status == 0)
            let installed = try await alone("voices", "download", "en_US-fixture-low", "--from", Self.stick)
            #expect(installed.status == 0, "\(installed.errors)")
            let spoken = try await alone("speak", "Hello.", "--voice", VoiceHome.id, "-o", "b.wav")
            #expect(spoken.status == 0, "\(spoken.errors)")
        }
    }
}
