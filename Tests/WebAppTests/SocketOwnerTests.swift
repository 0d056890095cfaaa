import EchoTextTesting
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import WebApp

@Suite("The owner of a connection", .endsInTime)
struct SocketOwnerTests {
    /// Accepts one connection and keeps it open.
    private func listening(on host: String) async throws -> (
        port: Int, accepted: EventLoopFuture<any Channel>, any Channel
    ) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let accepted = loop.makePromise(of: (any Channel).self)
        let server = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                accepted.succeed(channel)
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: host, port: 0).get()
        return (try #require(server.localAddress?.port), accepted.futureResult, server)
    }

    @Test("is known to the kernel for both ends, and not for one that never existed", arguments: ["127.0.0.1", "::1"])
    func own(_ host: String) async throws {
        let (port, accepting, server) = try await listening(on: host)
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port).get()
        let accepted = try await accepting.get()
        let (peer, own) = (try #require(accepted.remoteAddress), try #require(accepted.localAddress))
        #expect(SocketOwner.owner(of: peer, connectedTo: own) == .user(getuid()))
        #expect(SocketOwner.owner(of: own, connectedTo: peer) == .user(getuid()))
        let nowhere = try SocketAddress(ipAddress: host, port: 1)
        #expect(SocketOwner.owner(of: nowhere, connectedTo: own) == .unknown, "a listener is no connection")
        try await client.close()
        try await accepted.closeFuture.get()
        try await server.close()
    }

    @Test("is another person's where the connection is", .enabled(if: getuid() == 0, "only root becomes somebody else"))
    func another() async throws {
        let (port, accepting, server) = try await listening(on: "127.0.0.1")
        let stranger = Process()
        let leash = Pipe()
        stranger.executableURL = URL(filePath: "/usr/bin/python3")
        stranger.arguments = [
            "-c",
            "import os, socket, sys; os.setuid(65534); s = socket.create_connection(('127.0.0.1', \(port))); sys.stdin.read()",
        ]
        stranger.standardInput = leash
        try stranger.run()
        let accepted = try await accepting.get()
        let (peer, own) = (try #require(accepted.remoteAddress), try #require(accepted.localAddress))
        #expect(SocketOwner.owner(of: peer, connectedTo: own) == .user(65_534))
        try leash.fileHandleForWriting.close()
        try await accepted.closeFuture.get()
        stranger.waitUntilExit()
        try await server.close()
    }
}
