import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import DocumentReaders

@Suite("PDF", .endsInTime)
struct PDFReaderTests {
    private let reader = LocalDocumentReader()

    @Test func `keeps the promises of a reader`() async throws {
        let plain = SamplePDF(paragraphs: SampleText.paragraphs(5))
        let running = SamplePDF(paragraphs: SampleText.paragraphs(40), head: "A Running Head")
        try await verifyContract(of: reader, with: [plain.file, running.file])
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `of three hundred pages reads as it was written`(seed: UInt64) async throws {
        let paragraphs = SampleText.paragraphs(1_500, seed: seed)
        let sample = SamplePDF(paragraphs: paragraphs, head: "THE HARBOUR IN WINTER")
        #expect(sample.pages.count >= 250)
        let document = try await reader.read(sample.file)
        #expect(document.pages.count == sample.pages.count)
        #expect(document.marked(.header).count == sample.pages.count)
        #expect(document.marked(.pageNumber).count == sample.pages.count)
        let written = paragraphs.joined(separator: "\n\n")
        // A sentence at the end of a page may seem to end its paragraph; nothing else differs.
        let isSame =
            document.cut().split(whereSeparator: \.isWhitespace) == written.split(whereSeparator: \.isWhitespace)
        #expect(isSame)
        let found = document.cut().components(separatedBy: "\n\n")
        #expect(found.count - paragraphs.count < sample.pages.count / 5)
        #expect(Set(paragraphs).subtracting(found).count < paragraphs.count / 10)
    }

    private func lines(_ text: String, count: Int) -> [SamplePDF.Line] {
        (0..<count).map { SamplePDF.Line(text: "\(text) \($0 + 10)", x: 54, y: 700 - Double($0) * 14) }
    }

    private func running(_ number: Int) -> [SamplePDF.Line] {
        [.init(text: "A HEAD", x: 54, y: 750), .init(text: "\(number)", x: 300, y: 40)]
    }

    @Test func `puts a word together that a page's end divides, on the first of the two`() async throws {
        var first = lines("Words that fill the whole of a line of this page, number", count: 30)
        first.append(.init(text: "and at the very end of it there is something extraordi-", x: 54, y: 280))
        let second = [SamplePDF.Line(text: "narily long that goes on here.", x: 54, y: 700)]
        let sample = SamplePDF(pages: [running(1) + first, running(2) + second])
        let document = try await reader.read(sample.file)
        #expect(document.cut().hasSuffix("there is something extraordinarily long that goes on here."))
        #expect(document.words(document.pages[0].range).contains("extraordinarily"))
        #expect(document.marked(.header) == ["A HEAD", "A HEAD"])
        #expect(document.marked(.pageNumber) == ["1", "2"])
        #expect(document.cut([.header]).contains("\n\n1\n\nlong that goes on here."))
    }

    @Test func `takes chapters from the contents list, and from headings where there is none`() async throws {
        func page(_ number: Int) -> [SamplePDF.Line] {
            let heading = SamplePDF.Line(text: "Chapter \(number)", x: 54, y: 740, size: 20)
            return [heading] + lines("Some words of this chapter, in a line of usual length,", count: 20)
        }
        var sample = SamplePDF(pages: [page(1), page(2), page(3)])
        let headings = try await reader.read(sample.file)
        #expect(headings.chapters.map(\.title) == ["Chapter 1", "Chapter 2", "Chapter 3"])
        #expect(headings.blocks(.heading) == ["Chapter 1", "Chapter 2", "Chapter 3"])
        sample.entries = [.init(title: "The First", page: 1), .init(title: "The Third", page: 3)]
        let listed = try await reader.read(sample.file)
        #expect(listed.chapters.map(\.title) == ["The First", "The Third"])
        #expect(listed.words(listed.chapters[1].range).hasPrefix("Chapter 3"))
    }

    @Test func `reads once what is drawn twice, and what is unseen or stands on its side apart`() async throws {
        func drawn(_ text: String, size: Int = 12, _ places: String...) -> String {
            places.map { "BT /F \(size) Tf \($0) Td (\(text)) Tj ET\n" }.joined()
        }
        var content = drawn("Bold by two strokes: 1122 and 60", "72 760", "72.35 760")
        content += drawn("A shadow lies behind this heading", size: 16, "72 730", "73.2 728.8")
        content += drawn("Drawn twice at one place", "72 700", "72 700")
        content += "3 Tr " + drawn("Unseen words, as of a scanner, lie under a picture.", "72 550") + "0 Tr "
        content += "BT /F 12 Tf 0 1 -1 0 560 300 Tm (A line that stands on its side) Tj ET"
        let document = try await reader.read(WrittenPDF(content: content).file)
        let paragraphs = [
            "Bold by two strokes: 1122 and 60", "A shadow lies behind this heading", "Drawn twice at one place",
            "Unseen words, as of a scanner, lie under a picture.", "A line that stands on its side",
        ]
        #expect(document.cut().components(separatedBy: "\n\n") == paragraphs)
    }

    @Test func `puts letters together that are drawn one by one, each twice`() async throws {
        var content = "BT /F 12 Tf 72 760 Td (Drawn twice at one place) Tj ET\n"
        for (place, letter) in "BOLD LETTERS".enumerated() where letter != " " {
            for x in [72 + 9 * Double(place), 72.4 + 9 * Double(place)] {
                content += "BT /F 12 Tf \(x) 640 Td (\(letter)) Tj ET\n"
            }
        }
        let document = try await reader.read(WrittenPDF(content: content).file)
        #expect(document.cut() == "Drawn twice at one place BOLD LETTERS")
    }

    @Test func `is not held up by a contents list that contains itself`() async throws {
        var sample = SamplePDF(paragraphs: SampleText.paragraphs(3))
        sample.entries = [.init(title: "Round and round", page: 1, isEndless: true)]
        let document = try await reader.read(sample.file)
        #expect(document.chapters.count <= 5_000)
        #expect(document.invariantViolation == nil)
    }

    @Test func `tells a scan from pages with nothing on them`() async throws {
        let scan = WrittenPDF(content: "q 400 0 0 400 50 50 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q")
        await #expect(throws: DocumentError.noText) { try await reader.read(scan.file) }
        let sample = SamplePDF(pages: [[], []])
        await #expect(throws: DocumentError.blank) { try await reader.read(sample.file) }
        let fragile = LocalDocumentReader(leavingOut: [1, 2])
        await #expect(throws: DocumentError.damaged(.pdf)) { try await fragile.read(sample.file) }
        let half = LocalDocumentReader(leavingOut: [1])
        await #expect(throws: DocumentError.damaged(.pdf)) { try await half.read(sample.file) }
    }

    @Test(arguments: [90, 180, 270])
    func `reads pages that are turned to be shown`(degrees: Int) async throws {
        var sample = SamplePDF(paragraphs: SampleText.paragraphs(30))
        let upright = try await reader.read(sample.file)
        sample.rotation = degrees
        let turned = try await reader.read(sample.file)
        #expect(turned.text == upright.text)
    }

    @Test func `says that pages have only numbers`() async throws {
        let pages = (1...4).map { [SamplePDF.Line(text: "\($0)", x: 300, y: 40)] }
        #expect(try await reader.read(SamplePDF(pages: pages).file).notices == [.onlyRunningLines])
    }

    @Test func `says which pages have only numbers and heads, beside some with words`() async throws {
        let pages = (1...5).map { number in
            running(number) + (number == 1 ? lines("Words that fill a line of this page, number", count: 30) : [])
        }
        let document = try await reader.read(SamplePDF(pages: pages).file)
        #expect(document.notices == [.pagesWithoutText([2, 3, 4, 5])])
    }

    @Test func `says which pages have no text`() async throws {
        var sample = SamplePDF(paragraphs: SampleText.paragraphs(30))
        sample.brokenPages = [1]
        let document = try await reader.read(sample.file)
        #expect(document.notices == [.pagesWithoutText([2])])
    }

    @Test func `draws its pages, however large they are`() async throws {
        var sample = SamplePDF(paragraphs: SampleText.paragraphs(30))
        let page = try await reader.picture(of: 2, in: sample.file, width: 300)
        #expect(page.width == 300 && page.height == 388)
        await #expect(throws: DocumentError.noSuchPage(99)) {
            try await reader.picture(of: 99, in: sample.file, width: 300)
        }
        sample.size = (3_000_000, 2_000_000)
        let city = try await reader.picture(of: 1, in: sample.file, width: 300)
        #expect(city.width == 300 && city.height == 200)
        sample.size = (2, 14_000)
        let ribbon = try await reader.picture(of: 1, in: sample.file, width: 300)
        #expect(ribbon.height <= PagePicture.highest)
    }

