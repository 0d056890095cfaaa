import Foundation
import Testing

/// Other people's programs that the tests run.
enum InstalledProgram {
    /// The folder in which set-up installs the Python package.
    static let pyrage = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".deps/pyrage").path

    /// Runs a program to its end, and returns its output.
    @discardableResult
    static func run(_ program: String, _ arguments: [String], in folder: String? = nil) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = [
            "PATH": "/usr/bin:/bin", "PYTHONPATH": pyrage, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8",
        ]
        if let folder { process.currentDirectoryURL = URL(filePath: folder) }
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program): \(String(decoding: said, as: UTF8.self))")
        return printed
    }
}

/// A folder for one test, which is removed with it.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/echotext-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { _ = try? FileManager.default.removeItem(atPath: path) }  // a test may have removed it itself

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: self(name)))
    }

    func bytes(of name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: self(name)))) }
}

/// Whether all of the long tests were asked for.
let isLong = ProcessInfo.processInfo.environment["ECHOTEXT_LONG_TESTS"] == "1"
