import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

@Suite("EPUB", .endsInTime)
struct EPUBReaderTests {
    private let reader = LocalDocumentReader()

    private func read(_ pages: String...) async throws -> DocumentText {
        try await reader.read(SampleEPUB(pages: pages).file)
    }

    @Test func `keeps the promises of a reader`() async throws {
        let sample = SampleEPUB(
            pages: ["<h1>One</h1><p>First.</p>", "<h1 id='two'>Two</h1><p>Second.</p>", "~<p>An aside.</p>"],
            navigation: [("One", "page1.xhtml"), ("Two", "page2.xhtml#two")]
        )
        try await verifyContract(of: reader, with: [sample.file])
        let document = try await reader.read(sample.file)
        #expect(document.text == "One\n\nFirst.\n\nTwo\n\nSecond.\n\nAn aside.")
        #expect(
            document.pages.map { document.words($0.range).trimmingCharacters(in: .whitespacesAndNewlines) } == [
                "One\n\nFirst.", "Two\n\nSecond.", "An aside.",
            ]
        )
        #expect(document.chapters.map { document.words($0.range).prefix(3) } == ["One", "Two"])
        #expect(document.marked(.nonLinear) == ["An aside."])
        #expect(document.title == "A Sample" && document.author == "Somebody" && document.language == "en-GB")
    }

    @Test func `reads lists, tables, pictures and quotations as they are heard`() async throws {
        let document = try await read(
            """
            <ol><li>Wash</li><li><p>Dry</p><ul><li>Well</li></ul></li></ol>
            <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7.</td><td/><td>so</td></tr></table>
            <p>A <img src="x.png" alt="red rose"/> and<br/>a <b>line</b>&nbsp;end&#8230; &copy;</p>
            <blockquote><p>Quoted.</p></blockquote><pre>let a = 1
              let b</pre><script>alert(1)</script><p hidden="">Not this</p>
            """
        )
        #expect(
            document.text == """
                1. Wash

                2. Dry

                Well

                Name, Age

                Ann, 7. so

                A red rose and
                a line end… ©

                Quoted.

                let a = 1
                let b
                """
        )
        #expect(document.blocks(.tableRow) == ["Name, Age", "Ann, 7. so"])
        #expect(document.blocks(.altText) == ["red rose"])
        #expect(document.blocks(.quotation) == ["Quoted."])
        #expect(document.blocks(.code) == ["let a = 1\nlet b"])
        #expect(document.blocks.filter { $0.kind == .listItem }.map(\.level) == [1, 1, 2])
    }

    @Test func `marks footnotes and what points to them`() async throws {
        let document = try await read(
            """
            <p>A word<a epub:type="noteref" href="#n1">1</a> and another<sup><a href="#n2">[2]</a></sup>, H<sub>2</sub>O.</p>
            <aside epub:type="footnote" id="n1"><p>1. The first note.</p></aside><p>After it.</p>
            """
        )
        #expect(document.marked(.footnoteReference) == ["1", "[2]"])
        #expect(document.marked(.footnote) == ["1. The first note."])
        #expect(document.cut() == "A word and another, H2O.\n\nAfter it.")
    }

    @Test func `reads a table of contents of EPUB 2`() async throws {
        var sample = SampleEPUB(
            pages: ["<p>One.</p>", "<p id='x'>Two.</p>"],
            manifest: #"<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>"#
        )
        sample.add(
            "OEBPS/toc.ncx",
            """
            <ncx><navMap><navPoint><navLabel><text>Part</text></navLabel><content src="page1.xhtml"/>
            <navPoint><navLabel><text>Inner</text></navLabel><content src="page2.xhtml#x"/></navPoint></navPoint></navMap></ncx>
            """
        )
        let document = try await reader.read(sample.file)
        #expect(document.chapters.map(\.title) == ["Part", "Inner"])
        #expect(document.chapters.map(\.level) == [1, 2])
        #expect(document.words(document.chapters[1].range) == "Two.")
    }

    @Test func `reads pages that are not well-formed as a browser would`() async throws {
        let document = try await read("<p>One<p>Two <b>bold</p><br>Three & four")
        #expect(document.text.contains("Two bold") && document.text.contains("Three & four"))
    }

    @Test func `neither fetches nor swells by what a page declares`() async throws {
        var sample = SampleEPUB(pages: ["<p>x</p>"])
        let levels = (1...12).map { "<!ENTITY e\($0) \"\(String(repeating: "&e\($0 - 1);", count: 10))\">" }.joined()
        sample.replace(
            "OEBPS/page1.xhtml",
            """
            <!DOCTYPE html [<!ENTITY e0 "ha">\(levels)<!ENTITY f SYSTEM "file:///etc/passwd"><!ENTITY g SYSTEM "http://127.0.0.1/">]>
            <html xmlns="http://www.w3.org/1999/xhtml"><body><p>Before &e12; &f; &g; after</p></body></html>
            """
        )
        let document = try await reader.read(sample.file)
        #expect(document.text.utf16.count < 1_000 && !document.text.contains("root"))
        #expect(document.text.contains("Before") && document.text.contains("after"))
    }

    @Test func `follows no path out of its container`() async throws {
        var sample = SampleEPUB(
            pages: ["<p>Inside.</p>"],
            manifest: """
                <item id="out" href="../../../../etc/passwd" media-type="application/xhtml+xml"/>
                """
        )
        sample.add("../../evil.xhtml", "<html><body>evil</body></html>")
        sample.add("/tmp/evil.xhtml", "<html><body>evil</body></html>")
        #expect(try await reader.read(sample.file).text == "Inside.")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/evil.xhtml"))
    }

    @Test func `locked by a seller is refused, with scrambled fonts it is read`() async throws {
        func sample(_ algorithm: String) -> SampleEPUB {
            var sample = SampleEPUB(pages: ["<p>Words.</p>"])
            sample.add(
                "META-INF/encryption.xml",
                """
                <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData>
                <EncryptionMethod Algorithm="\(algorithm)"/></EncryptedData></encryption>
                """
            )
            return sample
        }
        await #expect(throws: DocumentError.protectedByDRM) {
            try await reader.read(sample("http://www.w3.org/2001/04/xmlenc#aes128-cbc").file)
        }
        #expect(try await reader.read(sample("http://www.idpf.org/2008/embedding").file).text == "Words.")
        var apple = SampleEPUB(pages: ["<p>Words.</p>"])
        apple.add("META-INF/sinf.xml", "<sinf/>")
        await #expect(throws: DocumentError.protectedByDRM) { try await reader.read(apple.file) }
    }

    @Test func `says what is missing, and refuses what has nothing to read`() async throws {
        var sample = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>"])
        sample.entries.removeAll { $0.name == "OEBPS/page2.xhtml" }
        #expect(try await reader.read(sample.file).notices == [.missingParts(1)])
        var most = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>", "<p>Three.</p>"])
        most.entries.removeAll { $0.name == "OEBPS/page2.xhtml" || $0.name == "OEBPS/page3.xhtml" }
        #expect(try await reader.read(most.file).notices == [.missingParts(2)])
        await #expect(throws: DocumentError.blank) { try await read("<p> </p>", "<h1></h1>") }
        await #expect(throws: DocumentError.noText) { try await read("<p> </p>", "<img src='a.jpg' alt=''/>") }
        sample.entries.removeAll { $0.name == "OEBPS/page1.xhtml" }
        await #expect(throws: DocumentError.damaged(.epub)) { try await reader.read(sample.file) }
        sample.entries.removeAll { $0.name == "OEBPS/package.opf" }
        await #expect(throws: DocumentError.damaged(.epub)) { try await reader.read(sample.file) }
    }

    @Test func `takes a ZIP file with a book in it for what it is, and a cut book for a book`() async throws {
        let book = SampleEPUB.Entry(name: "book.epub", bytes: SampleEPUB(pages: ["<p>Words.</p>"]).bytes)
        let note = SampleEPUB.Entry(name: "note.txt", bytes: Data("A note.".utf8))
        var zip = SampleEPUB(pages: [])
        zip.hasMimetype = false
        for entries in [[book], [note, book], [book, note]] {
            zip.entries = entries
            let error = DocumentError.unsupported(found: BinaryContent(zip.bytes)?.name)
            await #expect(throws: error) { try await reader.read(zip.file) }
        }
        #expect(try DocumentKind(of: book.bytes) == .epub)
        #expect(try DocumentKind(of: book.bytes.dropLast(40)) == .epub)
    }

    /// A book whose items are `files`, each with an id, a name, a media type and further attributes.
    private func book(_ files: [(id: String, name: String, type: String, more: String)], spine: [String]) -> SampleEPUB
    {
        var sample = SampleEPUB(pages: ["<p>Unused.</p>"])
        let items = files.map { file in
            let name = file.name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.name
            return #"<item id="\#(file.id)" href="\#(name)" media-type="\#(file.type)" \#(file.more)/>"#
        }
        sample.replace(
            "OEBPS/package.opf",
            """
            <package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/>
            <manifest>\(items.joined())</manifest>
            <spine>\(spine.map { #"<itemref idref="\#($0)"/>"# }.joined())</spine></package>
            """
        )
        return sample
    }

    private let pageType = "application/xhtml+xml"

    @Test(arguments: ["ühtegi õunu.xhtml", "глава первая.xhtml", "夜.xhtml", "100%25 sure.xhtml"])
    func `finds its files by names of any letters`(name: String) async throws {
        var sample = book([("a", name, pageType, "")], spine: ["a"])
        sample.add("OEBPS/\(name)", "<html><body><p>Words.</p></body></html>")
        let document = try await reader.read(sample.file)
        #expect(document.text == "Words." && document.notices.isEmpty)
    }

    @Test func `reads the fallback of what is no text, however far it is, and says where there is none`() async throws {
        var sample = book(
            [
                ("picture", "a.jpg", "image/jpeg", #"fallback="data""#),
                ("data", "a.bin", "application/x-data", #"fallback="words""#), ("words", "words.xhtml", pageType, ""),
                ("ring", "b.bin", "application/x-data", #"fallback="knot""#),
                ("knot", "c.bin", "application/x-data", #"fallback="ring""#), ("photo", "p.jpg", "image/jpeg", ""),
            ],
            spine: ["picture", "ring", "photo"]
        )
        sample.add("OEBPS/words.xhtml", "<html><body><p>In words.</p></body></html>")
        let document = try await reader.read(sample.file)
        #expect(document.text == "In words." && document.notices == [.missingParts(1)])
        let album = book([("photo", "p.jpg", "image/jpeg", "")], spine: ["photo"])
        await #expect(throws: DocumentError.noText) { try await reader.read(album.file) }
    }

    @Test func `reads ids and names with spaces around and in them`() async throws {
        var sample = book([(" a b ", "one.xhtml", " \(pageType) ", "")], spine: ["a b"])
        sample.add("OEBPS/one.xhtml", "<html><body><p>Words.</p></body></html>")
        #expect(try await reader.read(sample.file).text == "Words.")
    }

    @Test func `reads the words of a drawing, on a page of its own and within one`() async throws {
        let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg"><title>A map</title><style>text { fill: red }</style>
            <defs><text>Not drawn</text></defs><g><text x="1">The <tspan>harbour</tspan></text><desc>no</desc></g>
            <text>The hill</text></svg>
            """
        var sample = book([("a", "map.svg", "image/svg+xml", "")], spine: ["a"])
        sample.add("OEBPS/map.svg", drawing)
        let document = try await reader.read(sample.file)
        #expect(document.text == "A map\n\nThe harbour\n\nThe hill" && document.blocks(.altText) == ["A map"])
        #expect(try await read("<p>See \(drawing) here.</p>").text == "See A map The harbour The hill here.")
    }

    @Test func `reads what stands in for an object`() async throws {
        let page = #"<p>A <object data="x.swf"><param name="a" value="b"/>plain <i>description</i></object> of it.</p>"#
        #expect(try await read(page).text == "A plain description of it.")
    }

    @Test func `reports what it embeds and does not read`() async throws {
        let document = try await read(
            """
            <p>Words.</p><iframe src="map.xhtml">no</iframe><embed src="a.swf"/><object data="b.swf"/>
            <object data="c.swf">Instead.</object><object data="d.svg"><img alt="A map"/></object><iframe/>
            <iframe src="f.xhtml" hidden=""/><object data="g.swf" aria-hidden="true"/>
            <table><tr><td>Cell<iframe src="e.xhtml"/></td></tr></table>
            """
        )
        #expect(document.notices == [.embeddedParts(4)])
        #expect(document.text.contains("Instead.") && document.text.contains("A map"))
    }

    @Test(arguments: ["", "<br>"])
    func `puts in the plain text that a page declares, well-formed or not`(end: String) async throws {
        var sample = SampleEPUB(pages: ["<p>x</p>"])
        sample.replace(
            "OEBPS/page1.xhtml",
            """
            <!DOCTYPE html [<!ENTITY us "The Harbour Company"><!ENTITY tide '1&#160;m'>]>
            <html xmlns="http://www.w3.org/1999/xhtml"><body><p>By &us;, at &tide;.</p>\(end)</body></html>
            """
        )
        #expect(try await reader.read(sample.file).text == "By The Harbour Company, at 1 m.")
    }

    private static let german = "Die Wellen schlagen über die Mauer, und das Mädchen hört süße Töne."

    /// A page's statement about its encoding, the encoding, and what is reported about it.
    private static let encodings: [(stated: String, encoding: String.Encoding, notices: [DocumentNotice])] = [
        (#"<?xml version="1.0" encoding="windows-1252"?>"#, .windowsCP1252, []),
        (#"<?xml version="1.0" encoding="ISO-8859-1"?>"#, .isoLatin1, []),
        (#"<?xml version="1.0" encoding="utf-16"?>"#, .utf16, []), ("", .utf16, []), ("", .utf8, []),
        ("", .windowsCP1252, [.guessedEncoding("CP1252")]),
    ]

    @Test(arguments: encodings, ["", "<br>"])
    func `reads pages in any encoding, well-formed or not`(
        sample: (stated: String, encoding: String.Encoding, notices: [DocumentNotice]),
        end: String
    ) async throws {
        var book = SampleEPUB(pages: ["<p>x</p>"])
        let page = """
            \(sample.stated)<html xmlns="http://www.w3.org/1999/xhtml"><body><p>\(Self.german)</p>\(end)</body></html>
            """
        book.entries.removeAll { $0.name == "OEBPS/page1.xhtml" }
        let bytes = try #require(page.data(using: sample.encoding))
        book.entries.append(.init(name: "OEBPS/page1.xhtml", bytes: bytes))
        let document = try await reader.read(book.file)
        #expect(document.text == Self.german && document.notices == sample.notices)
    }

    @Test func `reads a chapter that its order lacks where the contents list has it`() async throws {
        func text(_ number: String) -> SampleEPUB.Entry {
            let page = "<html><body><h1>\(number)</h1><p>The words of \(number).</p></body></html>"
            return .init(name: "OEBPS/\(number).xhtml", bytes: Data(page.utf8))
        }
        let items = ["Zero", "Two", "Unlisted"].map { name in
            #"<item id="\#(name)" href="\#(name).xhtml" media-type="\#(pageType)"/>"#
        }
        let sample = SampleEPUB(
            pages: ["<h1>One</h1><p>The words of one.</p>", "<h1>Three</h1><p>The words of three.</p>"],
            navigation: [
                ("Zero", "Zero.xhtml"), ("One", "page1.xhtml"), ("Two", "Two.xhtml"), ("Contents", "nav.xhtml"),
                ("Three", "page2.xhtml"),
            ],
            manifest: items.joined(),
            further: ["Zero", "Two", "Unlisted"].map(text)
        )
        let document = try await reader.read(sample.file)
        #expect(document.chapters.map(\.title) == ["Zero", "One", "Two", "Three"])
        let words = ["Zero", "The words of Zero.", "One", "The words of one.", "Two", "The words of Two."]
        #expect(document.text == (words + ["Three", "The words of three."]).joined(separator: "\n\n"))
        #expect(document.pages.count == 4 && document.notices.isEmpty && document.marks.isEmpty)
    }

    @Test func `reads everything where nothing is said to be in order`() async throws {
        let document = try await read("~<p>One.</p>", "~<p>Two.</p>")
        #expect(document.text == "One.\n\nTwo." && document.marks.isEmpty)
    }

    @Test func `reads what stands in for scripts, and one content of several`() async throws {
        let plain = try await read("<p>A.</p><noscript><p>B.</p></noscript><noscript><img alt='no'/></noscript>")
        #expect(plain.text == "A.\n\nB.")
        func choice(_ namespace: String, _ content: String) -> String {
            """
            <p>See <epub:switch><epub:case required-namespace="\(namespace)">\(content)</epub:case>
            <epub:default>the default</epub:default></epub:switch> there.</p>
            """
        }
        let formula = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>y</mi></math>"#
        #expect(try await read(choice("http://www.w3.org/1998/Math/MathML", formula)).text == "See y there.")
        #expect(try await read(choice("http://www.xml-cml.org/schema", "<m>no</m>")).text == "See the default there.")
    }

    @Test func `reads labels of drawings and pictures, and keeps blocks apart`() async throws {
        let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" aria-label="A chart"><title>no</title></svg>"#
        let document = try await read(
            """
            <p>\(drawing)</p><p><img src="a.png" aria-label="A harbour"/></p><p><img src="b.png" alt="" title="no"/></p>
            <fieldset><legend>Tides</legend>High</fieldset><dialog open="">Open</dialog>
            <ol><li value="7">Seven</li><li>Eight</li></ol>
            """
        )
        #expect(document.text == "A chart\n\nA harbour\n\nTides\n\nHigh\n\nOpen\n\n7. Seven\n\n8. Eight")
    }

    @Test func `says that most of its pages are pictures, and that it has no cover`() async throws {
        let picture = "<p><img src='a.png' alt=''/></p>"
        let scan = try await read("<h1>Title</h1>", picture, picture, "<p>End.</p>", picture)
        #expect(scan.notices == [.pagesWithoutText([2, 3, 5])])
        #expect(try await read(picture, "<p>One.</p>", "<p>Two.</p>", picture).notices.isEmpty)
    }

    @Test func `keeps words apart that are placed one by one`() async throws {
        let words = ["Once", "upon a", "time"].map { #"<span style="position: absolute; left: 9px">\#($0)</span>"# }
        let lines = ["there was", "a tide"].map { #"<i style="display:block">\#($0)</i>"# }
        #expect(try await read("<p>\(words.joined())\(lines.joined())</p>").text == "Once upon a time there was a tide")
        let initial = #"<p><span style="float: left; display: block">T</span>he tide rose.</p>"#
        #expect(try await read(initial).text == "The tide rose.")
    }

    @Test func `reads a page that its break contains, and what is in a row beside its cells`() async throws {
        let words = String(repeating: "The tide rose slowly in the harbour. ", count: 4)
        let document = try await read(#"<div epub:type="pagebreak" id="p1"><p>\#(words)</p></div>"#)
        #expect(document.text == words.trimmingCharacters(in: .whitespaces))
        let row = try await read("<table><tr><th>One</th><form>Two</form><td>Three</td></tr></table>")
        #expect(row.text == "One, Two, Three")
    }

    @Test func `does not read what is not seen, in a cell either`() async throws {
        let document = try await read(
            """
            <table><tr><td>One<span hidden="">no</span> <b aria-hidden="true">no</b><script>no()</script></td>
            <td hidden="">no</td><td><p>Two<style>no</style></p></td></tr></table>
            """
        )
        #expect(document.text == "One, Two")
        let styled = try await read(
            """
            <p style="color: red; Display : none">no</p><p style="visibility:hidden">no</p><dialog>no</dialog>
            <ul><li><p hidden="">no</p>Item</li></ul>
            """
        )
        #expect(styled.text == "Item")
    }

    @Test(arguments: ["civil", "ill", "vivid", "mix"])
    func `keeps words of the letters of Roman numerals`(word: String) async throws {
        let document = try await read("<p>They were <a role='doc-noteref' href='#n'>\(word)</a> then.</p>")
        #expect(document.marks.isEmpty && document.cut() == "They were \(word) then.")
    }

    @Test(arguments: ["↩", "3", "Back to text", "Tagasi teksti juurde"], ["Smith, The tides"])
    func `leaves out a way back, and no words of a note`(way: String, words: String) async throws {
        let left = try await read("<p>A note. <a role='doc-backlink' href='#r'>\(way)</a></p>")
        #expect(left.cut().trimmingCharacters(in: .whitespaces) == "A note.")
        let kept = try await read("<p>See <a role='doc-backlink' href='#r'>\(words)</a>.</p>")
        #expect(kept.marks.isEmpty && kept.cut() == "See \(words).")
    }

    @Test(arguments: ["3", "[iv]", "*", "†", "b", "Note 12", "fn3"], [true, false])
    func `leaves out a reference that is a sign, and no words`(sign: String, isRole: Bool) async throws {
        let kind = isRole ? #"role="doc-noteref""# : #"epub:type="noteref""#
        let signed = try await read("<p>The tide rose<a \(kind) href='#n'>\(sign)</a> slowly.</p>")
        #expect(signed.marked(.footnoteReference) == [sign] && signed.cut() == "The tide rose slowly.")
        let worded = try await read("<p>The <a \(kind) href='#n'>spring tides</a> rose slowly.</p>")
        #expect(worded.marks.isEmpty && worded.cut() == "The spring tides rose slowly.")
    }

    @Test func `reads a first chapter that its order lacks behind the pages that no list names`() async throws {
        let page = "<html><body><h1>Zero</h1><p>The words of zero.</p></body></html>"
        let sample = SampleEPUB(
            pages: ["<p>The title page.</p>", "<h1>One</h1><p>The words of one.</p>"],
            navigation: [("Zero", "Zero.xhtml"), ("One", "page2.xhtml")],
            manifest: #"<item id="Zero" href="Zero.xhtml" media-type="\#(pageType)"/>"#,
            further: [SampleEPUB.Entry(name: "OEBPS/Zero.xhtml", bytes: Data(page.utf8))]
        )
        let document = try await reader.read(sample.file)
        let words = ["The title page.", "Zero", "The words of zero.", "One", "The words of one."]
        #expect(document.text == words.joined(separator: "\n\n"))
        #expect(document.notices.isEmpty)
    }

    @Test(arguments: ["see", "See note", "See p.", "notes 2 and"], ["epub:type='noteref'", "class='noteref'"])
    func `reads a number that is said with the word before it`(words: String, kind: String) async throws {
        let note = "<p class='footnote' id='n'>3 Low.</p><p>The end.</p>"
        let said = try await read("<p>\(words) <a \(kind) href='#n'>3</a>.</p>\(note)")
        #expect(said.marked(.footnoteReference).isEmpty && said.cut() == "\(words) 3.\n\nThe end.")
        let bracketed = try await read("<p>\(words) [<a \(kind) href='#n'>3</a>].</p>")
        #expect(bracketed.cut() == "\(words) [3].")
        let raised = try await read("<p>As we \(words) <a \(kind) href='#n'><sup>3</sup></a> rose.</p>")
        #expect(raised.marked(.footnoteReference) == ["3"])
        let behind = try await read("<p>As we \(words)<a \(kind) href='#n'>3</a> rose.</p>")
        #expect(behind.cut() == "As we \(words) rose.")
        for line in ["It is on page 2 of the note.", "In the 1920s", "That is the tide’s", "In this chapter", "2 and"] {
            let sentence = try await read("<p>\(line) <a \(kind) href='#n'>3</a> It rose.</p>")
            #expect(sentence.marked(.footnoteReference) == ["3"], "\(line)")
        }
    }

    @Test(
        arguments: [
            "Alternative text not available", "No alt text.", "[alt text]", "image0012.JPG", "fig-3.png",
            "Illustration", "cover image", "Cover", "Image description not available",
        ]
    )
    func `does not read what stands for missing words about a picture`(words: String) async throws {
        let document = try await read(
            #"<p>A <img src="x.png" alt="\#(words)"/>rose.</p><table><tr><td>a<img alt="\#(words)"/></td></tr></table>"#
        )
        #expect(document.text == "A rose.\n\na" && document.blocks(.altText).isEmpty)
        #expect(
            try await read(#"<p><img alt="Alternative text is not available here yet"/></p>"#).text.hasSuffix("yet")
        )
    }

    @Test func `shows its cover`() async throws {
        let png = try await reader.picture(of: nil, in: SamplePDF(paragraphs: ["A cover."]).file, width: 200).png
        var sample = SampleEPUB(
            pages: ["<p>One.</p>"],
            metadata: #"<meta name="cover" content="cover"/>"#,
            manifest: #"<item id="cover" href="cover.png" media-type="image/png"/>"#,
            further: [.init(name: "OEBPS/cover.png", bytes: png)]
        )
        let cover = try await reader.picture(of: nil, in: sample.file, width: 100)
        #expect(cover.width == 100 && cover.height > 100)
        await #expect(throws: DocumentError.noPicture) { try await reader.picture(of: 1, in: sample.file, width: 100) }
        sample.replace("OEBPS/cover.png", "no picture at all")
        await #expect(throws: DocumentError.coverNotDrawn) {
            try await reader.picture(of: nil, in: sample.file, width: 100)
        }
        let bare = SampleEPUB(pages: ["<p>One.</p>"])
        await #expect(throws: DocumentError.noPicture) {
            try await reader.picture(of: nil, in: bare.file, width: 100)
        }
    }
}
