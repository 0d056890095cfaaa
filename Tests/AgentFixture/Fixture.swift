import CProcess
import Foundation
import LibraryStore

/// A program for tests that runs as an unlock agent, queries one, or reports who controls its mounts.
@main
enum Fixture {
    static func main() async throws {
        let words = CommandLine.arguments
        switch words.dropFirst().first {
        case "agent": try await AgentProcess.run()
        case "ask":
            if let guards = Int32(words[5]) { confine(guards) }
            exit(await isAnswered(library: words[2], device: words[3], runtime: words[4]) ? 0 : 1)
        case "mounts":
            if words.count > 2, let user = uid_t(words[2]), setuid(user) != 0 { exit(70) }
            print(mounts_are_others() != 0 ? "others" : "own", terminator: "")
        default: exit(64)
        }
    }

    /// Confines this process as a worker is, but for the files, with these guards of the kernel.
    private static func confine(_ guards: Int32) {
        guard let root = strdup("/") else { exit(70) }
        var wanted = confinement()
        wanted.guards = guards
        wanted.output = -1
        let isConfined = withUnsafePointer(to: UnsafePointer<CChar>?(root)) { paths in
            wanted.readable = paths
            wanted.readable_count = 1
            return confine_process(&wanted) == 0
        }
        guard isConfined else { exit(70) }
    }

    /// Whether an agent gives its secret.
    private static func isAnswered(library: String, device: String, runtime: String) async -> Bool {
        // An unavailable socket and a silent agent both count as no response.
        guard let address = try? AgentAddress(library: library, deviceFolder: device, runtimeFolder: runtime) else {
            return false
        }
        return (try? await AgentClient(at: address).lease()) != nil
    }
}
