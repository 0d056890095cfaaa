import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext library export, of a document's recording", .endsInTime)
struct BookExportTests {
    private static let checker = "/usr/share/java/epubcheck.jar"
    private static let hasChecker = FileManager.default.fileExists(atPath: checker)
    private static let hasProbe = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffprobe")

    private let folder = TemporaryFolder()

    private static let book = """
        Before the first chapter stands this.

        # The harbour & 1 < 2

        The lighthouse keeper sleeps. Waves come in.

        "Who is there?" he asks.

        # The town

        Nobody is awake here. [pause:800ms] A dog barks twice.

        # The hill

        From the hill the sea is grey.

        """

    private func run(_ arguments: String...) async throws -> Program.Outcome {
        try await Program(arguments, in: folder).run()
    }

    private func record(_ options: String...) async throws {
        try folder.write(Self.book, to: "book.md")
        for arguments in [
            ["import", "book.md", "--name", "Tales"], ["speak", "--document", "Tales", "--save"] + options,
        ] {
            let outcome = try await Program(arguments, in: folder).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }

    /// The output of a program of the machine.
    private func output(_ program: String, _ arguments: String...) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test(
        "is a book with media overlays that epubcheck accepts",
        .enabled(if: hasChecker, "epubcheck is not installed")
    )
    func epub() async throws {
        try await record()
        let exported = try await run("library", "export", "Tales", "-o", "tales.epub")
        #expect(exported.status == 0, "\(exported.errors)")
        let check = try output("/usr/bin/java", "-jar", Self.checker, "tales.epub", "--failonwarnings")
        #expect(check.status == 0, "\(check.text)")
        let unpacked = try output("/usr/bin/python3", "-m", "zipfile", "-e", "tales.epub", "book")
        #expect(unpacked.status == 0)
        #expect(try folder.data(of: "tales.epub")[30..<58] == Data("mimetypeapplication/epub+zip".utf8))
        let page = try folder.text(of: "book/EPUB/chapter-2.xhtml")
        #expect(page.contains("<span id=\"s1\">") && page.contains("keeper") && page.contains("&amp;"))
        #expect(!page.contains("Nobody"))
        let town = try folder.text(of: "book/EPUB/chapter-3.xhtml")
        #expect(town.contains("A dog barks twice.") && !town.contains("pause"))
        let overlay = try folder.text(of: "book/EPUB/chapter-2.smil")
        #expect(overlay.contains("chapter-2.xhtml#s1") && overlay.contains("clipBegin=\"0:00:00.000\""))
        let navigation = try folder.text(of: "book/EPUB/nav.xhtml")
        #expect(navigation.contains(">The town<") && navigation.contains(">Tales<"))
    }

    @Test("is a ZIP file with a sound file for each chapter")
    func chapters() async throws {
        try await record("--chapters", "1,3")
        let exported = try await run("library", "export", "Tales", "--chapters", "--format", "flac", "-o", "all.zip")
        #expect(exported.status == 0, "\(exported.errors)")
        let listed = try output("/usr/bin/python3", "-m", "zipfile", "-l", "all.zip")
        #expect(listed.text.contains("1 The harbour") && listed.text.contains("2 The hill.flac"))
        #expect(!listed.text.contains("The town"))
        #expect(try output("/usr/bin/python3", "-m", "zipfile", "-t", "all.zip").status == 0)
        #expect(try await run("library", "export", "Tales", "--chapters", "-o", "all.mp3").status == 64)
    }

    @Test("is an audiobook with the document's chapters", .enabled(if: hasProbe, "FFmpeg is not installed"))
    func audiobook() async throws {
        try await record()
        let exported = try await run("library", "export", "Tales", "-o", "tales.m4b")
        #expect(exported.status == 0, "\(exported.errors)")
        let shown = try output("/usr/bin/ffprobe", "-v", "error", "-show_chapters", "tales.m4b")
        let titles = shown.text.split(separator: "\n").filter { $0.hasPrefix("TAG:title=") }.map { $0.dropFirst(10) }
        #expect(titles == ["Tales", "The harbour & 1 < 2", "The town", "The hill"])
    }

    @Test(
        "is an audiobook with every chapter of a book whose contents are nested, and a page of it",
        .enabled(if: hasProbe, "FFmpeg is not installed")
    )
    func nestedContents() async throws {
        let numbers = [1, 2, 3, 10, 11, 29, 30]
        try writeBook(numbers)
        #expect(try output("/usr/bin/python3", "-m", "zipfile", "-c", "book.epub", "META-INF", "OEBPS").status == 0)
        for arguments in [
            ["import", "book.epub", "--name", "Numbers"], ["speak", "--document", "Numbers", "--save"],
            ["library", "export", "Numbers", "-o", "book.m4b"],
        ] {
            let outcome = try await Program(arguments, in: folder).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let contents = try await run("documents", "show", "Numbers").text
        let entries = contents.matches(of: /Part One|Chapter \d+/).map { String($0.output) }
        #expect(entries == ["Part One"] + numbers.map { "Chapter \($0)" }, "\(contents)")
        let text = try await run("documents", "text", "Numbers").text
        #expect(
            text.split(separator: "\n").map(String.init) == numbers.flatMap { ["Chapter \($0)", "It is night."] },
            "\(text)"
        )
        let shown = try output("/usr/bin/ffprobe", "-v", "error", "-show_chapters", "book.m4b").text
        let lines = shown.split(separator: "\n")
        let titles = lines.filter { $0.hasPrefix("TAG:title=") }.map { String($0.dropFirst(10)) }
        #expect(titles == numbers.map { "Chapter \($0)" })
        let starts = lines.filter { $0.hasPrefix("start_time=") }.compactMap { Double($0.dropFirst(11)) }
        #expect(starts.first == 0 && starts.count == numbers.count)
        // A heading and three words are between them.
        #expect(zip(starts, starts.dropFirst()).allSatisfy { (1..<10).contains($1 - $0) }, "\(starts)")
    }

    /// Writes the files of a book whose contents are one of its pages, with a list of pages, and a part without a page.
    private func writeBook(_ chapters: [Int]) throws {
        for name in ["META-INF", "OEBPS"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
        }
        let container = """
            <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
            <rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
            """
        try folder.write(container, to: "META-INF/container.xml")
        let type = #"media-type="application/xhtml+xml""#
        let items = chapters.map { #"<item id="c\#($0)" href="c\#($0).xhtml" \#(type)/>"# }.joined()
        let spine = chapters.map { #"<itemref idref="c\#($0)"/>"# }.joined()
        let package = """
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
            <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Numbers</dc:title>
            <dc:language>en</dc:language></metadata>
            <manifest><item id="nav" href="nav.xhtml" \(type) properties="nav"/>\(items)</manifest>
            <spine><itemref idref="nav"/>\(spine)</spine></package>
            """
        try folder.write(package, to: "OEBPS/package.opf")
        func page(_ body: String) -> String {
            """
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">
            <head><title>A page</title></head><body>\(body)</body></html>
            """
        }
        for number in chapters {
            try folder.write(page("<h1>Chapter \(number)</h1><p>It is night.</p>"), to: "OEBPS/c\(number).xhtml")
        }
        let entries = chapters.map { "<li><p><a href='c\($0).xhtml'>Chapter \($0)</a></p></li>" }
        let part = "<li><span>Part One</span><ol>\(entries.prefix(4).joined())</ol></li>"
        let contents = """
            <nav epub:type="toc"><h1>Contents</h1><ol>\(part)\(entries.dropFirst(4).joined())</ol></nav>
            <nav epub:type="page-list"><ol><li><a href="c1.xhtml">1</a></li><li><a href="c2.xhtml">2</a></li></ol></nav>
            """
        try folder.write(page(contents), to: "OEBPS/nav.xhtml")
    }

    @Test(
        "says the title and author that are given, also joined with another",
        .enabled(if: hasProbe, "FFmpeg is not installed")
    )
    func author() async throws {
        try await record()
        let second = try await run("speak", "Another text.", "--save", "--name", "More")
        #expect(second.status == 0, "\(second.errors)")
        let exported = try await run(
            "library",
            "export",
            "Tales",
            "More",
            "--join",
            "--title",
            "All of it",
            "--author",
            "A. Writer",
            "-o",
            "all.m4b"
        )
        #expect(exported.status == 0, "\(exported.errors)")
        let shown = try output("/usr/bin/ffprobe", "-v", "error", "-show_chapters", "-show_format", "all.m4b").text
        let lines = Set(shown.split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: ["TAG:title=All of it", "TAG:artist=A. Writer", "TAG:title=Tales", "TAG:title=More"])
        )
        #expect(try await run("library", "export", "Tales", "--author", "A. Writer", "-o", "tales.epub").status == 64)
    }

    @Test(
        "is an audiobook with the document's first page as its cover",
        .enabled(if: hasProbe, "FFmpeg is not installed")
    )
    func cover() async throws {
        var paper = SamplePDF(pages: ["The keeper sleeps.", "Waves come in."].map { [.init(text: $0, x: 54, y: 700)] })
        paper.entries = [.init(title: "The harbour", page: 1), .init(title: "The sea", page: 2)]
        try folder.write(paper.bytes, to: "paper.pdf")
        for arguments in [
            ["import", "paper.pdf", "--name", "Paper"], ["speak", "--document", "Paper", "--save"],
            ["library", "export", "Paper", "-o", "paper.m4b"],
        ] {
            let outcome = try await Program(arguments, in: folder).run()
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let shown = try output("/usr/bin/ffprobe", "-v", "error", "-show_streams", "-show_chapters", "paper.m4b").text
        let lines = Set(shown.split(separator: "\n").map(String.init))
        #expect(lines.isSuperset(of: ["DISPOSITION:attached_pic=1", "codec_name=png", "width=320"]))
        #expect(lines.isSuperset(of: ["TAG:title=The harbour", "TAG:title=The sea"]))
    }
}
