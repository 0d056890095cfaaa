import CProcess
import EchoTextTesting
import Foundation
import Glibc
import Testing

@Suite("A program that is started in confinement", .endsInTime)
struct ConfinedSpawnTests {
    /// Starts a shell without guards, on the thread of the caller.
    private static func start(_ script: String) -> pid_t? {
        var started: pid_t = 0
        var wanted = confinement()
        wanted.runs_program = 1
        wanted.output = -1
        let arguments: [String] = ["/bin/bash", "-c", script]
        let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        return spawn_confined(&started, "/bin/bash", words, [0, 1, 2], 3, &wanted) == 0 ? started : nil
    }

    @Test("is killed with the thread that started it, also while it is stopped")
    func death() async throws {
        let started: pid_t? = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let started = Self.start("exec sleep 600")
                if let started { kill(started, SIGSTOP) }
                continuation.resume(returning: started)
            }
        }
        let process = try #require(started)
        var status: Int32 = 0
        do {
            try await waitUntil("it is dead") { waitpid(process, &status, WNOHANG) == process }
        } catch {
            kill(process, SIGKILL)
            throw error
        }
        #expect(child_signal(status) == SIGKILL)
    }
}
