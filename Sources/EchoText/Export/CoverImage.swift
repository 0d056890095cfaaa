package import Foundation

/// A picture for an audiobook, known by its content and not by its name.
package struct CoverImage: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case jpeg
        case png
    }

    /// Most bytes.
    package static let largest = 20_000_000

    package let data: Data
    package let kind: Kind

    /// - Throws: ``ExportError/coverNotImage``, ``ExportError/coverTooLarge(limit:)``.
    package init(_ data: Data) throws(ExportError) {
        guard data.count <= Self.largest else { throw .coverTooLarge(limit: Self.largest) }
        if data.starts(with: [0xFF, 0xD8, 0xFF]) {
            kind = .jpeg
        } else if data.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            kind = .png
        } else {
            throw .coverNotImage
        }
        self.data = data
    }
}
