import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
package import EchoText
import FileSystem
package import Foundation
import ONNXFormat

/// Installs voices in a folder, each after a test.
package actor FolderVoiceInstaller: VoiceInstaller {
    private let installer: ModelInstaller
    private let examiner: any VoiceExaminer
    private let executor = BlockingExecutor(label: "echotext.voices")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - voicesFolder: Absolute path of the folder of the voices; it need not exist.
    ///   - unpacker: Unpacks archives in isolation.
    ///   - examiner: Recognizes and tests voices.
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
            return (voice, VoiceFault(in: folder, error: ModelInstallError.altered(folder.id, file: name)))
        } catch {
            let known = error as? any UserFacingError
            return (nil, VoiceFault(in: folder, error: known ?? VoiceFolderError.unreadableFile(folder.modelFile)))
        }
    }

    package func remove(_ id: Voice.ID) throws {
        guard Voice.Engine(of: id) != .espeakNG else { throw ModelInstallError.builtIn(id) }
        try installer.remove((try folder(of: id).path as NSString).lastPathComponent)
    }

    package func sweep() -> Int { Quarantine.sweep(voicesFolder) }

    private func folder(of id: Voice.ID) throws -> VoiceFolder {
        let same = VoiceFolder.all(in: voicesFolder).filter { $0.id == id }
        guard let folder = same.first(where: { look(at: $0).fault == nil }) ?? same.first else {
            throw ModelInstallError.notInstalled(id)
        }
        return folder
    }

    private func installedVoice(in folder: VoiceFolder) throws -> InstalledVoice {
        let path = folder.path
        let voice = try examiner.voice(at: path)
        let receipt = ModelReceipt(at: path)
        // A missing or unreadable card gives no information.
        let card = try? String(contentsOfFile: "\(path)/MODEL_CARD", encoding: .utf8)
        return InstalledVoice(
            voice: voice,
            folder: (path as NSString).lastPathComponent,
            quality: NeuralVoiceName(of: voice.id)?.quality,
            bytes: (receipt?.files ?? ModelReceipt.files(in: path)).values.totalSize,
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
        guard stat(path, &status) == 0 else { throw ModelInstallError.nothingToAdd }
        if status.st_mode & S_IFMT == S_IFDIR {
            try VoiceFolderLayout.refuseSeveral(in: path)
            let copy = try VoiceCopy(ofFolder: path, rules: installer.rules)
            return try await install(report: report, as: nil, installer.receipt(bytes: nil)) { try copy.make(in: $0) }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ModelInstallError.nothingToAdd }
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
        _ receipt: ModelReceipt,
        fill: @Sendable (_ folder: String) async throws -> Void
    ) async throws -> InstalledVoice {
        let quarantine = try installer.quarantine()
        defer { quarantine.discard() }
        let contents = try installer.makeContents("contents", in: quarantine)
        await report(.extracting)
        try await fill(contents)
        try Task.checkCancellation()
        if folderName == nil { try VoiceFolderLayout.refuseSeveral(in: contents) }
        let (found, foundName) = try VoiceFolderLayout.voice(in: contents)
        let name = try VoiceFolderLayout.folderName(folderName ?? foundName, model: found.name)
        let place = "\(quarantine.path)/\(name)"
        guard rename(found.path, place) == 0 else { throw ModelInstallError(writing: errno, at: voicesFolder) }
        try VoiceCompletion(of: place, named: found.name)?.complete()
        await report(.validating)
        let examined = try await examiner.examine(place)
        try Task.checkCancellation()
        var receipt = receipt
        receipt.currentLayout = examined.layout.isLasting ? examined.layout : nil
        return try installedVoice(in: VoiceFolder.find(at: try installer.finish(place, as: name, receipt)))
    }

    package func note(_ layout: ModelLayout, of folder: VoiceFolder) {
        guard var receipt = ModelReceipt(at: folder.path), receipt.difference(at: folder.path) == nil else { return }
        receipt.currentLayout = layout
        let new = ".echotext-receipt.new"
        // Without the note, the layout is determined again.
        guard (try? installer.write(receipt, to: "\(folder.path)/\(new)")) != nil else { return }
        _ = rename("\(folder.path)/\(new)", "\(folder.path)/\(ModelReceipt.fileName)")
    }

    /// Whether the archive itself caused this error, so that it must be discarded.
    private static func isArchiveFault(for error: any Error) -> Bool {
        switch error {
        case ModelInstallError.noSpace, ModelInstallError.cannotWrite, ModelInstallError.cannotStartUnpacker: false
        // The machine may have been busy; the archive was checked on arrival.
        case ModelInstallError.tooSlow, ModelInstallError.unpackerDied: false
        // It can be installed once the other one is deleted.
        case ModelInstallError.nameTaken: false
        case is ModelInstallError, is VoiceFolderError: true
        default: false
        }
    }
}

