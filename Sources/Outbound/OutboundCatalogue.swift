import Crypto
package import EchoText
import FileSystem
package import Foundation
import NIOCore
import NIOHTTP1

/// The catalogue at the address that the person has set: a release's list on a server, or the archives in a folder.
package struct OutboundCatalogue: CatalogueSource {
    private let client: OutboundClient
    private let idleTimeout: Duration
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let disk = BlockingExecutor(label: "echotext.release")

    /// - Parameters:
    ///   - client: Opens connections.
    ///   - idleTimeout: The longest time in which the server may send nothing.
    ///   - clock: Measures that.
    ///   - now: Returns the time of day.
    package init(
        client: OutboundClient,
        idleTimeout: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.client = client
        self.idleTimeout = idleTimeout
        self.clock = clock
        self.now = now
    }

    package func entries(
        of release: CatalogueRelease,
        since version: CatalogueVersion?
    ) async throws -> CatalogueAnswer {
        let address = try await client.rules().catalogue
        if case .folder(let folder) = address {
            // A stick or a disk of the network may take its time.
            return try await disk.run {
                try Self.entries(in: try ReleaseFolder(release, in: folder), of: release, since: version)
            }
        }
        guard let place = ReleasePlace(release, at: address) else { throw ModelDownloadError.badAddress }
        return try await ask(place.list, for: release, since: version)
    }

    // MARK: - On a server

    private func ask(
        _ list: URL,
        for release: CatalogueRelease,
        since version: CatalogueVersion?
    ) async throws -> CatalogueAnswer {
        let host = HostName(list.host ?? "").text
        return try await IdleTimeout(idleTimeout, clock: clock).watch(host: host) { received in
            var headers: HTTPHeaders = ["accept": "application/vnd.github+json, application/json"]
            if let tag = version.flatMap({ Self.tag(in: $0, of: list) }) {
                headers.add(name: "if-none-match", value: tag)
            }
            let answer = try await client.get(list, for: .catalogue, headers: headers)
            received()
            if answer.status == 304 { return .unchanged }
            guard answer.status == 200 else {
                throw ModelDownloadError(answer, to: "\(release.rawValue) list", now: now())
            }
            let json = try await Self.contents(of: answer, received)
            let entries = try ReleaseList(json, of: release, from: answer.host).entries
            let tag = answer.headers.first(name: "etag")
            return .entries(entries, version: tag.map { Self.version($0, of: list) })
        }
    }

    private static func contents(of answer: OutboundClient.Answer, _ received: () -> Void) async throws -> Data {
        var json = Data()
        try await answer.read { bytes in
            received()
            json.append(contentsOf: bytes.readableBytesView)
            guard json.count <= ReleaseList.largest else { throw ModelDownloadError.badCatalogue(host: answer.host) }
        }
        return json
    }

    // A tag means something only to the server that gave it.

    private static func version(_ tag: String, of list: URL) -> CatalogueVersion {
        CatalogueVersion(tag: "\(list.absoluteString) \(tag)")
    }

    private static func tag(in version: CatalogueVersion, of list: URL) -> String? {
        let prefix = "\(list.absoluteString) "
        return version.tag.hasPrefix(prefix) ? String(version.tag.dropFirst(prefix.count)) : nil
    }

    // MARK: - In a folder

    private static func entries(
        in folder: ReleaseFolder,
        of release: CatalogueRelease,
        since version: CatalogueVersion?
    ) throws -> CatalogueAnswer {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            throw ModelDownloadError.folderMissing
        }
        var digest = SHA256()
        var entries: [CatalogueEntry] = []
        for name in names.sorted() {
            guard var entry = CatalogueEntry(archive: name), entry.release == release,
                // A file that was deleted meanwhile is not there.
                let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)"),
                facts[.type] as? FileAttributeType == .typeRegular, let size = (facts[.size] as? NSNumber)?.int64Value,
                (1...ReleaseList.largestArchive).contains(size)
            else { continue }
            entry.archiveBytes = size
            entries.append(entry)
            let changed = (facts[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
            digest.update(data: Data("\(name) \(size) \(changed)\n".utf8))
        }
        let tag = digest.finalize().map { String(format: "%02x", $0) }.joined()
        let new = CatalogueVersion(tag: "\(folder.path) \(tag)")
        return new == version ? .unchanged : .entries(entries, version: new)
    }
}

