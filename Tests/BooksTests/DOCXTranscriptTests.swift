import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import Books

@Suite("A transcript as a document", .endsInTime)
struct DOCXTranscriptTests {
    private static let time = Date(timeIntervalSince1970: 1_780_000_000)

    private func transcript(_ texts: [String]) -> WrittenTranscript {
        let segments = texts.enumerated().map { index, text in
            TranscriptSegment(time: Double(index) * 10..<Double(index) * 10 + 5, text: text, speaker: "A & B")
        }
        let transcript = Transcript(
            item: AudioItem.ID(),
            created: Self.time,
            source: TranscriptSource(),
            language: "en",
            segments: segments
        )
        return WrittenTranscript(transcript, title: "A <talk>", showsTimes: true)
    }

    @Test("is a package that other programs open, each part well-formed")
    func package() async throws {
        let folder = TemporaryFolder()
        let bytes = MemoryBytes()
        let written = transcript(["Say \"<b>\" & \u{1}go", "שלום", "今天😀"])
        try await TranscriptExport(of: written).write(as: .docx, to: bytes, at: Self.time)
        try folder.write(try await bytes.read(0..<bytes.length), to: "a.docx")
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", Self.reader, "\(folder.path)/a.docx"]
        let pipe = Pipe()
        python.standardOutput = pipe
        try python.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
        #expect(
            said == """
                Title|A <talk>
                |0:00  A & B: Say "<b>" & go
                bidi|0:10  A & B: שלום
                |0:20  A & B: 今天😀

                """
        )
    }

    /// Checks the package as a word processor would: every relationship leads to a part, and every part has a type.
    private static let reader = """
        import sys, zipfile, posixpath
        import xml.etree.ElementTree as tree
        package = zipfile.ZipFile(sys.argv[1])
        assert package.testzip() is None
        names = package.namelist()
        assert names[0] == "[Content_Types].xml"
        parts = {name: tree.fromstring(package.read(name)) for name in names}
        types = parts["[Content_Types].xml"]
        known = {entry.get("PartName", "").lstrip("/") or entry.get("Extension") for entry in types}
        for name in names[1:]:
            assert name in known or name.rsplit(".", 1)[1] in known, name
        for name in names:
            if name.endswith(".rels"):
                base = posixpath.dirname(posixpath.dirname(name))
                for one in parts[name]:
                    assert posixpath.join(base, one.get("Target")) in names, one.get("Target")
        assert known >= {entry.get("PartName").lstrip("/") for entry in types if entry.get("PartName")}
        w = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
        styles = {style.get(w + "styleId") for style in parts["word/styles.xml"].iter(w + "style")}
        for paragraph in parts["word/document.xml"].iter(w + "p"):
            style = paragraph.find(f"{w}pPr/{w}pStyle")
            for run in paragraph.iter(w + "rStyle"):
                assert run.get(w + "val") in styles
            assert style is None or style.get(w + "val") in styles
            look = style.get(w + "val") if style is not None else ""
            if paragraph.find(f"{w}pPr/{w}bidi") is not None:
                look += "bidi"
            print(look + "|" + "".join(text.text for text in paragraph.iter(w + "t")))
        """

    @Test("of nothing has its title only")
    func empty() {
        #expect(DOCXTranscript(transcript([])).content.components(separatedBy: "<w:p>").count == 2)
    }
}
