import Foundation

/// A folder of one test, gone with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/echotext-" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            preconditionFailure("no folder for a test: \(error)")
        }
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    /// The path of `name` in it.
    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// What is in it, hidden files too, sorted.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(filePath: self(name)))
        return self(name)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    func data(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: self(name))) }

    func text(of name: String) throws -> String { String(decoding: try data(of: name), as: UTF8.self) }
}
