import CProcess
import Dispatch
import EchoText
import Foundation

/// The process of an agent, as ``AgentLauncher`` starts it.
package enum AgentProcess {
    /// Reads the secret from standard input, reports on standard output that it listens, and serves until it has
    /// locked.
    ///
    /// A termination signal, a hang-up of the terminal and SIGUSR1 lock it.
    ///
    /// - Throws: ``AgentError``, ``VaultError``; the process that started it has received the reason.
    package static func run() async throws {
        // The agent leaves the terminal before it reports that it listens.
        let answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard answers >= 0 else { throw VaultError.system(errno: errno) }
        do {
            let agent = try await start()
            try leaveTerminal()
            report(.listening, on: answers)
            close(answers)
            await agent.waitUntilEnded()
        } catch {
            report(AgentReadiness(error), on: answers)
            throw error
        }
    }

    private static func start() async throws -> UnlockAgent {
        let failure = harden_process()
        guard failure == 0, chdir("/") == 0 else { throw VaultError.system(errno: failure == 0 ? errno : failure) }
        signal(SIGPIPE, SIG_IGN)  // The process that started it may have exited.
        let (bootstrap, secret) = try await onBlockingThread { try AgentBootstrap.read(from: STDIN_FILENO) }
        let agent = try await UnlockAgent.start(
            holding: secret,
            at: bootstrap.address,
            lockingAfter: bootstrap.lockAfter.map { .milliseconds($0) }
        )
        lock(agent, on: [SIGTERM, SIGINT, SIGHUP, SIGUSR1])
        return agent
    }

    private static func lock(_ agent: UnlockAgent, on signals: [Int32]) {
        for number in signals {
            signal(number, SIG_IGN)  // The source below receives it instead.
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // Its handler retains the source, so that it is active for the life of the process.
            source.setEventHandler { withExtendedLifetime(source) { agent.lock() } }
            source.resume()
        }
    }

    private static func report(_ readiness: AgentReadiness, on descriptor: Int32) {
        let bytes = readiness.encoded
        // A closed pipe means that the starting process has given up; the agent can still be found at its address.
        _ = child_write(descriptor, bytes, bytes.count)
    }

    private static func leaveTerminal() throws {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { throw VaultError.system(errno: errno) }
        defer { close(nothing) }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where dup2(nothing, stream) < 0 {
            throw VaultError.system(errno: errno)
        }
    }
}