/// Stores the catalogues of sources in hidden files of a folder.
package struct CatalogueFile: CatalogueMemory {
    private let folder: String
    private let disk = BlockingExecutor(label: "echotext.catalogue")

    /// - Parameter folder: Made when something is remembered.
    package init(folder: String) {
        self.folder = folder
    }

    package func remembered(_ release: CatalogueRelease) async -> RememberedCatalogue? {
        let path = path(of: release)
        return await disk.run { Self.read(path) }
    }

    package func remember(_ catalogue: RememberedCatalogue, of release: CatalogueRelease) async throws {
        let path = path(of: release)
        try await disk.run { [folder] in
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try AtomicFile.write(JSONEncoder().encode(catalogue), to: path, permissions: 0o666)
            } catch {
                throw ModelDownloadError.cannotWrite
            }
        }
    }

    /// A file that cannot be read, or is larger than any list, counts as missing.
    private static func read(_ path: String) -> RememberedCatalogue? {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = (facts?[.size] as? NSNumber)?.intValue, size <= ReleaseList.largest,
            let data = FileManager.default.contents(atPath: path),
            let catalogue = try? JSONDecoder().decode(RememberedCatalogue.self, from: data)
        else { return nil }
        let isSound = catalogue.entries.allSatisfy { CatalogueEntry(archive: $0.archive)?.id == $0.id }
        return isSound ? catalogue : nil
    }

    private func path(of release: CatalogueRelease) -> String { "\(folder)/.\(release.rawValue).json" }
}

/// A server's list of a release: the names, sizes and checksums of its archives.
///
/// - SeeAlso: GitHub's REST API, “Get a release by tag name”.
struct ReleaseList: Sendable {
    let entries: [CatalogueEntry]

    /// The largest list that is read, in bytes; that of the voices has about 2 MB.
    static let largest = 32 << 20
    /// The largest archive there may be, in bytes.
    static let largestArchive: Int64 = 4 << 30

    private struct Release: Decodable {
        let assets: [Asset]
    }

    private struct Asset: Decodable {
        let name: String
        let size: Int64?
        let state: String?
        /// `sha256:` and 64 hexadecimal digits.
        let digest: String?
    }

    /// - Parameters:
    ///   - json: What the server gave.
    ///   - release: Archives that do not belong to it are left out, as are those EchoText has no use for.
    ///   - host: Who gave it.
    /// - Throws: ``ModelDownloadError/badCatalogue(host:)``.
    init(_ json: Data, of release: CatalogueRelease, from host: String) throws(ModelDownloadError) {
        let assets: [Asset]
        do {
            assets = try JSONDecoder().decode(Release.self, from: json).assets
        } catch {
            throw .badCatalogue(host: host)
        }
        var seen: Set<CatalogueEntry.ID> = []
        entries = assets.compactMap { asset in
            guard asset.state ?? "uploaded" == "uploaded", var entry = CatalogueEntry(archive: asset.name),
                entry.release == release, seen.insert(entry.id).inserted
            else { return nil }
            if let size = asset.size {
                guard (1...Self.largestArchive).contains(size) else { return nil }
                entry.archiveBytes = size
            }
            entry.sha256 = asset.digest.flatMap(Self.sha256)
            return entry
        }
    }

    private static func sha256(_ digest: String) -> String? {
        let prefix = "sha256:"
        guard digest.hasPrefix(prefix) else { return nil }
        let digits = digest.dropFirst(prefix.count).lowercased()
        return digits.count == 64 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}

/// Where the list and the archives of a release are on a server.
struct ReleasePlace: Sendable {
    let list: URL
    private let archives: URL

    /// - Returns: `nil` for a folder, which is on no server.
    init?(_ release: CatalogueRelease, at address: CatalogueAddress) {
        switch address {
        case .folder: return nil
        case .mirror(let base):
            list = base.appending(path: "\(release.rawValue).json")
            archives = base.appending(path: release.rawValue)
        case .sherpaOnnx:
            guard let api = URL(string: "https://api.github.com/repos/k2-fsa/sherpa-onnx/releases/tags"),
                let files = URL(string: "https://github.com/k2-fsa/sherpa-onnx/releases/download")
            else { return nil }
            list = api.appending(path: release.rawValue)
            archives = files.appending(path: release.rawValue)
        }
    }

    /// Where the archive of a plain file name is.
    func archive(_ name: String) -> URL { archives.appending(path: name) }
}

/// The folder of a release's archives: the one named after the release when it is there, else the address's own.
struct ReleaseFolder: Sendable {
    let path: String

    /// - Throws: ``ModelDownloadError/folderMissing``.
    init(_ release: CatalogueRelease, in folder: String) throws(ModelDownloadError) {
        let own = "\(folder)/\(release.rawValue)"
        guard let path = [own, folder].first(where: Self.isFolder) else { throw .folderMissing }
        self.path = path
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
