import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Protocol of an unlock agent", .endsInTime)
struct AgentProtocolTests {
    @Test("a greeting is understood whole, and awaited in part", arguments: AgentRequest.allCases)
    func readsGreetings(request: AgentRequest) {
        let bytes = request.encoded
        for count in 0..<bytes.count { #expect(AgentGreeting(Array(bytes.prefix(count))) == .unfinished) }
        #expect(AgentGreeting(bytes) == .request(request))
        #expect(AgentGreeting(bytes + [0]) == .nonsense)
    }

    @Test("what is no greeting is refused at the first wrong byte")
    func refusesNonsense() {
        #expect(AgentGreeting(Array("GET ".utf8)) == .nonsense)
        #expect(AgentGreeting(Array("Ec!".utf8)) == .nonsense)
        #expect(AgentGreeting(AgentProtocol.magic + [2]) == .otherVersion)
        #expect(AgentGreeting(AgentProtocol.magic + [AgentProtocol.version, 0]) == .nonsense)
        #expect(AgentGreeting(AgentProtocol.magic + [AgentProtocol.version, 4]) == .nonsense)
    }

    @Test("a status survives the way", arguments: [nil, 0, 1, 900_000, 86_400_000] as [Int?], [0, 1, 64])
    func sendsStatus(milliseconds: Int?, leaseCount: Int) {
        let left = milliseconds.map { Duration.milliseconds($0) }
        let status = AgentStatus(leaseCount: leaseCount, timeUntilLocked: left)
        #expect(status.encoded.count == AgentStatus.length)
        #expect(AgentStatus(status.encoded) == status)
        #expect(AgentStatus(status.encoded + [0]) == nil)
    }

    @Test(
        "what a new process says of itself survives the way",
        arguments: [.listening, .alreadyRunning, .unsafeFolder, .failed(errno: ENOSPC)] as [AgentReadiness]
    )
    func sendsReadiness(readiness: AgentReadiness) {
        #expect(AgentReadiness(readiness.encoded) == readiness)
        #expect(AgentReadiness([9, 0, 0, 0, 0]) == nil)
    }

    @Test("hostile clients get nothing, and harm nobody", arguments: 0..<8)
    func survivesHostileClients(seed: Int) async throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let environment = try AgentEnvironment()
        let agent = try await environment.agent()
        let lease = try #require(try await environment.client.lease())
        for _ in 0..<50 {
            let client = try RawClient(environment)
            let words = hostileWords(&random)
            for word in words { client.say(word) }
            shutdown(client.descriptor, Int32(SHUT_WR))
            let heard = client.hearAll()
            #expect(heard.isEmpty || heard == AgentAnswer.otherVersion.head)
        }
        try #expect(lease.secret.plain == environment.plainSecret)
        #expect(try await environment.client.status()?.leaseCount == 1)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("a lease that talks is ended")
    func endsTalkingLeases() async throws {
        let environment = try AgentEnvironment()
        let agent = try await environment.agent()
        let client = try RawClient(environment)
        client.say(AgentRequest.lease.encoded)
        #expect(client.hear(AgentAnswer.length + 32).count == AgentAnswer.length + 32)
        client.say([1])
        #expect(client.hearAll().isEmpty)
        agent.lock()
        await agent.waitUntilEnded()
    }

    /// Invalid requests: noise, a wrong version, a truncated request, or one followed by bytes in the same piece.
    private func hostileWords(_ random: inout SeededNumbers) -> [[UInt8]] {
        let noise = (0..<Int.random(in: 0...3_000, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        let request = AgentRequest.allCases.randomElement(using: &random)?.encoded ?? []
        switch Int.random(in: 0...3, using: &random) {
        case 0: return [[0xFF] + noise]
        case 1: return [AgentProtocol.magic + [UInt8.random(in: 2...255, using: &random)]]
        case 2: return request.prefix(Int.random(in: 0..<request.count, using: &random)).map { [$0] }
        default: return [request + [0] + noise]
        }
    }
}
