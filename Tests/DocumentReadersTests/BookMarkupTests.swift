import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

/// The markup that people's books hold between the words.
@Suite("Markup of books", .endsInTime)
struct BookMarkupTests {
    private let reader = LocalDocumentReader()

    private func read(_ pages: String...) async throws -> DocumentText {
        let document = try await reader.read(SampleEPUB(pages: pages).file)
        #expect(document.invariantViolation == nil)
        return document
    }

    // MARK: Raised and lowered text

    @Test(
        arguments: [
            ("A million is 10<sup>6</sup>.", "A million is 10⁶."),
            ("A millionth is 10<sup>-6</sup> and 10<sup>−6</sup>.", "A millionth is 10⁻⁶ and 10⁻⁶."),
            ("It has 5 m<sup>2</sup>, 3 cm<sup>3</sup> and 7 ft<sup>2</sup>.", "It has 5 m², 3 cm³ and 7 ft²."),
            ("Of x<sup>2</sup>, x<sub>1</sub> and x<sup>1</sup>", "Of x², x1 and x¹"),
            ("It is mc<sup>2</sup> and πr<sup>2</sup>.", "It is mc² and πr²."),
            ("H<sub>2</sub>O, CO<sub>2</sub>, SO<sub>4</sub><sup>2−</sup>", "H2O, CO2, SO4²⁻"),
            ("(a + b)<sup>2</sup> = 2<sup>n</sup>", "(a + b)² = 2ⁿ"), ("21<sup>3</sup> = 9261", "21³ = 9261"),
            ("1<sup>st</sup>, 3<sup>rd</sup>, M<sup>me</sup>, n<sup>o</sup>", "1st, 3rd, Mme, no"),
            ("1<sup>er</sup> <span>crois</span><span>san</span><span>t</span>", "1er croissant"),
            ("Add 3<sup>1</sup>/<sub>2</sub> cups of <sup>14</sup>C", "Add 3 1/2 cups of 14C"),
            ("101<sub>2</sub> is five", "101₂ is five"), ("Um 12<sup>30</sup> Uhr", "Um 12:30 Uhr"),
            ("30<sup>o</sup> C and 86<sup>0</sup>F", "30° C and 86°F"),
            ("Mar<sup>a</sup>, Capt<sup>n</sup>", "Mara, Captn"),
            ("So e<sup>x</sup>, 2<sup>k</sup>.", "So e to the power of x, 2 to the power of k."),
            ("Of x<sup>n+1</sup> and 1<sup>a</sup>", "Of x to the power of n+1 and 1a"),
            ("10<span style='font-size: 70%; vertical-align: super'>6</span>", "10⁶"),
            ("m<sub>e</sub>c<sup>2</sup> and v<sub>x</sub><sup>2</sup>", "mec² and vx²"),
        ]
    )
    func `keeps the place of exponents and indices`(markup: String, text: String) async throws {
        let document = try await read("<p>\(markup)</p>")
        #expect(document.text == text && document.marks.isEmpty)
    }

    @Test(
        arguments: [
            "In 1848<sup>3</sup> the king fled.<sup>12</sup>", "In 1848³ the king fled.¹²",
            "In 1848<span class='super'>3</span> the king fled.<sup>*</sup>",
            "In 1848<sup>[3]</sup> the king fled.<sup>1</sup><sup>2</sup>",
            "In 1848 <sup>3</sup> the king fled.<sup>1, 2</sup>",
            "In 1848<sup>3</sup> the king<sup>2</sup> fled<sup>1</sup>.",
            "In 1848<span style='vertical-align:40%'>3</span> the king fled.<sup>(iv)</sup>",
            "In 1848<sup>3</sup> the king<sup>a</sup> fled<sup>iv</sup>.<sup>b</sup>",
        ]
    )
    func `marks raised figures behind words and years as signs of notes`(markup: String) async throws {
        let document = try await read("<p>\(markup)</p><p>After.</p>")
        #expect(document.cut() == "In 1848 the king fled.\n\nAfter.")
        #expect(!document.marked(.footnoteReference).isEmpty)
    }

