import EchoText
import Foundation
import Logging
import Workers

/// A program of two ends for the tests: a worker that behaves or does not, and a parent that can be killed.
@main
enum Fixture {
    static func main() async throws {
        let confinement = try WorkerConfinement.ofThisProcess()
        switch CommandLine.arguments.dropFirst().first {
        case "worker":
            await EngineWorkerServer(loader: FixtureLoader(), confinement: confinement).run()
            _exit(0)
        case "parent": startWorker(sandboxed: CommandLine.arguments.contains("sandboxed"))
        case "quit": exit(7)
        case "garbage": say([UInt8](repeating: 0xA5, count: 100_000))
        case "older": say(Array("EchW".utf8) + [0, 0, 0, 0])
        case "giant": say(FrameFormat.preamble + [0xFF, 0xFF, 0xFF, 0x7F, 17, 1, 0, 0, 0])
        case "unasked": say(FrameFormat.preamble + Frame(.done, request: 99).encoded)
        case "hush":
            say(FrameFormat.preamble)
            close(STDOUT_FILENO)
        default: break
        }
        while true { pause() }
    }

    private static func say(_ bytes: [UInt8]) {
        FileHandle.standardOutput.write(Data(bytes))
    }

    /// Starts a worker, tells its number, and waits to be killed.
    private static func startWorker(sandboxed: Bool) {
        let isolation = sandboxed ? WorkerIsolation.bubblewrap(path: "/usr/bin/bwrap") : .limitsOnly(.switchedOff)
        WorkerProcess.start(.thisProgram, in: isolation) { bytes in
            // The worker's greeting: it is there, and confined.
            FileHandle.standardError.write(Data(bytes))
            return true
        } started: { process in
            FileHandle.standardOutput.write(Data("\(process?.identifier ?? 0)\n".utf8))
        } ended: { _ in
        }
    }
}
