package import EchoText
import Foundation
import Testing

/// Checks every promise ``VoiceInstaller`` makes, on an empty folder of voices.
///
/// - Parameters:
///   - installer: The installer to check.
///   - voicesFolder: The folder of its voices.
///   - archive: An archive with the voice of `entry`, which is not changed.
///   - entry: Its entry in the catalogue.
/// - Throws: Unexpected errors.
package func verifyContract(
    of installer: some VoiceInstaller,
    in voicesFolder: String,
    with archive: String,
    of entry: CatalogueEntry
) async throws {
    let id = try #require(entry.voice)
    #expect(try await installer.installedVoices().voices.isEmpty)
    await #expect(throws: VoiceInstallError.notInstalled(id)) { try await installer.remove(id) }

    let copy = "\(voicesFolder)/\(entry.id).partial"
    try FileManager.default.createDirectory(atPath: voicesFolder, withIntermediateDirectories: true)
    for round in 1...2 {
        try FileManager.default.copyItem(atPath: archive, toPath: copy)
        let bytes = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int64 ?? 0
        let fetched = FetchedArchive(path: copy, bytes: bytes, sha256: "00", url: "https://example.org/x")
        let installed = try await installer.install(fetched, of: entry) { _ in }
        #expect(installed.voice.id == id)
        #expect(installed.folder == entry.id.rawValue)
        #expect(installed.receipt?.url == "https://example.org/x" && installed.receipt?.archiveBytes == bytes)
        #expect(installed.bytes == installed.receipt?.files.values.reduce(0, +))
        #expect(!FileManager.default.fileExists(atPath: copy), "the archive goes")
        let installedVoices = try await installer.installedVoices()
        #expect(installedVoices.voices == [installed], "round \(round): one that is there is replaced")
        #expect(installedVoices.faults.isEmpty)
    }

    try Data("<html>".utf8).write(to: URL(filePath: copy))
    let page = FetchedArchive(path: copy, bytes: 6, sha256: "00", url: "https://example.org/x")
    await #expect(throws: VoiceInstallError.notAnArchive) { try await installer.install(page, of: entry) { _ in } }
    #expect(!FileManager.default.fileExists(atPath: copy), "one that is of no use goes too")
    #expect(try await installer.installedVoices().voices.map(\.voice.id) == [id], "the voice that was there stays")

    try await installer.remove(id)
    #expect(try await installer.installedVoices().voices.isEmpty)
    _ = try await installer.add(archive, named: nil) { _ in }
    #expect(FileManager.default.fileExists(atPath: archive), "a person's own file stays")
    #expect(try await installer.installedVoices().voices.map(\.voice.id) == [id])
    await #expect(throws: VoiceInstallError.nothingToAdd) {
        try await installer.add(archive + "-not-there", named: nil) { _ in }
    }
    await #expect(throws: VoiceInstallError.builtIn(Voice.ID(rawValue: "espeak/en-US"))) {
        try await installer.remove(Voice.ID(rawValue: "espeak/en-US"))
    }
    #expect(try await installer.sweep() == 0)
    try await installer.remove(id)
    #expect(try FileManager.default.contentsOfDirectory(atPath: voicesFolder).isEmpty, "nothing is left behind")
}

/// Checks every promise ``VoiceExaminer`` makes.
///
/// - Parameters:
///   - examiner: The examiner to check.
///   - folder: A voice that can speak.
///   - other: A folder without a model.
/// - Throws: Unexpected errors.
package func verifyContract(of examiner: some VoiceExaminer, with folder: String, and other: String) async throws {
    let seen = try examiner.voice(at: folder)
    #expect(try await examiner.examine(folder).voice == seen, "both methods describe the same voice")
    #expect(try examiner.voice(at: folder) == seen, "hearing a voice changes nothing")
    #expect(Voice.Engine(of: seen.id) == seen.engine && seen.speakers >= 1 && seen.sampleRate > 0)
    #expect(throws: VoiceFolderError.self) { try examiner.voice(at: other) }
    await #expect(throws: VoiceFolderError.self) { try await examiner.examine(other) }
}