    @Test(arguments: ["Apollo 8", "Charles V", "chapter 2", "page 10", "Henri IV", "B12", "June 2", "NASA"])
    func `takes figures behind names for signs of notes`(name: String) async throws {
        #expect(try await read("<p>So \(name)<sup>3</sup> ended.</p>").cut() == "So \(name) ended.")
    }

    @Test func `takes figures behind words with an index for signs of notes`() async throws {
        let document = try await read("<p>So NO<sub>x</sub><sup>2</sup> and x<sub>i</sub><sup>14</sup> rose.</p>")
        #expect(document.cut() == "So NOx and xi rose.")
    }

    @Test func `takes figures behind formulas for signs of notes, and behind variables for exponents`() async throws {
        let document = try await read("<p>So H<sub>2</sub>O<sup>3</sup> is not 4R<sup>2</sup>.</p>")
        #expect(document.cut() == "So H2O is not 4R².")
    }

    @Test func `keeps words and paragraphs apart where a sign is left out`() async throws {
        let document = try await read(
            "<p>It was good. <sup>4</sup>And God saw.</p><p><sup>5</sup>He called it day.</p><p>So.<sup>6</sup></p>"
        )
        #expect(document.cut() == "It was good. And God saw.\n\nHe called it day.\n\nSo.")
    }

    // MARK: Notes

    @Test(
        arguments: [
            "<a class='fn' href='#n'>[3]</a>", "<span class='super'><a href='notes.xhtml#n'>3</a></span>",
            "<a href='#n'><span style='vertical-align:super;font-size:70%'>3</span></a>", "<a href='#n'>*</a>",
            "<a href='#n'>†</a>", "<a href='#n'>3</a>", "[<a href='#n'>3</a>]", "<a href='#n'>(3)</a>",
            "<a id='fnref3' href='#fn3'>3</a>", " <a href='#fn3'>3</a>", "<sup><a href='notes.xhtml'>3</a></sup>",
            "<span class='footnote-ref'>3</span>", "<a href='#n'><small>3</small></a>",
        ]
    )
    func `leaves out what refers to a note, however it is made`(sign: String) async throws {
        let document = try await read("<p>The duke\(sign) ran.</p>")
        #expect(document.cut() == "The duke ran.")
        #expect(document.marked(.footnoteReference).count == 1)
    }

    @Test(
        arguments: [
            "See <a href='#n1'>chapter 4</a> and section <a href='#n2'>2</a>.",
            "As <a href='#fn1'>he said</a>, it ran.", "The <a href='https://example.com/#a'>1</a>",
            "See p.<a href='#p12'>12</a> and note <a href='#note3'>3</a>.",
        ]
    )
    func `reads links whose words or numbers belong to the sentence`(markup: String) async throws {
        let document = try await read("<p>\(markup)</p>")
        #expect(document.marks.isEmpty)
    }

    @Test func `leaves out the notes that its references lead to`() async throws {
        let document = try await read(
            """
            <p>The queen<sup><a href="#n2">2</a></sup> and the duke<a class="fn" href="#n3">[3]</a> ran.</p>
            <p id="other">Not a note.</p><p id="n2" class="footnote"><a href="#r2">2</a> She did not.</p>
            <p id="n3" class="note">[3] On foot.</p>
            <div class="footnote"><p><a id="n4"></a><a href="#r4">[4]</a> By ship.</p><p>And back.</p></div>
            <p>The end.</p>
            """
        )
        #expect(document.cut() == "The queen and the duke ran.\n\nNot a note.\n\nThe end.")
        #expect(document.marked(.footnote).contains("[3] On foot."))
        #expect(document.text.contains("And back."))
    }

