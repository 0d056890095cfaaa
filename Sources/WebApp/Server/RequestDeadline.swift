import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection if a request does not arrive in time, so that incomplete requests cannot occupy all connections,
/// and when the library is closed, so that no data stays in buffers.
///
/// Each part of a request has its own time limit: the head since the connection was opened or the last response sent;
/// the body while a handler waits for it, in proportion to its length. Responses, and handlers that do not read the
/// body yet, may take any time.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The time for the head of the first request; a browser that connects ahead of need connects again.
    static let firstHead = TimeAmount.seconds(10)
    /// The time for the head of each later request, which is also the idle time of a connection.
    static let nextHead = TimeAmount.seconds(60)
    /// The time for a body regardless of its length; bodies come from this machine and are bounded.
    static let body = TimeAmount.seconds(60)
    /// The rate, in bytes a second, at which the length of a body adds to its time: slower than any disk that a file may come from.
    static let bodyBytesASecond = 100_000

    private var deadline: Scheduled<Void>?
    /// Requests that have begun and are not answered yet.
    private var unanswered = 0
    /// How long a body that has begun may still be waited for.
    private var allowance: TimeAmount?
    private var waitsSince: NIODeadline?
    private let connections: OpenConnections
    /// Whether the connection ends with the answer that is on its way.
    private var isLast = false

    /// - Parameter connections: The server's connections, to which it is added.
    init(among connections: OpenConnections = OpenConnections()) {
        self.connections = connections
    }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        connections.add(context.channel) {
            bound.eventLoop.execute {
                let (deadline, context) = bound.value
                deadline.endAfterAnswer(context)
            }
        }
        expect(within: Self.firstHead, context)
        context.fireChannelActive()
    }

    private func endAfterAnswer(_ context: ChannelHandlerContext) {
        isLast = true
        if unanswered == 0 { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.remove(context.channel)
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { connections.noteDeparture(from: context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            deadline?.cancel()
            allowance = Self.body
        case .body(let bytes): take(bytes.readableBytes, context)
        case .end:
            deadline?.cancel()
            (allowance, waitsSince) = (nil, nil)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if let allowance, waitsSince == nil {
            waitsSince = context.eventLoop.now
            expect(within: allowance, context)
        }
        context.read()
    }

    /// Counts the bytes of a body that have arrived, and the time spent waiting for them.
    private func take(_ bytes: Int, _ context: ChannelHandlerContext) {
        guard let left = allowance else { return }
        deadline?.cancel()
        let waited = waitsSince.map { context.eventLoop.now - $0 } ?? .nanoseconds(0)
        waitsSince = nil
        allowance = left - waited + .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(Self.bodyBytesASecond))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where isLast:
            // The client is not to send its next request on this connection.
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            unanswered -= 1
            if unanswered == 0 { expect(within: Self.nextHead, context) }
            context.write(data, promise: unanswered == 0 && isLast ? closing(after: promise, context) : promise)
        default: context.write(data, promise: promise)
        }
    }

    /// A promise that succeeds when the last part of a response is sent, and ends the connection.
    private func closing(after promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) -> EventLoopPromise<
        Void
    > {
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.cascade(to: promise)
        let channel = context.channel
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        return written
    }

    private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
