import Crypto
package import EchoText
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
        guard let place = ReleasePlace(release, at: address) else { throw VoiceDownloadError.badAddress }
        return try await ask(place.list, for: release, since: version)
    }

    // MARK: - On a server

    private func ask(
        _ list: URL,
        for release: CatalogueRelease,
        since version: CatalogueVersion?
    ) async throws -> CatalogueAnswer {
        let host = HostName(list.host ?? "").text
        return try await IdleTimeout(idleTimeout, clock: clock).watch(host: host) { heard in
            var headers: HTTPHeaders = ["accept": "application/vnd.github+json, application/json"]
            if let tag = version.flatMap({ Self.tag(in: $0, of: list) }) {
                headers.add(name: "if-none-match", value: tag)
            }
            let answer = try await client.get(list, for: .catalogue, headers: headers)
            heard()
            if answer.status == 304 { return .unchanged }
            guard answer.status == 200 else {
                throw VoiceDownloadError(answer, to: "\(release.rawValue) list", now: now())
            }
            let json = try await Self.contents(of: answer, heard)
            let entries = try ReleaseList(json, of: release, from: answer.host).entries
            let tag = answer.headers.first(name: "etag")
            return .entries(entries, version: tag.map { Self.version($0, of: list) })
        }
    }

    private static func contents(of answer: OutboundClient.Answer, _ heard: () -> Void) async throws -> Data {
        var json = Data()
        try await answer.read { bytes in
            heard()
            json.append(contentsOf: bytes.readableBytesView)
            guard json.count <= ReleaseList.largest else { throw VoiceDownloadError.badCatalogue(host: answer.host) }
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
            throw VoiceDownloadError.folderMissing
        }
        var digest = SHA256()
        var entries: [CatalogueEntry] = []
        for name in names.sorted() {
            guard var entry = CatalogueEntry(archive: name), entry.release == release,
                // One that has gone meanwhile is not there.
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
