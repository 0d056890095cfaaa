import AsyncHTTPClient
package import EchoText
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// The only type that connects to other machines; it does so only at a person's request.
///
/// Each request reads the person's rules anew, before a host name is resolved. Connections are encrypted and the server's
/// certificate is verified, except for a mirror on this machine. Proxies of the environment are used.
///
/// ```swift
/// let answer = try await client.get(url, headers: ["accept": "application/json"])
/// try await answer.read { buffer in data.append(contentsOf: buffer.readableBytesView) }
/// ```
package actor OutboundClient {
    /// An answer of a server, whose body is streamed.
    struct Answer: Sendable {
        /// The host that answered, after all redirects.
        let host: String
        let status: Int
        let headers: HTTPHeaders
        fileprivate let body: HTTPClientResponse.Body

        /// Streams the body to `take`.
        ///
        /// - Throws: ``VoiceDownloadError/unreachable(host:)`` when the connection ends too early, `CancellationError`, and
        ///   what `take` throws.
        func read(_ take: (ByteBuffer) async throws -> Void) async throws {
            do {
                for try await buffer in body { try await take(buffer) }
            } catch {
                throw OutboundClient.problem(error, of: host)
            }
        }
    }

    /// The most redirects that are followed.
    private static let mostRedirects = 5
    /// The longest time to establish a connection.
    private static let connectTimeout = TimeAmount.seconds(15)

    package nonisolated let rules: @Sendable () async throws -> OutboundRules
    private let proxies: ProxySettings
    private let certificates: String?
    private var clients: [ProxySettings.Proxy?: HTTPClient] = [:]

    /// Creates a client without opening a connection.
    ///
    /// - Parameters:
    ///   - environment: Names proxies, and with `SSL_CERT_FILE` the certificates to trust instead of the system's.
    ///   - rules: Returns what the person allows at the moment.
    package init(environment: [String: String], rules: @escaping @Sendable () async throws -> OutboundRules) {
        proxies = ProxySettings(environment: environment)
        certificates = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        self.rules = rules
    }

    deinit {
        // Every client has to be shut down; there is no one left to report a failure to.
        for client in clients.values { client.shutdown { _ in } }
    }

    /// Closes all connections.
    package func close() async {
        let closing = clients.values
        clients = [:]
        // A connection that cannot be closed properly ends with the process.
        for client in closing { try? await client.shutdown() }
    }

    /// Requests `url`, and follows redirects.
    ///
    /// - Parameters:
    ///   - url: `https:`, or `http:` on this machine.
    ///   - headers: Sent to every server, also after a redirect.
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

    /// Whether a server may redirect to `target`: to the origin of `base`, or by https to a public name, so that no server can make
    /// this machine connect to itself or its neighbours.
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

    /// Translates `error` into one with words for a person.
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
