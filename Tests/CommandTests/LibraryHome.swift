import EchoTextTesting
import Foundation
import Testing

/// A library of one test with its folders, used as a person uses them.
final class LibraryHome: Sendable {
    let folder = TemporaryFolder()

    init() throws {
        for name in ["runtime", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: folder(name),
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    /// Passes a library to `body`, and leaves no process behind that keeps it unlocked.
    static func with(_ body: (LibraryHome) async throws -> Void) async throws {
        let home = try LibraryHome()
        do {
            try await body(home)
        } catch {
            try await home.endAgent()
            throw error
        }
        try await home.endAgent()
    }

    /// Ends the agent that keeps the library unlocked, if there is one: its socket and lock are in the runtime folder.
    private func endAgent() async throws {
        let agents = try? FileManager.default.contentsOfDirectory(atPath: folder("runtime/echotext"))
        if agents?.isEmpty == false { _ = try await run("vault", "lock") }
    }

    /// A library with a recording; tests get copies.
    private static let spoken: Task<LibraryHome, any Error> = Task {
        let home = try LibraryHome()
        try await home.succeed("speak", "Some words.", "--save", "--name", "A")
        return home
    }

    /// Gives this home, which is new, a library with the recording “A”.
    func copyRecording() async throws { try await copy(try await LibraryHome.spoken.value) }

    /// Copies what the program keeps in another home, which no longer changes, into this one, which is new.
    func copy(_ other: LibraryHome) async throws {
        // Each library reserves its own space.
        let script = """
            for part in library device recognizers; do
                [ ! -e "$READY/$part" ] || cp -a "$READY/$part" . || exit 1
            done
            rm -f library/locks/reserve
            """
        var copying = program([])
        copying.tracer = ["/bin/sh", "-c", script]
        copying.environment["READY"] = other.folder.path
        _ = try await copying.succeed()
    }

    var library: String { folder("library") }
    var device: String { folder("device") }

    /// Makes a run of the program on this library.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments.
    ///   - secrets: Lines that can be read from descriptors 3, 4 and so on; no file contains them.
    /// - Returns: The program, not started.
    func program(_ arguments: [String], secrets: [String] = []) -> Program {
        var program = Program(arguments, in: folder)
        program.environment = [
            "ECHOTEXT_LIBRARY": library, "ECHOTEXT_DEVICE": device, "ECHOTEXT_TPM": "none",
            "XDG_RUNTIME_DIR": folder("runtime"),
            "TMPDIR": folder("tmp"),
        ]
        program.redirection = secrets.indices.map { "\(3 + $0)<<'END\($0)'" }.joined(separator: " ")
        for (index, secret) in secrets.enumerated() { program.redirection += "\n\(secret)\nEND\(index)" }
        return program
    }

    func run(_ arguments: String..., secrets: [String] = []) async throws -> Program.Outcome {
        try await program(arguments, secrets: secrets).run()
    }

    /// Runs a command that must succeed.
    ///
    /// - Returns: Its output.
    @discardableResult
    func succeed(
        _ arguments: String...,
        secrets: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await program(arguments, secrets: secrets).succeed(sourceLocation: sourceLocation)
    }

    /// Runs a command that shows a recovery code, and types it back, or what `typing` makes of it.
    ///
    /// - Parameters:
    ///   - arguments: The command, with `--code-fd 0` in it.
    ///   - secrets: As for ``program(_:secrets:)``.
    ///   - typing: Returns the text to type for the shown code.
    /// - Returns: The outcome, and the code.
    /// - Throws: What ``Program/run(_:)`` throws.
    func confirmCode(
        _ arguments: String...,
        secrets: [String] = [],
        typing: @escaping @Sendable (String) -> String = { $0 }
    ) async throws -> (outcome: Program.Outcome, code: String) {
        var program = program(arguments, secrets: secrets)
        program.input = nil
        var code = ""
        let outcome = try await program.run { running in
            code = String(decoding: await running.errors.untilCode(), as: UTF8.self).recoveryCode ?? ""
            await running.write(Data("\(typing(code))\n".utf8))
        }
        return (outcome, code)
    }

    /// Sets a passcode.
    ///
    /// - Returns: The recovery code.
    func setPasscode(_ passcode: String) async throws -> String {
        let (outcome, code) = try await confirmCode(
            "vault",
            "passcode",
            "set",
            "--passcode-fd",
            "3",
            "--code-fd",
            "0",
            secrets: [passcode]
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        return code
    }

    /// The report of `vault status --json`.
    func status() async throws -> [String: Any] {
        let text = try await succeed("vault", "status", "--json")
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    /// The names that `library list` shows.
    func names() async throws -> [String] {
        let text = try await succeed("library", "list", "--json", "--sort", "name")
        let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(list?["items"] as? [[String: Any]]).compactMap { $0["name"] as? String }
    }

    /// The sealed files, by their paths.
    var blobs: [String] {
        let path = "\(library)/blobs"
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.contains("/") }.map { "\(path)/\($0)" }.sorted()
    }

    /// The bytes of every file of the library and of the machine's secret, by path.
    func bytes() throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for folder in [library, device] {
            for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
                bytes["\(folder)/\(name)"] = FileManager.default.contents(atPath: "\(folder)/\(name)")
            }
        }
        return bytes
    }
}

extension PipeEnd {
    /// Reads output until a complete recovery code was shown, or to the end.
    func untilCode() async -> Data {
        await read { String(decoding: $0, as: UTF8.self).recoveryCode != nil }
    }
}

extension String {
    /// The first recovery code in it: seven groups of four letters and digits.
    var recoveryCode: String? {
        firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){6}\r?\n/.matchingSemantics(.unicodeScalar)).map {
            String($0.output.0).trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }
}
