package import EchoText
import Foundation

/// Remembers what was told of releases in hidden files of a folder.
package struct CatalogueFile: CatalogueMemory {
    private let folder: String

    /// - Parameter folder: Made when something is remembered.
    package init(folder: String) {
        self.folder = folder
    }

    package func remembered(_ release: CatalogueRelease) async -> RememberedCatalogue? {
        // What cannot be read is as if nothing had been told.
        guard let data = try? Data(contentsOf: file(release)), data.count <= ReleaseList.largest else { return nil }
        guard let catalogue = try? JSONDecoder().decode(RememberedCatalogue.self, from: data) else { return nil }
        let sound = catalogue.entries.filter { CatalogueEntry(archive: $0.archive)?.id == $0.id }
        guard sound.count == catalogue.entries.count else { return nil }
        return catalogue
    }

    package func remember(_ catalogue: RememberedCatalogue, of release: CatalogueRelease) async throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw VoiceDownloadError.cannotWrite
        }
        try AtomicFile.write(catalogue, to: file(release).path)
    }

    private func file(_ release: CatalogueRelease) -> URL {
        URL(filePath: folder).appending(path: ".\(release.rawValue).json")
    }
}
