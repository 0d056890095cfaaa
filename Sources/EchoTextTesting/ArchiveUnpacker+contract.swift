package import EchoText
package import Foundation
import Synchronization
import Testing

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
    await #expect(throws: VoiceInstallError.tooManyFiles(limit: 2)) {
        try await unpacker.unpack(archive, by: rules) { _ in }
    }
    rules = ArchiveRules()
    rules.maximumBytes = 1_000
    await #expect(throws: VoiceInstallError.tooMuchInside(limit: 1_000)) {
        try await unpacker.unpack(archive, by: rules) { _ in }
    }
    await #expect(throws: VoiceInstallError.notAnArchive) {
        try await unpacker.unpack(archive + "-not-there", by: ArchiveRules()) { _ in }
    }
    await #expect(throws: VoiceInstallError.cannotWrite) {
        try await unpacker.unpack(archive, by: ArchiveRules()) { _ in throw VoiceInstallError.cannotWrite }
    }

    let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }  // from inside, so that the call cannot win the race
        try await unpacker.unpack(archive, by: ArchiveRules()) { _ in }
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    try await unpacker.unpack(archive, by: ArchiveRules()) { _ in }
}
