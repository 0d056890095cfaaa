import EchoText
import EchoTextTesting
import Foundation
import Glibc
import Synchronization
import Testing

@Suite("echotext recordings import", .endsInTime)
struct RecordingImportTests {
    /// Without −32,768, which is written to files as −32,767.
    private func wave(seconds: Int, rate: Int = 16_000) -> Data {
        WAVHeader.file(of: (0..<seconds * rate).map { Int16(($0 * 31) % 60_001 - 30_000) }, sampleRate: rate)
    }

    /// A long file of silence.
    private func silence(seconds: Int, rate: Int) -> Data {
        let count = 2 * seconds * rate
        return Data(WAVHeader(sampleRate: rate, dataLength: Int64(count)).bytes) + Data(count: count)
    }

    @Test("keeps sound files sample by sample, and skips what is none")
    func imported() async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 65), to: "talk.wav")
        try home.folder.write("This is a letter, whatever its name says.", to: "letter.mp3")
        let outcome = try await home.run("recordings", "import", "talk.wav", "letter.mp3", "none.wav", "--json")
        #expect(outcome.status == 65, "\(outcome.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let recordings = try #require(report["recordings"] as? [[String: Any]])
        let item = try #require(recordings.first?["item"] as? [String: Any])
        #expect((item["name"] as? String, item["origin"] as? String) == ("talk", "imported"))
        #expect(item["duration"] as? Double == 65)
        #expect(recordings.first?["file"] as? String == "talk.wav")
        #expect(item["narration"] is NSNull && item["source"] is [String: Any])
        let failures = try #require(report["failures"] as? [[String: Any]])
        #expect(failures.compactMap { $0["code"] as? String } == ["sound-file.unknown-kind", "text.not-found"])
        try await home.succeed("recordings", "export", "talk", "-o", "again.wav")
        let exported = try home.folder.data(of: "again.wav")
        #expect(exported.suffix(2 * 65 * 16_000) == wave(seconds: 65).dropFirst(44))
        #expect(try await home.run("recordings", "list").text.contains("talk"))
        #expect(home.folder.namesBelow.allSatisfy { !$0.hasSuffix(".partial") && !$0.hasPrefix("tmp/") })
    }

    @Test("says that a text of what nobody has transcribed is empty")
    func untranscribed() async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 1), to: "talk.wav")
        try await home.succeed("recordings", "import", "talk.wav")
        let texts = ["talk.md", "talk.txt", "talk.epub"].map { ["-o", $0] }
        for options in texts + [["-o", "copy.flac", "--captions", "vtt"]] {
            let outcome = try await home.program(["library", "export", "talk"] + options).run()
            #expect(outcome.status == 0 && outcome.errors.contains("has no transcript"), "\(outcome.errors)")
        }
        let sound = try await home.run("library", "export", "talk", "-o", "sound.flac")
        #expect(!sound.errors.contains("transcript"), "\(sound.errors)")
        try await home.succeed("speak", "Some words.", "--save", "--name", "Tale")
        let narrated = try await home.run("library", "export", "Tale", "-o", "tale.md")
        #expect(!narrated.errors.contains("transcript"), "\(narrated.errors)")
    }

    @Test("gives back the very file, beside its sound, and names the recording when it comes again")
    func file() async throws {
        let home = try LibraryHome()
        // The sound that is played would not have this at its end.
        var file = wave(seconds: 3) + Data("LIST".utf8) + Data([4, 0, 0, 0]) + Data("note".utf8)
        let length = UInt32(file.count - 8)
        file.replaceSubrange(4..<8, with: withUnsafeBytes(of: length.littleEndian) { Data($0) })
        try home.folder.write(file, to: "talk.wav")
        let imported = try await home.run("recordings", "import", "talk.wav", "--name", "My talk", "--json")
        #expect(imported.status == 0, "\(imported.errors)")
        #expect(try await home.succeed("recordings", "show", "My talk").contains("file as it came"))
        try await home.succeed("recordings", "export", "My talk", "--as-it-came", "-o", "again.wav")
        #expect(try home.folder.data(of: "again.wav") == file)
        try await home.succeed("recordings", "export", "My talk", "--as-it-came", "-o", "out/")
        #expect(try home.folder.data(of: "out/talk.wav") == file, "under its own name")
        let contradiction = try await home.run("library", "export", "My talk", "--as-it-came", "--text", "-o", "x.wav")
        #expect(contradiction.status == 64)

        let size = try await home.succeed("library", "size", "--json")
        let sizes = try #require(try JSONSerialization.jsonObject(with: Data(size.utf8)) as? [String: Any])
        let kinds = try #require(sizes["kinds"] as? [String: Int])
        #expect(kinds["importedFiles"].map { $0 >= file.count } == true && kinds["documents"] == 0)
        #expect(sizes["total"] as? Int == kinds.values.reduce(0, +))
        #expect(try await home.succeed("library", "size").contains("imported files as they came"))

        let again = try await home.run("recordings", "import", "talk.wav", "--json")
        #expect(again.status == 0, "\(again.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: again.output) as? [String: Any])
        let recording = try #require((report["recordings"] as? [[String: Any]])?.first)
        #expect(recording["isReused"] as? Bool == true)
        #expect((recording["item"] as? [String: Any])?["name"] as? String == "My talk")
        #expect(try await home.names() == ["My talk"])
        let plain = try await home.run("recordings", "import", "talk.wav", "--name", "My talk").errors
        #expect(plain.contains("in the library already") && !plain.contains("note:"), "\(plain)")
        let item = try #require((recording["item"] as? [String: Any])?["id"] as? String)
        let changes = ["--name", "Other", "--language", "et"]
        let renamed = try await home.program(["recordings", "import", "talk.wav"] + changes).run().errors
        #expect(renamed.contains("it keeps its name; “echotext recordings rename \(item) NAME”"), "\(renamed)")
        #expect(renamed.contains("it keeps its language"), "\(renamed)")
        #expect(try await home.names() == ["My talk"])
        try await home.succeed("settings", "set", "recording.keep-files", "0")
        try await home.succeed("recordings", "import", "talk.wav", "--again", "--name", "Second")
        #expect(Set(try await home.names()) == ["My talk", "Second"])
        let missing = try await home.run("recordings", "export", "Second", "--as-it-came", "-o", "none.wav", "--json")
        #expect(missing.status == 66 && missing.text.contains("library.file-not-kept"), "\(missing.errors)")
        #expect(!home.folder.namesBelow.contains("none.wav"))
        #expect(try await home.run("recordings", "delete-files", "My talk").status != 0, "it wants --yes")
        try await home.succeed("recordings", "delete-files", "My talk", "--yes")
        let bare = try await home.run("recordings", "export", "My talk", "--as-it-came", "-o", "none.wav", "--json")
        #expect(bare.status == 66)
        try await home.succeed("recordings", "export", "My talk", "-o", "sound.flac")
        for wrong in [["--yes"], ["My talk", "--all", "--yes"]] {
            #expect(try await home.program(["recordings", "delete-files"] + wrong).run().status == 64, "\(wrong)")
        }
        let none = try await home.run("recordings", "delete-files", "--all", "--yes", "--json")
        #expect(none.status == 66 && none.text.contains("library.file-not-kept"), "\(none.errors)")
        try await home.succeed("settings", "set", "recording.keep-files", "2000")
        try await home.succeed("recordings", "import", "talk.wav", "--again", "--name", "Third")
        try await home.succeed("recordings", "delete-files", "--all", "--yes")
        let gone = try await home.run("recordings", "export", "Third", "--as-it-came", "-o", "none.wav", "--json")
        #expect(gone.status == 66)
        #expect(Set(try await home.names()) == ["My talk", "Second", "Third"])
        #expect(try await home.succeed("vault", "check", "--read-data").contains("nothing is damaged"))
    }

    @Test("gives back the files of several recordings under their own names, or names the one without a file")
    func files() async throws {
        let home = try LibraryHome()
        for (name, seconds) in [("First", 1), ("Second", 2)] {
            try home.folder.write(wave(seconds: seconds), to: "talk.wav")
            try await home.succeed("recordings", "import", "talk.wav", "--name", name)
        }
        let written = try await home.succeed(
            "recordings",
            "export",
            "First",
            "Second",
            "First",
            "--as-it-came",
            "-o",
            "out",
            "--json"
        )
        #expect(try home.folder.data(of: "out/talk.wav") == wave(seconds: 1))
        #expect(try home.folder.data(of: "out/talk (2).wav") == wave(seconds: 2))
        #expect(written.contains("talk (2).wav") && home.folder.namesBelow.count { $0.hasPrefix("out/") } == 2)
        // The second time neither file of the first is replaced.
        try await home.succeed("recordings", "export", "Second", "First", "--as-it-came", "-o", "out")
        #expect(try home.folder.data(of: "out/talk.wav") == wave(seconds: 1))
        #expect(home.folder.namesBelow.count { $0.hasPrefix("out/") } == 4)
        try await home.succeed("recordings", "delete-files", "Second", "--yes")
        let list = try await home.succeed("recordings", "show", "Second", "--json")
        let second = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any])
        let id = try #require(second["id"] as? String)
        let refused = try await home.run("recordings", "export", "First", "Second", "--as-it-came", "-o", "none")
        #expect(refused.status == 66 && refused.errors.contains(id), "\(refused.errors)")
        #expect(!home.folder.namesBelow.contains { $0.hasPrefix("none") })
        let answered = ["First", "Second", "--as-it-came", "-o", "none", "--json"]
        let answer = try await home.program(["recordings", "export"] + answered).run()
        #expect(answer.text.contains(#""name" : "Second""#) && !answer.text.contains(#""file""#), "\(answer.text)")
    }

    @Test("has its recordings written to a file each where several programs export into one folder at once")
    func together() async throws {
        let home = try LibraryHome()
        var ids: [String] = []
        for seconds in 1...4 {
            try home.folder.write(wave(seconds: seconds), to: "talk.wav")
            let imported = try await home.succeed("recordings", "import", "talk.wav", "--json")
            let report = try JSONSerialization.jsonObject(with: Data(imported.utf8)) as? [String: Any]
            let recording = try #require((report?["recordings"] as? [[String: Any]])?.first)
            ids.append(try #require((recording["item"] as? [String: Any])?["id"] as? String))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids {
                group.addTask { try await home.succeed("library", "export", id, "-o", "out/", "--captions", "json") }
            }
            try await group.waitForAll()
        }
        let names = home.folder.namesBelow.filter { $0.hasPrefix("out/") && $0.hasSuffix(".wav") }
        #expect(Set(try names.map { try home.folder.data(of: $0).count }).count == 4, "\(names)")
    }

    @Test(
        "has its recordings written when the folder is free, and nothing where that is not waited for",
        arguments: [false, true]
    )
    func turn(isStopped: Bool) async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 1), to: "talk.wav")
        try await home.succeed("recordings", "import", "talk.wav")
        try FileManager.default.createDirectory(atPath: home.folder("out"), withIntermediateDirectories: false)
        // As another export holds it.
        let holder = open(home.folder("out"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
        let outcome = try await home.program(["library", "export", "talk", "-o", "out"]).run { running in
            _ = await running.errors.until("waiting for another export")
            #expect(!home.folder.namesBelow.contains("out/talk.wav"))
            if isStopped { running.signal(SIGINT) } else { flock(holder, LOCK_UN) }
        }
        #expect(outcome.status == (isStopped ? 130 : 0), "\(outcome.errors)")
        #expect(home.folder.namesBelow.contains("out/talk.wav") != isStopped)
    }

    @Test("keeps nothing of a damaged file, or the part that can be read with --keep-part")
    func damaged() async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 40).prefix(44 + 2 * 16_000 * 33), to: "cut.wav")
        let refused = try await home.run("recordings", "import", "cut.wav")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("error: cut.wav: "), "the file is named: \(refused.errors)")
        #expect(refused.errors.contains("33 seconds"))
        let reported = try await home.run("recordings", "import", "cut.wav", "--json")
        let answer = try #require(try JSONSerialization.jsonObject(with: reported.output) as? [String: Any])
        let failure = try #require(answer["error"] as? [String: Any])
        #expect((failure["code"] as? String, failure["file"] as? String) == ("sound-file.damaged", "cut.wav"))
        #expect(try await home.names().isEmpty)
        let kept = try await home.run(
            "recordings",
            "import",
            "cut.wav",
            "--keep-part",
            "--name",
            "Half",
            "--language",
            "et"
        )
        #expect(kept.status == 0, "\(kept.errors)")
        #expect(kept.errors.contains("note:"))
        #expect(try await home.names() == ["Half"])
        #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
    }

    @Test("names a file that has no such sound track, and says which it has")
    func tracks() async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 3), to: "talk.wav")
        let refused = try await home.run("recordings", "import", "talk.wav", "--track", "2")
        #expect(refused.status == 64, "\(refused.errors)")
        #expect(refused.errors.contains("error: talk.wav: The file has no sound track 2; it has only one."))
        #expect(try await home.run("recordings", "import", "talk.wav", "--track", "0").status == 64)
        #expect(try await home.names().isEmpty)
        try await home.succeed("recordings", "import", "talk.wav", "--track", "1")
        #expect(try await home.names() == ["talk"])
    }

    @Test("refuses a name that is too long without speaking of an old one")
    func longName() async throws {
        let home = try LibraryHome()
        try home.folder.write(wave(seconds: 1), to: "talk.wav")
        let name = String(repeating: "n", count: 201)
        let refused = try await home.run("recordings", "import", "talk.wav", "--name", name)
        #expect(refused.status != 0)
        #expect(refused.errors.contains("A name has at most 200 characters."), "\(refused.errors)")
        #expect(!refused.errors.contains("old name"))
        #expect(try await home.names().isEmpty)
    }

    @Test("reports a file that holds more than it says, and refuses one with nothing but a head")
    func misstatedLengths() async throws {
        let home = try LibraryHome()
        var file = wave(seconds: 4)
        file.replaceSubrange(40..<44, with: [0, 0x7D, 0, 0])
        try home.folder.write(file, to: "joined.wav")
        let outcome = try await home.run("recordings", "import", "joined.wav", "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let recording = try #require((report["recordings"] as? [[String: Any]])?.first)
        #expect((recording["item"] as? [String: Any])?["duration"] as? Double == 4)
        let notices = try #require(recording["notices"] as? [[String: Any]])
        #expect(notices.compactMap { $0["code"] as? String } == ["sound-file.length-differs"])
        try home.folder.write(wave(seconds: 0), to: "empty.wav")
        let empty = try await home.run("recordings", "import", "empty.wav")
        #expect(empty.status == 65)
        #expect(empty.errors.contains("There is no sound in this file."))
    }

    @Test(
        "leaves nothing when it is stopped, and nothing but an interrupted recording when it is killed",
        arguments: [SIGINT, SIGKILL]
    )
    func stopped(_ signal: Int32) async throws {
        let home = try LibraryHome()
        let path = try home.folder.write(silence(seconds: 1_500, rate: 48_000), to: "long.wav")
        try await home.succeed("library", "list")
        let outcome = try await home.program(["recordings", "import", path]).run { running in
            // Waits until sound was stored.
            await running.untilFilled(home.library, bytes: 4_000_000)
            running.signal(signal)
        }
        #expect([0, 128 + signal].contains(outcome.status), "\(outcome.errors)")
        let unfinished = try await home.succeed("recordings", "unfinished", "--json")
        let sessions = try #require(try JSONSerialization.jsonObject(with: Data(unfinished.utf8)) as? [[String: Any]])
        if signal == SIGINT { #expect(sessions.isEmpty) }
        #expect(sessions.allSatisfy { $0["state"] as? String == "interrupted" })
        if let id = sessions.first?["id"] as? String {
            let discarded = try await home.run("recordings", "discard", id, "--yes")
            #expect(discarded.status == 0 && discarded.errors.contains("\(id) is deleted"), "\(discarded.errors)")
            #expect(try await home.succeed("recordings", "unfinished", "--json").contains("[\n\n]"))
        }
        #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
    }

    /// Kills the program while it imports a file, a longer one each time that the import was faster.
    ///
    /// - Returns: The unfinished recording, and the path of the file.
    private func killImport(into home: LibraryHome) async throws -> (id: String, path: String) {
        try await home.succeed("library", "list")
        func session() async throws -> [String: Any]? {
            let unfinished = try await home.succeed("recordings", "unfinished", "--json")
            return try #require(try JSONSerialization.jsonObject(with: Data(unfinished.utf8)) as? [[String: Any]]).first
        }
        var killed: (id: String, path: String)?
        for length in [1_500, 2_500, 4_000] where killed == nil {
            let path = try home.folder.write(silence(seconds: length, rate: 48_000), to: "long\(length).wav")
            try await home.program(["recordings", "import", path]).run { running in
                // The copy of the file can fill the library before any of its sound is stored.
                var seconds = 0.0
                while seconds == 0, !running.hasEnded { seconds = try await session()?["seconds"] as? Double ?? 0 }
                running.kill()
            }
            killed = try await (session()?["id"] as? String).map { (id: $0, path: path) }
        }
        return try #require(killed, "the import was faster than the kill each time")
    }

    @Test("says that what is kept of one that was killed is the beginning of a file")
    func keptBeginning() async throws {
        let home = try LibraryHome()
        let (id, _) = try await killImport(into: home)
        let kept = try await home.run("recordings", "keep", id)
        #expect(kept.status == 0 && kept.errors.contains("whose import was interrupted"), "\(kept.errors)")
    }

    @Test("no longer lists the beginning of one that was killed once the whole file is imported")
    func wholeLater() async throws {
        let home = try LibraryHome()
        let (_, path) = try await killImport(into: home)
        let whole = try await home.run("recordings", "import", path)
        #expect(whole.status == 0 && whole.errors.contains("no longer listed"), "\(whole.errors)")
        #expect(try await home.succeed("recordings", "unfinished", "--json").contains("[\n\n]"))
        #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))
    }

    @Test("needs no more memory for a long file")
    func memory() async throws {
        let home = try LibraryHome()
        let path = try home.folder.write(silence(seconds: 1_800, rate: 48_000), to: "long.wav")
        let peak = Mutex(0)
        var program = home.program(["recordings", "import", path])
        program.limit = .seconds(300)
        let outcome = try await program.run { running in
            let most = await running.peakMemoryUntilEnd()
            peak.withLock { $0 = most }
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The file has 173 MB.
        #expect(peak.withLock(\.self) < 140_000_000)
    }
}
