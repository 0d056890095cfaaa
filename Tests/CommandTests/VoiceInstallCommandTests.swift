import AudioFiles
import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("echotext, installed voices", .endsInTime)
struct VoiceInstallCommandTests {
    private let id = VoiceHome.id

    @Test func `are added, listed, shown, heard, selected and removed`() async throws {
        try await VoiceHome.with { voices in
            let added = try await voices.run("voices", "add", VoiceHome.archive)
            #expect(added.status == 0 && added.text == "\(id)\n", "\(added.errors)")
            #expect(added.errors.contains("installed “Fixture”"))
            #expect(FileManager.default.fileExists(atPath: VoiceHome.archive), "the given file stays")

            let listed = try #require(try await voices.installed().first)
            #expect(listed["id"] as? String == id && listed["quality"] as? String == "low")
            #expect(listed["size"] as? Int ?? 0 > 250_000 && listed["speakers"] as? Int == 2)
            #expect((listed["installed"] as? [String: Any])?["bytes"] as? Int == listed["size"] as? Int)
            let shown = try await voices.object("voices", "show", id)
            #expect(shown["folder"] as? String == VoiceHome.folderName)

            try await voices.succeed("voices", "try", id, "-o", "sample.wav")
            let sample = try await SoundFileReader().read(voices.home.folder("sample.wav"), limit: 480_000)
            #expect(sample.sampleRate == 16_000 && sample.level != nil)

            let selected = try await voices.run("voices", "select", "en_US-fixture-low", "--speaker", "high")
            #expect(selected.status == 0, "\(selected.errors)")
            #expect(
                selected.errors.contains("Fixture (\(id)) as high speaks from now on, in the profile “Default”"),
                "\(selected.errors)"
            )
            let profiles = try await voices.run("profiles", "list")
            #expect(profiles.text.contains("1 high") && profiles.text.contains("Fixture"), "\(profiles.text)")
            let nobody = try await voices.run("profiles", "save", "Default", "--speaker", "99")
            #expect(nobody.status == 64 && nobody.errors.contains("no speaker 99"), "\(nobody.errors)")
            let unnamed = try await voices.run("profiles", "save", "Default", "--speaker", "Dora")
            #expect(unnamed.status == 64 && unnamed.errors.contains("low, high"), "\(unnamed.errors)")
            let spoken = try await voices.object("speak", "Hello there.", "-o", "hello.wav")
            #expect(spoken["voice"] as? String == id, "the selected voice speaks when none is named: \(spoken)")
            #expect(try await voices.installed().first?["isSelected"] as? Bool == true)

            try await voices.succeed("speak", "Hello there.", "--save", "--name", "Kept")
            #expect(try await voices.installed().first?["lastUsed"] is String)

            let refused = try await voices.run("voices", "remove", id)
            #expect(refused.status == 1 && voices.names == [VoiceHome.folderName], "it asks first")
            let removed = try await voices.run("voices", "remove", id, "--yes", "--json")
            #expect(removed.status == 0 && removed.errors.contains("espeak/en-US"), "\(removed.errors)")
            #expect(voices.names.isEmpty)
            #expect(try await voices.installed().isEmpty)
        }
    }

    @Test func `are made of a model as Piper publishes it`() async throws {
        try await VoiceHome.with { voices in
            let source = voices.home.folder("piper")
            try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: false)
            let name = "en_US-fixture-low"
            let model = try Data(contentsOf: URL(filePath: "\(Fixtures.voice)/\(name).onnx"))
            let notes = try #require(model.range(of: Data("model_type".utf8), options: .backwards))
            // The first note begins with its field, its length, and its key's field and length.
            let bare = model[..<(notes.lowerBound - 4)]
            try Data(bare).write(to: URL(filePath: "\(source)/\(name).onnx"))
            try FileManager.default.copyItem(
                atPath: "\(Fixtures.voice)/\(name).onnx.json",
                toPath: "\(source)/\(name).onnx.json"
            )
            let before = try await voices.run("speak", "Hello.", "--voice", source, "-o", "a.wav")
            #expect(before.status != 0, "as it is, it cannot speak")
            try await voices.succeed("voices", "add", "\(source)/\(name).onnx", "--select")
            try await voices.succeed("speak", "Hello.", "--voice", id, "-o", "a.wav")
            #expect(try Data(contentsOf: URL(filePath: "\(source)/\(name).onnx")) == Data(bare), "the given file stays")
            try await voices.succeed("voices", "remove", id, "--yes")
            try await voices.succeed("voices", "add", source)
            #expect(try await voices.installed().count == 1)
        }
    }

    @Test(arguments: [
        ("symbolic-link-out", 65, "voice.forbidden-entry", "passwd"),
        ("parent-path", 65, "voice.forbidden-entry", ".."),
        ("bomb", 65, "voice.bomb", "far more"), ("cut-short", 65, "voice.damaged-archive", "cut short"),
        ("page-of-a-server", 65, "voice.not-an-archive", "not an archive"),
        ("no-voice", 69, "voice.not-a-folder", ".onnx"),
    ])
    func `are not made of hostile archives`(fault: (name: String, status: Int32, code: String, words: String))
        async throws
    {
        try await VoiceHome.with { voices in
            let archive = "\(Fixtures.folder)/archives/bad/\(fault.name).tar.bz2"
            let outcome = try await voices.run("voices", "add", archive, "--json")
            #expect(outcome.status == fault.status && outcome.text.contains(fault.code), "\(outcome.text)")
            #expect(outcome.errors.contains(fault.words), "\(outcome.errors)")
            #expect(voices.names.isEmpty)
        }
    }

    @Test(arguments: [
        "says-silence", "model-cut-short", "model-without-metadata", "tokens-of-another-voice", "no-model",
    ])
    func `are not made of what cannot speak`(fault: String) async throws {
        try await VoiceHome.with { voices in
            let outcome = try await voices.run("voices", "add", "\(Fixtures.folder)/bad/\(fault)")
            #expect([65, 69].contains(outcome.status), "\(outcome.errors)")
            #expect(outcome.errors.contains("error: ") && outcome.errors.contains("hint: "))
            #expect(voices.names.isEmpty)
        }
    }

    @Test func `that are missing or were changed are reported and replaced by the standard one`() async throws {
        try await VoiceHome.with { voices in
            try await voices.succeed("voices", "add", VoiceHome.archive, "--select")
            try await voices.succeed("voices", "list")
            let folder = "\(voices.folder)/\(VoiceHome.folderName)"

            let tokens = try Data(contentsOf: URL(filePath: "\(folder)/tokens.txt"))
            try (tokens + Data("\n".utf8)).write(to: URL(filePath: "\(folder)/tokens.txt"))
            let changed = try await voices.run("speak", "Hello.", "-o", "a.wav", "--json")
            #expect(changed.status == 0 && changed.text.contains("espeak/en-US"), "\(changed.text)")
            #expect(changed.errors.contains("has changed"), "\(changed.errors)")
            let named = try await voices.run("speak", "Hello.", "--voice", id, "-o", "b.wav")
            #expect(named.status == 69 && named.errors.contains("“tokens.txt” has changed"), "\(named.errors)")
            let row = try #require(try await voices.installed().first)
            #expect((row["problem"] as? [String: Any])?["code"] as? String == "voice.altered")

            try FileManager.default.removeItem(atPath: folder)
            for look in [["show", "espeak/en-US"], ["available", "fixture"]] {
                let outcome = try await voices.program(["voices"] + look).run()
                #expect(outcome.status == 0 && !outcome.errors.contains("not there any more"), "\(outcome.errors)")
            }
            let gone = try await voices.run("voices", "list", "--installed")
            #expect(gone.errors.contains("not there any more"), "\(gone.errors)")
            let again = try await voices.run("voices", "list", "--installed")
            #expect(!again.errors.contains("not there any more"), "it is reported once")
            let spoken = try await voices.run("speak", "Hello.", "-o", "c.wav")
            #expect(spoken.status == 0 && spoken.errors.contains("speaks instead"), "\(spoken.errors)")
            try await voices.succeed("voices", "add", VoiceHome.archive)
            let whole = try await voices.run("speak", "Hello.", "-o", "d.wav", "--json")
            #expect(whole.text.contains(id) && whole.errors.isEmpty, "\(whole.errors)")
        }
    }

    @Test func `of which the model is gone are reported by name, and can be removed`() async throws {
        try await VoiceHome.with { voices in
            try await voices.succeed("voices", "add", VoiceHome.archive, "--select")
            try await voices.succeed("voices", "list")
            let folder = "\(voices.folder)/\(VoiceHome.folderName)"
            try FileManager.default.removeItem(atPath: "\(folder)/en_US-fixture-low.onnx")
            for _ in 1...2 {
                let listed = try await voices.run("voices", "list", "--installed")
                let words = "\(id): The voice is incomplete: “en_US-fixture-low.onnx” is missing"
                #expect(listed.errors.contains(words), "\(listed.errors)")
                #expect(listed.text.contains(id) && listed.text.contains("is missing"))
            }
            let spoken = try await voices.run("speak", "Hello.", "--voice", id, "-o", "a.wav", "--json")
            #expect(spoken.status == 69 && spoken.text.contains("voice.missing-file"), "\(spoken.text)")
            let shown = try await voices.object("voices", "show", id)
            #expect(shown["folder"] as? String == VoiceHome.folderName)
            let problem = (shown["voice"] as? [String: Any])?["problem"] as? [String: Any]
            #expect(problem?["code"] as? String == "voice.missing-file")
            try await voices.succeed("voices", "remove", id, "--yes")
            #expect(voices.names.isEmpty)
        }
    }

    @Test func `in a folder of another name are listed, shown and removed by one id, whole or not`() async throws {
        try await VoiceHome.with { voices in
            let folder = "\(voices.folder)/mine"
            try FileManager.default.createDirectory(atPath: voices.folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: Fixtures.voice, toPath: folder)
            for file in [nil, "tokens.txt", "en_US-fixture-low.onnx"] {
                if let file { try FileManager.default.removeItem(atPath: "\(folder)/\(file)") }
                #expect(try await voices.installed().map { $0["id"] as? String } == [id])
                let shown = try await voices.object("voices", "show", id)
                #expect(((shown["voice"] as? [String: Any])?["problem"] is NSNull) == (file == nil))
            }
            try await voices.succeed("voices", "remove", id, "--yes")
            #expect(voices.names.isEmpty)
        }
    }

    @Test func `that were not disabled need no second try`() async throws {
        try await VoiceHome.with { voices in
            try await voices.succeed("voices", "add", VoiceHome.archive)
            let retried = try await voices.run("voices", "retry", id)
            #expect(retried.status == 0 && retried.errors.contains("was not disabled"), "\(retried.errors)")
            #expect(try await voices.run("voices", "retry", "piper/nobody").status == 69)
        }
    }

    @Test func `are never there by half, whenever the program is killed`() async throws {
        let isWhole = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"
        try await VoiceHome.with { voices in
            let clock = ContinuousClock()
            let length = Mutex(Duration.zero)
            // Timed from the start of the program: before that, the run may wait for its turn.
            let first = try await voices.program(["voices", "add", VoiceHome.archive]).run { running in
                let begun = clock.now
                _ = await running.ending.value
                length.withLock { $0 = clock.now - begun }
            }
            try #require(first.status == 0, "\(first.errors)")
            var whole = length.withLock(\.self)
            try await voices.succeed("voices", "remove", id, "--yes")
            var random = SeededNumbers(seed: 20_261_121)
            var installed = 0
            let count = isWhole ? 300 : 15
            for moment in 0..<count {
                // A kill in each part of the installation, and the last ones after its end.
                let delay = whole * (1.1 * (Double(moment) + Double.random(in: 0..<1, using: &random)) / Double(count))
                let outcome = try await voices.program(["voices", "add", VoiceHome.archive]).run { running in
                    await running.kill(after: delay)
                }
                let visible = voices.names.filter { !$0.hasPrefix(".") }
                #expect(visible.isEmpty || visible == [VoiceHome.folderName], "moment \(moment)")
                #expect(outcome.status != 0 || !visible.isEmpty)
                // How long an installation takes changes with the load; the later moments follow it.
                if outcome.status == 0 {
                    whole = min(whole, delay)
                } else if visible.isEmpty {
                    whole = max(whole, delay)
                }
                // The next start removes what the last one left.
                let rows = try await voices.installed()
                #expect(voices.names == visible, "moment \(moment): nothing is left over")
                #expect(rows.count == visible.count && rows.allSatisfy { $0["problem"] is NSNull }, "moment \(moment)")
                guard !visible.isEmpty else { continue }
                installed += 1
                let shown = try await voices.object("voices", "show", id)
                #expect((shown["voice"] as? [String: Any])?["problem"] is NSNull, "moment \(moment): it is whole")
                if installed == 1 { try await voices.succeed("voices", "try", id, "-o", "a.wav") }
                try await voices.succeed("voices", "remove", id, "--yes")
            }
        }
    }

    @Test func `are asked for with words that help`() async throws {
        try await VoiceHome.with { voices in
            for (arguments, status, words) in [
                (["voices", "remove", "espeak/en-US", "--yes"], 64, "built in"),
                (["voices", "remove", "piper/nobody", "--yes"], 69, "not installed"),
                (["voices", "show", "piper/nobody"], 69, "not installed"),
                (["voices", "try", "piper/nobody", "-o", "a.wav"], 69, "not installed"),
                (["voices", "select", "espeak/en-US", "--speaker", "3"], 64, "no speaker 3"),
                (["voices", "add", "/nowhere/voice.tar.bz2"], 66, "no folder, archive or .onnx"),
            ] as [([String], Int32, String)] {
                let outcome = try await voices.program(arguments).run()
                #expect(outcome.status == status && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
            }
        }
    }
}
