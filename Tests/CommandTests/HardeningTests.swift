import EchoTextTesting
import Foundation
import Testing

@Suite("echotext's own memory", .endsInTime)
struct HardeningTests {
    private let folder = TemporaryFolder()

    @Test("is left in no core file and shown in no report when the program crashes")
    func crash() async throws {
        var program = Program(speak: "-o", "out.wav", in: folder)
        program.input = nil
        let outcome = try await program.run { running in
            try await running.untilAsleep()
            let limits = try String(contentsOfFile: "/proc/\(running.pid)/limits", encoding: .utf8)
            let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
            #expect(line.split(whereSeparator: \.isWhitespace).suffix(3) == ["0", "0", "bytes"])
            running.signal(SIGSEGV)
        }
        #expect(outcome.status == 128 + SIGSEGV)
        #expect(outcome.errors.isEmpty)
        #expect(!folder.names.contains { $0.hasPrefix("core") })
    }

    @Test(
        "is nobody's to read, not even another program's of the same person",
        .enabled(if: geteuid() != 0, "the files of root's processes are root's in any case")
    )
    func dumpable() async throws {
        var program = Program(speak: "-o", "out.wav", in: folder)
        program.input = nil
        try await program.run { running in
            try await running.untilAsleep()
            // The kernel makes root the owner of the folder of a process that is not dumpable.
            var status = stat()
            try #require(stat("/proc/\(running.pid)/environ", &status) == 0)
            #expect(status.st_uid == 0)
            running.kill()
        }
    }
}
