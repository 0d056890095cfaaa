package import Foundation

/// A folder of one test, for nobody else to read, gone with it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() {
        path = FileManager.default.temporaryDirectory.path + "/echotext-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            preconditionFailure("no folder for a test: \(error)")
        }
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    /// The path of `name` in it.
    package func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// What is in it, hidden files too, sorted.
    package var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// All files and folders in it and below, sorted.
    package var namesBelow: [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    }

    @discardableResult
    package func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(filePath: self(name)))
        return self(name)
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    package func data(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: self(name))) }

    package func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }
}
