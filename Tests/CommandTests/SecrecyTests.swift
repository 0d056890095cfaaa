import EchoText
import EchoTextTesting
import Foundation
import Testing

/// A day's use with fifty words that are found nowhere else, which must not be found in any file afterwards.
@Suite("What is kept in echotext", .endsInTime)
struct SecrecyTests {
    /// Words for one test, each with a single use.
    private struct Words {
        let all: [String]
        private var next = 0

        init() {
            // Includes letters of two or three bytes in UTF-8; a voice reads them all the same.
            all = (0..<50).map { number in
                let letters = (0..<14).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" }
                return String(letters) + (number.isMultiple(of: 3) ? "õñ" : "")
            }
        }

        var isUsedUp: Bool { next == all.count }

        mutating func word() -> String {
            defer { next += 1 }
            return all[next]
        }

        mutating func text(_ count: Int) -> String {
            (0..<count).map { _ in "\(word()) is here." }.joined(separator: " ")
        }
    }

    /// The forms in which a program might have written `word`.
    private static func forms(of word: String) -> [Data] {
        let (plain, wide) = (Data(word.utf8), word.data(using: .utf16LittleEndian) ?? Data())
        // For each of the three alignments of base64, the letters that do not depend on the neighbors.
        let encoded = (0..<3).map { lead in
            let text = (Data(count: lead) + plain).base64EncodedString()
            return Data(text.utf8.dropFirst(lead == 0 ? 0 : 4).prefix((plain.count - 3) / 3 * 4))
        }
        let digits = plain.map { String(format: "%02x", $0) }.joined()
        return [
            plain, wide, word.data(using: .utf16BigEndian) ?? Data(), Data(digits.utf8), Data(digits.uppercased().utf8),
        ]
            + encoded
    }

    /// Everything there is in a folder, hidden files too.
    private static func files(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.map { "\(folder)/\($0)" }.filter { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)  // It may be gone.
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }

    /// The files and errors in which a word is found, and which.
    private static func found(_ words: [String], in home: LibraryHome, _ errors: [String: String]) -> [String] {
        let forms = words.flatMap { word in Self.forms(of: word).map { (word, $0) } }
        var texts = errors.mapValues { Data($0.utf8) }
        for file in files(in: home.folder.path) { texts[file] = FileManager.default.contents(atPath: file) ?? Data() }
        return texts.flatMap { name, data in
            forms.filter { data.range(of: $0.1) != nil }.map { "\($0.0) in \(name)" }
        }
    }

    /// Bits in a byte, 8 for noise.
    private static func entropy(of data: Data) -> Double {
        var counts = [Double](repeating: 0, count: 256)
        for byte in data { counts[Int(byte)] += 1 }
        return counts.filter { $0 > 0 }.reduce(0) { $0 - $1 / Double(data.count) * log2($1 / Double(data.count)) }
    }

    @Test("would be found in any form, at any place")
    func search() throws {
        let home = try LibraryHome()
        let word = "qmzflkhytbeonqõñ"
        let wide = word.data(using: .utf16LittleEndian) ?? Data()
        let digits = word.utf8.map { String(format: "%02x", $0) }.joined()
        var leaks = [Data(word.utf8), wide, Data(digits.utf8)]
        leaks += (0..<3).map { lead in
            Data(Data("\(String(repeating: "-", count: lead))\(word)!".utf8).base64EncodedString().utf8)
        }
        for (number, leak) in leaks.enumerated() {
            try home.folder.write(Data("before ".utf8) + leak + Data(" behind".utf8), to: "tmp/.hidden\(number)")
        }
        #expect(Self.found([word], in: home, [:]).count == leaks.count)
        #expect(Self.found([word], in: home, ["log": "a \(word)."]).count == leaks.count + 1)
    }

