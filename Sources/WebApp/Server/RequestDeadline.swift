import NIOCore
import NIOHTTPTypes

/// Ends a connection on which a request does not arrive in time, so that half-sent ones cannot take every place.
///
/// Each part of a request has a time of its own: the head from when the connection is open, or the last answer is out; the body
/// as a whole. An answer may take as long as it likes.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// For the head of the first request; a browser that connects ahead of need comes again.
    static let firstHead = TimeAmount.seconds(10)
    /// For the head of each later one: as long as a connection is kept for a page that asks for nothing.
    static let nextHead = TimeAmount.seconds(60)
    /// For a body, which comes from this machine and is bounded.
    static let body = TimeAmount.seconds(60)

    private var deadline: Scheduled<Void>?
    /// Requests that have begun and are not answered yet.
    private var unanswered = 0

    func channelActive(context: ChannelHandlerContext) {
        expect(within: Self.firstHead, context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            expect(within: Self.body, context)
        case .body: break
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            unanswered -= 1
            if unanswered == 0 { expect(within: Self.nextHead, context) }
        }
        context.write(data, promise: promise)
    }

    private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
