/// The progress of a download.
package struct TransferProgress: Sendable, Hashable, Codable {
    /// The bytes on this machine, including those of earlier attempts.
    package var bytes: Int64
    /// The size of the archive; `nil` while it is unknown.
    package var total: Int64?
    /// Bytes per second over the last few seconds; `nil` before there is enough to measure.
    package var rate: Double?

    package init(bytes: Int64, total: Int64? = nil, rate: Double? = nil) {
        self.bytes = bytes
        self.total = total
        self.rate = rate
    }

    /// The share that has arrived, 0 to 1.
    package var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(bytes) / Double(total))
    }

    /// The longest time that is shown, in seconds: a server may say that it has exabytes.
    private static let longest = 1e9

    /// The remaining time at the present rate.
    package var left: Duration? {
        guard let total, let rate, rate > 0 else { return nil }
        return .seconds(min(Self.longest, Double(max(0, total - bytes)) / rate))
    }
}

/// A complete archive on this machine.
package struct FetchedArchive: Sendable, Hashable {
    /// Absolute path.
    package let path: String
    package let bytes: Int64
    /// 64 lower-case hexadecimal digits, computed from the written bytes.
    package let sha256: String
    /// Its address, without credentials.
    package let url: String

    package init(path: String, bytes: Int64, sha256: String, url: String) {
        self.path = path
        self.bytes = bytes
        self.sha256 = sha256
        self.url = url
    }
}

/// Fetches archives: the port to a server or a folder.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - an archive has the size and the checksum of its entry, where the entry has them;
/// - a cancelled or failed call keeps the received bytes unless they are useless, and the next call resumes there;
/// - a complete archive is not fetched again;
/// - ``TransferProgress/bytes`` increases from report to report, and restarts only when the bytes so far are useless;
/// - no other call fetches or removes an archive while `use` runs; it is removed after `use`, unless `use` threw.
///
/// Each entry is fetched by one call at a time.
package protocol ArchiveSource: Sendable {
    /// - Parameters:
    ///   - entry: The archive to fetch.
    ///   - report: Called from time to time with the progress, in order.
    ///   - use: Receives the complete archive; may delete it.
    /// - Returns: What `use` returned.
    /// - Throws: ``ModelDownloadError``, what `use` throws, or `CancellationError`.
    func fetch<Output: Sendable>(
        _ entry: CatalogueEntry,
        report: @Sendable (TransferProgress) async -> Void,
        lending use: @Sendable (FetchedArchive) async throws -> Output
    ) async throws -> Output

    /// How much of an archive an incomplete call has fetched; `nil` for nothing.
    func begun(_ id: CatalogueEntry.ID) async -> TransferProgress?

    /// The archives that were fetched in part, or completely and not removed yet.
    func begun() async -> [CatalogueEntry.ID]

    /// Removes the fetched part of an archive and its metadata.
    ///
    /// - Throws: ``ModelDownloadError/cannotWrite``.
    func discard(_ id: CatalogueEntry.ID) async throws

    /// Removes leftover files of interrupted processes.
    func sweep() async
}

/// How fast something comes, over the last few seconds.
package struct TransferRate: Sendable {
    /// How far it looks back.
    package static let window = Duration.seconds(5)
    /// The least time before a rate is given, since the first bytes suggest too high a rate.
    private static let shortest = Duration.milliseconds(200)

    private var arrivals: [(time: Duration, bytes: Int64)] = []

    package init() {}

    /// - Parameters:
    ///   - bytes: How many there are now, all in all.
    ///   - time: Since any fixed moment; never less than the time before.
    package mutating func add(_ bytes: Int64, at time: Duration) {
        arrivals.append((time, bytes))
        // The last arrival before the window remains, as the baseline for the window's bytes.
        while arrivals.count > 2, arrivals[1].time <= time - Self.window { arrivals.removeFirst() }
    }

    /// Bytes per second; `nil` before there is enough to measure.
    package var bytesPerSecond: Double? {
        guard let first = arrivals.first, let last = arrivals.last, last.time - first.time >= Self.shortest else {
            return nil
        }
        return Double(max(0, last.bytes - first.bytes)) / ((last.time - first.time) / .seconds(1))
    }
}

