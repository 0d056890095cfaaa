import Foundation

// The kernel writes such a file, as in /proc, while it is read. It has no size that could be asked for, and whoever
// reads a file by its size gets the first page alone.

extension Data {
    /// Reads a file of the kernel to its end.
    ///
    /// - Throws: An error of the system.
    /// - SeeAlso: proc(5).
    package init(kernelFile path: String) throws {
        self = try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() ?? Data()
    }
}

extension String {
    /// Reads a file of the kernel to its end, as text.
    ///
    /// - Throws: An error of the system.
    package init(kernelFile path: String) throws {
        self.init(decoding: try Data(kernelFile: path), as: UTF8.self)
    }
}
