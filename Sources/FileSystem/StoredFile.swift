import EchoText
package import Foundation

/// A file of the person's, read by ranges; only a regular file, so that reading never blocks for long.
package final class StoredFile: StoredBytes {
    package let length: Int
    private let name: String
    private let descriptor: ReadableDescriptor
    private let executor = BlockingExecutor(label: "file")

    /// - Throws: ``TextSourceError/notFound(file:)``, ``SoundImportError/unknownKind(found:)`` for a folder,
    ///   ``TextSourceError/unreadable(file:)``.
    package init(at path: String) throws {
        name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw TextSourceError.notFound(file: name)
        }
        guard !isFolder.boolValue else { throw SoundImportError.unknownKind(found: "a folder") }
        guard let descriptor = ReadableDescriptor(path: path), let size = descriptor.size else {
            throw TextSourceError.unreadable(file: name)
        }
        (self.descriptor, length) = (descriptor, size)
    }

    /// - Throws: ``TextSourceError/unreadable(file:)``, also when the file was truncated meanwhile.
    package func read(_ range: Range<Int>) async throws -> Data {
        try await executor.run { [descriptor, name] in
            var data = Data(capacity: range.count)
            while data.count < range.count {
                let start = range.lowerBound + data.count
                guard let block = descriptor.block(at: start, upTo: range.upperBound - start), !block.isEmpty else {
                    throw TextSourceError.unreadable(file: name)
                }
                data.append(block)
            }
            return data
        }
    }
}
