/// Why nothing, or not all, was brought from outside.
///
/// `host` is a server's bare name, never an address with a path.
package enum VoiceDownloadError: UserFacingError, Equatable {
    /// The person has said that nothing may connect.
    case offline
    case unknownEntry(String, similar: [CatalogueEntry.ID])
    /// `voices.catalogue` is neither an `https:` address nor a folder.
    case badAddress
    case folderMissing
    /// The environment names a proxy in a way that is not understood.
    case badProxy
    case proxyRefused
    case unreachable(host: String)
    case untrusted(host: String)
    case unsafeRedirect(host: String)
    /// The server or the folder has not got the archive or the list.
    case notThere(String)
    /// The server refuses; `status` is its HTTP status.
    case refused(host: String, status: Int)
    /// `wait` is what the server asks for, where it says so.
    case tooManyRequests(host: String, wait: Duration?)
    case serverFailed(host: String, status: Int)
    case stalled(host: String)
    /// The connection ended too early again and again.
    case interrupted(bytes: Int64, of: Int64?)
    case wrongSize(CatalogueEntry.ID, bytes: Int64, expected: Int64)
    case wrongChecksum(CatalogueEntry.ID)
    /// The answer is larger than any archive of the catalogue may be.
    case tooLarge(limit: Int64)
    /// The answer is no archive, but for example the login page of a network.
    case wrongContent(CatalogueEntry.ID, host: String)
    /// The answer is no list of a release.
    case badCatalogue(host: String)
    /// Sizes in bytes.
    case noSpace(needed: Int64, free: Int64)
    case cannotWrite
    /// Another process of this person fetches the same archive.
    case busy(CatalogueEntry.ID)

    package var code: String {
        switch self {
        case .offline: "outbound.offline"
        case .unknownEntry: "voice.not-in-catalogue"
        case .badAddress: "catalogue.bad-address"
        case .folderMissing: "catalogue.folder-missing"
        case .badProxy: "outbound.bad-proxy"
        case .proxyRefused: "outbound.proxy-refused"
        case .unreachable: "download.unreachable"
        case .untrusted: "download.untrusted"
        case .unsafeRedirect: "download.unsafe-redirect"
        case .notThere: "download.not-there"
        case .refused: "download.refused"
        case .tooManyRequests: "download.too-many-requests"
        case .serverFailed: "download.server-failed"
        case .stalled: "download.stalled"
        case .interrupted: "download.interrupted"
        case .wrongSize: "download.wrong-size"
        case .wrongChecksum: "download.wrong-checksum"
        case .tooLarge: "download.too-large"
        case .wrongContent: "download.wrong-content"
        case .badCatalogue: "catalogue.damaged"
        case .noSpace: "download.no-space"
        case .cannotWrite: "download.cannot-write"
        case .busy: "download.busy"
        }
    }

    package var message: String {
        switch self {
        case .offline: "EchoText is set to stay offline, so nothing was connected to."
        case .unknownEntry(let name, _): "There is no voice called “\(name)” in the catalogue."
        case .badAddress: "The catalogue's address is neither an https address nor a folder."
        case .folderMissing: "The folder that the catalogue's address names is not there."
        case .badProxy: "The environment names a proxy that cannot be understood, so nothing was connected to."
        case .proxyRefused: "The proxy does not let EchoText through."
        case .unreachable(let host): "The server “\(host)” cannot be reached."
        case .untrusted(let host): "The server “\(host)” cannot prove that it is the one it says it is."
        case .unsafeRedirect(let host): "The server sends on to “\(host)”, which is not safe to follow."
        case .notThere(let what): "There is no “\(what)” where voices come from."
        case .refused(let host, let status): "The server “\(host)” refuses to give it (status \(status))."
        case .tooManyRequests(let host, let wait):
            "The server “\(host)” has been asked too often" + (wait.map { " and wants \($0.inWords) of rest." } ?? ".")
        case .serverFailed(let host, let status): "The server “\(host)” has a fault of its own (status \(status))."
        case .stalled(let host): "Nothing more comes from the server “\(host)”."
        case .interrupted(let bytes, let total):
            "The connection broke again and again, after \(bytes.inMegabytes)"
                + (total.map { " of \($0.inMegabytes)." } ?? ".")
        case .wrongSize(let id, let bytes, let expected):
            "“\(id)” came with \(bytes) bytes where it should have \(expected)."
        case .wrongChecksum(let id): "“\(id)” is not the file that the catalogue describes: its checksum differs."
        case .tooLarge(let limit): "The file is larger than \(limit.inMegabytes), which no voice is."
        case .wrongContent(let id, let host): "What “\(host)” gave for “\(id)” is no archive."
        case .badCatalogue(let host): "What “\(host)” gave is no list of voices."
        case .noSpace(let needed, let free):
            "There is not enough room: \(needed.inMegabytes) are needed and \(free.inMegabytes) are free."
        case .cannotWrite: "The download cannot be written to the folder of the voices."
        case .busy(let id): "Another EchoText on this machine is downloading “\(id)”."
        }
    }

    package var suggestion: String? {
        switch self {
        case .offline: "Turn the setting “outbound.offline” off, or leave out --offline; a local folder works offline."
        case .unknownEntry(_, let similar) where !similar.isEmpty:
            "Did you mean \(similar.map { "“\($0)”" }.joined(separator: " or "))?"
        case .unknownEntry: "See “echotext voices available”, or refresh the catalogue."
        case .badAddress: "Set “voices.catalogue” to an https address, a folder, or nothing for the usual one."
        case .folderMissing: "Connect the disk it is on, or set “voices.catalogue” anew."
        case .badProxy: "Write it as http://host:port or socks5://host:port in https_proxy, or unset it."
        case .proxyRefused: "See that https_proxy names it with the user and password it wants."
        case .unreachable: "See whether this machine is connected, and whether a proxy has to be set."
        case .untrusted: "See that this machine's clock is right and that no proxy stands between; nothing was taken."
        case .unsafeRedirect: "Nothing was taken. Set “voices.catalogue” to a mirror that you trust."
        case .notThere: "Refresh the catalogue; it may have another name now."
        case .refused: "Try again later, or set “voices.catalogue” to a mirror."
        case .tooManyRequests: "Try again later; the voices that are known can be downloaded all the same."
        case .serverFailed, .stalled, .interrupted: "Download it again later: what has come is kept."
        case .wrongSize, .wrongChecksum: "Nothing of it was kept. Refresh the catalogue and download it again."
        case .wrongContent: "Nothing was kept. See whether this network wants you to log in first."
        case .tooLarge, .badCatalogue: "Nothing was taken. See that “voices.catalogue” is right."
        case .noSpace: "Free some room, or delete voices you do not use; what has come is kept."
        case .cannotWrite: "See that the folder is yours and that its disk can be written to."
        case .busy: "Wait for it, or stop it there."
        }
    }
}

extension Int64 {
    /// A size for a person: `57.4 MB`, of one million bytes each.
    package var inMegabytes: String {
        let tenths = (Double(self) / 100_000).rounded() / 10
        return tenths < 10 && tenths != tenths.rounded() ? "\(tenths) MB" : "\(Int64(tenths.rounded())) MB"
    }
}

extension Duration {
    fileprivate var inWords: String {
        let seconds = max(1, Int64((self / .seconds(1)).rounded(.up)))
        if seconds < 120 { return seconds == 1 ? "1 second" : "\(seconds) seconds" }
        return "\((seconds + 59) / 60) minutes"
    }
}
