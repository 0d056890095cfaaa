import Foundation
import LibraryStore

/// A program for the tests that is started as an unlock agent.
@main
enum Fixture {
    static func main() async throws {
        switch CommandLine.arguments.dropFirst().first {
        case "agent": try await AgentProcess.run()
        default: exit(64)
        }
    }
}
