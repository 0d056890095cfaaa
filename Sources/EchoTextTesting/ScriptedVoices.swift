package import EchoText
import Foundation
internal import Synchronization

/// A catalogue with given entries.
package final class ScriptedCatalogue: CatalogueSource {
    private let archives: Mutex<[String]>
    private let failure: Mutex<ModelDownloadError?>
    private let asked = Mutex(0)

    /// - Parameter archives: File names, including ones that EchoText cannot use.
    package init(_ archives: [String]) {
        self.archives = Mutex(archives)
        failure = Mutex(nil)
    }

    /// How often it was asked.
    package var questions: Int { asked.withLock(\.self) }

    package func add(_ archive: String) { archives.withLock { $0.append(archive) } }

    /// Fails from now on, or with `nil` no longer.
    package func fail(_ error: ModelDownloadError?) { failure.withLock { $0 = error } }

    package func entries(
        of release: CatalogueRelease,
        since version: CatalogueVersion?
    ) async throws -> CatalogueAnswer {
        asked.withLock { $0 += 1 }
        if let error = failure.withLock(\.self) { throw error }
        let names = archives.withLock(\.self)
        let now = CatalogueVersion(tag: "scripted \(names.count)")
        guard now != version else { return .unchanged }
        let entries = names.compactMap { CatalogueEntry(archive: $0) }.filter { $0.release == release }
        return .entries(entries, version: now)
    }
}

/// Remembers a catalogue as long as it lives.
package final class MemoryCatalogue: CatalogueMemory {
    private let catalogues = Mutex<[CatalogueRelease: RememberedCatalogue]>([:])

    package init() {}

    package func remembered(_ release: CatalogueRelease) async -> RememberedCatalogue? {
        catalogues.withLock { $0[release] }
    }

    package func remember(_ catalogue: RememberedCatalogue, of release: CatalogueRelease) async throws {
        catalogues.withLock { $0[release] = catalogue }
    }
}

/// Archives that arrive as a script says and exist nowhere, so that their content is undefined.
package final class ScriptedArchives: ArchiveSource {
    private struct State {
        var begun: [CatalogueEntry.ID: TransferProgress] = [:]
        var fetches: [CatalogueEntry.ID] = []
        var atOnce = 0
        var maximumConcurrent = 0
    }

    private let script: @Sendable (CatalogueEntry, @Sendable (TransferProgress) async -> Void) async throws -> Void
    private let state = Mutex(State())

    /// - Parameter script: Runs before an archive is complete.
    package init(
        _ script:
            @escaping @Sendable (
                _ entry: CatalogueEntry, _ report: @Sendable (TransferProgress) async -> Void
            ) async throws -> Void = { _, _ in }
    ) {
        self.script = script
    }

    /// The fetched archives, in order.
    package var fetches: [CatalogueEntry.ID] { state.withLock(\.fetches) }
    package var maximumConcurrent: Int { state.withLock(\.maximumConcurrent) }

    package func fetch<Output: Sendable>(
        _ entry: CatalogueEntry,
        report: @Sendable (TransferProgress) async -> Void,
        lending use: @Sendable (FetchedArchive) async throws -> Output
    ) async throws -> Output {
        state.withLock { state in
            state.fetches.append(entry.id)
            state.atOnce += 1
            state.maximumConcurrent = max(state.maximumConcurrent, state.atOnce)
        }
        defer { state.withLock { $0.atOnce -= 1 } }
        try await script(entry) { progress in
            state.withLock { $0.begun[entry.id] = progress }
            await report(progress)
        }
        try Task.checkCancellation()
        state.withLock { $0.begun[entry.id] = TransferProgress(bytes: 100, total: 100) }
        let archive = FetchedArchive(path: "/nowhere/\(entry.archive)", bytes: 100, sha256: "", url: "scripted:")
        let output = try await use(archive)
        state.withLock { $0.begun[entry.id] = nil }
        return output
    }

    package func begun(_ id: CatalogueEntry.ID) async -> TransferProgress? { state.withLock { $0.begun[id] } }

    package func begun() async -> [CatalogueEntry.ID] {
        state.withLock { $0.begun.keys.sorted { $0.rawValue < $1.rawValue } }
    }

    package func discard(_ id: CatalogueEntry.ID) async throws { state.withLock { $0.begun[id] = nil } }

    package func sweep() async {}
}

