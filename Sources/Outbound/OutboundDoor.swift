import AsyncHTTPClient
package import EchoText
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// The only door to the outside: every connection of the program is opened here, and only when somebody asks for
/// something.
///
/// What the person allows is asked anew for each request, before a name is looked up. Connections are encrypted and the
/// server's certificate is verified, but for a mirror on this machine; proxies of the environment are used.
package actor OutboundDoor {
    /// What a server has answered; its body comes as it is read.
    struct Answer: Sendable {
        /// Who answered in the end.
        let host: String
        let status: Int
        let headers: HTTPHeaders
        fileprivate let body: HTTPClientResponse.Body

        /// Hands on the body as it comes.
        ///
        /// - Throws: ``VoiceDownloadError/unreachable(host:)`` when the connection ends too early, `CancellationError`, and
        ///   what `take` throws.
        func read(_ take: (ByteBuffer) async throws -> Void) async throws {
            do {
                for try await buffer in body { try await take(buffer) }
            } catch {
                throw OutboundDoor.problem(error, of: host)
            }
        }
    }

    /// How often a server may send on to another place.
    private static let mostRedirects = 5
    /// How long a server may take to accept a connection.
    private static let connectTimeout = TimeAmount.seconds(15)

    package nonisolated let rules: @Sendable () async throws -> OutboundRules
    private let proxies: ProxySettings
    private let certificates: String?
    private var clients: [ProxySettings.Proxy?: HTTPClient] = [:]

    /// Opens nothing.
    ///
    /// - Parameters:
    ///   - environment: Names proxies, and with `SSL_CERT_FILE` whom to trust instead of those the machine trusts.
    ///   - rules: What the person allows at the moment.
    package init(environment: [String: String], rules: @escaping @Sendable () async throws -> OutboundRules) {
        proxies = ProxySettings(environment: environment)
        certificates = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        self.rules = rules
    }

    deinit {
        // A client has to be told; nobody is left who could be told that it failed.
        for client in clients.values { client.shutdown { _ in } }
    }

    /// Lets go of all connections.
    package func close() async {
        let closing = clients.values
        clients = [:]
        // One that cannot be closed in order ends with the process.
        for client in closing { try? await client.shutdown() }
    }

    /// Asks for `url`, and follows where the server sends on to.
    ///
    /// - Parameters:
    ///   - url: `https:`, or `http:` on this machine.
    ///   - headers: Sent to every server on the way.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``VoiceDownloadError/offline``, ``VoiceDownloadError/unsafeRedirect(host:)``,
    ///   ``VoiceDownloadError/unreachable(host:)``, ``VoiceDownloadError/untrusted(host:)``, or `CancellationError`.
    func get(_ url: URL, headers: HTTPHeaders) async throws -> Answer {
        var next = url
        for _ in 0...Self.mostRedirects {
            let answer = try await ask(next, headers: headers)
            guard [301, 302, 303, 307, 308].contains(answer.status), let place = answer.headers.first(name: "location")
            else { return answer }
            guard let target = URL(string: place, relativeTo: next)?.absoluteURL else {
                throw VoiceDownloadError.unsafeRedirect(host: answer.host)
            }
            guard Self.isSafe(target, from: url) else {
                throw VoiceDownloadError.unsafeRedirect(host: target.host.map { String($0.prefix(100)) } ?? "?")
            }
            next = target
        }
        throw VoiceDownloadError.unsafeRedirect(host: next.host ?? "?")
    }

    /// Whether a server may send on to `target`: to where the request went first, or encrypted to a name of the wide
    /// network, so that nobody can have this machine connect to itself or its neighbours.
    static func isSafe(_ target: URL, from base: URL) -> Bool {
        guard target.user == nil, let host = target.host else { return false }
        if target.scheme == base.scheme, target.host == base.host, target.port == base.port { return true }
        return target.scheme == "https" && HostName(host).isPublicName
    }

    private func ask(_ url: URL, headers: HTTPHeaders) async throws -> Answer {
        guard try await !rules().isOffline else { throw VoiceDownloadError.offline }
        let host = HostName(url.host ?? "").text
        let client = try client(for: url)
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers = headers
        request.headers.replaceOrAdd(name: "user-agent", value: "EchoText")
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            let status = Int(response.status.code)
            return Answer(host: host, status: status, headers: response.headers, body: response.body)
        } catch {
            throw Self.problem(error, of: host)
        }
    }

    private func client(for url: URL) throws -> HTTPClient {
        let proxy = try proxies.proxy(for: url)
        if let client = clients[proxy] { return client }
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = Self.connectTimeout
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(10)
        configuration.proxy = proxy.map(HTTPClient.Configuration.Proxy.init)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let certificates { tls.trustRoots = .file(certificates) }
        configuration.tlsConfiguration = tls
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        clients[proxy] = client
        return client
    }

    /// What `error` means to a person.
    private static func problem(_ error: any Error, of host: String) -> any Error {
        switch error {
        case is VoiceDownloadError, is CancellationError: error
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        case let error as HTTPClientError where proxyProblems.contains(error): VoiceDownloadError.proxyRefused
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError, is BoringSSLError:
            VoiceDownloadError.untrusted(host: host)
        default: VoiceDownloadError.unreachable(host: host)
        }
    }

    private static let proxyProblems: [HTTPClientError] = [
        .proxyAuthenticationRequired, .invalidProxyResponse, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
    ]
}

extension HTTPClient.Configuration.Proxy {
    fileprivate init(_ proxy: ProxySettings.Proxy) {
        switch proxy.kind {
        case .socks: self = .socksServer(host: proxy.host, port: proxy.port)
        case .http:
            let user = proxy.user.map { HTTPClient.Authorization.basic(username: $0, password: proxy.password ?? "") }
            self = .server(host: proxy.host, port: proxy.port, authorization: user)
        }
    }
}
