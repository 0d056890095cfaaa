import EchoTextTesting
import Foundation
import Testing

/// Handling of untrusted files on machines with fewer means of isolation.
@Suite("echotext, where user namespaces are off", .endsInTime)
struct ConfinementTests {
    /// Runs a command in a user namespace in which no other can be created.
    private static let withoutNamespaces = [
        "/usr/bin/unshare", "-r", "/bin/sh", "-c",
        "echo 0 >/proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all -- \"$0\" \"$@\"",
    ]
    /// Runs a command as on a kernel without Landlock.
    private static let withoutLandlock = [
        BuiltPackage.program("WorkerFixture"), "without-landlock",
    ]

    private static let canTakeNamespacesAway: Bool = {
        let program = URL(filePath: withoutNamespaces[0])
        // Without unshare there are no namespaces either.
        let process = try? Process.run(program, arguments: withoutNamespaces.dropFirst() + ["/usr/bin/true"])
        process?.waitUntilExit()
        return process?.terminationStatus == 0
    }()

    private func run(
        _ home: LibraryHome,
        by tracer: [String],
        _ arguments: String...,
        unconfined: String? = nil
    ) async throws -> Program.Outcome {
        var program = home.program(arguments + ["--json"])
        program.tracer = tracer
        program.environment["ECHOTEXT_UNCONFINED"] = unconfined
        return try await program.run()
    }

    private func codes(_ outcome: Program.Outcome) throws -> [String] {
        let rows = try JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]]
        return (rows ?? []).compactMap { $0["code"] as? String }
    }

    private func paper(in home: LibraryHome) throws {
        let paper = SamplePDF(pages: [[.init(text: "The keeper sleeps.", x: 54, y: 700)]])
        try home.folder.write(paper.bytes, to: "paper.pdf")
    }

    @Test(.enabled(if: canTakeNamespacesAway, "needs user namespaces and setpriv"))
    func `the kernel alone shuts readers in, and the doctor says so`() async throws {
        try await LibraryHome.with { home in
            try paper(in: home)
            let imported = try await run(home, by: Self.withoutNamespaces, "import", "paper.pdf")
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(try await home.succeed("documents", "text", "paper").contains("The keeper sleeps."))
            let found = try codes(try await run(home, by: Self.withoutNamespaces, "vault", "doctor"))
            #expect(!found.contains("strangersFilesShutIn"))
            let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/bwrap")
            #expect(found.contains(isInstalled ? "sandboxRefused" : "noSandbox"))
        }
    }

    @Test(.enabled(if: canTakeNamespacesAway, "needs user namespaces and setpriv"))
    func `without the kernel's help either, documents are refused until that is allowed`() async throws {
        try await LibraryHome.with { home in
            try paper(in: home)
            let tracer = Self.withoutLandlock + Self.withoutNamespaces
            let refused = try await run(home, by: tracer, "import", "paper.pdf")
            #expect(refused.status == 69, "\(refused.errors)")
            #expect(refused.text.contains("document.not-confined") && refused.text.contains("ECHOTEXT_UNCONFINED=1"))
            #expect(try codes(try await run(home, by: tracer, "vault", "doctor")).contains("strangersFilesRefused"))

            let unconfined = try await run(home, by: tracer, "vault", "doctor", unconfined: "1")
            #expect(try codes(unconfined).contains("strangersFilesUnconfined"))
            let allowed = try await run(home, by: tracer, "import", "paper.pdf", unconfined: "1")
            #expect(allowed.status == 0, "\(allowed.errors)")
            #expect(try await home.succeed("documents", "text", "paper").contains("The keeper sleeps."))
        }
    }
}
