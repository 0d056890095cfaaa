package import EchoText
package import Foundation

/// A text file, or a pipe, read block by block.
///
/// It reads UTF-8, and UTF-16 with a byte order mark. Any other text is passed as a whole to a decoder that detects its
/// encoding; for a pipe, only the part after the ASCII blocks. Without a decoder, invalid sequences are read as U+FFFD
/// and counted in ``replacements``. NULs at the end, which pad a file, are left out.
package actor FileTextSource: TextSource {
    /// Finds out the encoding of a whole text and gives its words, with notices about that.
    package typealias Decoding = @Sendable (Data) async throws -> DocumentText

    private static let blockSize = 64 * 1_024
    /// A text that is not UTF-8 is held in memory up to this size, in bytes.
    private static let longestForeign = DocumentKind.text.largestFile

    private nonisolated let executor = BlockingExecutor(label: "text file")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let descriptor: ReadableDescriptor
    private let name: String?
    private let decoding: Decoding?
    /// The bytes that a file had when it was opened; `nil` for a pipe.
    private let size: Int?
    /// How many bytes have been read.
    private var taken = 0
    private var decoder: TextDecoder?
    /// The first block, which is not decoded yet; all of a text that is not UTF-8.
    private var begun = Data()
    private var isAtEnd = false
    /// Whether the pipe has been entirely ASCII so far, which leaves its encoding open.
    private var isUndecided = false
    /// How many NULs are behind the text that was given; they are its end, or more follows.
    private var padding = 0

    /// The length in UTF-16 units; `nil` for a source that cannot be read twice.
    package private(set) var length: Int?
    /// The number of invalid sequences that have been replaced so far.
    package private(set) var replacements = 0
    /// The name of the encoding, if that had to be guessed.
    package private(set) var guessedEncoding: DocumentNotice?

    /// Notices about the text that was read so far.
    package var notices: [DocumentNotice] {
        (guessedEncoding.map { [$0] } ?? []) + (replacements > 0 ? [.replacedCharacters(replacements)] : [])
    }

    /// Opens `path`; opening a FIFO does not block.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - decoding: Reads a text that is not UTF-8.
    /// - Throws: ``TextSourceError/notFound(file:)``, ``TextSourceError/isFolder(file:)``,
    ///   ``TextSourceError/unreadable(file:)``.
    package init(path: String, decoding: Decoding? = nil) throws(TextSourceError) {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(file: name) }
        guard !isFolder.boolValue else { throw .isFolder(file: name) }
        guard let descriptor = ReadableDescriptor(path: path) else { throw .unreadable(file: name) }
        self.descriptor = descriptor
        self.name = name
        self.decoding = decoding
        size = descriptor.size
    }

    /// Standard input.
    ///
    /// - Parameter decoding: Reads a text that is not UTF-8.
    /// - Throws: ``TextSourceError/unreadable(file:)`` when it is closed.
    package init(decoding: Decoding? = nil) throws(TextSourceError) {
        guard let descriptor = ReadableDescriptor(sharing: STDIN_FILENO) else { throw .unreadable(file: nil) }
        self.descriptor = descriptor
        name = nil
        self.decoding = decoding
        size = nil
    }

    /// - Throws: ``TextSourceError/binary(file:kind:isPipe:)`` if the first block is not text, and
    ///   ``TextSourceError/unreadable(file:)``; ``TextSourceError/changed(file:)`` where a file ends before it did when it was
    ///   opened, as its rest would be missing unnoticed; what the decoding throws; `CancellationError` when the task is
    ///   cancelled, also while it waits for a pipe without data.
    package func next() async throws -> String? {
        let isWhole = decoder == nil
        if let decoding, let foreign = try await interruptible({ try isWhole ? $0.begin() : $0.foreignRest() }) {
            let document = try await decoding(foreign)
            for notice in document.notices {
                if case .replacedCharacters(let count) = notice { replacements = count }
                if case .guessedEncoding = notice { guessedEncoding = notice }
            }
            if isWhole { length = document.text.utf16.count }
            return document.text.isEmpty ? nil : document.text
        }
        return try await interruptible { try $0.take() }
    }

    /// - Throws: `CancellationError` when the task is cancelled.
    package func isReady(within seconds: Double) async throws -> Bool {
        try await interruptible { source in
            guard !source.isAtEnd, source.begun.isEmpty else { return true }
            return try source.descriptor.isReady(within: Int32(seconds * 1_000))
        }
    }

    private func take() throws -> String? {
        if decoder == nil { _ = try begin() }
        while !isAtEnd || !begun.isEmpty {
            try Task.checkCancellation()
            let block = begun.isEmpty ? try read() : begun
            begun = Data()
            isAtEnd = isAtEnd || block.isEmpty
            let text = withoutPadding(decoder?.decode(block, isLast: isAtEnd) ?? "")
            replacements = decoder?.replacements ?? 0
            if !text.isEmpty { return text }
        }
        return nil
    }

    /// Keeps NULs at the end of `text` back, and returns the rest, with those that were kept back before it.
    private func withoutPadding(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { $0 != "\0" }) else {
            padding += scalars.count
            return ""
        }
        let end = scalars.index(after: last)
        if padding == 0, end == scalars.endIndex { return text }
        // More of them than a block has pad the text wherever they are.
        let before = String(repeating: "\0", count: min(padding, Self.blockSize))
        padding = scalars.distance(from: end, to: scalars.endIndex)
        return before + String(scalars[..<end])
    }

    private func read() throws -> Data {
        guard let block = try descriptor.read(upTo: Self.blockSize) else {
            throw TextSourceError.unreadable(file: name)
        }
        taken += block.count
        if block.isEmpty, let size, taken < size { throw TextSourceError.changed(file: name ?? "") }
        return block
    }

    /// Reads the first block.
    ///
    /// - Returns: The whole text if it is not UTF-8 and there is a decoder; otherwise `nil`.
    private func begin() throws -> Data? {
        begun = try read()
        isAtEnd = begun.isEmpty
        let isUnmarkedUTF16 = decoding != nil && DocumentKind.isUTF16(begun)
        if !isUnmarkedUTF16, let kind = BinaryContent(begun) {
            throw TextSourceError.binary(file: name, kind: kind.name, isPipe: size == nil)
        }
        if DocumentKind.beginsAsPDF(begun) {
            throw TextSourceError.binary(file: name, kind: "a PDF document", isPipe: size == nil)
        }
        let decoder = TextDecoder(startingWith: begun)
        self.decoder = decoder
        if decoding != nil, descriptor.size == nil { try readDividedCharacter() }
        let (length, isValid) = try survey(decoder)
        self.length = length
        guard decoding != nil, isUnmarkedUTF16 || !isValid, begun.count <= Self.longestForeign else {
            isUndecided = length == nil && decoder.encoding == .utf8 && begun.allSatisfy { $0 < 0x80 }
            return nil
        }
        return try collected()
    }

    /// Reads the next block of a pipe that has been ASCII so far.
    ///
    /// - Returns: The rest of the pipe if this block is not UTF-8; otherwise `nil`.
    private func foreignRest() throws -> Data? {
        guard isUndecided, begun.isEmpty, !isAtEnd else { return nil }
        begun = try read()
        isAtEnd = begun.isEmpty
        guard begun.contains(where: { $0 >= 0x80 }) else { return nil }
        isUndecided = false
        try readDividedCharacter()
        guard var scout = decoder else { return nil }
        _ = scout.decode(begun, isLast: isAtEnd)
        return scout.replacements > 0 ? try collected() : nil
    }

    /// Reads one more block if the end of the last one may divide a character.
    private func readDividedCharacter() throws {
        guard !isAtEnd, let last = begun.last, last >= 0x80 else { return }
        let block = try read()
        isAtEnd = block.isEmpty
        begun += block
    }

    /// Reads the rest of a text that is not UTF-8; returns `nil` if it is too long for memory.
    private func collected() throws -> Data? {
        while !isAtEnd, begun.count <= Self.longestForeign {
            try Task.checkCancellation()
            let block = try read()
            isAtEnd = block.isEmpty
            begun += block
        }
        guard isAtEnd else { return nil }
        defer { begun = Data() }
        return begun
    }

    /// Reads a regular file once completely, or examines the first block of a source without a size.
    ///
    /// - Returns: The UTF-16 units, if the size is known, and whether everything is valid UTF-8 or the encoding of the
    ///   byte order mark.
    private func survey(_ decoder: TextDecoder) throws -> (length: Int?, isValid: Bool) {
        var scout = decoder
        guard let size = descriptor.size else {
            _ = scout.decode(begun, isLast: isAtEnd)
            return (nil, decoder.encoding != .utf8 || scout.replacements == 0)
        }
        guard decoder.encoding == .utf8 else { return (size / 2, true) }
        var position = 0
        var units = 0
        var padding = 0
        while let block = descriptor.block(at: position, upTo: 1 << 20), !block.isEmpty {
            try Task.checkCancellation()
            position += block.count
            units += TextDecoder.utf16Units(inUTF8: block)
            let zeros = block.reversed().prefix { $0 == 0 }.count
            padding = zeros == block.count ? padding + zeros : zeros
            if decoding != nil, scout.replacements == 0 { _ = scout.decode(block, isLast: position >= size) }
        }
        return (units - padding, scout.replacements == 0)
    }

    /// Runs `work` so that cancelling the task ends its wait for a pipe.
    ///
    /// - Parameter work: Receives this actor, so that it runs on the actor's own queue: a closure without an isolated
    ///   parameter would run on the shared pool.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws, or `CancellationError`.
    private func interruptible<Output: Sendable>(
        _ work: (isolated FileTextSource) throws -> Output
    ) async throws -> Output {
        try await withTaskCancellationHandler {
            try work(self)
        } onCancel: {
            descriptor.interrupt()
        }
    }
}
