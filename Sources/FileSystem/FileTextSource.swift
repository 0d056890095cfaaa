package import EchoText
import Foundation

/// A text file, or a pipe, read block by block.
///
/// UTF-8, or UTF-16 with a byte order mark. Invalid sequences are read as U+FFFD and counted in ``replacements``.
package actor FileTextSource: TextSource {
    private static let blockSize = 64 * 1_024

    private nonisolated let executor = BlockingExecutor(label: "text file")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let descriptor: ReadableDescriptor
    private let name: String?
    private var decoder: TextDecoder?
    private var isAtEnd = false

    /// The length in UTF-16 units; `nil` for a source that cannot be read twice.
    package private(set) var length: Int?
    /// The number of invalid sequences that have been replaced so far.
    package private(set) var replacements = 0

    /// Opens `path`; opening a FIFO does not block.
    ///
    /// - Throws: ``TextSourceError/notFound(file:)``, ``TextSourceError/isFolder(file:)``,
    ///   ``TextSourceError/unreadable(file:)``.
    package init(path: String) throws(TextSourceError) {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(file: name) }
        guard !isFolder.boolValue else { throw .isFolder(file: name) }
        guard let descriptor = ReadableDescriptor(path: path) else { throw .unreadable(file: name) }
        self.descriptor = descriptor
        self.name = name
    }

    /// Standard input.
    ///
    /// - Throws: ``TextSourceError/unreadable(file:)`` when it is closed.
    package init() throws(TextSourceError) {
        guard let descriptor = ReadableDescriptor(sharing: STDIN_FILENO) else { throw .unreadable(file: nil) }
        self.descriptor = descriptor
        name = nil
    }

    /// - Throws: ``TextSourceError/binary(file:kind:)`` if the first block is not text, and
    ///   ``TextSourceError/unreadable(file:)``; `CancellationError` when the task is cancelled, also while it waits
    ///   for a pipe without data.
    package func next() async throws -> String? {
        try await interruptible { try $0.take() }
    }

    private func take() throws -> String? {
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

    private func read() throws -> Data {
        guard let block = try descriptor.read(upTo: Self.blockSize) else {
            throw TextSourceError.unreadable(file: name)
        }
        return block
    }

    private func begin(with block: Data) throws -> TextDecoder {
        if let kind = BinaryContent(block) { throw TextSourceError.binary(file: name, kind: kind.name) }
        let decoder = TextDecoder(startingWith: block)
        length = try measure(decoder.encoding)
        return decoder
    }

    /// Reads a regular file once from end to end, and counts UTF-16 units; `nil` for a file without a size.
    private func measure(_ encoding: TextDecoder.Encoding) throws -> Int? {
        guard let size = descriptor.size else { return nil }
        guard encoding == .utf8 else { return size / 2 }
        var position = 0
        var units = 0
        while let block = descriptor.block(at: position, upTo: 1 << 20), !block.isEmpty {
            try Task.checkCancellation()
            position += block.count
            units += TextDecoder.utf16Units(inUTF8: block)
        }
        return units
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
