import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
package import EchoText
package import Foundation

/// Installs voices in a folder, each after a test.
package actor FolderVoiceInstaller: VoiceInstaller {
    private let installer: ModelInstaller
    private let examiner: any VoiceExaminer
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
        installer = ModelInstaller(folder: voicesFolder, unpacker: unpacker, rules: rules, now: now)
        self.examiner = examiner
    }

    private var voicesFolder: String { installer.folder }

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
        try installer.remove((try folder(of: id).path as NSString).lastPathComponent)
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
            let receipt = installer.receipt(of: archive, entry.id)
            let voice = try await install(report: report, as: entry.id.rawValue, receipt) { folder in
                try await self.installer.unpack(archive.path, into: folder)
            }
            ModelInstaller.discard(archive)
            return voice
        } catch {
            if Self.isArchiveFault(for: error) { ModelInstaller.discard(archive) }
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
            let copy = try VoiceCopy(ofFolder: path, rules: installer.rules)
            return try await install(report: report, as: nil, installer.receipt(bytes: nil)) { try copy.make(in: $0) }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw VoiceInstallError.nothingToAdd }
        guard !(name ?? path).lowercased().hasSuffix(".onnx") else {
            let copy = try VoiceCopy(ofModel: path, rules: installer.rules)
            return try await install(report: report, as: nil, installer.receipt(bytes: nil)) { try copy.make(in: $0) }
        }
        let receipt = installer.receipt(bytes: Int64(status.st_size))
        return try await install(report: report, as: nil, receipt) { folder in
            try await self.installer.unpack(path, into: folder)
        }
    }

    private func install(
        report: @Sendable (InstallPhase) async -> Void,
        as folderName: String?,
        _ receipt: VoiceReceipt,
        fill: @Sendable (_ folder: String) async throws -> Void
    ) async throws -> InstalledVoice {
        let quarantine = try installer.quarantine()
        defer { quarantine.discard() }
        let contents = try installer.makeContents("contents", in: quarantine)
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
        var receipt = receipt
        receipt.currentLayout = heard.layout.isLasting ? heard.layout : nil
        return try installedVoice(in: VoiceFolder.find(at: try installer.finish(place, as: name, receipt)))
    }

    package func note(_ layout: ModelLayout, of folder: VoiceFolder) {
        guard var receipt = VoiceReceipt(at: folder.path), receipt.difference(at: folder.path) == nil else { return }
        receipt.currentLayout = layout
        let new = ".echotext-receipt.new"
        // Without the note, the layout is determined again.
        guard (try? installer.write(receipt, to: "\(folder.path)/\(new)")) != nil else { return }
        _ = rename("\(folder.path)/\(new)", "\(folder.path)/\(VoiceReceipt.fileName)")
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
}
