import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
package import EchoText
import FileSystem
package import Foundation

/// Installs voices in a folder: each is assembled in a quarantine folder next to the others, tested there, and moved
/// into place.
///
/// The last step is a single `rename(2)`, so a voice is installed completely or not at all, even if the program is
/// killed.
package actor FolderVoiceInstaller: VoiceInstaller {
    private let voicesFolder: String
    private let unpacker: any ArchiveUnpacker
    private let examiner: any VoiceExaminer
    private let rules: ArchiveRules
    private let now: @Sendable () -> Date
    private let executor = BlockingExecutor(label: "echotext.voices")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - voicesFolder: Absolute path of the folder of the voices; it need not exist.
    ///   - unpacker: Unpacks archives in isolation.
    ///   - examiner: Recognises and tests voices.
    ///   - rules: The limits for archives and folders.
    ///   - now: Returns the time of an installation.
    package init(
        in voicesFolder: String,
        unpacker: any ArchiveUnpacker,
        examiner: any VoiceExaminer,
        rules: ArchiveRules = ArchiveRules(),
        now: @escaping @Sendable () -> Date = Date.init
    ) {
        self.voicesFolder = voicesFolder
        self.unpacker = unpacker
        self.examiner = examiner
        self.rules = rules
        self.now = now
    }

    // MARK: - Installed voices

    package func installedVoices() -> InstalledVoices {
        let looks = VoiceFolder.all(in: voicesFolder).map { (folder: $0, look: look(at: $0)) }
        let counted = Dictionary(grouping: looks, by: \.folder.id).values.compactMap { same in
            same.first { $0.look.fault == nil } ?? same.first
        }
        return InstalledVoices(
            voices: counted.compactMap(\.look.voice).sorted { ($0.voice.name, $0.folder) < ($1.voice.name, $1.folder) },
            faults: counted.compactMap(\.look.fault).sorted { $0.folder.path < $1.folder.path }
        )
    }

    /// The voice in a folder, if it can be read, and its fault, if any.
    private func look(at folder: VoiceFolder) -> (voice: InstalledVoice?, fault: VoiceFault?) {
        do {
            let voice = try installedVoice(in: folder)
            guard let file = voice.receipt?.difference(at: folder.path) else { return (voice, nil) }
            let name = (file as NSString).lastPathComponent
            return (voice, VoiceFault(in: folder, error: VoiceInstallError.altered(folder.id, file: name)))
        } catch {
            let known = error as? any UserFacingError
            return (nil, VoiceFault(in: folder, error: known ?? VoiceFolderError.unreadableFile(folder.modelFile)))
        }
    }

    package func remove(_ id: Voice.ID) throws {
        guard Voice.Engine(of: id) != .espeakNG else { throw VoiceInstallError.builtIn(id) }
        let folder = (try folder(of: id).path as NSString).lastPathComponent
        // From here on the voice is removed; the rest may be interrupted.
        let quarantine = try Quarantine(in: voicesFolder)
        defer { quarantine.discard() }
        guard rename("\(voicesFolder)/\(folder)", "\(quarantine.path)/\(folder)") == 0 else {
            throw VoiceInstallError(writing: errno)
        }
        try Disk.sync(voicesFolder)
    }

    package func sweep() -> Int { Quarantine.sweep(voicesFolder) }

    private func folder(of id: Voice.ID) throws -> VoiceFolder {
        let same = VoiceFolder.all(in: voicesFolder).filter { $0.id == id }
        guard let folder = same.first(where: { look(at: $0).fault == nil }) ?? same.first else {
            throw VoiceInstallError.notInstalled(id)
        }
        return folder
    }

    private func installedVoice(in folder: VoiceFolder) throws -> InstalledVoice {
        let path = folder.path
        let voice = try examiner.voice(at: path)
        let receipt = VoiceReceipt(at: path)
        // A missing or unreadable card gives no information.
        let card = try? String(contentsOfFile: "\(path)/MODEL_CARD", encoding: .utf8)
        return InstalledVoice(
            voice: voice,
            folder: (path as NSString).lastPathComponent,
            quality: NeuralVoiceName(of: voice.id)?.quality,
            bytes: (receipt?.files ?? VoiceReceipt.files(in: path)).values.totalSize,
            licence: card.flatMap { VoiceLicence(card: String($0.prefix(1 << 16))) },
            receipt: receipt
        )
    }

    // MARK: - Installation

    package func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice {
        do {
            let origin = Origin(entry: entry.id, url: archive.url, bytes: archive.bytes, sha256: archive.sha256)
            let voice = try await install(report: report, as: entry.id.rawValue, from: origin) { folder in
                try await self.unpack(archive.path, into: folder)
            }
            Self.discard(archive.path)
            return voice
        } catch {
            if Self.isArchiveFault(for: error) { Self.discard(archive.path) }
            throw error
        }
    }

    package func add(
        _ path: String,
        named name: String?,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> InstalledVoice {
        var status = stat()
        guard stat(path, &status) == 0 else { throw VoiceInstallError.nothingToAdd }
        if status.st_mode & S_IFMT == S_IFDIR {
            let copy = try VoiceCopy(ofFolder: path, rules: rules)
            return try await install(report: report, as: nil, from: nil) { try copy.make(in: $0) }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw VoiceInstallError.nothingToAdd }
        guard !(name ?? path).lowercased().hasSuffix(".onnx") else {
            let copy = try VoiceCopy(ofModel: path, rules: rules)
            return try await install(report: report, as: nil, from: nil) { try copy.make(in: $0) }
        }
        let origin = Origin(entry: nil, url: nil, bytes: Int64(status.st_size), sha256: nil)
        return try await install(report: report, as: nil, from: origin) { folder in
            try await self.unpack(path, into: folder)
        }
    }

    /// The source of a voice.
    private struct Origin {
        var entry: CatalogueEntry.ID?
        var url: String?
        var bytes: Int64?
        var sha256: String?
    }

    private func install(
        report: @Sendable (InstallPhase) async -> Void,
        as folderName: String?,
        from origin: Origin?,
        fill: @Sendable (_ folder: String) async throws -> Void
    ) async throws -> InstalledVoice {
        try Disk.makeFolders(voicesFolder)
        let quarantine = try Quarantine(in: voicesFolder)
        defer { quarantine.discard() }
        let contents = "\(quarantine.path)/contents"
        guard mkdir(contents, 0o755) == 0 else { throw VoiceInstallError(writing: errno, at: voicesFolder) }
        await report(.extracting)
        try await fill(contents)
        try Task.checkCancellation()
        let (found, foundName) = try VoiceFolderLayout.voice(in: contents)
        let name = try VoiceFolderLayout.folderName(folderName ?? foundName, model: found.name)
        let place = "\(quarantine.path)/\(name)"
        guard rename(found.path, place) == 0 else { throw VoiceInstallError(writing: errno, at: voicesFolder) }
        try VoiceCompletion(of: place, named: found.name)?.complete()
        await report(.validating)
        let heard = try await examiner.examine(place)
        try Task.checkCancellation()
        try writeReceipt(in: place, from: origin, layout: heard.layout)
        try Disk.syncFiles(in: place)
        try Disk.move(place, to: "\(voicesFolder)/\(name)")
        try Disk.sync(voicesFolder)
        return try installedVoice(in: VoiceFolder.find(at: "\(voicesFolder)/\(name)"))
    }

    private func unpack(_ archive: String, into folder: String) async throws {
        var status = stat()
        guard stat(archive, &status) == 0 else { throw VoiceInstallError.notAnArchive }
        let needed = CatalogueEntry.room(forUnpacking: Int64(status.st_size))
        if let free = FreeSpace.bytes(at: folder), free < needed {
            throw VoiceInstallError.noSpace(needed: needed, free: free)
        }
        let writer = try PieceWriter(into: folder)
        try await unpacker.unpack(archive, by: rules) { try writer.take($0) }
        try writer.finish()
    }

    package func note(_ layout: ModelLayout, of folder: VoiceFolder) {
        guard var receipt = VoiceReceipt(at: folder.path), receipt.difference(at: folder.path) == nil else { return }
        receipt.currentLayout = layout
        let new = ".echotext-receipt.new"
        // Without the note, the layout is determined again.
        guard (try? put(receipt, at: "\(folder.path)/\(new)")) != nil else { return }
        _ = rename("\(folder.path)/\(new)", "\(folder.path)/\(VoiceReceipt.fileName)")
    }

    private func writeReceipt(in place: String, from origin: Origin?, layout: ModelLayout) throws {
        var receipt = VoiceReceipt(
            entry: origin?.entry,
            url: origin?.url,
            archiveBytes: origin?.bytes,
            sha256: origin?.sha256,
            installedAt: now().timeIntervalSince1970,
            files: VoiceReceipt.files(in: place)
        )
        receipt.currentLayout = layout.isLasting ? layout : nil
        try put(receipt, at: "\(place)/\(VoiceReceipt.fileName)")
    }

    private func put(_ receipt: VoiceReceipt, at path: String) throws {
        let file = open(
            path,
            O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
            0o644
        )
        guard file >= 0 else { throw VoiceInstallError(writing: errno, at: voicesFolder) }
        defer { close(file) }
        try receipt.encoded.withUnsafeBytes {
            try $0.writeAll(to: file) { VoiceInstallError(writing: $0, at: voicesFolder) }
        }
    }

    /// Whether the archive itself caused this error, so that it must be discarded.
    private static func isArchiveFault(for error: any Error) -> Bool {
        switch error {
        case VoiceInstallError.noSpace, VoiceInstallError.cannotWrite, VoiceInstallError.cannotStartUnpacker: false
        // The machine may have been busy; the archive was checked on arrival.
        case VoiceInstallError.tooSlow, VoiceInstallError.unpackerDied: false
        case is VoiceInstallError, is VoiceFolderError: true
        default: false
        }
    }

    private static func discard(_ archive: String) {
        // If removal fails, the next download finds the archive complete, or removes it.
        _ = try? FileManager.default.removeItem(atPath: archive)
    }
}
