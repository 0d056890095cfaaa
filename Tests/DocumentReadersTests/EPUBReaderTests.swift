import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

@Suite("EPUB", .timeLimit(.minutes(2)))
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

    @Test func `tells what is missing, and refuses what has nothing to read`() async throws {
        var sample = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>"])
        sample.entries.removeAll { $0.name == "OEBPS/page2.xhtml" }
        #expect(try await reader.read(sample.file).notices == [.missingParts(1)])
        await #expect(throws: DocumentError.noText) { try await read("<p> </p>") }
        sample.entries.removeAll { $0.name == "OEBPS/package.opf" }
        await #expect(throws: DocumentError.damaged(.epub)) { try await reader.read(sample.file) }
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
        await #expect(throws: DocumentError.noPicture) {
            try await reader.picture(of: nil, in: sample.file, width: 100)
        }
    }
}
