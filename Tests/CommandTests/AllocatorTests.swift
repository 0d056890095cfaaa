import EchoTextTesting
import Foundation
import Testing

/// Allocators that somebody puts before the C library's, here glibc's own for finding faults.
@Suite("echotext with another allocator", .endsInTime)
struct AllocatorTests {
    private static let library = "libc_malloc_debug.so.0"

    /// Whether the loader finds it; otherwise the loader prints a warning and continues.
    private static let isThere: Bool = {
        let program = Process()
        program.executableURL = URL(filePath: "/usr/bin/env")
        program.arguments = ["LD_PRELOAD=\(library)", "/bin/true"]
        let errors = Pipe()
        program.standardError = errors
        guard (try? program.run()) != nil else { return false }  // no program, no allocator
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return program.terminationStatus == 0 && complaint.isEmpty
    }()

    /// The allocator forwards blocks to the C library, or manages them itself and checks their bounds.
    private static let kinds = [
        ["LD_PRELOAD": library], ["LD_PRELOAD": library, "GLIBC_TUNABLES": "glibc.malloc.check=3"],
    ]

    @Test(
        "speaks, keeps, locks and serves as with the C library's",
        .enabled(if: isThere, "needs \(library), which comes with glibc"),
        arguments: kinds
    )
    func isLeftAlone(_ allocator: [String: String]) async throws {
        try await LibraryHome.with { home in
            func program(_ arguments: String..., secrets: [String] = []) -> Program {
                var program = home.program(arguments, secrets: secrets)
                program.environment.merge(allocator) { _, new in new }
                return program
            }
            let spoken = try await program("speak", "Some words.", "--save", "--name", "A", "-o", "a.wav").run()
            #expect(spoken.status == 0, "\(spoken.errors)")
            #expect(home.folder.names.contains("a.wav"))
            _ = try await home.setPasscode("4071")
            let unlocked = try await program("vault", "unlock", "--passcode-fd", "3", secrets: ["4071"]).run()
            #expect(unlocked.status == 0, "\(unlocked.errors)")

            var server = program("serve", "--port", "0", "--no-browser")
            server.environment["ECHOTEXT_LOG"] = "notice"
            let served = try await server.run { running in
                let address = String(decoding: await running.output.until("\n"), as: UTF8.self)
                #expect(address.hasPrefix("http://"))
                running.signal(SIGINT)
            }
            #expect(served.status == 0, "\(served.errors)")
            #expect(served.errors.contains("another allocator"), "\(served.errors)")
            let locked = try await program("vault", "lock").run()
            #expect(locked.status == 0, "\(locked.errors)")
        }
    }

    @Test("reports none where there is none")
    func isUsual() async throws {
        let home = try LibraryHome()
        var server = home.program(["serve", "--port", "0", "--no-browser"])
        server.environment["ECHOTEXT_LOG"] = "notice"
        let served = try await server.run { running in
            _ = await running.output.until("\n")
            running.signal(SIGINT)
        }
        #expect(!served.errors.contains("another allocator"), "\(served.errors)")
    }
}
