import NIOCore
import NIOHTTP1

/// Makes a host in a request's address count as a host of the request.
///
/// An address may contain a host (RFC 9112, 3.2.2), which may differ from the `Host` field. Later handlers remove it.
/// So the whole address is added as a second `Host` field, and ``SameOriginMiddleware`` rejects requests with two
/// hosts, as well as a single host that is not ours.
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

/// Inserts ``HostOfAddress`` directly after the HTTP decoder, where addresses are still unmodified.
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
