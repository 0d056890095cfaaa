import CProcess
import Dispatch
import EchoText
import FileSystem
import Foundation

/// Starts an unlock agent as a separate process, which outlives this one and its terminal.
package struct AgentLauncher: Sendable {
    /// The outcome of a launch.
    package enum Outcome: Sendable, Hashable {
        /// Its process has this number.
        case started(process: Int32)
        /// Another agent holds the library open; the secret was not handed over to it.
        case alreadyRunning
    }

    /// Absolute path of the program.
    package var executable: String
    /// After the program's name.
    package var arguments = ["vault", "agent"]

    /// In milliseconds: how long a new process may take until it listens, on a busy machine.
    private static let timeout: Int32 = 20_000

    package init(executable: String) {
        self.executable = executable
    }

    /// This program, as an agent.
    package static var thisProgram: AgentLauncher {
        // The link is always there on Linux; without it the start fails and says so.
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return AgentLauncher(executable: path ?? CommandLine.arguments[0])
    }

    /// Starts an agent, and waits until it listens.
    ///
    /// - Parameters:
    ///   - secret: The vault's secret, of 32 bytes, which is sent over a pipe. The caller remains responsible for its
    ///     copy.
    ///   - address: The agent's address.
    ///   - idleTime: The time without a lease after which it locks; `nil` for never.
    /// - Returns: Whether the new agent or another one holds the library open now.
    /// - Throws: ``AgentError/cannotStart(errno:)``, ``VaultError``.
    package func launch(
        holding secret: SecretBytes,
        at address: AgentAddress,
        lockingAfter idleTime: Duration?
    ) async throws -> Outcome {
        let bootstrap = AgentBootstrap(address: address, lockAfter: idleTime.map { Int64($0 / .milliseconds(1)) })
        let head = try bootstrap.head()
        return try await onBlockingThread { try start(head: head, secret: secret) }
    }

    private func start(head: [UInt8], secret: SecretBytes) throws -> Outcome {
        var child = child_process()
        let failure = withArrayOfCStrings([executable] + arguments) { arguments in
            withArrayOfCStrings(["SWIFT_BACKTRACE=enable=no"]) { environment in
                child_spawn(&child, executable, arguments, environment, 0)
            }
        }
        guard failure == 0 else { throw AgentError.cannotStart(errno: failure) }
        defer {
            for descriptor in [child.input, child.output, child.errors] { close(descriptor) }
            reap(child)
        }
        guard try hand(head, and: secret, to: child.input), let readiness = readiness(on: child.output) else {
            child_kill(child.pidfd)
            throw AgentError.cannotStart(errno: nil)
        }
        switch readiness {
        case .listening: return .started(process: child.pid)
        case .alreadyRunning: return .alreadyRunning
        case .unsafeFolder: throw VaultError.unsafeFolder
        case .failed(let errno): throw AgentError.cannotStart(errno: errno == 0 ? nil : errno)
        }
    }

    /// Frees the process's entry when it ends, however long this program lives.
    private func reap(_ child: child_process) {
        let source = DispatchSource.makeReadSource(fileDescriptor: child.pidfd, queue: .global())
        source.setEventHandler {
            _ = child_wait(child.pid)
            source.cancel()
        }
        source.setCancelHandler { close(child.pidfd) }
        source.resume()
    }

    /// - Returns: Whether the process took all of it.
    private func hand(_ head: [UInt8], and secret: SecretBytes, to input: Int32) throws -> Bool {
        guard head.withUnsafeBytes({ $0.writeAll(toPipe: input) }) else { return false }
        return try secret.withUnsafeBytes { $0.writeAll(toPipe: input) }
    }

    /// - Returns: `nil` if it ended, or sent nothing in time.
    private func readiness(on output: Int32) -> AgentReadiness? {
        var bytes: [UInt8] = []
        while bytes.count < AgentReadiness.length {
            var source = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = poll(&source, 1, Self.timeout)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: AgentReadiness.length - bytes.count)
            let taken = read(output, &piece, piece.count)
            guard taken > 0 else { return nil }
            bytes += piece.prefix(taken)
        }
        return AgentReadiness(bytes)
    }
}