/// Voices that are installed as long as it lives.
package final class MemoryInstaller: VoiceInstaller {
    private let voices = Mutex<[Voice.ID: InstalledVoice]>([:])
    private let faults = Mutex<[Voice.ID: any UserFacingError]>([:])
    private let refusal: ModelInstallError?

    /// - Parameter refusal: The error for every archive; `nil` when all are valid.
    package init(refusing refusal: ModelInstallError? = nil) {
        self.refusal = refusal
    }

    /// The voices that can speak.
    package var present: [Voice] {
        voices.withLock { $0.values.map(\.voice).sorted { $0.id.rawValue < $1.id.rawValue } }
    }

    /// Spoils the files of a voice that is installed: it cannot be read any more.
    package func spoil(_ id: Voice.ID, _ error: any UserFacingError) {
        faults.withLock { $0[id] = error }
    }

    package func note(_ layout: ModelLayout, of folder: VoiceFolder) async {}

    package func installedVoices() async throws -> InstalledVoices {
        let faults = faults.withLock(\.self)
        let voices = voices.withLock { $0.values.sorted { $0.voice.id.rawValue < $1.voice.id.rawValue } }
        return InstalledVoices(
            voices: voices.filter { faults[$0.voice.id] == nil },
            faults: voices.compactMap { voice in
                let folder = VoiceFolder(path: "/nowhere/\(voice.folder)", name: voice.voice.name)
                return faults[voice.voice.id].map { VoiceFault(in: folder, error: $0) }
            }
        )
    }

    package func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice {
        guard let id = entry.voice else { throw ModelInstallError.notAnArchive }
        // A scripted archive has no file, and counts as valid.
        let isFile = FileManager.default.fileExists(atPath: archive.path)
        defer { if isFile { try? FileManager.default.removeItem(atPath: archive.path) } }
        if isFile { try check(fileAt: archive.path) }
        let receipt = ModelReceipt(
            entry: entry.id,
            url: archive.url,
            archiveBytes: archive.bytes,
            sha256: archive.sha256,
            installedAt: 1_790_000_000,
            files: ["\(entry.name).onnx": 120]
        )
        return try await put(id, entry.name, entry.language, entry.id.rawValue, receipt, report)
    }

    package func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice {
        guard FileManager.default.fileExists(atPath: path) else { throw ModelInstallError.nothingToAdd }
        try check(fileAt: path)
        let file = (name ?? path).split(separator: "/").last.map(String.init) ?? ""
        let folder = file.hasSuffix(".tar.bz2") ? String(file.dropLast(".tar.bz2".count)) : file
        let id = Voice.ID(ofFolder: folder, model: folder)
        return try await put(id, String(id.rawValue.dropFirst("piper/".count)), "en-US", folder, nil, report)
    }

    private func check(fileAt path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path), try file.read(upToCount: 3) == Data("BZh".utf8) else {
            throw ModelInstallError.notAnArchive
        }
    }

    private func put(
        _ id: Voice.ID,
        _ name: String,
        _ language: String,
        _ folder: String,
        _ receipt: ModelReceipt?,
        _ report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice {
        await report(.extracting)
        if let refusal { throw refusal }
        await report(.validating)
        try Task.checkCancellation()
        let installed = InstalledVoice(
            voice: Voice(id: id, name: name, language: language, engine: .piper, sampleRate: 16_000),
            folder: folder,
            quality: nil,
            bytes: 120,
            licence: VoiceLicence(name: "CC0 1.0", isCommercial: true),
            receipt: receipt
        )
        voices.withLock { $0[id] = installed }
        faults.withLock { $0[id] = nil }
        return installed
    }

    package func remove(_ id: Voice.ID) async throws {
        guard Voice.Engine(of: id) != .espeakNG else { throw ModelInstallError.builtIn(id) }
        let wasThere = voices.withLock { $0.removeValue(forKey: id) != nil }
        if !wasThere { throw ModelInstallError.notInstalled(id) }
    }

    @discardableResult
    package func sweep() async throws -> Int { 0 }
}

extension ModelReceipt {
    /// The receipt of a voice that did not come from an archive.
    ///
    /// - Parameters:
    ///   - entry: Its entry in the catalogue; `nil` when it was added manually.
    ///   - files: Their sizes in bytes, by their paths inside the folder.
    package init(entry: CatalogueEntry.ID? = nil, files: [String: Int64]) {
        self.init(entry: entry, url: nil, archiveBytes: nil, sha256: nil, installedAt: 1, files: files)
    }
}
