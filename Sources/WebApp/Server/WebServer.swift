import EchoText
import FileSystem
import Foundation
import Hummingbird
package import Logging
import NIOCore
import Synchronization

/// Serves the page on this machine's own addresses until its task is cancelled.
package struct WebServer: Sendable {
    /// The default port.
    package static let usualPort = 7_340

    private let studio: WebStudio
    private let sessions: SessionStore
    private let connections: OpenConnections
    private let page: String?
    private let logger: Logger

    /// - Parameters:
    ///   - studio: The studio that handles requests.
    ///   - sessions: The accepted sessions.
    ///   - connections: Tracks the open connections.
    ///   - page: The folder with the page; `nil` for the copy that ships with the program.
    ///   - logger: Logs failures, never the content of a request.
    package init(
        _ studio: WebStudio,
        sessions: SessionStore,
        connections: OpenConnections,
        page: String? = nil,
        logger: Logger
    ) {
        var studio = studio
        studio.connections = connections
        self.studio = studio
        self.sessions = sessions
        self.connections = connections
        self.page = page
        self.logger = logger
    }

    /// The address of a server.
    package struct Address: Sendable, Hashable {
        /// The page's host name at this start, such as `echotext-k3v9x2pqabcdefgh.localhost`.
        package let host: String
        package let port: Int

        package init(host: String, port: Int) {
            (self.host, self.port) = (host, port)
        }

        package var base: String { "http://\(host):\(port)" }

        /// The address that lets a browser in by `ticket`, once.
        package func page(letting ticket: String) -> String { "\(base)/open/\(ticket)" }
    }

    /// Listens and answers.
    ///
    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - ready: Called with the address, once both addresses answer.
    /// - Throws: ``WebError/portInUse(port:)``, ``WebError/cannotListen``, ``WebError/pageMissing``, ``WebError/folderUnusable(path:)``.
    package func run(port: Int, ready: @escaping @Sendable (Address) async throws -> Void) async throws {
        let host = sessions.host
        let name = ServedName(host: host)
        let router = try studioRouter(studio, sessions: sessions, host: { name.asSent }, page: page)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                let taken = try await listen("127.0.0.1", port, router, in: &group)
                // A browser may use either address for the name, so no other program may have the other one.
                if Self.hasIPv6 { _ = try await listen("::1", taken, router, in: &group) }
                name.serve(at: taken)
                try await sessions.begin()
                try await ready(Address(host: host, port: taken))
                try await group.next()
            }
        } catch let error as IOError {
            throw error.errnoCode == EADDRINUSE ? WebError.portInUse(port: port) : WebError.cannotListen
        }
    }

    /// Serves one address.
    ///
    /// - Returns: The port, once it accepts connections.
    /// - Throws: `CancellationError`, ``WebError/cannotListen``, and what listening threw.
    private func listen(
        _ address: String,
        _ port: Int,
        _ router: Router<WebRequestContext>,
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> Int {
        let (bound, binding) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(1))
        let application = application(router, address, port) { binding.yield($0) }
        group.addTask {
            defer { binding.finish() }
            try await application.run()
        }
        for await port in bound { return port }
        // The program may be ended before it listens.
        try Task.checkCancellation()
        try await group.next()
        throw WebError.cannotListen
    }

    private func application(
        _ router: Router<WebRequestContext>,
        _ address: String,
        _ port: Int,
        _ running: @escaping @Sendable (Int) -> Void
    ) -> Application<RouterResponder<WebRequestContext>> {
        let connections = connections
        return Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [PeerGate(), AddressGate(), RequestDeadline(among: connections)],
                    idleTimeout: .seconds(120),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16_384,
                        maxHeaderListSize: 32_768,
                        maxHeaderFieldCount: 64
                    )
                )
            ),
            configuration: .init(
                address: .hostname(address, port: port),
                reuseAddress: true,
                availableConnectionsDelegate: .maximum(256, logger: logger)
            ),
            onServerRunning: { channel in running(channel.localAddress?.port ?? port) },
            logger: logger
        )
    }

    /// Whether this machine has an IPv6 loopback address.
    private static var hasIPv6: Bool {
        let table = try? String(kernelFile: "/proc/net/if_inet6")
        return table?.split(separator: "\n").contains { $0.hasPrefix("00000000000000000000000000000001 ") } == true
    }
}

/// The name the server answers to, which is known when it has its port.
final class ServedName: Sendable {
    private let host: String
    private let name = Mutex<String?>(nil)

    init(host: String) {
        self.host = host
    }

    /// The `Host` field as browsers send it, without the default port of HTTP.
    var asSent: String? { name.withLock(\.self) }

    func serve(at port: Int) {
        name.withLock { $0 = port == 80 ? host : "\(host):\(port)" }
    }
}

/// The connections to a server, which end when the library is closed, because their buffers hold received and sent
/// data.
package final class OpenConnections: Sendable {
    private struct Connection: Sendable {
        let end: @Sendable () -> Void
        /// Comes when the client sends nothing more.
        let departure = Latch()
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    package init() {}

    /// Ends idle connections at once, and the others after their current response.
    package func endAfterAnswers() {
        for connection in connections.withLock({ Array($0.values) }) { connection.end() }
    }

    func add(_ channel: any Channel, end: @escaping @Sendable () -> Void) {
        connections.withLock { $0[ObjectIdentifier(channel)] = Connection(end: end) }
    }

    func remove(_ channel: any Channel) {
        connections.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.departure.set()
    }

    /// Notes that the client of a connection sends nothing more, as when it has gone.
    func noteDeparture(from channel: any Channel) { departure(from: channel)?.set() }

    /// Returns what comes when the client of a connection sends nothing more; `nil` for an unknown connection.
    func departure(from channel: any Channel) -> Latch? {
        connections.withLock { $0[ObjectIdentifier(channel)]?.departure }
    }
}
