import CAttempts
import EchoText
import Foundation
import Logging
import Workers

/// A program with two roles for the tests: a worker that behaves well or badly, and a parent that can be killed.
@main
enum Fixture {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "without-landlock" { withoutLandlock() }
        let confinement = try WorkerConfinement.ofThisProcess()
        switch CommandLine.arguments.dropFirst().first {
        case "worker":
            await EngineWorkerServer(
                loader: FixtureLoader(),
                pronouncer: { FixturePhonemizer() },
                confinement: confinement
            ).run()
            _exit(0)
        case "recognition":
            await RecognitionWorkerServer(
                loader: FixtureRecognizerLoader(),
                detector: { _ in EnergyDetector() },
                speakers: FixtureSpeakerLoader(),
                confinement: confinement
            ).run()
            _exit(0)
        case "parent": startWorker(in: isolation)
        case "cycle": try await cycle(Int(CommandLine.arguments[2]) ?? 0, in: isolation)
        case "probe": await probeForEver()
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

    /// How a parent must start its workers.
    private static var isolation: WorkerIsolation {
        if CommandLine.arguments.contains("sandboxed") { return .bubblewrap(path: WorkerIsolation.bubblewrapPath) }
        return CommandLine.arguments.contains("kernel") ? .kernelOnly(.switchedOff) : .limitsOnly(.switchedOff)
    }

    /// Probes repeatedly with the program that the next argument names, and writes a byte before each probe.
    private static func probeForEver() async {
        while true {
            say([0])
            _ = await WorkerIsolation.probe(bubblewrap: CommandLine.arguments[2])
        }
    }

    /// Becomes the program that the next arguments name, on a kernel without Landlock.
    private static func withoutLandlock() -> Never {
        let words = CommandLine.arguments.dropFirst(2).map { strdup($0) } + [nil]
        exit(run_without_landlock(words))
    }

    private static func say(_ bytes: [UInt8]) {
        FileHandle.standardOutput.write(Data(bytes))
    }

    /// Starts a worker, prints its number, forwards its greeting, and waits to be killed.
    private static func startWorker(in isolation: WorkerIsolation) {
        WorkerProcess.start(.thisProgram, in: isolation) { bytes in
            say(Array(bytes))
            return true
        } started: { process in
            say(Array("\(process?.identifier ?? 0)\n".utf8))
        } ended: { _ in
        }
    }

    /// Starts workers in sequence, ends each during a request, and prints the descriptors before and after, and the
    /// remaining children.
    private static func cycle(_ count: Int, in isolation: WorkerIsolation) async throws {
        var before = 0
        for round in 0...count {
            // The first round opens descriptors that the system's libraries keep open.
            if round == 1 { before = try descriptors }
            await withCheckedContinuation { continuation in
                WorkerProcess.start(.thisProgram, in: isolation) { _ in
                    false  // Its greeting is enough, and ends it.
                } started: { process in
                    if round.isMultiple(of: 2) { process?.kill() }
                    if round.isMultiple(of: 3) { process?.send(Array(repeating: 0, count: 1 << 20)) }
                } ended: { _ in
                    continuation.resume()
                }
            }
        }
        say(Array("\(before) \(try descriptors) \(try children)\n".utf8))
        exit(0)
    }

    private static var children: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").reduce(0) { count, thread in
                // A thread may have ended since the listing; then it has no children.
                let list = try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8)
                return count + (list?.split(separator: " ").count ?? 0)
            }
        }
    }

    private static var descriptors: Int {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    }
}
