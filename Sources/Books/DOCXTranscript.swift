import EchoText
import Foundation

/// A transcript as a document for Word and LibreOffice: a title, then a paragraph for each of the transcript's.
///
/// - SeeAlso: ECMA-376-1, 5th edition, “WordprocessingML”; ECMA-376-2, “Open Packaging Conventions”.
struct DOCXTranscript {
    private let transcript: WrittenTranscript

    init(_ transcript: WrittenTranscript) {
        self.transcript = transcript
    }

    /// Writes the document; the sink is not finished.
    func write(to file: any ByteSink, at time: Date) async throws {
        let zip = ZipArchive(to: file, at: time)
        // This file comes first, so that programs can detect the format from the first bytes.
        try await zip.add("[Content_Types].xml", Self.contentTypes)
        try await zip.add("_rels/.rels", Self.relationships)
        try await zip.add("docProps/core.xml", properties(at: time))
        try await zip.add("word/_rels/document.xml.rels", Self.documentRelationships)
        try await zip.add("word/styles.xml", styles)
        try await zip.add("word/document.xml", content)
        try await zip.finish()
    }

    // MARK: - Content

    var content: String {
        let body =
            [paragraph(style: "Title", [run(transcript.title)], of: transcript.title)]
            + transcript.paragraphs.map { text in
                var runs: [String] = []
                if transcript.showsTimes {
                    runs.append(run(WrittenTranscript.clock(text.start) + "  ", style: "Time"))
                }
                if let speaker = text.speaker { runs.append(run(speaker + ": ", style: "Speaker")) }
                runs.append(run(text.text))
                return paragraph(style: nil, runs, of: text.text)
            }
        return """
            \(Self.declaration)
            <w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
            \(body.joined(separator: "\n"))
            <w:sectPr><w:pgSz w:w="11906" w:h="16838"/>\
            <w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>
            </w:body></w:document>

            """
    }

    /// - Parameters:
    ///   - style: The id of a paragraph style.
    ///   - runs: Its content.
    ///   - text: The text that determines the writing direction.
    /// - Returns: An element.
    private func paragraph(style: String?, _ runs: [String], of text: String) -> String {
        let isFromRight = text.isWrittenFromRight
        let name = style.map { "<w:pStyle w:val=\"\($0)\"/>" } ?? ""
        let properties = name + (isFromRight ? "<w:bidi/>" : "")
        return "<w:p>\(properties.isEmpty ? "" : "<w:pPr>\(properties)</w:pPr>")\(runs.joined())</w:p>"
    }

    private func run(_ text: String, style: String? = nil) -> String {
        let properties =
            (style.map { "<w:rStyle w:val=\"\($0)\"/>" } ?? "") + (text.isWrittenFromRight ? "<w:rtl/>" : "")
        return "<w:r>\(properties.isEmpty ? "" : "<w:rPr>\(properties)</w:rPr>")"
            + "<w:t xml:space=\"preserve\">\(text.xml)</w:t></w:r>"
    }

    // MARK: - The parts beside it

    private static let declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#

    private static let contentTypes = """
        \(declaration)
        <Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Default Extension="xml" ContentType="application/xml"/>
        <Override PartName="/word/document.xml" ContentType="\(wordType).document.main+xml"/>
        <Override PartName="/word/styles.xml" ContentType="\(wordType).styles+xml"/>
        <Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>
        </Types>

        """

    private static let wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    private static let relations = "http://schemas.openxmlformats.org/package/2006/relationships"
    private static let officeRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    private static let relationships = """
        \(declaration)
        <Relationships xmlns="\(relations)">
        <Relationship Id="rId1" Type="\(officeRelations)/officeDocument" Target="word/document.xml"/>
        <Relationship Id="rId2" Type="\(relations)/metadata/core-properties" Target="docProps/core.xml"/>
        </Relationships>

        """

    private static let documentRelationships = """
        \(declaration)
        <Relationships xmlns="\(relations)">
        <Relationship Id="rId1" Type="\(officeRelations)/styles" Target="styles.xml"/>
        </Relationships>

        """

    private func properties(at time: Date) -> String {
        """
        \(Self.declaration)
        <cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" \
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <dc:title>\(transcript.title.xml)</dc:title>
        <dcterms:created xsi:type="dcterms:W3CDTF">\(time.formatted(.iso8601))</dcterms:created>
        </cp:coreProperties>

        """
    }

    private var styles: String {
        let language = transcript.transcript.language
        let known = language == "und" ? "" : "<w:lang w:val=\"\(language.xml)\"/>"
        return """
            \(Self.declaration)
            <w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
            <w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="24"/>\(known)</w:rPr></w:rPrDefault>\
            <w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="300" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>
            <w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>
            <w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/>\
            <w:next w:val="Normal"/><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style>
            <w:style w:type="character" w:customStyle="1" w:styleId="Speaker"><w:name w:val="Speaker"/><w:rPr><w:b/></w:rPr></w:style>
            <w:style w:type="character" w:customStyle="1" w:styleId="Time"><w:name w:val="Time"/>\
            <w:rPr><w:color w:val="595959"/></w:rPr></w:style>
            </w:styles>

            """
    }
}

extension String {
    /// Whether its first letter belongs to a script that is written from the right.
    fileprivate var isWrittenFromRight: Bool {
        for scalar in unicodeScalars where scalar.properties.isAlphabetic {
            switch scalar.value {
            case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
            default: return false
            }
        }
        return false
    }
}
