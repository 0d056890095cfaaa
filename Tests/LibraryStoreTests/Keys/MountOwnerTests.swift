import EchoTextTesting
import Foundation
import LibraryStore
import Testing

/// Determines who controls the mounts that this process sees.
@Suite("Mounts", .endsInTime)
struct MountOwnerTests {
    /// Whether this process is in the initial user namespace, where user ids are the real ones.
    private static let isInFirstNamespace: Bool = {
        let map = (try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)) ?? ""
        return map.split(whereSeparator: \.isWhitespace) == ["0", "0", "4294967295"]
    }()

    private static let canUnshare = (try? answer(by: ["/usr/bin/unshare", "-Urm"])) != nil

    /// The response of a fixture process started by `launcher`, as `user` if given.
    private static func answer(by launcher: [String], as user: uid_t? = nil) throws -> String {
        let words = launcher + [AgentEnvironment.launcher.executable, "mounts"] + (user.map { ["\($0)"] } ?? [])
        let process = Process()
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.EPERM) }
        return answer
    }

    @Test(
        "are a person's own in a namespace that the person made, and in one within it",
        .enabled(if: canUnshare, "needs “unshare -Urm”"),
        arguments: [["-Urm"], ["-Urm", "/usr/bin/unshare", "-Ur"], ["-Urm", "/usr/bin/unshare", "-Urm"]]
    )
    func areOwn(_ unshare: [String]) throws {
        #expect(try Self.answer(by: ["/usr/bin/unshare"] + unshare) == "own")
    }

    @Test(
        "are others' for everybody but root where root began",
        .enabled(if: isInFirstNamespace, "needs the system's first user namespace")
    )
    func areOthers() throws {
        let isRoot = geteuid() == 0
        #expect(try Self.answer(by: [], as: isRoot ? 65_534 : nil) == "others")
        if isRoot { #expect(try Self.answer(by: []) == "own") }
    }
}