/// The layout of the voices folder: one subfolder for each voice, named like sherpa-onnx's archives.
enum VoiceFolderLayout {
    /// Finds the unpacked voice: in the folder itself, or in a subfolder.
    ///
    /// - Returns: The voice, and the name of its folder if that is meaningful.
    /// - Throws: ``VoiceFolderError/notAVoiceFolder``.
    static func voice(in contents: String) throws(VoiceFolderError) -> (folder: VoiceFolder, name: String?) {
        if let folder = try? VoiceFolder.find(at: contents) { return (folder, nil) }
        // A folder that cannot be listed contains no voice.
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
        where !name.hasPrefix(".") {
            guard let folder = try? VoiceFolder.find(at: "\(contents)/\(name)") else { continue }
            return (folder, name)
        }
        throw .notAVoiceFolder
    }

    /// Refuses a folder in which, or in whose subfolders, several voices are: all but one would be left out.
    ///
    /// - Throws: ``ModelInstallError/several(_:)``.
    static func refuseSeveral(in contents: String) throws(ModelInstallError) {
        var models = VoiceFolder.describedModels(at: contents)
        if (try? VoiceFolder.find(at: contents)) == nil {
            // A folder that cannot be listed contains no voice.
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
            let folders = names.filter { name in
                !name.hasPrefix(".") && (try? VoiceFolder.find(at: "\(contents)/\(name)")) != nil
            }
            models = folders.count == 1 ? VoiceFolder.describedModels(at: "\(contents)/\(folders[0])") : folders
        }
        guard models.count > 1 else { return }
        throw .several(models.map { ArchiveRules.shown($0) })
    }

    /// The name of the voice's folder.
    ///
    /// - Parameters:
    ///   - wanted: The folder's former name; used if it has the usual form.
    ///   - model: The model's name, from which a name is made otherwise.
    /// - Returns: A plain file name.
    /// - Throws: ``ModelInstallError/forbidden(_:name:)``.
    static func folderName(_ wanted: String?, model: String) throws(ModelInstallError) -> String {
        let prefix = Voice.ID.folderPrefix
        let name = wanted.flatMap { $0.hasPrefix(prefix) ? $0 : nil } ?? prefix + model
        let parts = try ArchiveRules.parts(of: name)
        guard parts.count == 1, let only = parts.first, !ArchiveRules.isHidden(only), only.utf8.count <= 200 else {
            throw .forbidden(.badName, name: ArchiveRules.shown(name))
        }
        return only
    }
}

/// Adds what sherpa-onnx needs to a Piper voice from another source: metadata in the model, and `tokens.txt`.
///
/// Both are derived from the `.onnx.json`. Existing data stays unchanged; the examiner reports what could not be
/// derived.
struct VoiceCompletion {
    /// The limit on the description, in bytes.
    private static let largestDescription = 4 << 20

    private let folder: String
    private let name: String
    private let description: Description

    /// Fails for a folder whose description cannot be read.
    ///
    /// - Parameters:
    ///   - folder: The voice's folder, whose files may be changed.
    ///   - name: The model's file name without `.onnx`.
    init?(of folder: String, named name: String) {
        let url = URL(filePath: "\(folder)/\(name).onnx.json")
        // The voice's examiner reports the file's error.
        guard let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= Self.largestDescription,
            let data = try? Data(contentsOf: url),
            let description = try? JSONDecoder().decode(Description.self, from: data)
        else { return nil }
        (self.folder, self.name, self.description) = (folder, name, description)
    }

    /// Adds the missing parts.
    ///
    /// - Throws: ``ModelInstallError``.
    func complete() throws {
        let tokens = "\(folder)/tokens.txt"
        if !FileManager.default.fileExists(atPath: tokens), !description.symbols.isEmpty {
            try Self.append(Data(description.tokens.utf8), to: tokens)
        }
        let model = "\(folder)/\(name).onnx"
        guard let bytes = try? Data(contentsOf: URL(filePath: model), options: .alwaysMapped),
            let metadata = ONNXMetadata(of: bytes)
        else { return }
        let missing = notes.filter { !metadata.keys.contains($0.key) }
        guard !missing.isEmpty else { return }
        try Self.append(ONNXMetadata.ending(adding: missing), to: model)
    }

    /// - SeeAlso: sherpa-onnx's `docs/source/onnx/tts/piper.rst`, which requires these.
    private var notes: [(key: String, value: String)] {
        let voice = description.espeak?.voice ?? description.language?.code ?? String(name.prefix { $0 != "-" })
        return [
            ("model_type", "vits"),
            ("comment", "piper"),
            ("language", description.language?.englishName ?? voice),
            ("voice", voice),
            ("has_espeak", description.phonemeType == "text" ? "0" : "1"),
            ("n_speakers", String(description.speakers ?? 1)),
            ("sample_rate", String(description.audio.sampleRate)),
        ]
    }

