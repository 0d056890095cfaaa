package import Foundation

/// The connections that the person allows.
package struct OutboundRules: Sendable, Hashable {
    /// Whether no connection is allowed.
    package var isOffline: Bool
    package var catalogue: CatalogueAddress

    package init(isOffline: Bool = false, catalogue: CatalogueAddress = .sherpaOnnx) {
        self.isOffline = isOffline
        self.catalogue = catalogue
    }
}

/// The location of the catalogue and its archives.
package enum CatalogueAddress: Sendable, Hashable {
    /// The releases of sherpa-onnx on GitHub.
    case sherpaOnnx
    /// A server with `tts-models.json`, as GitHub describes a release, and `tts-models/NAME.tar.bz2`; the other releases likewise.
    ///
    /// The address ends without a slash.
    case mirror(URL)
    /// An absolute path: a folder of archives, or one with the folders `tts-models` and `asr-models`.
    case folder(String)

    /// - Parameter text: Empty for the default; an `https:` address, a `file:` address or an absolute path. A server on
    ///   this machine may use `http:`.
    /// - Throws: ``ModelDownloadError/badAddress``.
    package init(_ text: String) throws(ModelDownloadError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.isEmpty {
            self = .sherpaOnnx
            return
        }
        if text.hasPrefix("/") {
            self = .folder(text)
            return
        }
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), url.query == nil, url.fragment == nil
        else { throw .badAddress }
        if scheme == "file" {
            guard (url.host ?? "").isEmpty || url.host == "localhost", url.path.hasPrefix("/") else {
                throw .badAddress
            }
            self = .folder(url.path)
            return
        }
        let host = url.host ?? ""
        guard HostName(host).isWellFormed, url.user == nil, url.hasPossiblePort,
            scheme == "https" || (scheme == "http" && HostName(host).isThisMachine)
        else { throw .badAddress }
        var trimmed = url.absoluteString
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        guard let base = URL(string: trimmed) else { throw .badAddress }
        self = .mirror(base)
    }
}

extension URL {
    /// Whether a connection can have the port that it names; where it names none, that of its scheme.
    ///
    /// swift-nio ends the program for a larger number.
    package var hasPossiblePort: Bool { port.map { (1...65_535).contains($0) } ?? true }
}

/// A server's name as an address has it: a name, or the digits of an IP address.
package struct HostName: Sendable, Hashable {
    /// In lower case, without the brackets of an IPv6 address.
    package let text: String

    package init(_ host: String) {
        var text = host.lowercased()
        if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
        if text.hasSuffix(".") { text.removeLast() }
        self.text = text
    }

    /// Whether it has nothing but what names and addresses consist of, so that nobody takes a part of it for all.
    package var isWellFormed: Bool {
        let isAddress = text.contains(":")
        return !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "0"..."9", "a"..."f", ".": true
                // Names within a network of containers may have underscores.
                case "g"..."z", "-", "_": !isAddress
                case ":": isAddress
                default: false
                }
            }
    }

    /// Whether it is this machine and says so.
    package var isThisMachine: Bool { !ownAddresses.isEmpty }

    /// The addresses of this machine that are meant, the first one first; none for any other machine.
    ///
    /// A name server is not asked for them: whoever runs it could say another machine's.
    ///
    /// - SeeAlso: RFC 6761, section 6.3.
    package var ownAddresses: [String] {
        if text == "localhost" || text.hasSuffix(".localhost") { return ["127.0.0.1", "::1"] }
        return text == "::1" || (isIPv4 && text.hasPrefix("127.")) ? [text] : []
    }

    /// Top-level domains that the public DNS never delegates, because they are for private networks.
    ///
    /// - SeeAlso: RFC 6762 (`local`), RFC 8375 (`home.arpa`), ICANN's resolutions of 2018 (`home`, `corp`, `mail`) and
    ///   2024 (`internal`); routers and systems use `lan` and `localdomain`.
    private static let ownEndings = [
        ".local", ".home.arpa", ".home", ".corp", ".mail", ".internal", ".lan", ".localdomain",
    ]

    /// Whether it is a public DNS name, which a certificate can authenticate, and neither an address nor a local name.
    ///
    /// DNS decides which address it resolves to; the certificate keeps a machine in the local network from
    /// impersonating it.
    package var isPublicName: Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard isWellFormed, labels.count >= 2, labels.allSatisfy({ !$0.isEmpty }), !isThisMachine, !text.contains(":")
        else {
            return false
        }
        // The last label of a name begins with a letter; a number there makes it an IPv4 address in some notation.
        guard let last = labels.last, last.first?.isLetter == true else { return false }
        return !Self.ownEndings.contains { text.hasSuffix($0) }
    }

    private var isIPv4: Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // Any other spelling of a number may be taken for a name.
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { "\($0)" == part } ?? false }
    }
}
