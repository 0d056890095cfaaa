import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Has requests refused whose target is not a path: an address that names a host would be answered as if the name had not been
/// there, because the codec makes a path of it.
///
/// - SeeAlso: RFC 9112, §3.2.
final class OriginForm: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(TargetCheck(), position: .before(codec))
        } catch {
            context.close(promise: nil)
        }
    }
}

/// Puts a target that no route has in the place of one that is not a path.
private final class TargetCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private static let nowhere = "*"

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
            return context.fireChannelRead(data)
        }
        head.uri = Self.nowhere
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
