package import Foundation

/// A text that is read piece by piece, so that its length costs no memory.
package protocol TextSource: Sendable {
    /// The next piece, never empty, cut between characters; `nil` at the end.
    ///
    /// - Throws: ``TextSourceError``, or `CancellationError` when the calling task is cancelled.
    func next() async throws -> String?

    /// How long the whole text is, in UTF-16 units, or `nil` when that shows only at the end (a pipe).
    var length: Int? { get async }

    /// Whether ``next()`` would answer without waiting for whoever is still writing the text, within `seconds` from now.
    ///
    /// - Throws: `CancellationError` when the calling task is cancelled.
    func isReady(within seconds: Double) async throws -> Bool
}

extension TextSource {
    /// A text that is written already never waits.
    package func isReady(within seconds: Double) async throws -> Bool { true }
}

/// A text that is in memory already.
package actor StringSource: TextSource {
    private var text: String?
    package let length: Int?

    package init(_ text: String) {
        self.text = text.isEmpty ? nil : text
        length = text.utf16.count
    }

    package func next() -> String? {
        defer { text = nil }
        return text
    }
}

/// Why a text could not be read.
///
/// `file` is a bare file name, never a path; `nil` is standard input.
package enum TextSourceError: UserFacingError, Equatable {
    case notFound(file: String)
    case isFolder(file: String)
    case unreadable(file: String?)
    /// It is a pipe or a device, and a file is needed.
    case noFile(name: String)
    /// Another program wrote over the file while it was read.
    case changed(file: String)
    /// The content is no text; `kind` is what it looks like, if that is known. The file may be a pipe.
    case binary(file: String?, kind: String?, isPipe: Bool = false)

    package var failure: Failure {
        switch self {
        case .notFound(let file):
            Failure(.missingInput, "text.not-found", "There is no file “\(file)”.")
                .suggesting("Check the name and the folder.")
        case .isFolder(let file):
            Failure(.missingInput, "text.is-folder", "“\(file)” is a folder, not a text.")
                .suggesting("Give the name of a text file in it.")
        case .unreadable(let file):
            Failure(.missingInput, "text.unreadable", "\(Self.subject(file)) cannot be read.")
                .suggesting("Check its permissions.")
        case .noFile(let name):
            Failure(.missingInput, "text.no-file", "“\(name)” is a pipe or a device, not a file.")
                .suggesting("Save what comes from it as a file, and give that.")
        case .changed(let file):
            Failure(.busy, "text.changed", "Another program changed “\(file)” while it was read.")
                .suggesting("Try again once nothing writes to it any more.")
        case .binary(let file, let kind, let isPipe):
            Failure(
                .invalidContent,
                "text.binary",
                "\(Self.subject(file)) is not plain text\(kind.map { ": it looks like \($0)" } ?? "")."
            )
            .suggesting(
                "Save it as plain text (UTF-8) first.",
                inTerminal: isPipe || file == nil ? Self.savedDocument : Self.document
            )
        }
    }

    private static let document =
        "Save it as plain text (UTF-8). PDF files and books are read with “echotext import”, then “echotext speak --document”."
    private static let savedDocument =
        "Send plain text (UTF-8). Save PDF files and books as files: they are read with “echotext import”, then “echotext speak --document”."

    private static func subject(_ file: String?) -> String { file.map { "“\($0)”" } ?? "Standard input" }
}

/// Bytes to text, block by block.
package struct TextDecoder {
    package enum Encoding { case utf8, utf16LittleEndian, utf16BigEndian }

    package let encoding: Encoding
    package private(set) var replacements = 0
    private var rest: [UInt8] = []
    private var skip: Int

    package init(startingWith block: Data) {
        switch Array(block.prefix(3)) {
        case let bytes where bytes.starts(with: [0xFF, 0xFE]): (encoding, skip) = (.utf16LittleEndian, 2)
        case let bytes where bytes.starts(with: [0xFE, 0xFF]): (encoding, skip) = (.utf16BigEndian, 2)
        case [0xEF, 0xBB, 0xBF]: (encoding, skip) = (.utf8, 3)
        default: (encoding, skip) = (.utf8, 0)
        }
    }

    /// How many UTF-16 units the text in `block` has, a piece of valid UTF-8 cut anywhere.
    package static func utf16Units(inUTF8 block: Data) -> Int {
        block.withUnsafeBytes { bytes in
            var units = 0
            for byte in bytes {
                if byte & 0xC0 != 0x80 { units &+= 1 }
                if byte >= 0xF0 { units &+= 1 }
            }
            return units
        }
    }

    package mutating func decode(_ block: Data, isLast: Bool) -> String {
        rest.append(contentsOf: block.dropFirst(skip))
        skip = 0
        let whole = isLast ? rest.count : rest.count - unfinished
        defer { rest.removeFirst(whole) }
        switch encoding {
        case .utf8:
            if let text = String(validating: rest[..<whole], as: UTF8.self) { return text }
            let text = String(decoding: rest[..<whole], as: UTF8.self)
            replacements += text.unicodeScalars.count { $0 == "\u{FFFD}" }
            return text
        case .utf16LittleEndian, .utf16BigEndian:
            let units = stride(from: 0, to: whole & ~1, by: 2).map { index in
                let (first, second) = (UInt16(rest[index]), UInt16(rest[index + 1]))
                return encoding == .utf16LittleEndian ? second << 8 | first : first << 8 | second
            }
            if let text = String(validating: units, as: UTF16.self), whole % 2 == 0 { return text }
            let text = String(decoding: units, as: UTF16.self) + (whole % 2 == 0 ? "" : "\u{FFFD}")
            replacements += text.unicodeScalars.count { $0 == "\u{FFFD}" }
            return text
        }
    }

    /// How many bytes at the end may be the beginning of a character.
    private var unfinished: Int {
        switch encoding {
        case .utf8:
            for back in 1...3 where back <= rest.count {
                let byte = rest[rest.count - back]
                if byte & 0xC0 == 0x80 { continue }
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
                return length > back ? back : 0
            }
            return 0
        case .utf16LittleEndian, .utf16BigEndian:
            let odd = rest.count % 2
            guard rest.count >= 2 + odd else { return odd }
            let index = rest.count - odd - 2
            let high = encoding == .utf16LittleEndian ? rest[index + 1] : rest[index]
            return (0xD8...0xDB).contains(high) ? odd + 2 : odd
        }
    }
}

/// The kind of a file that is no text.
package struct BinaryContent {
    /// `nil` when it is unknown.
    package let name: String?

    private static let signatures: [([UInt8], String)] = [
        (Array("%PDF-".utf8), "a PDF document"),
        (Array("PK\u{03}\u{04}".utf8), "a ZIP archive, an EPUB or an office document"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an old office document"),
        (Array("{\\rtf".utf8), "a document in rich text (RTF)"),
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
        // NULs at the end pad a text.
        let padding = bytes.reversed().prefix { $0 == 0 }.count
        let text = padding < bytes.count ? bytes.dropLast(padding) : bytes[...]
        let controls = text.count { $0 < 0x09 || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0) }
        guard text.contains(0) || controls * 20 > text.count else { return nil }
        name = nil
    }
}
