import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext vault, its care", .endsInTime)
struct VaultCareTests {
    private struct Report: Decodable {
        struct Damage: Decodable {
            let name: String?
            let isCache: Bool
            let code: String
        }

        let items: Int
        let contents: Int
        let damaged: [Damage]
    }

    /// A library of two recordings.
    private func filled() async throws -> LibraryHome {
        let home = try LibraryHome()
        try await home.succeed("speak", "The first words.", "--save", "--name", "First")
        try await home.succeed("speak", "The second words.", "--save", "--name", "Second")
        return home
    }

    private func check(_ home: LibraryHome, _ options: String...) async throws -> (status: Int32, report: Report) {
        let outcome = try await home.program(["vault", "check", "--json"] + options).run()
        return (outcome.status, try JSONDecoder().decode(Report.self, from: outcome.output))
    }

    /// Changes one byte of a file.
    private func damage(_ path: String, at place: Int) throws {
        let url = URL(filePath: path)
        var bytes = try Data(contentsOf: url)
        try #require(bytes.count > place + 100_000)
        bytes[place] ^= 1
        try bytes.write(to: url)
        chmod(path, 0o600)
    }

    @Test("finds what is damaged and what is missing, and deletes nothing of it")
    func checks() async throws {
        let home = try LibraryHome()
        for name in ["First", "Second"] {
            try await home.succeed("speak", Fixtures.text(words: 30), "--save", "--name", name)
        }
        let sound = try await check(home, "--read-data")
        #expect(sound.status == 0)
        #expect(sound.report.items == 2)
        #expect(sound.report.contents == 2)
        #expect(try await home.succeed("vault", "check").contains("nothing is damaged"))

        let blobs = home.blobs
        // In the second of several chunks of 64 KiB; opening reads only the first and the last.
        try damage(blobs[0], at: 100_000)
        let quick = try await check(home)
        #expect(quick.status == 0, "the first and the last chunk are well")
        for options in [["--read-data"], ["--read-data", "--repair"], ["--read-data"]] {
            let outcome = try await home.program(["vault", "check", "--json"] + options).run()
            #expect(outcome.status == 76, "\(options)")
            let report = try JSONDecoder().decode(Report.self, from: outcome.output)
            #expect(report.damaged.map(\.code) == ["vault.content-damaged"])
            #expect(report.damaged.first?.name != nil)
        }
        #expect(home.blobs == blobs)
        let name = try #require(try await check(home, "--read-data").report.damaged.first?.name)
        let exported = try await home.run("library", "export", name, "-o", "out.wav")
        #expect(exported.status == 76)
        #expect(!home.folder.names.contains { $0.hasPrefix("out.wav") })
        let other = name == "First" ? "Second" : "First"
        try await home.succeed("library", "export", other, "-o", "other.wav")

        try FileManager.default.removeItem(atPath: blobs[1])
        let missing = try await check(home, "--repair")
        #expect(missing.status == 76)
        #expect(missing.report.damaged.map(\.code) == ["vault.content-missing"])
        #expect(try await home.names() == ["First", "Second"])
    }

    @Test("distinguishes a damaged file of the cache of speech from what is lost, and repairing takes it out")
    func cache() async throws {
        let home = try LibraryHome()
        try home.folder.write("One sentence is here. Another follows it.", to: "book.txt")
        try await home.succeed("import", "book.txt")
        let before = Set(home.blobs)
        try await home.succeed("batch", "book")
        let made = home.blobs.filter { !before.contains($0) }
        for path in made { try Data(repeating: 1, count: 70_000).write(to: URL(filePath: path)) }
        let (status, report) = try await check(home)
        #expect(status == 76)
        #expect(report.damaged.count == made.count)
        #expect(report.damaged.filter { !$0.isCache }.map(\.name) == ["book"])
        #expect(report.damaged.contains { $0.isCache && $0.name == nil })
        let reported = try await home.run("vault", "check").text
        #expect(reported.contains("a file of the cache of speech, which is made again, is damaged"))
        #expect(reported.contains("the sound of “book” is damaged"))
        let repaired = try await check(home, "--repair")
        #expect(repaired.status == 76, "a recording is damaged still")
        #expect(repaired.report.damaged.map(\.isCache) == [false])
        #expect(home.blobs.count == before.count + 1)
        try await home.succeed("batch", "book")
        #expect(try await check(home).report.damaged.count == 1, "what the cache had is made again")
    }

