package import Foundation

/// The kind of a file that is no text.
package struct BinaryContent {
    /// `nil` when it is unknown.
    package let name: String?

    private static let signatures: [([UInt8], String)] = [
        (Array("%PDF-".utf8), "a PDF document"),
        (Array("PK\u{03}\u{04}".utf8), "a ZIP archive, an EPUB or an office document"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an old office document"),
        ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
        ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
        (Array("GIF8".utf8), "a GIF picture"),
        ([0x1F, 0x8B], "a gzip archive"),
        (Array("BZh".utf8), "a bzip2 archive"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz archive"),
        (Array("RIFF".utf8), "a sound or video file"),
        (Array("OggS".utf8), "a sound file"),
        (Array("fLaC".utf8), "a sound file"),
        (Array("ID3".utf8), "a sound file"),
        ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]

    /// `nil` for text.
    ///
    /// - Parameter block: The first of the file.
    package init?(_ block: Data) {
        let bytes = [UInt8](block)
        if let signature = Self.signatures.first(where: { bytes.starts(with: $0.0) }) {
            name = signature.1
            return
        }
        guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else { return nil }
        let controls = bytes.count { $0 < 0x09 || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
        guard bytes.contains(0) || controls * 20 > bytes.count else { return nil }
        name = nil
    }
}
