package import EchoText
internal import Foundation
import Testing

/// Checks every promise ``DocumentReader`` makes, on documents that `reader` can read.
///
/// Each reader's tests call it, so that all readers keep all promises.
package func verifyContract(of reader: some DocumentReader, with files: [DocumentFile]) async throws {
    try #require(!files.isEmpty)
    for file in files {
        let document = try await reader.read(file)
        #expect(document.invariantViolation == nil)
        #expect(document.text.contains { !$0.isWhitespace }, "a document that is read has text")

        var renamed = file
        renamed.name = "something else.exe"
        async let one = reader.read(file)
        async let two = reader.read(renamed)
        let isSame = try await [one == document, two == document]
        #expect(isSame == [true, true], "the same bytes give the same text, whatever the name, and calls may overlap")

        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
                return try await reader.read(file)
            }.value
        }
        do {
            let picture = try await reader.picture(of: nil, in: file, width: 64)
            #expect(picture.png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect((1...64).contains(picture.width) && (1...PagePicture.highest).contains(picture.height))
        } catch DocumentError.noPicture {
            #expect(document.kind != .pdf, "a PDF's pages can be drawn")
        }
    }
    let words = "Õues on külm:\r\n  two  spaces, a \t tab\n\n\nand öö.\n"
    let decoded = try await reader.decode(Data(words.utf8))
    #expect(decoded.text == words && decoded.notices.isEmpty, "a text is decoded as it stands")
    #expect(decoded.kind == .text && decoded.pages.count == 1 && decoded.invariantViolation == nil)
    await #expect(throws: DocumentError.empty) { try await reader.decode(Data()) }
    await #expect(throws: DocumentError.empty) { try await reader.read(DocumentFile(name: "empty.pdf", bytes: Data())) }
}
