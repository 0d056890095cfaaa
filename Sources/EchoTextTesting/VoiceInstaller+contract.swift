package import EchoText
package import Foundation
import Synchronization
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
    await #expect(throws: ModelInstallError.notInstalled(id)) { try await installer.remove(id) }

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
    await #expect(throws: ModelInstallError.notAnArchive) { try await installer.install(page, of: entry) { _ in } }
    #expect(!FileManager.default.fileExists(atPath: copy), "one that is of no use goes too")
    #expect(try await installer.installedVoices().voices.map(\.voice.id) == [id], "the voice that was there stays")

    try await installer.remove(id)
    #expect(try await installer.installedVoices().voices.isEmpty)
    _ = try await installer.add(archive, named: nil) { _ in }
    #expect(FileManager.default.fileExists(atPath: archive), "a person's own file stays")
    #expect(try await installer.installedVoices().voices.map(\.voice.id) == [id])
    await #expect(throws: ModelInstallError.nothingToAdd) {
        try await installer.add(archive + "-not-there", named: nil) { _ in }
    }
    await #expect(throws: ModelInstallError.builtIn(Voice.ID(rawValue: "espeak/en-US"))) {
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

/// The error that a test throws in the middle.
private struct CallerError: Error {}

/// Checks every promise ``VoiceInbox`` makes.
///
/// - Parameter inbox: The inbox to check.
/// - Throws: Unexpected errors of the inbox.
package func verifyContract(of inbox: some VoiceInbox) async throws {
    let pieces = [Array("BZh".utf8), [UInt8](repeating: 7, count: 100_000), []]
    let (path, content) = try await inbox.hold(named: "../../mine.tar.bz2") { take in
        for piece in pieces { try await take(piece) }
    } _: { path in
        (path, try Data(contentsOf: URL(filePath: path)))
    }
    let isSame = content == Data(pieces.joined())
    #expect(isSame, "the handed-in file is there")
    #expect(path.hasSuffix("/mine.tar.bz2") && !path.contains(".."), "a name is no path")
    #expect(!FileManager.default.fileExists(atPath: path), "it is gone afterwards")

    for name in ["", ".", "..", "/", "a/", "\u{0}", ".hidden.tar.bz2", String(repeating: "x", count: 5_000)] {
        try await inbox.hold(named: name) {
            try await $0([1])
        } _: { path in
            let file = path.split(separator: "/").last ?? ""
            #expect(!file.hasPrefix(".") && file.utf8.count <= 255, "\(name)")
            #expect(FileManager.default.fileExists(atPath: path), "\(name)")
        }
    }
    await #expect(throws: CallerError.self) {
        try await inbox.hold(named: "a") {
            try await $0([1])
        } _: { _ in
            throw CallerError()
        }
    }
    await #expect(throws: CallerError.self) {
        try await inbox.hold(named: "a") { take in
            try await take([1])
            throw CallerError()
        } _: { _ in
            Issue.record("a file that is not whole is lent to nobody")
        }
    }
}

/// Collects the pieces of an archive.
package final class PieceCollector: Sendable {
    private let state = Mutex<(names: [String], files: [String: Data], last: String)>(([], [:], ""))

    package init() {}

    package func take(_ piece: ArchivePiece) {
        state.withLock { state in
            switch piece {
            case .folder(let name): state.names.append(name)
            case .file(let name):
                state.names.append(name)
                state.files[name] = Data()
                state.last = name
            case .bytes(let bytes): state.files[state.last]?.append(contentsOf: bytes)
            }
        }
    }

    /// Names of files and folders, in the archive's order.
    package var names: [String] { state.withLock { $0.names } }
    package var files: [String: Data] { state.withLock { $0.files } }
}

/// Checks every promise ``ArchiveUnpacker`` makes.
///
/// - Parameters:
///   - unpacker: The unpacker to check.
///   - archive: A valid archive.
///   - folder: The folder that it was made from, with the files below the archive's first folder.
/// - Throws: Unexpected errors.
package func verifyContract(of unpacker: some ArchiveUnpacker, with archive: String, of folder: String) async throws {
    let collector = PieceCollector()
    try await unpacker.unpack(archive, by: ArchiveRules()) { collector.take($0) }
    let home = (folder as NSString).lastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
        let isSame = collector.files["\(home)/\(name)"] == FileManager.default.contents(atPath: "\(folder)/\(name)")
        #expect(isSame, "\(name) must come out as it is")
    }
    #expect(collector.names.first.map { $0.hasPrefix(home) } == true, "the order is the archive's")

    var rules = ArchiveRules()
    rules.maximumEntries = 2
    await #expect(throws: ModelInstallError.tooManyFiles(limit: 2)) {
        try await unpacker.unpack(archive, by: rules) { _ in }
    }
    rules = ArchiveRules()
    rules.maximumBytes = 1_000
    await #expect(throws: ModelInstallError.tooMuchInside(limit: 1_000)) {
        try await unpacker.unpack(archive, by: rules) { _ in }
    }
    await #expect(throws: ModelInstallError.notAnArchive) {
        try await unpacker.unpack(archive + "-not-there", by: ArchiveRules()) { _ in }
    }
    await #expect(throws: ModelInstallError.cannotWrite) {
        try await unpacker.unpack(archive, by: ArchiveRules()) { _ in throw ModelInstallError.cannotWrite }
    }

    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        try await unpacker.unpack(archive, by: ArchiveRules()) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await unpacker.unpack(archive, by: ArchiveRules()) { _ in }
}
