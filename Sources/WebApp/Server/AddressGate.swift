import NIOCore
import NIOHTTP1

/// Sees to it that a host in a request's address counts as one that the request names.
///
/// An address may begin with a host (RFC 9112, 3.2.2), which is another than the one that `Host` names, or is said twice. What
/// becomes of the request after this takes it away. So the whole address is put beside `Host`, as a second one, which
/// ``SameOriginMiddleware`` answers none of, and neither an only one, which is no name of ours.
final class HostOfAddress: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
            return context.fireChannelRead(data)
        }
        head.headers.add(name: "Host", value: head.uri)
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

/// Puts ``HostOfAddress`` where addresses are still as they were sent: right behind what takes requests apart.
final class AddressGate: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(HostOfAddress(), position: .after(decoder))
        } catch {
            context.close(promise: nil)
        }
    }
}