    @Test("is in the clear nowhere, neither in a file nor in a log, whatever is done with it")
    func canaries() async throws {
        var words = Words()
        try await LibraryHome.with { home in
            var errors: [String: String] = [:]
            func run(_ arguments: String..., input: String = "", secrets: [String] = []) async throws -> Program.Outcome
            {
                var program = home.program(arguments, secrets: secrets)
                program.environment["ECHOTEXT_LOG"] = "trace"
                program.input = Data(input.utf8)
                let outcome = try await program.run()
                errors["errors of \(arguments.prefix(2)) \(errors.count)"] = outcome.errors
                return outcome
            }

            let (name, other, neural) = (words.word(), words.word(), words.word())
            #expect(try await run("speak", "--save", "--name", name, input: words.text(12)).status == 0)
            #expect(try await run("speak", "--save", input: words.text(12)).status == 0, "its first words are its name")
            let voice = ["--voice", Fixtures.voice]
            #expect(
                try await run("speak", "--save", "--name", neural, voice[0], voice[1], input: words.text(3)).status == 0
            )
            #expect(try await run("library", "rename", name, other).status == 0)
            #expect(try await run("library", "search", words.word()).status == 0)
            #expect(try await run("library", "show", words.word()).status == 66)
            #expect(try await run("library", "text", other).status == 0)
            #expect(try await run("library", "rename", other, "\(words.word())\nb").status == 65)
            #expect(try await run("queue", "add", other, neural).status == 0)
            #expect(try await run("queue", "list").status == 0)
            let (profile, renamed) = (words.word(), words.word())
            #expect(try await run("profiles", "save", profile, "--speed", "1.2").status == 0)
            #expect(try await run("profiles", "rename", profile, renamed).status == 0)
            #expect(try await run("profiles", "choose", renamed).status == 0)
            #expect(try await run("profiles", "choose", words.word()).status == 66)
            #expect(try await run("settings", "set", "playback.step", "30").status == 0)
            #expect(try await run("settings", "set", "playback.step", words.word()).status == 64)
            #expect(try await run("history", "list").status == 0)
            #expect(try await run("history", "delete", "1").status == 0)
            let piped = try await run(
                "library",
                "export",
                other,
                "-o",
                "/dev/stdout",
                "--format",
                "wav",
                "--title",
                words.word()
            )
            #expect(piped.status == 0)
            #expect(piped.output.count > 10_000)
            _ = try await run("play", other)  // There may be no sound output.

            try await killed(home, &words, &errors)
            #expect(try await run("library", "jobs").status == 0)

            let passcode = words.word() + words.word()
            let code = try await home.setPasscode(passcode)
            #expect(try await run("library", "text", other).status == 77)
            let wrong = words.word() + words.word()
            #expect(try await run("vault", "unlock", "--passcode-fd", "3", secrets: [wrong]).status == 77)
            #expect(try await run("vault", "unlock", "--passcode-fd", "3", secrets: [passcode]).status == 0)
            #expect(try await run("library", "search", words.word()).status == 0)
            let renewed = words.word()
            let recovered = try await run(
                "vault",
                "recover",
                "--code-fd",
                "3",
                "--new-passcode-fd",
                "4",
                secrets: [code, renewed]
            )
            #expect(recovered.status == 0)
            #expect(words.isUsedUp)
            expectSecrecy(words.all + [code, code.replacing("-", with: "")], home, errors)

            #expect(try await run("library", "text", other).status == 77, "recovering locks it")
            #expect(try await run("vault", "unlock", "--passcode-fd", "3", secrets: [renewed]).status == 0)
            for blob in home.blobs { try Self.spoil(blob) }
            let damaged = try await run("library", "export", neural, "-o", "/dev/stdout", "--format", "wav")
            #expect(damaged.status == 76, "\(damaged.errors)")
            #expect(try await run("vault", "check", "--read-data").status == 76)
            #expect(try await run("library", "delete", neural, "--yes").status == 0)
            expectSecrecy(words.all + [code], home, errors)
        }
    }

    private func expectSecrecy(_ words: [String], _ home: LibraryHome, _ errors: [String: String]) {
        let found = Self.found(words, in: home, errors)
        #expect(found.isEmpty, "\(found)")
        let temporary = home.folder("tmp")
        #expect(Self.files(in: temporary).isEmpty)
        let outside = Self.files(in: home.folder.path).filter { file in
            ![home.library, home.device, home.folder("runtime")].contains { file.hasPrefix("\($0)/") }
        }
        #expect(outside.isEmpty, "\(outside)")
        for blob in home.blobs {
            // Behind the age header; fewer bytes of noise do not have 8 bits each.
            guard let data = FileManager.default.contents(atPath: blob)?.dropFirst(200), data.count > 16_384 else {
                continue
            }
            let entropy = Self.entropy(of: data)
            #expect(entropy > 7.98, "\(blob)")
        }
        let pages = Self.pages(of: "\(home.library)/library.db")
        #expect(pages.count > 20)
        for page in pages {
            let entropy = Self.entropy(of: page)
            #expect(entropy > 7.9)
        }
    }

    /// The pages of a database that have been used.
    private static func pages(of database: String) -> [Data] {
        let (data, size) = (FileManager.default.contents(atPath: database) ?? Data(), 4_096)
        return stride(from: 0, to: data.count, by: size).map { data[$0..<$0 + size] }.filter { $0.contains { $0 != 0 } }
    }

    /// Ends a narration into the library in its middle.
    private func killed(_ home: LibraryHome, _ words: inout Words, _ errors: inout [String: String]) async throws {
        var program = home.program(["speak", "--save", "--name", words.word(), "-o", "-"])
        program.environment["ECHOTEXT_LOG"] = "trace"
        program.input = Data((words.text(5) + " " + Fixtures.text(words: 2_000)).utf8)
        let outcome = try await program.run { running in
            _ = await running.output.first(3_000_000)
            running.kill()
        }
        #expect(outcome.status == 128 + SIGKILL)
        errors["errors of the one that was killed"] = outcome.errors
    }

    /// Flips a bit in the middle.
    private static func spoil(_ blob: String) throws {
        var bytes = try Data(contentsOf: URL(filePath: blob))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: blob))
        chmod(blob, 0o600)
    }

    private static let hasTracer = FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")

    @Test(
        "leaves the program for no file but those of the library and the one that was asked for",
        .enabled(if: hasTracer, "needs the package strace")
    )
    func writesElsewhere() async throws {
        let home = try LibraryHome()
        let commands = [
            ["speak", "Some words.", "--save", "--name", "A"], ["library", "rename", "A", "B"], ["library", "list"],
            ["library", "export", "B", "-o", "asked.flac"], ["library", "export", "B", "-o", "asked.m4b"],
            ["queue", "add", "B"], ["vault", "check", "--read-data", "--repair"], ["vault", "rekey"],
            ["vault", "backup", "asked.backup"], ["export-all", "asked.all"], ["library", "delete", "B", "--yes"],
        ]
        let log = home.folder("runtime/trace")
        for command in commands {
            var program = home.program(command)
            program.tracer = [
                "/usr/bin/strace", "-f", "-qq", "-y", "-e", "signal=none", "-e", "trace=%file,%process", "-o", log,
            ]
            let outcome = try await program.run()
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            let made = try Self.made(in: String(contentsOfFile: log, encoding: .utf8), from: home.folder.path)
            #expect(!made.isEmpty, "nothing was seen")
            let own = [
                home.library, home.device, home.folder("runtime"), home.folder("asked."), home.folder(".echotext-"),
            ]
            // A folder in memory stands among the devices.
            let others = made.filter { path in
                !own.contains { path.hasPrefix($0) } && (!path.hasPrefix("/dev/") || path.hasPrefix(home.folder.path))
            }
            #expect(others.isEmpty, "\(command): \(others)")
        }
        #expect(!home.folder.names.contains { $0.hasPrefix(".echotext-") }, "drafts are moved to their places")
    }

    /// The processes that run bubblewrap or descend from one that does.
    private static func shutIn(by lines: [Substring]) -> Set<Substring> {
        var children: [Substring: [Substring]] = [:]
        var found: Set<Substring> = []
        var waiting: [Substring] = []
        for line in lines {
            if line.contains(/execve\("\/usr\/bin\/bwrap"/) { waiting.append(process(of: line)) }
            if let child = line.firstMatch(of: /(?:clone|clone3|fork|vfork)(?:\(| resumed>).* = (\d+)/) {
                children[process(of: line), default: []].append(child.1)
            }
        }
        while let next = waiting.popLast() {
            if found.insert(next).inserted { waiting += children[next] ?? [] }
        }
        return found
    }

    private static func process(of line: Substring) -> Substring { line.prefix { $0.isNumber } }

    /// The paths created or opened for writing in a trace of system calls.
    ///
    /// Processes of bubblewrap are left out: they have their own files, and cannot write the machine's.
    private static func made(in trace: String, from folder: String) -> [String] {
        let lines = trace.split(separator: "\n")
        let shutIn = shutIn(by: lines)
        return lines.compactMap { line -> String? in
            guard !shutIn.contains(process(of: line)) else { return nil }
            guard !line.contains(" = -1 ") else { return nil }
            // “openat(AT_FDCWD</folder>, "name", O_WRONLY|O_CREAT, 0600) = 7</folder/name>”
            let isMaking = line.contains(/\b(mkdir|mknod|symlink|link|rename)(at2?)?\(/)
            guard isMaking || line.contains(/O_(WRONLY|RDWR|CREAT|TMPFILE)/) else { return nil }
            if let result = line.firstMatch(of: /\ = \d+<([^>]*)>$/) { return String(result.1) }
            guard let name = line.matches(of: /(?:<([^>"]*)>, )?"([^"]*)"/).last else { return nil }
            let path = String(name.2)
            return path.hasPrefix("/") ? path : "\(name.1.map(String.init) ?? folder)/\(path)"
        }
    }
}
