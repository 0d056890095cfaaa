import AsyncHTTPClient
package import EchoText
package import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// The only type that connects to other machines; it does so only at a person's request.
///
/// Each request reads the person's rules again, and is recorded in the ledger, before a host name is resolved; a request that cannot
/// be recorded is not made. Connections are encrypted and the server's certificate is verified, except on this machine and for a
/// service to which a person has allowed the contrary. While a connection is open, the rules are read twice a second, whoever changes
/// them, and what they forbid by then is closed at once. Proxies of the environment are used. A name of this machine is connected to by
/// its address.
///
/// ```swift
/// let answer = try await client.get(url, for: .catalogue, headers: ["accept": "application/json"])
/// try await answer.read { buffer in data.append(contentsOf: buffer.readableBytesView) }
/// ```
package actor OutboundClient: Closeable {
    /// An answer of a server, whose body is streamed.
    struct Answer: Sendable {
        /// The host that answered, after all redirects.
        let host: String
        let status: Int
        let headers: HTTPHeaders
        fileprivate let body: HTTPClientResponse.Body
        fileprivate let entry: LedgerEntry
        /// Returns why the connection may be open no longer, where it is so.
        fileprivate let refusal: @Sendable () async -> (any Error)?

        /// Streams the body to `take`.
        ///
        /// - Throws: ``ModelDownloadError/unreachable(host:)`` when the connection ends too early, `CancellationError`, why the
        ///   connection may be open no longer, and what `take` throws.
        func read(_ take: (ByteBuffer) async throws -> Void) async throws {
            var bytes = 0
            do {
                for try await buffer in body {
                    bytes += buffer.readableBytes
                    try await take(buffer)
                }
            } catch {
                await entry.end(.failed, bytesReceived: bytes)
                if let refusal = await refusal() { throw refusal }
                throw OutboundClient.problem(error, of: host)
            }
            await entry.end(status >= 400 ? .refused : .answered, bytesReceived: bytes)
        }
    }

    /// The most redirects that are followed.
    private static let maximumRedirects = 5
    /// The longest time to establish a connection.
    private static let connectTimeout = TimeAmount.seconds(15)

    package nonisolated let rules: @Sendable () async throws -> OutboundRules
    private let ledger: any OutboundLedger
    private let now: @Sendable () -> Date
    private let proxies: ProxySettings
    private let certificates: String?
    private var clients: [Route: HTTPClient] = [:]

    /// For what a server is reached.
    private enum Owner: Hashable {
        case downloads
        case permit(SendingPermission.ID)
    }

    /// How a server is reached, and for what.
    private struct Route: Hashable {
        var owner: Owner
        var proxy: ProxySettings.Proxy?
        /// A name and its address, where no name server is asked.
        var name: String?
        var address: String?
    }

    /// A request whose answer is not read to its end.
    private struct Use {
        let owner: Owner
        /// Throws when the rules forbid it.
        let check: @Sendable () async throws -> Void
    }

    /// How often the rules are read while something is open.
    ///
    /// They are read, not awaited, because other processes change them too; what they forbid is to be closed within a second.
    private static let period = Duration.milliseconds(500)

    private var uses: [Int: Use] = [:]
    private var nextUse = 0
    private var watching: Task<Void, Never>?

    /// Creates a client without opening a connection.
    ///
    /// - Parameters:
    ///   - environment: Names proxies, and with `SSL_CERT_FILE` the certificates to trust instead of the system's.
    ///   - ledger: Records every connection.
    ///   - now: Returns the time of day.
    ///   - rules: Returns what the person allows at the moment.
    package init(
        environment: [String: String],
        ledger: any OutboundLedger,
        now: @escaping @Sendable () -> Date = { Date() },
        rules: @escaping @Sendable () async throws -> OutboundRules
    ) {
        (self.ledger, self.now) = (ledger, now)
        proxies = ProxySettings(environment: environment)
        certificates = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        self.rules = rules
    }

    deinit {
        // Every client has to be shut down; there is no one left to report a failure to.
        for client in clients.values { client.shutdown { _ in } }
    }

    /// - Throws: ``RemoteRecognitionError/offline`` where nothing may be connected to.
    package func refuseOffline() async throws {
        guard try await !rules().isOffline else { throw RemoteRecognitionError.offline }
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
    ///   - purpose: What it is for.
    ///   - headers: Sent to every server, also after a redirect.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``ModelDownloadError/offline``, ``ModelDownloadError/unsafeRedirect(host:)``,
    ///   ``ModelDownloadError/unreachable(host:)``, ``ModelDownloadError/untrusted(host:)``, or `CancellationError`;
    ///   ``OutboundLedgerError/notRecorded``.
    func get(_ url: URL, for purpose: OutboundRecord.Purpose, headers: HTTPHeaders) async throws -> Answer {
        var next = url
        for _ in 0...Self.maximumRedirects {
            let record = OutboundRecord(time: now(), purpose: purpose, host: next.authority)
            let answer = try await ask(next, headers: headers, as: record)
            guard [301, 302, 303, 307, 308].contains(answer.status), let place = answer.headers.first(name: "location")
            else { return answer }
            guard let target = URL(string: place, relativeTo: next)?.absoluteURL else {
                throw ModelDownloadError.unsafeRedirect(host: answer.host)
            }
            guard Self.isSafe(target, from: url) else {
                throw ModelDownloadError.unsafeRedirect(host: target.host.map { String($0.prefix(100)) } ?? "?")
            }
            next = target
        }
        throw ModelDownloadError.unsafeRedirect(host: next.host ?? "?")
    }

    /// Whether a server may redirect to `target`: to the origin of `base`, or by https to a public name, so that no server can make
    /// this machine connect to itself or its neighbors.
    static func isSafe(_ target: URL, from base: URL) -> Bool {
        guard target.user == nil, target.hasPossiblePort, let host = target.host else { return false }
        if target.scheme == base.scheme, target.host == base.host, target.port == base.port { return true }
        return target.scheme == "https" && HostName(host).isPublicName
    }

    /// Sends a person's sound to a service; a redirect is not followed, since it would take sound and key elsewhere.
    ///
    /// - Parameters:
    ///   - form: The sound and what is asked about it.
    ///   - service: The service that the person has set up.
    ///   - permit: The person's leave to send it there.
    ///   - isCurrent: Returns whether the service is still set up as it was.
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``RemoteRecognitionError/notAllowed(host:)`` for a permit of another server or for less sound, or one that is
    ///   taken back; ``RemoteRecognitionError/changed(host:)`` where `isCurrent` says so; and as ``get(_:for:headers:)``; ``ModelDownloadError/interrupted(bytes:of:)`` when the server closes the connection without an
    ///   answer.
    func post(
        _ form: MultipartForm,
        to service: TranscriptionService,
        by permit: SendingPermission,
        while isCurrent: @escaping @Sendable () async throws -> Bool = { true }
    ) async throws -> Answer {
        let (url, host) = (service.address.transcriptions, service.address.hostName)
        guard permit.isFor(service.address), permit.take(form.soundBytes) else {
            throw RemoteRecognitionError.notAllowed(host: host.text)
        }
        precondition(
            url.scheme?.lowercased() == "https" || service.address.allowsPlain || host.isThisMachine,
            "sound goes unencrypted only where it is allowed"
        )
        var headers: HTTPHeaders = ["content-type": form.contentType, "accept": "application/json"]
        if let key = service.key { headers.add(name: "authorization", value: "Bearer \(key.revealed())") }
        let record = OutboundRecord(
            time: now(),
            purpose: .transcription,
            host: service.address.host,
            bytesSent: form.length,
            seconds: form.seconds
        )
        do {
            let answer = try await ask(url, headers: headers, sending: form, for: .permit(permit.id), as: record) {
                guard try await permit.isGiven() else { throw RemoteRecognitionError.notAllowed(host: host.text) }
                guard try await isCurrent() else { throw RemoteRecognitionError.changed(host: host.text) }
            }
            if answer.status != 200 { permit.giveBack(form.soundBytes) }
            return answer
        } catch {
            permit.giveBack(form.soundBytes)
            throw error
        }
    }

    private func ask(
        _ url: URL,
        headers: HTTPHeaders,
        sending form: MultipartForm? = nil,
        for owner: Owner = .downloads,
        as record: OutboundRecord,
        if isAllowed: @escaping @Sendable () async throws -> Void = {}
    ) async throws -> Answer {
        let check: @Sendable () async throws -> Void = { [rules] in
            guard try await !rules().isOffline else { throw ModelDownloadError.offline }
            try await isAllowed()
        }
        try await check()
        let host = HostName(url.host ?? "").text
        let proxy = try proxies.proxy(for: url)
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers = headers
        request.headers.replaceOrAdd(name: "user-agent", value: "EchoText")
        if var form {
            // Whoever forbids it in the middle means this sending, too.
            form.check = check
            request.method = .POST
            request.body = .stream(form, length: .known(Int64(form.length)))
        }
        let number = try await number(of: record)
        let use = begin(Use(owner: owner, check: check))
        let entry = LedgerEntry(number, in: ledger) { [weak self] in await self?.end(use) }
        do {
            let response = try await execute(request, at: url.host ?? "", by: Route(owner: owner, proxy: proxy))
            let status = Int(response.status.code)
            // Such an answer has no body to read.
            if response.status == .notModified { await entry.end(.answered, bytesReceived: 0) }
            return Answer(
                host: host,
                status: status,
                headers: response.headers,
                body: response.body,
                entry: entry,
                refusal: { await Self.refusal(of: check) }
            )
        } catch {
            await entry.end(.failed, bytesReceived: 0)
            if let refusal = await Self.refusal(of: check) { throw refusal }
            if form != nil, error as? HTTPClientError == .remoteConnectionClosed {
                throw ModelDownloadError.interrupted(bytes: 0, of: nil)
            }
            throw Self.problem(error, of: host)
        }
    }

    // MARK: - What the rules forbid by now

    /// - Returns: Why `check` fails; `nil` where it does not, or where the rules cannot be read now.
    private static func refusal(of check: @Sendable () async throws -> Void) async -> (any Error)? {
        do {
            try await check()
            return nil
        } catch ModelDownloadError.offline {
            return ModelDownloadError.offline
        } catch let refusal as RemoteRecognitionError {
            return refusal
        } catch {
            return nil
        }
    }

    private func begin(_ use: Use) -> Int {
        nextUse += 1
        uses[nextUse] = use
        if watching == nil {
            watching = Task { [weak self] in
                repeat {
                    // Polled: another process may write the setting or the ledger that forbids it. Nobody cancels the
                    // sleep, since it ends with the last use.
                    try? await Task.sleep(for: Self.period)
                } while await self?.closeForbidden() == true
            }
        }
        return nextUse
    }

    private func end(_ use: Int) {
        uses[use] = nil
    }

    /// - Returns: Whether anything is open.
    private func closeForbidden() async -> Bool {
        for (number, use) in uses {
            let refusal = await Self.refusal(of: use.check)
            // It may have ended meanwhile.
            if refusal != nil, uses[number] != nil { close(use.owner) }
        }
        if uses.isEmpty { watching = nil }
        return !uses.isEmpty
    }

    /// Closes the connections that a permit was used for.
    func close(_ permit: SendingPermission) {
        close(.permit(permit.id))
    }

    private func close(_ owner: Owner) {
        for (route, client) in clients where route.owner == owner {
            clients[route] = nil
            // A connection that cannot be closed properly ends with the process.
            client.shutdown { _ in }
        }
    }

    /// Has what the other side has not received yet discarded when the connection is closed.
    private static let losesUnsent: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
        guard let options = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        return options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    // MARK: - Connections

    /// - Throws: ``OutboundLedgerError/notRecorded``, `CancellationError`.
    private func number(of record: OutboundRecord) async throws -> Int {
        do {
            return try await ledger.begin(record)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw OutboundLedgerError.notRecorded
        }
    }

    /// The errors of a connection to an address where nobody listens or that this machine does not have.
    private static let absence = [ECONNREFUSED, EADDRNOTAVAIL, ENETUNREACH, EAFNOSUPPORT]

    private func execute(
        _ request: HTTPClientRequest,
        at host: String,
        by route: Route
    ) async throws -> HTTPClientResponse {
        let addresses = HostName(host).ownAddresses
        guard let last = addresses.last else {
            return try await client(route).execute(request, deadline: .distantFuture)
        }
        var route = route
        route.name = host
        for address in addresses.dropLast() {
            route.address = address
            do {
                return try await client(route).execute(request, deadline: .distantFuture)
            } catch let error as IOError where Self.absence.contains(error.errnoCode) {
                continue
            }
        }
        route.address = last
        return try await client(route).execute(request, deadline: .distantFuture)
    }

    private func client(_ route: Route) -> HTTPClient {
        if let client = clients[route] { return client }
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.timeout.connect = Self.connectTimeout
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(10)
        configuration.proxy = route.proxy.map(HTTPClient.Configuration.Proxy.init)
        if case .permit = route.owner { configuration.http1_1ConnectionDebugInitializer = Self.losesUnsent }
        if let name = route.name, let address = route.address { configuration.dnsOverride = [name: address] }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let certificates { tls.trustRoots = .file(certificates) }
        configuration.tlsConfiguration = tls
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        clients[route] = client
        return client
    }

    /// Translates `error` into one with words for a person.
    private static func problem(_ error: any Error, of host: String) -> any Error {
        switch error {
        case is any UserFacingError, is CancellationError: error
        case let error as HTTPClientError where error == .cancelled: CancellationError()
        case let error as HTTPClientError where proxyProblems.contains(error): ModelDownloadError.proxyRefused
        case NIOSSLError.handshakeFailed, is NIOSSLExtraError, is BoringSSLError:
            ModelDownloadError.untrusted(host: host)
        default: ModelDownloadError.unreachable(host: host)
        }
    }

    private static let proxyProblems: [HTTPClientError] = [
        .proxyAuthenticationRequired, .invalidProxyResponse, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
    ]
}

/// A connection's record, which is completed once: when its answer has been read, or is given up.
private final class LedgerEntry: Sendable {
    private let number: Int
    private let ledger: any OutboundLedger
    private let hasEnded = Mutex(false)
    private let ended: @Sendable () async -> Void

    /// - Parameters:
    ///   - number: The record's.
    ///   - ledger: Has the record.
    ///   - ended: Called once, when the connection is used no longer.
    init(_ number: Int, in ledger: any OutboundLedger, ended: @escaping @Sendable () async -> Void) {
        (self.number, self.ledger, self.ended) = (number, ledger, ended)
    }

    func end(_ outcome: OutboundRecord.Outcome, bytesReceived: Int) async {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        await ended()
        await ledger.end(number, outcome: outcome, bytesReceived: bytesReceived)
    }

    deinit {
        guard !hasEnded.withLock(\.self) else { return }
        // There was an answer, whose body nobody wanted; a ledger that is gone needs no end.
        Task { [number, ledger, ended] in
            await ended()
            await ledger.end(number, outcome: .refused, bytesReceived: 0)
        }
    }
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

/// Through whom connections go, as the environment says.
///
/// `https_proxy`, `http_proxy` and `all_proxy` (in capitals too, but for `HTTP_PROXY`, which web servers set from requests) name a
/// proxy; `no_proxy` lists names that are connected to directly, as this machine always is.
struct ProxySettings: Sendable {
    struct Proxy: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            case http
            case socks
        }

        let kind: Kind
        let host: String
        let port: Int
        var user: String?
        var password: String?
    }

    private let http: String?
    private let https: String?
    private let all: String?
    private let exceptions: [String]

    init(environment: [String: String]) {
        let value = { (names: String...) in names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        http = value("http_proxy")
        https = value("https_proxy", "HTTPS_PROXY")
        all = value("all_proxy", "ALL_PROXY")
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").split { ", \t".contains($0) }.map { $0.lowercased() }
    }

    /// - Throws: ``ModelDownloadError/badProxy`` when a proxy is named that cannot be understood: going without it might
    ///   disclose what the proxy was to hide.
    func proxy(for url: URL) throws(ModelDownloadError) -> Proxy? {
        let host = HostName(url.host ?? "")
        guard let named = (url.scheme == "http" ? http : https) ?? all else { return nil }
        guard !host.isThisMachine, !isException(host.text, port: url.port ?? (url.scheme == "http" ? 80 : 443)) else {
            return nil
        }
        return try Self.proxy(named)
    }

    private func isException(_ host: String, port: Int) -> Bool {
        exceptions.contains { exception in
            if exception == "*" { return true }
            var name = exception
            let parts = exception.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2 {
                guard parts[1] == "\(port)" else { return false }
                name = String(parts[0])
            }
            if name.hasPrefix("*") { name.removeFirst() }
            let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
            return host == HostName(bare).text || (!bare.isEmpty && host.hasSuffix("." + bare))
        }
    }

    private static func proxy(_ text: String) throws(ModelDownloadError) -> Proxy {
        guard let url = URL(string: text.contains("://") ? text : "http://\(text)"), let host = url.host, !host.isEmpty,
            url.hasPossiblePort
        else { throw .badProxy }
        let name = HostName(host).text
        switch url.scheme?.lowercased() {
        case "http":
            let (user, password) = (url.user(percentEncoded: false), url.password(percentEncoded: false))
            return Proxy(kind: .http, host: name, port: url.port ?? 80, user: user, password: password)
        case "socks5", "socks5h", "socks":
            guard url.user == nil else { throw .badProxy }
            return Proxy(kind: .socks, host: name, port: url.port ?? 1_080)
        default: throw .badProxy
        }
    }
}

/// Cancels work that waits for a server that has stopped sending.
struct IdleTimeout: Sendable {
    private let longest: Duration
    private let clock: any Clock<Duration>

    init(_ longest: Duration, clock: any Clock<Duration>) {
        self.longest = longest
        self.clock = clock
    }

    /// Runs `work`, which calls `heartbeat` whenever the server sends something.
    ///
    /// - Throws: ``ModelDownloadError/stalled(host:)``, and what `work` throws.
    func watch<Output: Sendable>(
        host: String,
        _ work: @escaping @Sendable (_ heartbeat: @escaping @Sendable () -> Void) async throws -> Output
    ) async throws -> Output {
        let watchdog = Watchdog(timeout: longest, clock: clock)
        return try await withThrowingTaskGroup(of: Output?.self) { group in
            group.addTask { try await work { watchdog.heartbeat() } }
            group.addTask {
                try await watchdog.expiration()
                return nil
            }
            defer { group.cancelAll() }
            guard let output = try await group.next() ?? nil else { throw ModelDownloadError.stalled(host: host) }
            return output
        }
    }
}
