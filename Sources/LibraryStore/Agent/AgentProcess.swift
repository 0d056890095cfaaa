import CProcess
import Dispatch
import EchoText
import Foundation

/// The process of an agent, as ``AgentLauncher`` starts it.
package enum AgentProcess {
    /// Takes the secret from standard input, says on standard output that it listens, and serves until it has locked.
    ///
    /// A request to end, a terminal that hangs up, and SIGUSR1 lock it.
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
        signal(SIGPIPE, SIG_IGN)  // who started it may have gone
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
            signal(number, SIG_IGN)  // the source below hears it instead
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The source is kept by its own handler: it hears for as long as the process lives.
            source.setEventHandler { withExtendedLifetime(source) { agent.lock() } }
            source.resume()
        }
    }

    private static func report(_ readiness: AgentReadiness, on descriptor: Int32) {
        let bytes = readiness.encoded
        // Who does not listen any more has given up on the agent, which is then found by its address, or not needed.
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
