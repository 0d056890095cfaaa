import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Address of an unlock agent", .endsInTime)
struct AgentAddressTests {
    private let environment: AgentEnvironment

    init() throws {
        environment = try AgentEnvironment()
    }

    @Test("a library has one address, whatever links lead to it, and another library another")
    func followsTheLibrary() throws {
        let link = "\(environment.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: environment.library)
        func address(_ library: String) throws -> AgentAddress {
            try AgentAddress(library: library, deviceFolder: "/d", runtimeFolder: nil)
        }
        try #expect(address(link) == address(environment.library))
        try #expect(address(environment.path) != address(environment.library))
        #expect(throws: VaultError.system(errno: ENOENT)) { try address("\(environment.path)/missing") }
    }

    @Test("the login's folder is used only when it is closed to others", arguments: [0o700, 0o750, 0o701])
    func distrustsOpenRuntimeFolder(mode: mode_t) throws {
        chmod(environment.runtimeFolder, mode)
        let address = try environment.address
        #expect(address.base == (mode == 0o700 ? environment.runtimeFolder : environment.deviceFolder))
    }

    @Test(
        "the login's folder is not used when it is a link, relative or missing",
        arguments: ["link", "../x", "/none"]
    )
    func distrustsOddRuntimeFolder(name: String) throws {
        let link = "\(environment.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: environment.runtimeFolder)
        let folder = name == "link" ? link : name
        let address = try AgentAddress(library: environment.library, deviceFolder: "/device", runtimeFolder: folder)
        #expect(address.base == "/device")
        #expect(address.subfolder == nil)
    }

    @Test("a folder with a name far longer than a socket's serves too")
    func bearsLongNames() async throws {
        let folder = environment.path + "/" + String(repeating: "long", count: 60)
        let address = try AgentAddress(library: environment.library, deviceFolder: folder, runtimeFolder: nil)
        let agent = try await UnlockAgent.start(
            holding: environment.secret,
            at: address,
            lockingAfter: nil,
            clock: ManualClock()
        )
        let lease = try #require(try await AgentClient(at: address).lease())
        try #expect(lease.secret.plain == environment.plainSecret)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("a link instead of the folder or the lock is not followed", arguments: ["folder", "lock"])
    func followsNoLinks(place: String) throws {
        let elsewhere = "\(environment.path)/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        let link: String
        if place == "folder" {
            link = environment.socketFolder
        } else {
            _ = try AgentFolder.open(at: try environment.address, making: true)
            link = "\(environment.socketFolder)/\(try environment.address.lock)"
        }
        let destination = place == "folder" ? elsewhere : "\(elsewhere)/file"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        #expect(throws: VaultError.unsafeFolder) { try AgentListener(at: try environment.address) }
        try #expect(FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
    }

    @Test("a link instead of the socket leads no client astray, and is replaced by an agent")
    func replacesLinks() async throws {
        _ = try AgentFolder.open(at: try environment.address, making: true)
        try FileManager.default.createSymbolicLink(
            atPath: try environment.socketPath,
            withDestinationPath: "\(environment.path)/other"
        )
        await #expect(throws: AgentError.foreignPeer) { try await environment.client.lease() }
        let agent = try await environment.agent()
        try #expect(AgentEnvironment.mode(of: environment.socketPath) == 0o600)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("a folder that others could enter is closed to them")
    func closesFolder() throws {
        try FileManager.default.createDirectory(atPath: environment.socketFolder, withIntermediateDirectories: false)
        chmod(environment.socketFolder, 0o777)
        _ = try AgentFolder.open(at: try environment.address, making: true)
        try #expect(AgentEnvironment.mode(of: environment.socketFolder) == 0o700)
    }

    @Test("secrets are exchanged with the same person only", arguments: [(1000, true), (1001, false), (0, false)])
    func trustsTheSamePerson(user: uid_t, isTrusted: Bool) {
        #expect(AgentPeer(user: user, process: 1).isTrusted(by: 1000) == isTrusted)
    }

    @Test("the kernel says who is at the other end")
    func knowsThePeer() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(try AgentPeer(of: ends[0]).user == geteuid())
        #expect(throws: VaultError.system(errno: EBADF)) { try AgentPeer(of: -1) }
    }
}
