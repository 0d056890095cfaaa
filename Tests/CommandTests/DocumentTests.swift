import EchoText
import EchoTextTesting
import Foundation
import Glibc
import Testing

@Suite("echotext documents", .endsInTime)
struct DocumentTests {
    private let folder = TemporaryFolder()

    private static let book = """
        CHAPTER I. The harbour

        The lighthouse keeper sleeps. Waves come in.

        CHAPTER II. The town

        Nobody is awake here. A dog barks twice.

        \u{C}CHAPTER III. The hill

        From the hill the sea is grey.

        """

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program(arguments, in: folder).run()
    }

    private func json(_ arguments: String...) async throws -> Any {
        let outcome = try await Program(arguments + ["--json"], in: folder).run()
        return try JSONSerialization.jsonObject(with: outcome.output)
    }

    private func importBook() async throws {
        try folder.write(Self.book, to: "book.txt")
        let outcome = try await run("import", "book.txt")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private func names() async throws -> [String] {
        let list = try await json("documents", "list", "--sort", "name") as? [String: Any]
        return try #require(list?["documents"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    @Test("asks for the password of a document, and keeps neither it nor what it does not open")
    func password() async throws {
        var paper = SamplePDF(pages: [[.init(text: "The keeper sleeps.", x: 54, y: 700)]])
        paper.password = "lighthouse 9"
        try folder.write(paper.bytes, to: "locked.pdf")
        func refusal(_ program: Program) async throws -> (status: Int32, code: String?) {
            let outcome = try await program.run()
            let failure = try JSONSerialization.jsonObject(with: outcome.output) as? [String: [String: Any]]
            return (outcome.status, failure?["error"]?["code"] as? String)
        }
        var program = Program(["import", "locked.pdf", "--json"], in: folder)
        let asked = try await refusal(program)
        #expect((asked.status, asked.code) == (65, "document.password-needed"))
        program.arguments += ["--password-fd", "3"]
        program.redirection = "3<<'END'\nnobody\nEND"
        let wrong = try await refusal(program)
        #expect((wrong.status, wrong.code) == (65, "document.password-wrong"))
        #expect(try await names().isEmpty)
        program.redirection = "3<<'END'\nlighthouse 9\nEND"
        let opened = try await program.run()
        #expect(opened.status == 0, "\(opened.errors)")
        #expect(try await run("documents", "text", "locked").text.contains("The keeper sleeps."))
        #expect(try await run("documents", "export", "locked", "-o", "again.pdf").status == 0)
        let isSame = try folder.data(of: "again.pdf") == paper.bytes
        #expect(isSame, "the file is kept as it was, locked")
    }

    @Test("lists and finds documents of so many pages", arguments: [["list"], ["search", "keeper"]])
    func pages(_ command: [String]) async throws {
        for count in 1...3 {
            let page = SamplePDF.Line(text: "The keeper sleeps.", x: 54, y: 700)
            try folder.write(SamplePDF(pages: Array(repeating: [page], count: count)).bytes, to: "\(count).pdf")
            #expect(try await run("import", "\(count).pdf").status == 0)
        }
        for (pages, expected) in [
            ("2", ["2"]), ("2..", ["2", "3"]), ("..2", ["1", "2"]), ("2..3", ["2", "3"]), ("9..", []),
        ] {
            let arguments = ["documents"] + command + ["--pages", pages, "--sort", "name", "--json"]
            let answer = try JSONSerialization.jsonObject(with: try await Program(arguments, in: folder).run().output)
            let listed = (answer as? [String: Any])?["documents"] as? [[String: Any]]
            let found = answer as? [[String: Any]]
            #expect((listed ?? found)?.compactMap { $0["name"] as? String } == expected, "\(pages)")
        }
        for wrong in ["3..2", "-1", "few"] {
            #expect(try await Program(["documents"] + command + ["--pages", wrong], in: folder).run().status == 64)
        }
    }

    @Test(
        "refuses days that end before they begin, as the lists of recordings do",
        arguments: [
            ["documents", "list"], ["documents", "search", "a"], ["library", "list"], ["recordings", "list"],
        ]
    )
    func days(_ command: [String]) async throws {
        let days = command + ["--since", "2026-01-02", "--until"]
        let refused = try await Program(days + ["2026-01-01"], in: folder).run()
        #expect(refused.status == 64 && refused.errors.contains("--until takes the day of --since"))
        #expect(try await Program(days + ["2026-01-02"], in: folder).run().status == 0)
    }

    @Test("takes a file in, shows its contents, and gives back its text and bytes")
    func imports() async throws {
        try await importBook()
        let shown = try #require(try await json("documents", "show", "book") as? [String: Any])
        let document = try #require(shown["document"] as? [String: Any])
        #expect(document["pages"] as? Int == 2 && document["size"] as? Int == Self.book.utf8.count)
        #expect(document["fileName"] as? String == "book.txt" && document["place"] is NSNull)
        let structure = try #require(shown["structure"] as? [String: Any])
        let contents = try #require(structure["chapters"] as? [[String: Any]])
        #expect(
            contents.compactMap { $0["title"] as? String } == [
                "CHAPTER I. The harbour", "CHAPTER II. The town", "CHAPTER III. The hill",
            ]
        )
        #expect(contents.compactMap { $0["page"] as? Int } == [1, 1, 2])
        let text = try await run("documents", "text", "book", "--chapters", "2")
        #expect(text.text.contains("A dog barks") && !text.text.contains("keeper"))
        let spoken = try #require(try await json("documents", "text", "book", "--chapters", "2") as? [String: Any])
        let ownText = try #require(spoken["text"] as? String)
        #expect(text.text.hasPrefix(ownText) && spoken["characters"] as? Int == ownText.utf16.count)
        #expect(
            spoken["part"] as? String == "CHAPTER II. The town" && spoken["id"] as? String == document["id"] as? String
        )
        let pieces = try #require(spoken["pieces"] as? [[String: Any]])
        #expect(pieces.first?["spoken"] as? Int == 0)
        #expect(pieces.allSatisfy { Set($0.keys) == ["spoken", "from", "to"] })
        let exported = try await run("documents", "export", "book", "-o", "again.txt")
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(try folder.data(of: "again.txt") == Data(Self.book.utf8))
    }

    @Test("waits with an export while another one writes into the folder")
    func turn() async throws {
        try await importBook()
        try FileManager.default.createDirectory(atPath: folder("out"), withIntermediateDirectories: false)
        // As another export holds it.
        let holder = open(folder("out"), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(holder) }
        try #require(flock(holder, LOCK_EX | LOCK_NB) == 0)
        let export = Program(["documents", "export", "book", "-o", "out"], in: folder)
        let outcome = try await export.run { running in
            _ = await running.errors.until("waiting for another export")
            try folder.write("Mine.", to: "out/book.txt")
            flock(holder, LOCK_UN)
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try folder.text(of: "out/book.txt") == "Mine.")
        #expect(try folder.data(of: "out/book (2).txt") == Data(Self.book.utf8))
    }

    @Test("names what it cannot read, and takes the other files")
    func refuses() async throws {
        try folder.write(Self.book, to: "book.txt")
        try folder.write(Data(), to: "empty.txt")
        try folder.write(Data([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]), to: "program.pdf")
        let outcome = try await run("import", "book.txt", "empty.txt", "program.pdf", "missing.txt", "--json")
        #expect(outcome.status == 65)
        let report = try #require(try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any])
        let failures = try #require(report["failures"] as? [[String: Any]])
        #expect(failures.compactMap { $0["file"] as? String } == ["empty.txt", "program.pdf", "missing.txt"])
        #expect(
            failures.compactMap { $0["code"] as? String }
                == ["document.empty", "document.unsupported", "text.not-found"]
        )
        #expect(try await names() == ["book"])
        for (path, status) in [("empty.txt", 65), (".", 66), ("/dev/null", 66), ("missing", 66)] {
            #expect(try await run("import", path).status == Int32(status), "\(path)")
        }
        #expect(try await names() == ["book"])
    }

    @Test("keeps the same file twice only when that is wanted")
    func twins() async throws {
        try await importBook()
        let again = try #require(try await json("import", "book.txt") as? [String: Any])
        let there = try #require((again["documents"] as? [[String: Any]])?.first)
        #expect(there["isReused"] as? Bool == true)
        let id = try #require((there["document"] as? [String: Any])?["id"] as? String)
        let named = try await run("import", "book.txt", "--name", "Other").errors
        #expect(named.contains("it keeps its name; “echotext documents rename \(id) NAME” gives it the new one"))
        #expect(try await !run("import", "book.txt", "--name", "book").errors.contains("note:"))
        #expect(try await names() == ["book"])
        #expect(try await run("import", "book.txt", "--again", "--name", "Second").status == 0)
        #expect(try await names() == ["book", "Second"])
    }

    @Test("shows the ids of documents that have one name")
    func sameName() async throws {
        try await importBook()
        #expect(try await run("import", "book.txt", "--again", "--name", "book").status == 0)
        let list = try await json("documents", "list") as? [String: Any]
        let ids = try #require(list?["documents"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        let outcome = try await run("documents", "text", "book")
        #expect(ids.count == 2 && outcome.status == 64)
        for id in ids { #expect(outcome.errors.contains(id)) }
    }

    @Test("names the file that cannot be read, also if it is the only one")
    func namedFile() async throws {
        try folder.write(Data([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]), to: "program.pdf")
        try folder.write(Data(), to: "empty.txt")
        for files in [["program.pdf"], ["empty.txt"], ["program.pdf", "empty.txt"]] {
            let outcome = try await Program(["import"] + files, in: folder).run()
            #expect(outcome.status == 65)
            for file in files { #expect(outcome.errors.contains("error: \(file): ")) }
        }
    }

    @Test("says what was left out, each time a document is taken in or spoken, and names all pages to programs")
    func notices() async throws {
        // Text on every page would be a running head.
        let things = ["keeper", "harbour", "lamp", "tide", "gull", "boat", "rope", "storm", "island", "morning"]
        let pages = things.flatMap { [[SamplePDF.Line(text: "The \($0) sleeps.", x: 54, y: 400)], []] }
        try folder.write(SamplePDF(pages: pages).bytes, to: "paper.pdf")
        let blank = Array(stride(from: 2, through: 20, by: 2))
        let note = "note: \(DocumentNotice.pagesWithoutText(blank).message)"
        #expect(note.contains("10 pages have no text"))
        for _ in 0..<2 { #expect(try await run("import", "paper.pdf").errors.contains(note)) }
        let again = try await json("import", "paper.pdf") as? [String: Any]
        let imported = try #require((again?["documents"] as? [[String: Any]])?.first)
        let notices = try #require(imported["notices"] as? [[String: Any]])
        #expect(imported["isReused"] as? Bool == true && notices.first?["pages"] as? [Int] == blank)
        let spoken = try await run("speak", "--document", "paper", "-o", "out.wav", "--json")
        let summary = try JSONSerialization.jsonObject(with: spoken.output) as? [String: Any]
        #expect((summary?["notices"] as? [[String: Any]])?.first?["pages"] as? [Int] == blank)
        #expect(spoken.errors.contains(note))
        #expect(try await run("batch", "paper").errors.contains(note.dropFirst("note: ".count)))
        #expect(try await run("practice", "--document", "paper", "--plan").errors.contains(note))
    }

    @Test("reads a book whose files have names of any letters")
    func foreignNames() async throws {
        let script = """
            import zipfile
            book = zipfile.ZipFile("raamat.epub", "w")
            book.writestr("mimetype", "application/epub+zip")
            book.writestr("META-INF/container.xml", '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
                '<rootfiles><rootfile full-path="sisu/raamat.opf"/></rootfiles></container>')
            book.writestr("sisu/raamat.opf", '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a"'
                ' href="%C3%B5un.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>')
            book.writestr("sisu/õun.xhtml", "<html><body><p>Õun kukkus puust.</p></body></html>")
            book.close()
            """
        try folder.write(script, to: "make.py")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["make.py"]
        process.currentDirectoryURL = URL(filePath: folder("."))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let outcome = try await run("import", "raamat.epub")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await run("documents", "text", "raamat").text.contains("Õun kukkus puust."))
    }

    @Test("finds words with the page they stand on")
    func searches() async throws {
        try await importBook()
        let hits = try #require(try await json("documents", "search", "hill", "gre") as? [[String: Any]])
        let place = try #require(hits.first?["place"] as? [String: Any])
        #expect(hits.count == 1 && place["page"] as? Int == 2)
        #expect((place["excerpt"] as? String)?.contains("hill") == true)
        #expect(try await run("documents", "search", "nothing", "like", "it").errors.contains("nothing found"))
    }

    @Test("says that there is more than a search shows")
    func searchesOn() async throws {
        for number in 1...3 {
            try folder.write("A keeper sleeps in house \(number).", to: "\(number).txt")
            #expect(try await run("import", "\(number).txt").status == 0)
        }
        for options in [[], ["--json"]] {
            let cut = try await Program(["documents", "search", "keeper", "--limit", "2"] + options, in: folder).run()
            #expect(cut.status == 0 && cut.errors.contains("1 more"), "\(cut.errors)")
            let whole = try await Program(["documents", "search", "keeper"] + options, in: folder).run()
            #expect(whole.status == 0 && !whole.errors.contains("more"), "\(whole.errors)")
        }
        #expect(try await run("documents", "search", "keeper", "--offset", "3").errors.contains("nothing more found"))
    }

    @Test("renames and deletes, and the recordings stay")
    func changes() async throws {
        try await importBook()
        let renamed = try await run("documents", "rename", "bo", "Harbour tales")
        #expect(renamed.status == 0 && renamed.errors.contains("whose name begins so"), "\(renamed.errors)")
        let refused = try await run("documents", "rename", "Harbour tales", "two\nlines", "--json")
        #expect(refused.status == 65 && refused.text.contains("library.invalid-name"))
        let spoken = try await run("speak", "--document", "harbour", "--pages", "2", "--save")
        #expect(spoken.status == 0, "\(spoken.errors)")
        #expect(try await run("library", "show", "Harbour tales").text.contains("Harbour tales, page 2"))
        #expect(try await run("documents", "delete", "Harbour tales").status == 1, "nobody was there to be asked")
        #expect(try await run("documents", "delete", "Harbour tales", "--yes").status == 0)
        #expect(try await names().isEmpty)
        let shown = try await run("library", "show", "Harbour tales")
        #expect(shown.text.contains("gone from the library, page 2"))
        #expect(try await run("documents", "show", "book").status == 66)
    }

    @Test("speaks what is chosen, and says which pages there are when others are asked for")
    func speaks() async throws {
        try await importBook()
        let spoken = try await run(
            "speak",
            "--document",
            "book",
            "--chapters",
            "1,3",
            "-o",
            "out.wav",
            "--timings",
            "out.srt"
        )
        #expect(spoken.status == 0, "\(spoken.errors)")
        let captions = try folder.text(of: "out.srt")
        #expect(captions.contains("keeper") && captions.contains("grey") && !captions.contains("dog"))
        for (option, value, code) in [
            ("--pages", "2-9", "pages.no-such-page"), ("--pages", "3-1", "pages.reversed"),
            ("--pages", "x", "pages.unreadable"), ("--chapters", "4", "pages.no-such-chapter"),
        ] {
            let refused = try await run("speak", "--document", "book", option, value, "-o", "no.wav", "--json")
            #expect(refused.status == 64 && refused.text.contains(code), "\(value)")
        }
        #expect(!folder.names.contains("no.wav"))
        #expect(try await run("speak", "--pages", "1", "text").status == 64)
        #expect(try await run("speak", "--document", "nothing", "-o", "no.wav").status == 66)
    }

    @Test("speaks a text that does not state its language by a voice of the language of its words, and says so")
    func language() async throws {
        try folder.write("Es war am 3. Oktober, und die Leute kamen um acht Uhr.\n", to: "tag.txt")
        #expect(try await run("import", "tag.txt").status == 0)
        let spoken = try await run("speak", "--document", "tag", "-o", "out.wav", "--json")
        #expect(spoken.errors.contains("the document is in “de”"), "\(spoken.errors)")
        let summary = try JSONSerialization.jsonObject(with: spoken.output) as? [String: Any]
        #expect((summary?["voice"] as? String)?.contains("/de") == true)
        let named = try await run("speak", "--document", "tag", "--voice", "en-gb", "-o", "out.wav")
        #expect(named.status == 0 && !named.errors.contains("the document is in"))
        for outputs in [["-o", "out.wav"], ["--save"]] {
            let text = try await Program(["speak", "-f", "tag.txt"] + outputs, in: folder).run()
            #expect(text.status == 0 && text.errors.contains("seems to be in “de”"), "\(text.errors)")
        }
        let chosen = try await run("speak", "-f", "tag.txt", "--voice", "en-gb", "-o", "out.wav")
        #expect(chosen.status == 0 && !chosen.errors.contains("seems to be"))
    }

    @Test("leaves no word of a document on the disk, neither while it is kept nor after it is deleted")
    func secrecy() async throws {
        let home = try LibraryHome()
        let source = home.folder("secret.txt")
        try home.folder.write("# Quokkabridge\n\nThe wombatsecret is under the bridge.\n", to: "secret.txt")
        try await home.succeed("import", "secret.txt", "--name", "Numbatname")
        try FileManager.default.removeItem(atPath: source)
        try await home.succeed("documents", "search", "wombatsecret")
        try await home.succeed("batch", "Numbatname")
        func leaks() throws -> [String] {
            try home.bytes().filter { _, bytes in
                ["Quokkabridge", "wombatsecret", "Numbatname"].contains { bytes.range(of: Data($0.utf8)) != nil }
            }.map(\.key)
        }
        #expect(try leaks().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder("tmp")).isEmpty)
        try await home.succeed("documents", "delete", "Numbatname", "--yes")
        #expect(try leaks().isEmpty)
        #expect(try await home.succeed("documents", "search", "wombatsecret", "--json") == "[\n\n]\n")
        let report = try await home.succeed("vault", "check", "--json")
        #expect(report.contains("\"damaged\" : [\n\n  ]"))
    }
}
