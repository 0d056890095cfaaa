import EchoText
import Foundation

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
    /// - Throws: ``VoiceDownloadError/badCatalogue(host:)``.
    init(_ json: Data, of release: CatalogueRelease, from host: String) throws(VoiceDownloadError) {
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
