package import EchoText
import Foundation

extension DocumentFile {
    /// Reads a whole file into memory; only a regular file, so that reading never blocks.
    ///
    /// - Throws: ``TextSourceError/notFound(file:)``, ``TextSourceError/isFolder(file:)``,
    ///   ``TextSourceError/unreadable(file:)``, ``DocumentError/tooLarge(limit:)``.
    package init(at path: String, password: String? = nil) throws {
        let name = (path as NSString).lastPathComponent
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw TextSourceError.notFound(file: name)
        }
        guard !isFolder.boolValue else { throw TextSourceError.isFolder(file: name) }
        guard let descriptor = ReadableDescriptor(path: path), let size = descriptor.size else {
            throw TextSourceError.unreadable(file: name)
        }
        let largest = DocumentKind.allCases.map(\.largestFile).max() ?? 0
        guard size <= largest else { throw DocumentError.tooLarge(limit: largest) }
        var bytes = Data(capacity: size)
        while bytes.count < size {
            let piece = min(size - bytes.count, 1 << 20)
            guard let block = descriptor.block(at: bytes.count, upTo: piece) else {
                throw TextSourceError.unreadable(file: name)
            }
            if block.isEmpty { break }  // the file was truncated meanwhile
            bytes.append(block)
        }
        self.init(name: name, bytes: bytes, password: password)
    }
}
