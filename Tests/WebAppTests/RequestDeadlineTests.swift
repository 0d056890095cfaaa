import EchoText
import EchoTextTesting
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import WebApp

@Suite("A request's deadline", .endsInTime)
struct RequestDeadlineTests {
    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "a", path: "/")
    )
    private static let moment = TimeAmount.milliseconds(1)

    /// A connection as it is when it was just made.
    private func connection(among connections: OpenConnections = OpenConnections()) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: RequestDeadline(among: connections))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    private func answer(on channel: EmbeddedChannel) throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    @Test("ends a connection that sends no whole head")
    func noHead() throws {
        let channel = try connection()
        channel.embeddedEventLoop.advanceTime(by: RequestDeadline.firstHead - Self.moment)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: Self.moment)
        #expect(!channel.isActive)
    }

    @Test("ends a connection whose body never ends, however many parts of it come")
    func endlessBody() throws {
        let channel = try connection()
        try channel.writeInbound(Self.head)
        for _ in 0..<61 where channel.isActive {
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if channel.isActive { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x"))) }
        }
        #expect(!channel.isActive)
    }

    @Test("ends connections with the visit: idle ones at once, the others with their answer")
    func endOfVisit() throws {
        let connections = OpenConnections()
        let (idle, busy) = (try connection(among: connections), try connection(among: connections))
        try busy.writeInbound(Self.head)
        try busy.writeInbound(HTTPRequestPart.end(nil))
        connections.endAfterAnswers()
        for channel in [idle, busy] { channel.embeddedEventLoop.run() }
        #expect(!idle.isActive)
        #expect(busy.isActive)
        try answer(on: busy)
        busy.embeddedEventLoop.run()
        #expect(!busy.isActive)
        guard case .head(let head) = try busy.readOutbound(as: HTTPResponsePart.self) else { throw ChannelError.eof }
        #expect(head.headerFields[.connection] == "close", "nobody is to ask anything more there")

        let later = try connection(among: connections)
        later.embeddedEventLoop.run()
        #expect(later.isActive)
    }

    @Test("knows when nobody waits for the answer any more, whether the connection is half closed or gone")
    func departure() throws {
        let connections = OpenConnections()
        let (half, gone) = (try connection(among: connections), try connection(among: connections))
        let departures = try [half, gone].map { try #require(connections.departure(from: $0)) }
        #expect(departures.map(\.isSet) == [false, false])
        half.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(departures.map(\.isSet) == [true, false])
        #expect(half.isActive, "the answer can still be sent")
        gone.close(promise: nil)
        gone.embeddedEventLoop.run()
        #expect(departures.map(\.isSet) == [true, true])
    }

    @Test("ends a connection whose body does not come at all")
    func noBody() throws {
        let channel = try connection()
        try channel.writeInbound(Self.head)
        channel.read()
        channel.embeddedEventLoop.advanceTime(by: RequestDeadline.body)
        #expect(!channel.isActive)
    }

    @Test("lets a body wait for its turn, and a long one come as fast as its disk")
    func longBody() throws {
        let channel = try connection()
        try channel.writeInbound(Self.head)
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        let part = ByteBuffer(repeating: 0, count: 2 * RequestDeadline.bodyBytesASecond)
        for _ in 0..<600 where channel.isActive {
            channel.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            if channel.isActive { try channel.writeInbound(HTTPRequestPart.body(part)) }
            channel.embeddedEventLoop.advanceTime(by: .minutes(5))
        }
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("leaves an answer as much time as it takes")
    func longAnswer() throws {
        let channel = try connection()
        try channel.writeInbound(Self.head)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(10))
        #expect(channel.isActive)
        try answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: RequestDeadline.nextHead - Self.moment)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: Self.moment)
        #expect(!channel.isActive)
    }

    @Test("does not end a connection while the second of two requests sent at once is being answered")
    func pipelined() throws {
        let channel = try connection()
        for _ in 0..<2 {
            try channel.writeInbound(Self.head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }
        try answer(on: channel)
        channel.embeddedEventLoop.advanceTime(by: .hours(10))
        #expect(channel.isActive)
    }
}
