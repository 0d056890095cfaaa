package import EchoText
package import Foundation

/// A short document with everything known about it.
package struct SampleDocument: Sendable {
    package var name: ItemName
    package var content: DocumentText
    package var picture: Data?
    /// Days after the first.
    package var day = 0

    package init(name: ItemName, content: DocumentText) {
        self.name = name
        self.content = content
    }

    /// Makes a document of these pages, the first paragraph of each being a chapter's title.
    ///
    /// - Parameters:
    ///   - name: The document's name.
    ///   - pages: The pages' texts, in order.
    ///   - kind: The kind of document.
    ///   - language: The language in its metadata.
    package init(_ name: ItemName, pages: [String], kind: DocumentKind = .text, language: String? = nil) {
        var text = ""
        var ranges: [TextRange] = []
        for page in pages {
            let start = text.utf16.count
            text += page
            ranges.append(start..<text.utf16.count)
        }
        let titles = pages.map { String($0.prefix { $0 != "\n" }) }
        self.init(
            name: name,
            content: DocumentText(
                text: text,
                structure: DocumentStructure(
                    kind: kind,
                    language: language,
                    pages: ranges.enumerated().map { DocumentPage(number: $0 + 1, range: $1) },
                    chapters: zip(titles, ranges).map { DocumentChapter(title: $0, level: 1, range: $1) }
                )
            )
        )
    }

    /// Four that differ in everything that is sorted, filtered or searched by.
    package static let all: [SampleDocument] = {
        var all = [
            SampleDocument(
                "Harbour",
                pages: ["Lights\n\nThe lighthouse keeper sleeps.\n\n", "Waves\n\nThey come in. 𝄞"]
            ),
            SampleDocument("élan", pages: ["Naïve\n\nPeople hope."], kind: .pdf, language: "fr-CA"),
            SampleDocument("Zebra", pages: ["Stripes", " and", " stripes and keeper"], kind: .epub, language: "en"),
            SampleDocument("apple Pie", pages: ["Flour\0and butter."], kind: .markdown),
        ]
        for index in all.indices { all[index].day = index }
        all[1].content.structure.title = "L'élan vital"
        all[1].content.structure.author = "H. B."
        all[1].content.structure.notices = [.endsBefore(page: 2)]
        all[2].picture = Data([0x89, 0x50, 0x4E, 0x47])
        all[2].content.structure.marks = [TextMark(.footnote, range: 7..<11)]
        return all
    }()

    package var bytes: Data { Data("\(name.text)\n\(content.text)".utf8) }

    package var new: NewDocument {
        NewDocument(
            name: name,
            bytes: bytes,
            content: content,
            picture: picture,
            added: Date(timeIntervalSince1970: 1_790_000_000 + 86_400 * Double(day))
        )
    }
}
