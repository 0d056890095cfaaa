import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import WebApp

@Suite("The address of a request")
struct AddressGateTests {
    /// The request as the server sees it after the same handlers as in a server, in order.
    private func request(_ line: String, _ fields: String...) throws -> HTTPRequest {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try channel.pipeline.syncOperations.addHandler(AddressGate())
        let head = ([line] + fields).map { "\($0)\r\n" }.joined() + "\r\n"
        try channel.writeInbound(ByteBuffer(string: head))
        guard case .head(let request) = try #require(try channel.readInbound(as: HTTPRequestPart.self)) else {
            throw ChannelError.eof
        }
        return request
    }

    @Test(
        "with a host in it names a second host",
        arguments: ["http://test.localhost/api/state", "http://evil.example/api/state", "HTTP://a", "*"]
    )
    func host(_ address: String) throws {
        let request = try request("GET \(address) HTTP/1.1", "Host: test.localhost")
        #expect(request.authority == "test.localhost")
        #expect(request.headerFields[.secondHost] == address)
    }

    @Test("with a host in it does not stand for a Host line")
    func hostDoesNot() throws {
        let request = try request("GET http://test.localhost/ HTTP/1.1")
        #expect(request.authority == "http://test.localhost/")
    }

    @Test("without one names none", arguments: ["/", "/api/state?of=http://a", "//api", "/http://a"])
    func plain(_ address: String) throws {
        let request = try request("GET \(address) HTTP/1.1", "Host: test.localhost")
        #expect((request.authority, request.path) == ("test.localhost", address))
        #expect(request.headerFields[.secondHost] == nil)
    }
}