/// Why a download failed or is incomplete.
///
/// `host` is a server's bare name, never an address with a path.
package enum ModelDownloadError: UserFacingError, Equatable {
    /// The person has forbidden all connections.
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
    /// `wait` is the time that the server requests, if any.
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
    /// Another process of this person is fetching the same archive.
    case busy(CatalogueEntry.ID)

    package var failure: Failure {
        switch self {
        case .offline:
            Failure(.offline, "outbound.offline", "EchoText is set to stay offline, so nothing was connected to.")
                .suggesting(
                    "Turn “Stay offline” off in the settings, or take voices from a folder.",
                    inTerminal:
                        "Turn the setting “outbound.offline” off, or leave out --offline; a local folder works offline."
                )
        case .unknownEntry(let name, let similar):
            Failure(.voiceNotFound, "voice.not-in-catalogue", "There is no voice called “\(name)” in the catalogue.")
                .suggesting(Self.way(to: similar), inTerminal: Self.wayInTerminal(to: similar))
        case .badAddress:
            Failure(
                .invalidRequest,
                "catalogue.bad-address",
                "The catalogue's address is neither an https address nor a folder."
            )
            .suggesting(
                "Change it in the settings, or leave it empty for the usual one.",
                inTerminal: "Set “voices.catalogue” to an https address, a folder, or nothing for the usual one."
            )
        case .folderMissing:
            Failure(
                .missingInput,
                "catalogue.folder-missing",
                "The folder that the catalogue's address names is not there."
            )
            .suggesting(
                "Connect the disk it is on, or change it in the settings.",
                inTerminal: "Connect the disk it is on, or set “voices.catalogue” again."
            )
        case .badProxy:
            Failure(
                .invalidRequest,
                "outbound.bad-proxy",
                "The environment names a proxy that cannot be understood, so nothing was connected to."
            )
            .suggesting("Write it as http://host:port or socks5://host:port in https_proxy, or unset it.")
        case .proxyRefused:
            Failure(.remoteRefused, "outbound.proxy-refused", "The proxy does not let EchoText through.")
                .suggesting("See that https_proxy names it with the user and password it wants.")
        case .unreachable(let host):
            Failure(.remoteFailed, "download.unreachable", "The server “\(host)” cannot be reached.")
                .suggesting("See whether this machine is connected, and whether a proxy has to be set.")
        case .untrusted(let host):
            Failure(
                .remoteRefused,
                "download.untrusted",
                "The server “\(host)” cannot prove that it is the one it says it is."
            )
            .suggesting("Nothing was downloaded. See that this machine's clock is right and no proxy interferes.")
        case .unsafeRedirect(let host):
            Failure(
                .remoteRefused,
                "download.unsafe-redirect",
                "The server redirects to “\(host)”, which is not safe to follow."
            )
            .suggesting(
                "Nothing was downloaded. Choose a mirror that you trust in the settings.",
                inTerminal: "Nothing was downloaded. Set “voices.catalogue” to a mirror that you trust."
            )
        case .notThere(let what):
            Failure(.voiceNotFound, "download.not-there", "There is no “\(what)” where voices come from.")
                .suggesting(
                    "Look for new voices; it may have another name now.",
                    inTerminal: "Refresh the catalogue; it may have another name now."
                )
        case .refused(let host, let status):
            Failure(.remoteRefused, "download.refused", "The server “\(host)” refuses to give it (status \(status)).")
                .suggesting(
                    "Try again later, or choose a mirror in the settings.",
                    inTerminal: "Try again later, or set “voices.catalogue” to a mirror."
                )
        case .tooManyRequests(let host, let wait):
            Failure(
                .tooManyRequests,
                "download.too-many-requests",
                "The server “\(host)” has been asked too often\(wait.map { " and wants \($0.inWords) of rest" } ?? "")."
            )
            .suggesting("Try again later; the voices that are known can be downloaded all the same.")
            .retrying(after: wait)
        case .serverFailed(let host, let status):
            Failure(
                .remoteFailed,
                "download.server-failed",
                "The server “\(host)” reported an internal error (status \(status))."
            )
            .suggesting(Self.later)
        case .stalled(let host):
            Failure(.remoteTimedOut, "download.stalled", "Nothing more comes from the server “\(host)”.")
                .suggesting(Self.later)
        case .interrupted(let bytes, let total):
            Failure(
                .remoteFailed,
                "download.interrupted",
                "The connection broke again and again, after \(bytes.inMegabytes)\(total.map { " of \($0.inMegabytes)" } ?? "")."
            )
            .suggesting(Self.later)
        case .wrongSize(let id, let bytes, let expected):
            Failure(
                .invalidContent,
                "download.wrong-size",
                "“\(id)” has \(bytes.grouped) bytes; it should have \(expected.grouped)."
            )
            .suggesting(Self.again, inTerminal: Self.againInTerminal)
        case .wrongChecksum(let id):
            Failure(
                .invalidContent,
                "download.wrong-checksum",
                "“\(id)” is not the file that the catalogue describes: its checksum differs."
            )
            .suggesting(Self.again, inTerminal: Self.againInTerminal)
        case .tooLarge(let limit):
            Failure(.tooLarge, "download.too-large", "The file is larger than \(limit.inMegabytes), which no voice is.")
                .suggesting(Self.rightPlace, inTerminal: Self.rightAddress)
        case .wrongContent(let id, let host):
            Failure(.invalidContent, "download.wrong-content", "The answer of “\(host)” for “\(id)” is not an archive.")
                .suggesting("Nothing was kept. See whether this network wants you to log in first.")
        case .badCatalogue(let host):
            Failure(.remoteRefused, "catalogue.damaged", "The answer of “\(host)” is not a list of voices.")
                .suggesting(Self.rightPlace, inTerminal: Self.rightAddress)
        case .noSpace(let needed, let free):
            Failure(
                .inputOutput,
                "download.no-space",
                "There is not enough room: \(needed.inMegabytes) are needed and \(free.inMegabytes) are free."
            )
            .suggesting("Free some room, or delete voices you do not use; the downloaded part is kept.")
        case .cannotWrite:
            Failure(
                .cannotCreate,
                "download.cannot-write",
                "The download cannot be written to the folder of the voices."
            )
            .suggesting("See that the folder is yours and that its disk can be written to.")
        case .busy(let id):
            Failure(.busy, "download.busy", "Another EchoText on this machine is downloading “\(id)”.")
                .suggesting("Wait for it, or stop it there.")
        }
    }

    private static let later = "Download it again later: the downloaded part is kept."
    private static let again = "The file was not kept. Look for new voices, then download it again."
    private static let againInTerminal = "The file was not kept. Refresh the catalogue and download it again."
    private static let rightPlace = "Nothing was downloaded. See that the place where voices come from is right."
    private static let rightAddress = "Nothing was downloaded. See that “voices.catalogue” is right."

    private static func way(to similar: [CatalogueEntry.ID]) -> String {
        guard !similar.isEmpty else { return "Look for new voices; it may have another name now." }
        let names = similar.map { "“\($0)”" }.joined(separator: " or ")
        return "Did you mean \(names)?"
    }

    private static func wayInTerminal(to similar: [CatalogueEntry.ID]) -> String {
        similar.isEmpty ? "See “echotext voices available”, or refresh the catalogue." : way(to: similar)
    }
}

extension Int64 {
    /// A size for people: `57.4 MB`, of one million bytes each.
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