    // MARK: Page numbers and contents

    @Test(
        arguments: [
            "won<span class='pagenum'>13</span>derful", "won<a id='page13' class='pageno'>13</a>derful",
            "won<span class='x-ebookmaker-pageno' title='13'>[13]</span>derful", "won[Pg 13]derful",
            "won<span style='position:absolute; left: 92%'>[13]</span>derful", "won<a id='Page_13'>13</a>derful",
            "won<span class='page' id='p13'>{13}</span>derful", "won<span epub:type='pagebreak'>13</span>derful",
            "won<span class='pagenum'><a id='Page_xiv'>[Pg xiv]</a></span>derful",
            "won<span class='page-number'>p. 13</span>derful", "won<span class='x-epub-pagebreak'>13</span>derful",
            "won<span class='linenum'>10</span>derful",
        ]
    )
    func `leaves out the numbers of printed pages, and keeps words whole`(word: String) async throws {
        #expect(try await read("<p>It was a \(word) day.</p>").text == "It was a wonderful day.")
        #expect(
            try await read("<p>To the <span class='pagenum'>[Pg 12]</span>river.</p>").text == "To the river."
        )
    }

    @Test func `reads numbers that are not of pages`() async throws {
        let document = try await read(
            """
            <h2 id='page3'>3</h2><p class='page'>The whole page.</p><p id='p7'>7</p>
            <p><span class='big'>12</span> men</p><p class='start-pagebreak'>4</p>
            """
        )
        #expect(document.text == "3\n\nThe whole page.\n\n7\n\n12 men\n\n4")
    }

    @Test func `reads neither contents pages nor lists of pages`() async throws {
        let list = (1...5).map { "<p><a href='page3.xhtml#c\($0)'>A chapter called \($0)</a></p>" }.joined()
        let document = try await read(
            "<nav epub:type='toc'><h1>Contents</h1><ol><li><a href='page3.xhtml'>One</a></li></ol></nav>"
                + "<nav epub:type='page-list'><ol><li><a href='page3.xhtml#p1'>1</a></li></ol></nav>",
            "<h1>Contents</h1>\(list)",
            "<p>Words.</p>"
        )
        #expect(document.cut().trimmingCharacters(in: .whitespacesAndNewlines) == "Words.")
        #expect(!document.text.contains("One"))
    }

    @Test(
        arguments: [
            "<h2>TABLE OF CONTENTS</h2><table><tr><td><a href='page2.xhtml'>I.</a></td><td>The Start</td><td>5</td></tr>"
                + "<tr><td><a href='page2.xhtml#b'>II.</a></td><td>The End</td><td>17</td></tr></table>",
            "<h1>Inhalt</h1><ul><li><a href='page2.xhtml'>Eins</a></li><li><a href='page2.xhtml#b'>Zwei</a></li></ul>",
            "<p class='t'>Índice</p><p><a href='page2.xhtml'>Uno</a> .... 5</p><p><a href='page2.xhtml#b'>Dos</a> .... 7</p>",
        ]
    )
    func `reads no short page that is titled as contents`(page: String) async throws {
        let document = try await read(page, "<p>Words.</p>")
        #expect(document.cut().trimmingCharacters(in: .whitespacesAndNewlines) == "Words.")
    }

    @Test func `reads a page about contents`() async throws {
        let words = "<p>The contents of the <a href='page2.xhtml'>box</a> were few.</p>"
        #expect(try await read("<h1>Contents</h1>" + words, "<p>End.</p>").cut().hasPrefix("Contents\n\nThe contents"))
    }

    @Test func `reads no contents list within a page`() async throws {
        let list = (1...4).map { "<a href='page2.xhtml#c\($0)'>Part \($0)</a><br/>" }.joined()
        let document = try await read(
            "<h1>Title</h1><p>Printed in a town by people.</p><div class='toc'>\(list)</div>"
                + "<section epub:type='toc'><p>Part 1</p></section><div role='doc-pagelist'>1 2 3</div>",
            "<p>Words.</p>"
        )
        #expect(document.cut() == "Title\n\nPrinted in a town by people.\n\nWords.")
    }

    @Test func `takes contents lists of any shape`() async throws {
        var sample = SampleEPUB(pages: ["<h1>A</h1>", "<h1 id='b'>B</h1>", "<p>C</p>"])
        sample.replace(
            "OEBPS/nav.xhtml",
            """
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
            <nav epub:type="landmarks"><ol><li><a href="page3.xhtml">Start</a></li></ol></nav>
            <nav epub:type="toc"><div><ol><li><span>Part One</span><ol><li><p><a href="page1.xhtml">One</a></p></li>
            <li><div><b><a href="PAGE2.xhtml#b">Two</a></b></div></li></ol></li>
            <li><a href="page3.xhtml"><img src="3.png" alt="Three"/></a></li></ol></div></nav></body></html>
            """
        )
        let chapters = try await reader.read(sample.file).chapters
        #expect(chapters.map(\.title) == ["Part One", "One", "Two", "Three"])
        #expect(chapters.map(\.level) == [1, 2, 2, 1])
    }

    // MARK: Initials

    @Test(
        arguments: [
            "<p><img class='dropcap' src='t.png' alt='T'/>he first word.</p>",
            "<div class='initial'>T</div><p>he first word.</p>", "<p><span class='dropcap'>T</span>he first word.</p>",
            "<div class='drop-cap'><img src='t.png' alt='Decorative letter T'/></div>\n<p>he first word.</p>",
            "<p><img src='line.png' alt='image'/>The first word.</p>",
        ]
    )
    func `puts a first letter and its word together`(markup: String) async throws {
        #expect(try await read(markup).text == "The first word.")
    }

    @Test func `has rare letters as pictures within their words`() async throws {
        #expect(try await read("<p>驢<img src='u.png' alt='馬'/>と</p>").text == "驢馬と")
        #expect(try await read("<div class='initial'>A</div><p>New start.</p>").text == "A\n\nNew start.")
    }

    // MARK: Forms

    @Test(
        arguments: [
            ("Write<textarea rows='2'>what you\nsaw</textarea>here.", "Write what you saw here."),
            (
                "Take<select><option>tea</option><option selected=''>milk</option></select>now.", "Take milk now."
            ), ("Take<select><optgroup><option>tea</option><option>milk</option></optgroup></select>.", "Take tea ."),
            ("Both<select multiple=''><option>tea</option><option>milk</option></select>", "Both tea milk"),
            ("Of<select size='5'><option>tea</option><option>milk</option></select>", "Of tea milk"),
            ("Of<select size=' 1 '><option>tea</option><option>milk</option></select>.", "Of tea ."),
            ("Both<select multiple=''><option>tea</option><option hidden=''>milk</option></select>", "Both tea"),
            ("Take<select><option label='green tea'>3</option></select>now.", "Take green tea now."),
            ("Name<input type='text' value='Anna Ash'/>here,<input value='Ash'/>too.", "Name Anna Ash here, Ash too."),
            ("Press<input type='submit' value='Send'/>or<input type='image' alt='Go'/>.", "Press Send or Go ."),
            ("Tick<input type='checkbox' value='on'/><input type='hidden' value='k1'/> it.", "Tick it."),
            ("None<select></select>here<textarea hidden=''>unseen</textarea>.", "None here."),
        ]
    )
    func `reads what is seen in the fields of a form, apart from the words around them`(
        markup: String,
        text: String
    ) async throws {
        #expect(try await read("<p>\(markup)</p>").text == text)
    }

    // MARK: Tables and formulas

    @Test(
        arguments: [
            ("<td>Ann<sup><a href='#n'>1</a></sup></td><td hidden=''>unseen</td><td>41</td>", "Ann, 41"),
            (
                "<td><ruby>kanji<rt>reading</rt></ruby></td><td><span epub:type='pagebreak'>12</span>seven</td>",
                "kanji, seven"
            ), ("<td>Bo</td><td><style>b{}</style>x<br/>y</td>", "Bo, x y"),
            ("<td>in<table><tr><td>out</td></tr></table></td>", "in, out"),
            ("<td><math alttext='x over y'><mi>x</mi><mi>y</mi></math></td><td>2</td>", "x over y, 2"),
            ("<th>Power</th><td>10<sup>6</sup></td>", "Power, 10⁶"),
        ]
    )
    func `reads cells by the rules of all text`(cells: String, text: String) async throws {
        #expect(try await read("<table><tr>\(cells)</tr></table>").cut() == text)
    }

    @Test func `reads a table that lays out a page as the page`() async throws {
        let document = try await read(
            "<table><tr><td><h1>One</h1><p>First.</p><p>Second.</p></td><td><p>Aside.</p></td></tr></table>"
        )
        #expect(document.text == "One\n\nFirst.\n\nSecond.\n\nAside.")
        #expect(document.blocks(.heading) == ["One"] && document.blocks(.tableRow).isEmpty)
    }

    @Test(
        arguments: [
            ("<math alttext='x equals a'><mi>x</mi></math>", "It is x equals a here."),
            (
                "<math><semantics><msup><mi>y</mi><mn>2</mn></msup><annotation>y^{2}</annotation></semantics></math>",
                "It is y² here."
            ), ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "It is 1/2 here."),
            ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "It is a over b here."),
            ("<math alttext='\\\\frac{a}{b}'><mfrac><mi>a</mi><mi>b</mi></mfrac></math>", "It is a over b here."),
            (
                "<math><msup><mn>10</mn><mrow><mo>-</mo><mn>6</mn></mrow></msup></math>",
                "It is 10⁻⁶ here."
            ),
        ]
    )
    func `says formulas once, by their words or their structure`(formula: String, text: String) async throws {
        #expect(try await read("<p>It is \(formula) here.</p>").text == text)
    }

    // MARK: Languages

    @Test(
        arguments: [
            ("ger", "de"), ("de_DE", "de-DE"), ("est", "et"), ("und", "et"), ("", "et"), ("mul", "et"),
        ]
    )
    func `knows its language by its code or its words`(code: String, language: String) async throws {
        var sample = SampleEPUB(pages: ["<h1>Esimene</h1><p>Tere, siin räägib eesti keel, ja kell on 9.05.</p>"])
        let package = try #require(sample.entries.first { $0.name == "OEBPS/package.opf" })
        let text = String(decoding: package.bytes, as: UTF8.self)
        sample.replace(package.name, text.replacing("<dc:language>en_gb<", with: "<dc:language>\(code)<"))
        #expect(try await reader.read(sample.file).language == language)
    }

    @Test func `knows the passages that are stated to be in another language`() async throws {
        let document = try await read(
            "<p>He read <span lang=\"de\">um 8:03 Uhr</span> aloud.</p><p xml:lang=\"ger\">Am 3. Oktober.</p>"
                + "<p lang=\"de\">Noch.</p><ul><li><p lang=\"et\">Kell 9.05.</p></li></ul>",
            "<blockquote xml:lang=\"fra\"><p>Oui, <i lang=\"la\">et cetera</i>.</p></blockquote><p lang=\"en\">End.</p>"
                + "<p lang=\"und\">More.</p>"
        )
        let passages = try #require(document.structure.passages).map { passage in
            "\(passage.language): \(String(document.text.part(passage.range)).trimmed)"
        }
        #expect(
            passages == [
                "de: um 8:03 Uhr", "de: Am 3. Oktober.\n\nNoch.", "et: Kell 9.05.", "fr: Oui,", "la: et cetera",
                "fr: .",
            ]
        )
        #expect(try await read("<p lang=\"en-US\">Nothing else.</p>").structure.passages == nil)
    }

    @Test func `is in the language that most of its text is stated to be in where it states none`() async throws {
        var sample = SampleEPUB(pages: ["<div lang=\"est\"><p>Kell 9.05.</p></div><p lang=\"de\">Uhr.</p>"])
        let package = try #require(sample.entries.first { $0.name == "OEBPS/package.opf" })
        let text = String(decoding: package.bytes, as: UTF8.self)
        sample.replace(package.name, text.replacing("<dc:language>en_gb<", with: "<dc:language><"))
        let document = try await reader.read(sample.file)
        #expect(document.language == "et")
        #expect(document.structure.passages?.map(\.language) == ["de"])
    }

    // MARK: Containers

    private func renamed(_ change: (String) -> String) -> SampleEPUB {
        var sample = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>"])
        for index in sample.entries.indices { sample.entries[index].name = change(sample.entries[index].name) }
        return sample
    }

    @Test func `finds files whose names differ in case or percent encoding`() async throws {
        let lower = renamed { $0 == "OEBPS/page2.xhtml" ? "oebps/Page2.XHTML" : $0 }
        #expect(try await reader.read(lower.file).text == "One.\n\nTwo.")
        let upper = renamed { $0.hasPrefix("META-INF") ? "meta-inf/Container.xml" : $0 }
        #expect(try await reader.read(upper.file).text == "One.\n\nTwo.")
        let encoded = renamed { $0 == "OEBPS/page2.xhtml" ? "OEBPS/%70age2.xhtml" : $0 }
        #expect(try await reader.read(encoded.file).text == "One.\n\nTwo.")
    }

    @Test(arguments: [(#".\page2.xhtml"#, "page2.xhtml"), ("page+2.xhtml", "page 2.xhtml")])
    func `finds files whose slashes and spaces the list writes otherwise`(written: String, name: String) async throws {
        var sample = renamed { $0 == "OEBPS/page2.xhtml" ? "OEBPS/" + name : $0 }
        let package = try #require(sample.entries.first { $0.name == "OEBPS/package.opf" })
        let list = String(decoding: package.bytes, as: UTF8.self)
        sample.replace("OEBPS/package.opf", list.replacing("href=\"page2.xhtml\"", with: "href=\"\(written)\""))
        #expect(try await reader.read(sample.file).text == "One.\n\nTwo.")
    }

    @Test func `takes no list of rights for a lock, and no encrypted font`() async throws {
        var sample = SampleEPUB(pages: ["<p>Words.</p>"])
        sample.add("META-INF/rights.xml", "<rights/>")
        #expect(try await reader.read(sample.file).text == "Words.")
        let book = sample
        func encrypted(_ name: String) -> SampleEPUB {
            var copy = book
            copy.add(
                "META-INF/encryption.xml",
                """
                <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData>
                <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/>
                <CipherData><CipherReference URI="\(name)"/></CipherData></EncryptedData></encryption>
                """
            )
            return copy
        }
        #expect(try await reader.read(encrypted("OEBPS/font.otf").file).text == "Words.")
        await #expect(throws: DocumentError.protectedByDRM) {
            try await reader.read(encrypted("OEBPS/page1.xhtml").file)
        }
    }

    // MARK: Malformed pages

    @Test(
        arguments: [
            ("<p><font>", ""), ("<b>", "<br>"), ("<div>", "<p>"), ("<ul><li>", ""), ("<blockquote><q>", "</q>"),
            ("<table><tr><td title='a > b'>", "<!-- <div> -->"),
        ]
    )
    func `reads a page to its end whose elements are never ended`(start: String, end: String) async throws {
        let document = try await read((1...400).map { "\(start)word\($0) \(end)" }.joined())
        let words = document.text.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("word") }
        #expect(words.count == 400 && document.notices.isEmpty)
    }

    @Test func `reads a page whose elements are nested deep`() async throws {
        let (start, end) = (String(repeating: "<div>", count: 300), String(repeating: "</div>", count: 300))
        #expect(try await read("\(start)Deep.\(end)<p>After.</p>").text == "Deep.\n\nAfter.")
    }

    @Test(arguments: ["<", "<a ", "<b", "<!--", "</", "<a b=\"", "<x:y>"])
    func `reads a deep page soon that repeats the beginning of a tag`(start: String) async throws {
        let deep = String(repeating: "<div>", count: 300)
        let page = "<p>Before.</p>\(deep)\(String(repeating: start, count: 20_000))"
        #expect(try await read(page).text.hasPrefix("Before."))
    }

    @Test func `says so where a page cannot be read to its end`() async throws {
        let document = try await read("<p>Before.</p>\(String(repeating: "<rt>", count: 300))<p>After.</p>")
        #expect(document.text == "Before." && document.notices == [.missingParts(1)])
    }

    @Test(arguments: ["<p>Behind.</p>", "<html><head><title>No</title></head><body><p>Behind.</p></body></html>"])
    func `reads what stands behind the end of a page`(rest: String) async throws {
        var sample = SampleEPUB(pages: [""])
        sample.replace(
            "OEBPS/page1.xhtml",
            #"<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Page.</p></body></html>\#(rest)"#
        )
        #expect(try await reader.read(sample.file).text == "Page.\n\nBehind.")
    }

    @Test func `reads what stands in a row beside its cells`() async throws {
        let document = try await read("<table><tr>Beside <td>cell</td></tr></table>")
        #expect(document.text.contains("Beside") && document.text.contains("cell"))
    }

    @Test func `saves a book whose directory is lost`() async throws {
        let bytes = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>"]).bytes
        let directory = try #require(bytes.range(of: Data("PK\u{01}\u{02}".utf8)))
        var zeroed = bytes
        zeroed.resetBytes(in: directory.lowerBound..<bytes.count)
        let cut = Data(bytes.prefix(upTo: directory.lowerBound + 40))
        for bytes in [cut, zeroed, Data("<p>Sent by mail</p>\n".utf8) + bytes] {
            let document = try await reader.read(DocumentFile(name: "broken.epub", bytes: bytes))
            #expect(document.text == "One.\n\nTwo.")
        }
    }

    @Test func `saves the last page of a book whose directory is lost and whose sizes stand behind its files`()
        async throws
    {
        var sample = SampleEPUB(pages: ["<p>One.</p>", "<p>Two.</p>"])
        sample.isStreamed = true
        let pages = sample.entries.filter { $0.name.hasSuffix("page2.xhtml") }
        sample.entries.removeAll { $0.name.hasSuffix("page2.xhtml") }
        sample.entries += pages
        #expect(try await reader.read(sample.file).text == "One.\n\nTwo.")
        let directory = try #require(sample.bytes.range(of: Data("PK\u{01}\u{02}".utf8)))
        let cut = sample.bytes.prefix(upTo: directory.lowerBound)
        let emptied = cut + Data("PK\u{05}\u{06}".utf8) + Data(count: 18)
        for bytes in [Data(cut), emptied] {
            let document = try await reader.read(DocumentFile(name: "broken.epub", bytes: bytes))
            #expect(document.text == "One.\n\nTwo.")
            #expect(document.notices.isEmpty)
        }
    }

    @Test func `calls a book damaged whose pages are all missing, and not a picture`() async throws {
        var sample = SampleEPUB(
            pages: ["<p>One.</p>"],
            manifest: #"<item id="c" href="c.jpg" media-type="image/jpeg"/>"#
        )
        sample.entries.removeAll { $0.name == "OEBPS/page1.xhtml" }
        await #expect(throws: DocumentError.damaged(.epub)) { try await reader.read(sample.file) }
    }
}
