import EchoText
import Foundation

/// A PDF of one page, with objects as a test writes them.
struct WrittenPDF {
    /// The page's drawing operators.
    var content = ""
    /// Additional fonts of the page.
    var fonts = ""
    /// Fields of a form and notes, each a dictionary.
    var annotations: [String] = []
    /// Additional entries of the page, such as its rotation.
    var page = ""
    /// Additional entries of the form.
    var form = ""
    /// Additional entries of the catalog.
    var catalog = ""
    /// Objects from number 100 on.
    var further: [String] = []

    var file: DocumentFile {
        let names = annotations.indices.map { "\(10 + $0) 0 R" }.joined(separator: " ")
        let sheet = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Annots[\(names)]\(page)"
        var objects: [(Int, String)] = [
            (1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[\(names)]\(form)>>\(catalog)>>"),
            (2, "<</Type/Pages/Count 1/Kids[4 0 R]>>"),
            (3, "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>"),
            (4, "\(sheet)/Resources<</Font<</F 3 0 R\(fonts)>>>>>>"),
            (5, "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream"),
        ]
        objects += annotations.enumerated().map { (10 + $0, $1) }
        objects += further.enumerated().map { (100 + $0, $1) }
        // Readers find the objects of a file without a table by themselves.
        let body = objects.map { "\($0) 0 obj\n\($1)\nendobj\n" }.joined()
        return DocumentFile(name: "a.pdf", bytes: Data("%PDF-1.4\n\(body)trailer<</Root 1 0 R>>\n%%EOF".utf8))
    }
}