    private static func append(_ bytes: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ModelInstallError(writing: errno, at: path) }
        defer { close(file) }
        try bytes.withUnsafeBytes { try $0.writeAll(to: file) { ModelInstallError(writing: $0, at: path) } }
    }
}

/// The parts of `.onnx.json` that are used here.
private struct Description: Decodable {
    struct Audio: Decodable {
        let sampleRate: Int

        enum CodingKeys: String, CodingKey {
            case sampleRate = "sample_rate"
        }
    }

    struct Espeak: Decodable {
        let voice: String
    }

    struct Language: Decodable {
        let code: String
        let englishName: String?

        enum CodingKeys: String, CodingKey {
            case code
            case englishName = "name_english"
        }
    }

    let audio: Audio
    let espeak: Espeak?
    let language: Language?
    let phonemeType: String?
    let speakers: Int?
    let symbols: [String: [Int]]

    enum CodingKeys: String, CodingKey {
        case audio
        case espeak
        case language
        case phonemeType = "phoneme_type"
        case speakers = "num_speakers"
        case symbols = "phoneme_id_map"
    }

    /// A line for each symbol of a single scalar; the engine accepts no others.
    var tokens: String {
        let single = symbols.compactMap { symbol, numbers in
            symbol.unicodeScalars.count == 1 ? numbers.first.map { (number: $0, symbol: symbol) } : nil
        }
        return single.sorted { ($0.number, $0.symbol) < ($1.number, $1.symbol) }
            .map { "\($0.symbol) \($0.number)\n" }.joined()
    }
}

/// Copies a person's own voice: only the files that belong to the voice.
struct VoiceCopy {
    private let rules: ArchiveRules
    /// The source path of each file, by its new name.
    private var sources: [String: String] = [:]

    /// The voice in a folder, in the layout of sherpa-onnx or of Piper.
    ///
    /// - Throws: The errors of ``VoiceFolder/find(at:)``.
    init(ofFolder path: String, rules: ArchiveRules) throws {
        self.rules = rules
        let model = try VoiceFolder.find(at: path).modelFile
        for name in [model, "\(model).json", "tokens.txt", "MODEL_CARD", "LICENSE", "README.md"] {
            add("\(path)/\(name)", as: name)
        }
    }

    /// A model with its description next to it; an existing `tokens.txt` may belong to another voice and is not copied.
    ///
    /// - Throws: ``VoiceFolderError/missingFile(_:)`` for the description.
    init(ofModel path: String, rules: ArchiveRules) throws {
        self.rules = rules
        let name = (path as NSString).lastPathComponent
        let folder = (path as NSString).deletingLastPathComponent
        sources[name] = path
        add("\(path).json", as: "\(name).json")
        if sources["\(name).json"] == nil { add("\(path.dropLast(".onnx".count)).json", as: "\(name).json") }
        guard sources["\(name).json"] != nil else { throw VoiceFolderError.missingFile("\(name).json") }
        add("\(folder)/MODEL_CARD", as: "MODEL_CARD")
    }

    private mutating func add(_ path: String, as name: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        sources[name] = path
    }

    /// Writes the copies.
    ///
    /// - Parameter folder: The target folder; must be empty.
    /// - Throws: ``ModelInstallError``, ``VoiceFolderError/unreadableFile(_:)`` or `CancellationError`.
    func make(in folder: String) throws {
        let size = sources.values.map { Disk.size(of: $0) }.totalSize
        guard size <= rules.maximumBytes else {
            throw ModelInstallError.tooMuchInside(limit: Int64(rules.maximumBytes))
        }
        if let free = FreeSpace.bytes(at: folder), free < size {
            throw ModelInstallError.noSpace(needed: size, free: free)
        }
        let writer = try PieceWriter(into: folder)
        for (name, path) in sources.sorted(by: { $0.key < $1.key }) {
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard file >= 0 else { throw VoiceFolderError.unreadableFile(name) }
            defer { close(file) }
            try writer.take(.file(name))
            while let bytes = try Self.read(file, name) {
                try Task.checkCancellation()
                try writer.take(.bytes(bytes))
            }
        }
        try writer.finish()
    }

    private static func read(_ file: Int32, _ name: String) throws -> [UInt8]? {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            var read: Int
            repeat { read = Glibc.read(file, buffer.baseAddress, buffer.count) } while read < 0 && errno == EINTR
            failed = read < 0
            count = max(0, read)
        }
        guard !failed else { throw VoiceFolderError.unreadableFile(name) }
        return bytes.isEmpty ? nil : bytes
    }
}
