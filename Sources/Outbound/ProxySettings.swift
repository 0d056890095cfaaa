import EchoText
import Foundation

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

    /// - Throws: ``VoiceDownloadError/badProxy`` when a proxy is named that cannot be understood: going without it might
    ///   disclose what the proxy was to hide.
    func proxy(for url: URL) throws(VoiceDownloadError) -> Proxy? {
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

    private static func proxy(_ text: String) throws(VoiceDownloadError) -> Proxy {
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