    @Test func `draws its pages or says that it cannot, however small they are`() async throws {
        let smallest = "0." + String(repeating: "0", count: 312) + "1"
        let pdf = WrittenPDF(page: "/CropBox[0 0 \(smallest) \(smallest)]")
        do {
            let page = try await reader.picture(of: 1, in: pdf.file, width: 300)
            #expect((1...300).contains(page.width))
        } catch let error as DocumentError {
            #expect(error == .noPicture || error == .noSuchPage(1), "such a page has no size")
        }
    }

    @Test func `says that its first page cannot be drawn where that is to be its cover`() async throws {
        let pdf = WrittenPDF(page: "/CropBox[0 0 612 0]")  // without height
        await #expect(throws: DocumentError.coverNotDrawn) {
            try await reader.picture(of: nil, in: pdf.file, width: 300)
        }
        await #expect(throws: DocumentError.noPicture) {
            try await reader.picture(of: 1, in: pdf.file, width: 300)
        }
    }

    @Test func `reports the files that are attached to it, or to its pages`() async throws {
        let pdf = WrittenPDF(
            content: "BT /F 10 Tf 54 700 Td (The files are attached.) Tj ET\n",
            annotations: ["<</Type/Annot/Subtype/FileAttachment/Rect[54 600 70 616]/F 4/FS 100 0 R>>"],
            catalog: "/Names<</EmbeddedFiles<</Names[(a.txt) 100 0 R (b.txt) 100 0 R]>>>>",
            further: [
                "<</Type/Filespec/F(a.txt)/EF<</F 101 0 R>>>>",
                "<</Type/EmbeddedFile/Length 5>>stream\nWords\nendstream",
            ]
        )
        let document = try await reader.read(pdf.file)
        #expect(document.text == "The files are attached." && document.notices == [.embeddedParts(3)])
    }

    @Test func `that is cut short is damaged`() async throws {
        let bytes = SamplePDF(paragraphs: SampleText.paragraphs(30)).bytes
        await #expect(throws: DocumentError.damaged(.pdf)) {
            try await reader.read(DocumentFile(name: "a.pdf", bytes: bytes.prefix(20)))
        }
    }

    @Test(arguments: ["%PXF-1.4\n", "PDF\n", "\0\0\0\0\0\n", ""])
    func `whose first line is damaged is read all the same`(line: String) async throws {
        let whole = SamplePDF(paragraphs: SampleText.paragraphs(5))
        let rest = whole.bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        let read = try await reader.read(DocumentFile(name: "a.pdf", bytes: Data(line.utf8) + rest))
        #expect(try await read.text == reader.read(whole.file).text)
    }

    @Test func `whose first line is damaged may have other bytes behind it, which a text about the format has not`()
        async throws
    {
        let whole = SamplePDF(paragraphs: SampleText.paragraphs(5))
        let rest = whole.bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
        let bytes = Data("%PXF-1.4\n".utf8) + rest + Data(repeating: 0x2E, count: 1_500)
        #expect(try await reader.read(DocumentFile(name: "a.pdf", bytes: bytes)).text == reader.read(whole.file).text)
        let prose = String(repeating: "A file of this kind holds objects, each with its number. ", count: 4)
        let text = "\(prose)\n1 0 obj\n<<>>\nendobj\nstartxref\n12\n%%EOF\nThat is the end of it.\n"
        #expect(try DocumentKind(of: Data(text.utf8)) == .text)
    }

    @Test func `that asks for a password opens with it, and with no other`() async throws {
        var sample = SamplePDF(paragraphs: SampleText.paragraphs(5))
        sample.entries = [.init(title: "The (only) chapter", page: 1)]
        let open = try await reader.read(sample.file)
        sample.password = "lighthouse 9"
        var file = sample.file
        await #expect(throws: DocumentError.encrypted(wrong: false)) { try await reader.read(file) }
        await #expect(throws: DocumentError.encrypted(wrong: false)) {
            try await reader.picture(of: 1, in: file, width: 300)
        }
        file.password = "Lighthouse 9"
        await #expect(throws: DocumentError.encrypted(wrong: true)) { try await reader.read(file) }
        file.password = "lighthouse 9"
        let read = try await reader.read(file)
        let isSame = read == open
        #expect(isSame && read.chapters.map(\.title) == ["The (only) chapter"])
        #expect(try await reader.picture(of: 1, in: file, width: 300).width == 300)
    }

    @Test func `locked by a seller is distinguished from one with a password`() async throws {
        let bytes = Data("%PDF-1.4\n1 0 obj<</Filter/EBX_HANDLER/V 4>>endobj\ntrailer<</Encrypt 1 0 R>>\n%%EOF".utf8)
        await #expect(throws: DocumentError.protectedByDRM) {
            try await reader.read(DocumentFile(name: "a.pdf", bytes: bytes))
        }
    }
}
