package import EchoText
import FileSystem
import Foundation

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
                throw VoiceDownloadError.cannotWrite
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
