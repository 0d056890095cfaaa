import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import LibraryStore

@Suite("Address of an unlock agent", .endsInTime)
struct AgentAddressTests {
    private let surroundings: AgentSurroundings

    init() throws {
        surroundings = try AgentSurroundings()
    }

    @Test("a library has one address, whatever links lead to it, and another library another")
    func followsTheLibrary() throws {
        let link = "\(surroundings.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: surroundings.library)
        func address(_ library: String) throws -> AgentAddress {
            try AgentAddress(library: library, deviceFolder: "/d", runtimeFolder: nil)
        }
        try #expect(address(link) == address(surroundings.library))
        try #expect(address(surroundings.path) != address(surroundings.library))
        #expect(throws: VaultError.system(errno: ENOENT)) { try address("\(surroundings.path)/missing") }
    }

    @Test("the login's folder is used only when it is closed to others", arguments: [0o700, 0o750, 0o701])
    func distrustsOpenRuntimeFolder(mode: mode_t) throws {
        chmod(surroundings.runtimeFolder, mode)
        let address = try surroundings.address
        #expect(address.base == (mode == 0o700 ? surroundings.runtimeFolder : surroundings.deviceFolder))
    }

    @Test(
        "the login's folder is not used when it is a link, relative or missing",
        arguments: ["link", "../x", "/none"]
    )
    func distrustsOddRuntimeFolder(name: String) throws {
        let link = "\(surroundings.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: surroundings.runtimeFolder)
        let folder = name == "link" ? link : name
        let address = try AgentAddress(library: surroundings.library, deviceFolder: "/device", runtimeFolder: folder)
        #expect(address.base == "/device")
        #expect(address.subfolder == nil)
    }

    @Test("a folder with a name far longer than a socket's serves too")
    func bearsLongNames() async throws {
        let folder = surroundings.path + "/" + String(repeating: "long", count: 60)
        let address = try AgentAddress(library: surroundings.library, deviceFolder: folder, runtimeFolder: nil)
        let agent = try await UnlockAgent.start(
            holding: surroundings.secret,
            at: address,
            lockingAfter: nil,
            clock: ManualClock()
        )
        let lease = try #require(try await AgentClient(at: address).lease())
        try #expect(lease.secret.plain == surroundings.plainSecret)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("a link in the place of the folder or the lock is not followed", arguments: ["folder", "lock"])
    func followsNoLinks(place: String) throws {
        let elsewhere = "\(surroundings.path)/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
        let link: String
        if place == "folder" {
            link = surroundings.socketFolder
        } else {
            _ = try AgentFolder.open(at: try surroundings.address, making: true)
            link = "\(surroundings.socketFolder)/\(try surroundings.address.lock)"
        }
        let destination = place == "folder" ? elsewhere : "\(elsewhere)/file"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        #expect(throws: VaultError.unsafeFolder) { try AgentListener(at: try surroundings.address) }
        try #expect(FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
    }

    @Test("a link in the place of the socket leads no client astray, and is replaced by an agent")
    func replacesLinks() async throws {
        _ = try AgentFolder.open(at: try surroundings.address, making: true)
        try FileManager.default.createSymbolicLink(
            atPath: try surroundings.socketPath,
            withDestinationPath: "\(surroundings.path)/other"
        )
        await #expect(throws: AgentError.foreignPeer) { try await surroundings.client.lease() }
        let agent = try await surroundings.agent()
        try #expect(AgentSurroundings.mode(of: surroundings.socketPath) == 0o600)
        agent.lock()
        await agent.waitUntilEnded()
    }

    @Test("a folder that others could enter is closed to them")
    func closesFolder() throws {
        try FileManager.default.createDirectory(atPath: surroundings.socketFolder, withIntermediateDirectories: false)
        chmod(surroundings.socketFolder, 0o777)
        _ = try AgentFolder.open(at: try surroundings.address, making: true)
        try #expect(AgentSurroundings.mode(of: surroundings.socketFolder) == 0o700)
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
