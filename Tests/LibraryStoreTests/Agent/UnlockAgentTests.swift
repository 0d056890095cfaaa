import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Testing

@testable import LibraryStore

@Suite("Unlock agent", .endsInTime)
struct UnlockAgentTests {
    private let environment: AgentEnvironment

    init() throws {
        environment = try AgentEnvironment()
    }

    @Test("it lends the secret, and takes a closed lease back")
    func lends() async throws {
        let agent = try await environment.agent()
        let lease = try #require(try await environment.client.lease())
        try #expect(lease.secret.plain == environment.plainSecret)
        #expect(try await environment.client.status() == AgentStatus(leaseCount: 1, timeUntilLocked: nil))
        lease.close()
        #expect(lease.secret.isWiped)
        #expect(await lease.waitUntilLocked() == false)
        #expect(!lease.isLocked)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("without an agent there is no lease, no status and nothing to lock")
    func isAbsent() async throws {
        #expect(try await environment.client.lease() == nil)
        #expect(try await environment.client.status() == nil)
        #expect(try await environment.client.lock() == false)
    }

    @Test("a lock notifies every lease and wipes the secret everywhere", arguments: [true, false])
    func locks(isAskedByClient: Bool) async throws {
        let secret = environment.secret
        let agent = try await environment.agent(holding: secret)
        var leases: [AgentLease] = []
        for _ in 0..<5 { leases.append(try #require(try await environment.client.lease())) }
        if isAskedByClient {
            #expect(try await environment.client.lock())
        } else {
            agent.lock()
            await agent.waitUntilEnded()
        }
        #expect(secret.isWiped)
        for lease in leases {
            #expect(await lease.waitUntilLocked())
            #expect(lease.isLocked)
            #expect(lease.secret.isWiped)
        }
        #expect(try await environment.client.lease() == nil)
        try #expect(!FileManager.default.fileExists(atPath: environment.socketPath))
    }

    @Test("once a lock is answered, the library can be unlocked again")
    func unlocksAgain() async throws {
        for _ in 0..<20 {
            _ = try await environment.agent()
            #expect(try await environment.client.lock())
        }
    }

    @Test("a client that never reads does not hold up the lock")
    func ignoresDeafClients() async throws {
        let agent = try await environment.agent()
        let deaf = try (0..<10).map { _ in try RawClient(environment) }
        for client in deaf { client.say(AgentRequest.lease.encoded) }
        let lease = try #require(try await environment.client.lease())
        agent.lock()
        await agent.waitUntilEnded()
        #expect(await lease.waitUntilLocked())
        let heard = AgentAnswer.secret.head + environment.plainSecret + AgentAnswer.locked.head
        for client in deaf { #expect(client.hearAll() == heard) }
    }

    @Test("waiting for a lock can be cancelled")
    func cancelsWaiting() async throws {
        let agent = try await environment.agent()
        let lease = try #require(try await environment.client.lease())
        let waiter = Task { await lease.waitUntilLocked() }
        waiter.cancel()
        #expect(await waiter.value == false)
        #expect(!lease.isLocked)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("it serves 64 leases at once, and says so to the next one")
    func isBounded() async throws {
        let agent = try await environment.agent()
        let client = try environment.client
        let leases = try await withThrowingTaskGroup(of: AgentLease?.self) { group in
            for _ in 0..<AgentProtocol.maximumConnections { group.addTask { try await client.lease() } }
            return try await group.reduce(into: [AgentLease]()) { leases, lease in
                leases.append(try #require(lease))
            }
        }
        for lease in leases { try #expect(lease.secret.plain == environment.plainSecret) }
        await #expect(throws: AgentError.tooManyLeases) { try await client.lease() }
        leases[0].close()
        // The agent reads of the end before it reads a later request.
        #expect(try await freed { try await client.status() }?.leaseCount == 63)
        agent.lock()
        for lease in leases.dropFirst() { #expect(await lease.waitUntilLocked()) }
        await agent.waitUntilEnded()
    }

    @Test("connections that say nothing make room for those that do")
    func dismissesSilentClients() async throws {
        let agent = try await environment.agent()
        let silent = try (0..<AgentProtocol.maximumConnections).map { _ in try RawClient(environment) }
        let lease = try #require(try await environment.client.lease())
        #expect(silent[0].hearAll().isEmpty)
        withExtendedLifetime(silent) {}
        lease.close()
        agent.lock()
        await agent.waitUntilEnded()
    }

    /// Asks until the agent has noticed that a lease was closed.
    private func freed(_ status: () async throws -> AgentStatus?) async throws -> AgentStatus? {
        while true {
            do { return try await status() } catch AgentError.tooManyLeases {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }
}

@Suite("Idle time of an unlock agent", .endsInTime)
struct AgentIdleTests {
    private let environment: AgentEnvironment
    private let clock = ManualClock()

    init() throws {
        environment = try AgentEnvironment()
    }

    @Test("nobody's use locks it after the idle time")
    func locksWhenIdle() async throws {
        let secret = environment.secret
        let agent = try await environment.agent(holding: secret, lockingAfter: .seconds(900), clock: clock)
        #expect(await clock.endShortestSleep() == .seconds(900))
        await agent.waitUntilEnded()
        #expect(secret.isWiped)
    }

    @Test("the idle time does not run while there is a lease, and begins again after the last one")
    func waitsForLeases() async throws {
        let agent = try await environment.agent(lockingAfter: .seconds(900), clock: clock)
        let one = try #require(try await environment.client.lease())
        let other = try #require(try await environment.client.lease())
        clock.advance(by: .seconds(10_000))
        #expect(try await environment.client.status() == AgentStatus(leaseCount: 2, timeUntilLocked: nil))
        one.close()
        try #expect(other.secret.plain == environment.plainSecret)
        other.close()
        #expect(await clock.endShortestSleep() == .seconds(900))
        await agent.waitUntilEnded()
    }

    @Test("asking for its status returns the time left, and does not count as use")
    func tellsTimeLeft() async throws {
        let agent = try await environment.agent(lockingAfter: .seconds(900), clock: clock)
        #expect(try await environment.client.status() == AgentStatus(leaseCount: 0, timeUntilLocked: .seconds(900)))
        clock.advance(by: .seconds(600))
        #expect(try await environment.client.status() == AgentStatus(leaseCount: 0, timeUntilLocked: .seconds(300)))
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("one whose timer is late locks rather than lends", arguments: AgentRequest.allCases)
    func checksTheTimeItself(request: AgentRequest) async throws {
        var watch = IdleWatch(.seconds(900), clock: clock) { _ in }
        watch.begin()
        clock.advance(by: .seconds(900))
        #expect(watch.timeLeft == .zero)
        let listener = try AgentListener(at: try environment.address)
        let client = try RawClient(environment)
        client.say(request.encoded)
        let secret = environment.secret
        let wakeUp = try WakeUpPipe()
        var server = AgentServer(secret: secret, listener: listener, wakeUp: wakeUp, idleWatch: watch)
        server.serve { [] }
        #expect(client.hearAll() == AgentAnswer.locked.head)
        #expect(secret.isWiped)
    }

    @Test("one whose timer does not ring after the machine has slept locks though nobody asks")
    func looksByItself() async throws {
        var watch = IdleWatch(.seconds(900), clock: LateClock(clock)) { _ in }
        watch.begin()
        let secret = environment.secret
        var server = AgentServer(
            secret: secret,
            listener: try AgentListener(at: try environment.address),
            wakeUp: try WakeUpPipe(),
            idleWatch: watch,
            look: 1
        )
        clock.advance(by: .seconds(899))
        var looks = 0
        server.serve { [clock] in
            looks += 1
            if looks == 3 { clock.advance(by: .seconds(1)) }
            return []
        }
        #expect(looks == 3)
        #expect(secret.isWiped)
    }

    @Test("with no idle time it never locks by itself")
    func staysForEver() async throws {
        let agent = try await environment.agent(lockingAfter: nil, clock: clock)
        #expect(try await environment.client.status() == AgentStatus(leaseCount: 0, timeUntilLocked: nil))
        #expect(clock.sleeperCount == 0)
        agent.lock()
        await agent.waitUntilEnded()
    }
}
