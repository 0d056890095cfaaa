package import Foundation

/// Extracts the text of a document: the port behind which every format is read.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks: its results keep the promises
/// of ``DocumentStructure``; the same bytes give the same text; the file's name does not matter; calls may overlap.
package protocol DocumentReader: Sendable {
    /// Reads all of `file`.
    ///
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func read(_ file: DocumentFile) async throws -> DocumentText

    /// Reads a whole plain text from its stored file.
    ///
    /// - Throws: As ``read(_:)``, and ``VaultError`` when its bytes cannot be read.
    func read(text file: any StoredBytes) async throws -> DocumentText

    /// Detects the encoding of a plain text and decodes it, without other changes.
    ///
    /// - Parameter bytes: At most the maximum size of a plain text.
    /// - Returns: The text on one page, with notices about its encoding.
    /// - Throws: ``DocumentError``, or `CancellationError` when the calling task is cancelled.
    func decode(_ bytes: Data) async throws -> DocumentText

    /// Draws a page, or the cover.
    ///
    /// - Parameters:
    ///   - page: From 1, for a PDF; `nil` for the cover, which is the first page of a PDF.
    ///   - file: The document.
    ///   - width: In pixels, 16 to ``PagePicture/widest``; a smaller cover is not enlarged.
    /// - Returns: The picture, with a height that keeps its proportions, at most ``PagePicture/highest``.
    /// - Throws: ``DocumentError/noPicture`` for a document without one, ``DocumentError/noSuchPage(_:)`` and the other
    ///   errors of ``read(_:)``.
    func picture(of page: Int?, in file: DocumentFile, width: Int) async throws -> PagePicture
}

extension DocumentReader {
    package func read(text file: any StoredBytes) async throws -> DocumentText {
        try await read(DocumentFile(name: "", bytes: try await file.read(0..<file.length)))
    }
}

/// A page, drawn.
package struct PagePicture: Sendable, Hashable {
    package static let widest = 4_096
    package static let highest = 8_192

    package var png: Data
    /// In pixels.
    package var width: Int
    package var height: Int

    package init(png: Data, width: Int, height: Int) {
        self.png = png
        self.width = width
        self.height = height
    }
}

/// A document that a person has handed in: its bytes, in memory.
package struct DocumentFile: Sendable, Hashable {
    /// The original file name without its path; shown to people only, nothing is inferred from it.
    package var name: String
    package var bytes: Data
    /// The password of a protected file.
    package var password: String?

    package init(name: String, bytes: Data, password: String? = nil) {
        self.name = name
        self.bytes = bytes
        self.password = password
    }
}
