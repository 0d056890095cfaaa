import EchoTextTesting
import Foundation
import Testing

/// The seeds of `make fuzz`.
@Suite("A fuzzing target", .endsInTime)
struct SeedTests {
    private func run(_ target: String, _ arguments: [String]) throws -> (status: Int32, lines: [String]) {
        let process = Process()
        process.executableURL = URL(filePath: BuiltPackage.program("Fuzzing"))
        process.arguments = arguments
        process.environment = [
            "ECHOTEXT_FUZZ": target, "ECHOTEXT_FIXTURES": BuiltPackage.fixtures, "SWIFT_BACKTRACE": "enable=no",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, lines.split(separator: "\n").map(String.init))
    }

    @Test(
        "finds nothing in what it begins with",
        arguments: ["archives", "frames", "keys", "layout", "models", "text"]
    )
    func seeds(_ target: String) throws {
        let folder = TemporaryFolder()
        #expect(try run(target, ["seeds", folder.path]).status == 0)
        let files = folder.names.sorted().map { folder($0) }
        #expect(!files.isEmpty)
        let tried = try run(target, files)
        #expect(tried.status == 0)
        #expect(tried.lines == files)
    }

    @Test("that is none, and a file that is not there, are told from those that hold")
    func faults() throws {
        #expect(try run("unknown", [BuiltPackage.program("Fuzzing")]).status == EX_USAGE)
        let tried = try run("archives", ["/nowhere"])
        #expect(tried.status == EX_NOINPUT)
        #expect(tried.lines.isEmpty)
    }
}
