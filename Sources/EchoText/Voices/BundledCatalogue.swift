import Foundation

/// The catalogue as it was when the program was made: names, speakers, sample rates, and sizes and checksums where they were
/// known; `Scripts/make-catalogue` writes it.
enum BundledCatalogue {
    /// An entry of the file, with short keys.
    private struct Line: Decodable {
        let archive: String
        let speakers: Int?
        let rate: Int?
        let bytes: Int64?
        let sha256: String?
    }

    /// - Precondition: The program was built with a readable list, which a test checks.
    static let entries: [CatalogueEntry] = {
        let lines: [Line]
        do {
            lines = try JSONDecoder().decode([Line].self, from: Data(PackageResources.voice_catalogue_json))
        } catch {
            preconditionFailure("the list of voices in the program is damaged: \(error)")
        }
        return lines.compactMap { line in
            var entry = CatalogueEntry(archive: line.archive)
            entry?.speakers = line.speakers
            entry?.sampleRate = line.rate
            entry?.archiveBytes = line.bytes
            entry?.sha256 = line.sha256
            return entry
        }
    }()
}
