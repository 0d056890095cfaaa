import Foundation

/// A text file, or a pipe, read block by block.
///
/// UTF-8, or UTF-16 with a byte order mark. What is not valid is read as U+FFFD, and ``replacements`` counts.
package actor FileTextSource: TextSource {
    private static let blockSize = 64 * 1_024

    private let executor = BlockingExecutor(label: "text file")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let handle: FileHandle
    private let name: String?
    private var decoder: TextDecoder?
    private var isAtEnd = false

    /// In UTF-16 units; `nil` for what cannot be read twice.
    package private(set) var length: Int?
    /// How many stretches were not valid text and have been replaced so far.
    package private(set) var replacements = 0

    /// Opens `path`.
    ///
    /// - Throws: ``TextSourceError/notFound(file:)``, ``TextSourceError/isFolder(file:)``,
    ///   ``TextSourceError/unreadable(file:)``.
    package init(path: String) throws(TextSourceError) {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(file: name) }
        guard !isFolder.boolValue else { throw .isFolder(file: name) }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw .unreadable(file: name) }
        self.handle = handle
        self.name = name
    }

    /// Standard input.
    package init() {
        handle = .standardInput
        name = nil
    }

    deinit {
        if name != nil { _ = try? handle.close() }  // nothing was written that a failed close could lose
    }

    /// - Throws: ``TextSourceError/binary(file:kind:)`` for a first block that no text begins with, and
    ///   ``TextSourceError/unreadable(file:)``.
    package func next() throws -> String? {
        while !isAtEnd {
            try Task.checkCancellation()
            let block = try read()
            if decoder == nil { decoder = try begin(with: block) }
            isAtEnd = block.isEmpty
            let text = decoder?.decode(block, isLast: isAtEnd) ?? ""
            replacements = decoder?.replacements ?? 0
            if !text.isEmpty { return text }
        }
        return nil
    }

    private func read() throws(TextSourceError) -> Data {
        do {
            return try handle.read(upToCount: Self.blockSize) ?? Data()
        } catch {
            throw .unreadable(file: name)
        }
    }

    private func begin(with block: Data) throws(TextSourceError) -> TextDecoder {
        if let kind = BinaryContent(block) { throw .binary(file: name, kind: kind.name) }
        let decoder = TextDecoder(startingWith: block)
        length = measure(decoder.encoding)
        return decoder
    }

    /// Reads a regular file once from end to end, counting, and goes back to where it was; `nil` for what has no size.
    private func measure(_ encoding: TextDecoder.Encoding) -> Int? {
        guard name != nil, let place = try? handle.offset(), let size = try? handle.seekToEnd() else { return nil }
        defer { _ = try? handle.seek(toOffset: place) }  // where it has just been read from
        guard encoding == .utf8 else { return Int(size) / 2 }
        guard (try? handle.seek(toOffset: 0)) != nil else { return nil }
        var units = 0
        while let block = try? handle.read(upToCount: 1 << 20), !block.isEmpty {
            units += block.withUnsafeBytes { bytes in
                bytes.reduce(0) { $0 &+ ($1 & 0xC0 != 0x80 ? 1 : 0) &+ ($1 >= 0xF0 ? 1 : 0) }
            }
        }
        return units
    }
}

/// Bytes to text, block by block.
private struct TextDecoder {
    enum Encoding { case utf8, utf16LittleEndian, utf16BigEndian }

    let encoding: Encoding
    private(set) var replacements = 0
    private var rest: [UInt8] = []
    private var skip: Int

    init(startingWith block: Data) {
        switch Array(block.prefix(3)) {
        case let bytes where bytes.starts(with: [0xFF, 0xFE]): (encoding, skip) = (.utf16LittleEndian, 2)
        case let bytes where bytes.starts(with: [0xFE, 0xFF]): (encoding, skip) = (.utf16BigEndian, 2)
        case [0xEF, 0xBB, 0xBF]: (encoding, skip) = (.utf8, 3)
        default: (encoding, skip) = (.utf8, 0)
        }
    }

    mutating func decode(_ block: Data, isLast: Bool) -> String {
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
            return String(decoding: units, as: UTF16.self)
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

/// What a file is when it is no text.
private struct BinaryContent {
    /// `nil` when it is unknown.
    let name: String?

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
    init?(_ block: Data) {
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