    @Test("gives new keys: an old copy of the sealed files opens with the old identity, the new ones do not")
    func rekeys() async throws {
        let home = try await filled()
        let old = try await home.succeed("vault", "export-identity")
        let (before, database) = (home.blobs, try Data(contentsOf: URL(filePath: "\(home.library)/library.db")))
        try await home.succeed("vault", "rekey")
        let after = home.blobs
        #expect(after.count == 2)
        #expect(Set(before).isDisjoint(with: after))
        let isAnother = try Data(contentsOf: URL(filePath: "\(home.library)/library.db")) != database
        #expect(isAnother)
        #expect(try await check(home, "--read-data").status == 0)
        #expect(try await home.succeed("library", "text", "First") == "The first words.\n")
        let new = try await home.succeed("vault", "export-identity")
        let identities = new.split(separator: "\n")
        #expect(identities.count == 2)
        #expect(identities.last.map { "\($0)\n" } == old)
        for (blob, opens) in [(after[0], identities[0]), (after[1], identities[0])] {
            #expect(try await restored(blob, by: String(opens), in: home) != nil)
            #expect(try await restored(blob, by: old, in: home) == nil)
        }
    }

    @Test("gives all the others new keys where sealed files are damaged or missing, and names these")
    func rekeysTheRest() async throws {
        let home = try await filled()
        try await home.succeed("speak", "The third words.", "--save", "--name", "Third")
        for blob in home.blobs.dropLast() { try Data("x".utf8).write(to: URL(filePath: blob)) }
        let (damaged, sound) = (Set(home.blobs.dropLast()), try #require(home.blobs.last))
        let names = try await check(home).report.damaged.compactMap(\.name)
        #expect(names.count == 2)
        let outcome = try await home.run("vault", "rekey")
        #expect(outcome.status == 76)
        #expect(outcome.errors.contains("2 sealed files with the old ones"))
        for name in names { #expect(outcome.errors.contains("“\(name)”")) }
        #expect(damaged.isSubset(of: home.blobs) && !home.blobs.contains(sound) && home.blobs.count == 3)
        try FileManager.default.removeItem(atPath: "\(home.library)/blobs")
        let left = try await home.run("vault", "rekey", "--json")
        #expect(left.status == 76)
        let codes = try JSONDecoder().decode([String: [Report.Damage]].self, from: left.output)["damaged"]?.map(\.code)
        #expect(codes == Array(repeating: "vault.content-missing", count: 3))
        #expect(try await home.names() == ["First", "Second", "Third"])
    }

    /// Decrypts an encrypted file with the `age` program and tar.
    ///
    /// - Returns: The name and bytes of the file inside; `nil` when the identity does not decrypt it.
    private func restored(_ blob: String, by identity: String, in home: LibraryHome) async throws -> (
        name: String, bytes: Data
    )? {
        try home.folder.write(identity, to: "identity.txt")
        let target = home.folder("restored")
        try? FileManager.default.removeItem(atPath: target)
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        let script =
            "age --decrypt --identity '\(home.folder("identity.txt"))' '\(blob)' | tar --extract -C '\(target)'"
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        await onThread { shell.waitUntilExit() }
        guard let name = try FileManager.default.contentsOfDirectory(atPath: target).first else { return nil }
        return (name, try Data(contentsOf: URL(filePath: "\(target)/\(name)")))
    }

    private static let hasAge = FileManager.default.isExecutableFile(atPath: "/usr/bin/age")

    @Test(
        "exports the identity by which age and tar restore a recording's bytes, under the name of what it is",
        .enabled(if: hasAge, "needs the package age")
    )
    func exportsIdentity() async throws {
        let home = try LibraryHome()
        try await home.succeed("speak", "Mõned sõnad.", "--save", "--name", "Õhtu jutt — 夜")
        try await home.succeed("library", "export", "Õhtu jutt — 夜", "-o", "own.wav")
        let identity = try await home.succeed("vault", "export-identity")
        let found = try #require(try await restored(home.blobs[0], by: identity, in: home))
        #expect(found.name == "recording.wav")
        let own = try home.folder.data(of: "own.wav")
        // The export has its own tags after the header.
        let isSame = own.range(of: found.bytes.dropFirst(44)) != nil && found.bytes.count > 10_000
        #expect(isSame)
    }

    @Test("copies the library to a folder that opens elsewhere with the recovery code, and without it nowhere")
    func backsUp() async throws {
        let home = try await filled()
        let (made, code) = try await home.confirmCode("vault", "recovery-code", "--code-fd", "0")
        #expect(made.status == 0, "\(made.errors)")
        let copy = home.folder("copy")
        try await home.succeed("vault", "backup", copy)
        #expect(try await home.run("vault", "backup", copy).status == 64, "it is never written over")
        // Somebody's folder, or the one of a copy that was ended by force.
        let draft = home.folder("other.partial")
        try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
        try home.folder.write("mine", to: "other.partial/note.txt")
        let refused = try await home.run("vault", "backup", "other")
        #expect(refused.status == 64 && refused.errors.contains("other.partial"), "\(refused.errors)")
        #expect(home.folder.namesBelow.contains("other.partial/note.txt"))

        let other = try LibraryHome()
        try FileManager.default.copyItem(atPath: copy, toPath: other.library)
        let closed = try await other.run("library", "list", "--json")
        #expect(closed.status == 77)
        #expect(closed.text.contains("vault.device-secret-missing"))
        try await other.succeed("vault", "recover", "--code-fd", "3", "--new-passcode-fd", "4", secrets: [code, ""])
        #expect(try await other.names() == ["First", "Second"])
        #expect(try await check(other, "--read-data").status == 0)
        #expect(try await other.succeed("library", "text", "Second") == "The second words.\n")
        // The first machine has not lost anything by it.
        #expect(try await home.names() == ["First", "Second"])
    }

    @Test("says that a copy lacks what the library lacks")
    func backsUpDamaged() async throws {
        let home = try await filled()
        try FileManager.default.removeItem(atPath: try #require(home.blobs.first))
        let outcome = try await home.run("vault", "backup", home.folder("copy"))
        #expect(outcome.status == 76 && outcome.errors.contains("1 sealed file is missing"), "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: home.folder("copy/library.db")), "what there is is copied")
    }

    @Test("NFR13: is reminded of once, after the tenth recording, while there is no recovery code")
    func remindsOnce() async throws {
        let home = try LibraryHome()
        for number in 1...10 {
            let run = try await home.run("speak", "Some words.", "--save", "--name", "Number \(number)")
            #expect(!run.errors.contains("recovery code"), "nobody sees it where there is no terminal")
        }
        #expect(try await home.succeed("settings", "get", "vault.recovery-reminder") == "on\n")
        var said: [Bool] = []
        for _ in 1...2 {
            let terminal = try Terminal()
            var program = home.program(["library", "list"])
            program.redirection = "2>\"$TERMINAL\""
            program.terminal = terminal
            var screen = Data()
            try await program.run { _ in screen = await terminal.screen.rest() }
            said.append(String(decoding: screen, as: UTF8.self).contains("There is no recovery code"))
        }
        #expect(said == [true, false])
        #expect(try await home.succeed("settings", "get", "vault.recovery-reminder") == "off\n")
        try await home.succeed("settings", "reset", "--yes")
        _ = try await home.confirmCode("vault", "recovery-code", "--code-fd", "0")
        #expect(try await !home.run("library", "list").errors.contains("recovery code"))
    }

    @Test("NFR13: says where the library is, and whether it has a recovery code")
    func saysWhere() async throws {
        let home = try await filled()
        #expect(try await home.status()["folder"] as? String == home.library)
        let words = try await home.succeed("vault", "status")
        #expect(words.contains("is in \(home.library)") && words.contains("has no recovery code"))
    }

    @Test("says what weakens the library on this machine")
    func doctor() async throws {
        let home = try await filled()
        let text = try await home.succeed("vault", "doctor", "--json")
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let codes = rows.compactMap { $0["code"] as? String }
        #expect(Set(codes).isSuperset(of: ["noPasscode", "noRecoveryCode", "keyAndDataUnderOneBackup"]))
        #expect(!codes.contains("foldersOpenToOthers"))
        chmod(home.device, 0o755)
        let refused = try await home.run("library", "list", "--json")
        #expect(refused.status == 77)
        #expect(refused.text.contains("vault.device-secret-unsafe"))
        chmod(home.device, 0o700)
        #expect(try await home.names() == ["First", "Second"])
    }

    @Test("erases the keys and everything sealed with them, and the next library is a new one")
    func erases() async throws {
        let home = try await filled()
        let (before, slots) = (home.blobs, try Data(contentsOf: URL(filePath: "\(home.library)/slots.json")))
        for words in ["", "erase", "Erase Everything"] {
            #expect(try await home.run("erase-all", "--confirm", words).status == 1)
        }
        #expect(try await home.run("erase-all").status == 1, "nobody was there to be asked")
        #expect(home.blobs == before)
        let erased = try await home.run("erase-all", "--confirm", "erase everything")
        #expect(erased.status == 0)
        #expect(erased.errors.contains("the library is gone, with 2 recordings and 0 documents"))
        #expect(home.blobs.isEmpty)
        let left = try home.bytes().keys.filter { !$0.hasSuffix(".lock") }
        #expect(Set(left) == ["\(home.device)/.nobackup", "\(home.device)/CACHEDIR.TAG"])
        #expect(try await home.names().isEmpty)
        let isAnother = try Data(contentsOf: URL(filePath: "\(home.library)/slots.json")) != slots
        #expect(isAnother)
    }

    @Test("names the speeches, practice and pronunciations that are erased or exported, with their counts")
    func countsAll() async throws {
        let home = try LibraryHome()
        try await home.succeed("speeches", "add", "Dear friends.", "--title", "Toast", "--language", "en-GB")
        try await home.succeed("settings", "set", "speech.dictionary", "# mine\nGIF = jif\nSQL = sequel")
        let counts = "0 recordings, 0 documents, 1 speech and 2 pronunciations"
        #expect(try await home.run("export-all", "all").errors.contains("\(counts) exported"))
        let erased = try await home.run("erase-all", "--confirm", "erase everything")
        #expect(erased.errors.contains("the library is gone, with \(counts)"), "\(erased.errors)")
    }

    @Test("says what it could not erase beside the library")
    func erasesBeside() async throws {
        let home = try await filled()
        // A folder with the file's name cannot be deleted as a file.
        try FileManager.default.createDirectory(
            atPath: home.folder("echotext-outbound/connections"),
            withIntermediateDirectories: true
        )
        let erased = try await home.run("erase-all", "--confirm", "erase everything")
        #expect(erased.status == 74)
        #expect(erased.errors.contains("the library is gone") && erased.errors.contains("could not be deleted"))
        #expect(home.blobs.isEmpty)
    }

    @Test("asks for the passcode before it erases a library or exports all of it, locked or not")
    func asksAgain() async throws {
        try await LibraryHome.with { home in
            try await home.succeed("speak", "Some words.", "--save", "--name", "First")
            let (right, wrong) = (["4071"], ["4072"])
            _ = try await home.setPasscode("4071")
            let blobs = home.blobs
            let words = ["--confirm", "erase everything"]
            for isOpen in [false, true] {
                if isOpen { try await home.succeed("vault", "unlock", "--passcode-fd", "3", secrets: right) }
                let unasked = try await home.program(["erase-all"] + words).run()
                #expect(unasked.status != 0, "nobody was there to be asked")
                let erase = ["erase-all", "--passcode-fd", "3"] + words
                #expect(try await home.program(erase, secrets: wrong).run().status == 77)
                #expect(home.blobs == blobs)
            }
            #expect(try await home.run("export-all", "all").status != 0, "nobody was there to be asked")
            #expect(try await home.run("export-all", "all", "--passcode-fd", "3", secrets: wrong).status == 77)
            #expect(!FileManager.default.fileExists(atPath: home.folder("all")))
            try await home.succeed("export-all", "all", "--passcode-fd", "3", secrets: right)
            try await home.succeed("vault", "lock")
            let erase = ["erase-all", "--passcode-fd", "3"] + words
            let erased = try await home.program(erase, secrets: right).run()
            #expect(erased.status == 0, "\(erased.errors)")
            #expect(home.blobs.isEmpty)
        }
    }

    @Test("erases a library whose keys are gone or damaged", arguments: [nil, "nothing a program reads"])
    func erasesRuins(_ slots: String?) async throws {
        let home = try await filled()
        let path = "\(home.library)/slots.json"
        try FileManager.default.removeItem(atPath: path)
        if let slots { try Data(slots.utf8).write(to: URL(filePath: path)) }
        chmod(path, 0o600)
        #expect(try await home.run("library", "list").status == 76)
        try await home.succeed("erase-all", "--confirm", "erase everything")
        #expect(home.blobs.isEmpty)
        #expect(try await home.names().isEmpty)
    }

    @Test("does not keep a person from speaking when it is damaged")
    func damagedBeside() async throws {
        let home = try LibraryHome()
        try await home.copyRecording()
        let path = "\(home.library)/library.db"
        let size = try Data(contentsOf: URL(filePath: path)).count
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
        let spoken = try await home.run("speak", "Hello.", "-o", "hello.wav")
        #expect(spoken.status == 0 && spoken.errors.contains("without your library"), "\(spoken.errors)")
        try await home.succeed("voices", "list", "--json")
        #expect(try await home.run("library", "list").status == 76)
    }
}
