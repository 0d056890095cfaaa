import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
package import EchoText
import FileSystem
package import Foundation
import ONNXFormat

/// Installs recognizers and diarization models in a folder, each after a trial.
package actor FolderRecognizerInstaller: RecognizerInstaller {
    private let installer: ModelInstaller
    private let examiner: any RecognizerExaminer
    private let speakers: any SpeakerModelExaminer
    private let executor = BlockingExecutor(label: "echotext.recognizers")

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - folder: Absolute path of the folder of the recognizers; it need not exist.
    ///   - unpacker: Unpacks archives in isolation.
    ///   - examiner: Tries recognizers.
    ///   - speakers: Tries models that tell speakers apart.
    ///   - rules: The limits for archives and folders.
    ///   - now: Returns the time of an installation.
    package init(
        in folder: String,
        unpacker: any ArchiveUnpacker,
        examiner: any RecognizerExaminer,
        speakers: any SpeakerModelExaminer,
        rules: ArchiveRules = ArchiveRules(),
        now: @escaping @Sendable () -> Date = Date.init
    ) {
        installer = ModelInstaller(folder: folder, unpacker: unpacker, rules: rules, now: now)
        (self.examiner, self.speakers) = (examiner, speakers)
    }

    private var folder: String { installer.folder }

    package func installed() -> [InstalledRecognizer] {
        RecognizerFolders(in: folder).contents().map { name, result in
            InstalledRecognizer(folder: name, result: result, receipt: ModelReceipt(at: "\(folder)/\(name)"))
        }
    }

    package func speakerModels() -> [SpeakerModel] { RecognizerFolders(in: folder).speakerModels() }

    package func install(
        _ archive: FetchedArchive,
        of entry: CatalogueEntry,
        report: @Sendable (InstallPhase) async -> Void
    ) async throws -> AddedModel {
        let receipt = installer.receipt(of: archive, entry.id)
        do {
            let installed = try await install(as: entry.id.rawValue, receipt, of: entry, report) { folder in
                if entry.isPacked {
                    try await self.unpack(archive.path, into: folder)
                } else {
                    try Self.copy(archive.path, to: "\(folder)/\(entry.archive)")
                }
            }
            ModelInstaller.discard(archive)
            return installed
        } catch {
            if Self.isArchiveFault(for: error) { ModelInstaller.discard(archive) }
            throw error
        }
    }

    package func add(_ path: String, report: @Sendable (InstallPhase) async -> Void) async throws -> AddedModel {
        var status = stat()
        guard stat(path, &status) == 0 else { throw RecognitionError.notARecognizer }
        let receipt = installer.receipt(bytes: status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil)
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let found = try Self.found(at: path)
            return try await install(as: found.name, receipt, report) { folder in
                try FolderCopy(of: found.path, rules: self.installer.rules).make(in: folder)
            }
        case S_IFREG where path.hasSuffix(SpeakerModel.ending):
            let name = String((path as NSString).lastPathComponent.dropLast(SpeakerModel.ending.count))
            return try await install(as: name, receipt, report) { folder in
                let copy = FolderCopy(of: (path as NSString).deletingLastPathComponent, rules: self.installer.rules)
                try copy.make(in: folder, only: (path as NSString).lastPathComponent)
            }
        case S_IFREG:
            return try await install(as: nil, receipt, report) { try await self.unpack(path, into: $0) }
        default: throw RecognitionError.notARecognizer
        }
    }

    /// The folder of a diarization model, even if its files have changed.
    private func speakerFolder(of id: Recognizer.ID) -> String? {
        // A home for recognizers that does not exist yet holds none.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.first { SpeakerModel.find(at: "\(folder)/\($0)")?.id == id }
    }

    package func remove(_ id: Recognizer.ID) throws {
        let name =
            installed().first { $0.recognizer?.recognizer.id == id }?.folder
            ?? speakerFolder(of: id)
        guard let name else { throw RecognitionError.noSuchRecognizer(id) }
        try installer.remove(name)
    }

    package func sweep() -> Int { Quarantine.sweep(folder) }

    private func install(
        as wanted: String?,
        _ receipt: ModelReceipt,
        of entry: CatalogueEntry? = nil,
        _ report: @Sendable (InstallPhase) async -> Void,
        fill: @Sendable (_ folder: String) async throws -> Void
    ) async throws -> AddedModel {
        let quarantine = try installer.quarantine()
        defer { quarantine.discard() }
        // The name determines a recognizer's kind; without a requested name, that of the archive's own folder is used.
        let contents = try installer.makeContents(Self.plain(wanted ?? "contents"), in: quarantine)
        await report(.extracting)
        try await fill(contents)
        try Task.checkCancellation()
        if entry == nil { try Self.refuseSeveral(in: contents) }
        let found = try Self.model(in: contents)
        if let entry { try Self.check(found, for: entry) }
        let name = try Self.name(of: found)
        await report(.validating)
        try await examine(found)
        try Task.checkCancellation()
        // Nobody can remove one that is incomplete.
        let place = try installer.finish(found.path, as: name, receipt) { (try? Self.found(at: $0)) != nil }
        return try Self.found(at: place).added
    }

    /// - Throws: ``SpeakerError/badModel(_:)`` or ``RecognitionError/notARecognizer`` where the entry is of another kind.
    private static func check(_ found: FoundModel, for entry: CatalogueEntry) throws {
        switch (entry.kind, found) {
        case (.recognizer, .recognizer): return
        case (.speakers(let kind), .speakers(let model)) where model.kind == kind: return
        case (.speakers, _): throw SpeakerError.badModel(entry.id.rawValue)
        default: throw RecognitionError.notARecognizer
        }
    }

    private func examine(_ found: FoundModel) async throws {
        switch found {
        case .recognizer(let folder):
            for file in [folder.file(.tokens), folder.file(.vocabulary)].compactMap(\.self)
            where Disk.size(of: file) > Self.largestList {
                throw RecognitionError.badModel((file as NSString).lastPathComponent)
            }
            try await examiner.examine(folder.recognizer)
        case .speakers(let model):
            try SpeakerModelMetadata.check(model)
            // A single diarization model cannot be tried.
            guard let models = try? SpeakerModels(of: [model] + speakerModels()) else { return }
            try await speakers.examine(models)
        }
    }

    /// The most bytes of a list of tokens, which is read into memory whole.
    private static let largestList: Int64 = 16_000_000

    /// The name of a model's folder.
    ///
    /// That of a recognizer becomes its id, and ids are written one after another with spaces between.
    private static func name(of found: FoundModel) throws(ModelInstallError) -> String {
        let name = try plain(found.name)
        guard case .recognizer = found else { return name }
        let isID = name.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+": true
            default: false
            }
        }
        guard isID else { throw .forbidden(.badName, name: ArchiveRules.shown(name)) }
        return name
    }

    /// Finds the model in the folder at `path`.
    private static func found(at path: String) throws(RecognitionError) -> FoundModel {
        if let model = SpeakerModel.find(at: path) { return .speakers(model) }
        return .recognizer(try RecognizerFolder.find(at: path))
    }

    /// The model in a folder, or in the first subfolder that contains one.
    private static func model(in contents: String) throws(RecognitionError) -> FoundModel {
        // A folder that cannot be listed counts as empty.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
        var fault: RecognitionError
        do {
            return try found(at: contents)
        } catch {
            fault = error
        }
        for name in names where !name.hasPrefix(".") {
            do {
                return try found(at: "\(contents)/\(name)")
            } catch .notARecognizer {
                continue
            } catch {
                if fault == .notARecognizer { fault = error }
            }
        }
        throw fault
    }

    /// Refuses a folder in whose subfolders several models are: all but one would be left out.
    ///
    /// - Throws: ``ModelInstallError/several(_:)``.
    private static func refuseSeveral(in contents: String) throws(ModelInstallError) {
        guard (try? found(at: contents)) == nil else { return }
        // A folder that cannot be listed counts as empty.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []).sorted()
        let folders = names.filter { !$0.hasPrefix(".") && (try? found(at: "\(contents)/\($0)")) != nil }
        guard folders.count > 1 else { return }
        throw .several(folders.map { ArchiveRules.shown($0) })
    }

    private static func plain(_ name: String) throws(ModelInstallError) -> String {
        let parts = try ArchiveRules.parts(of: name)
        guard parts.count == 1, let only = parts.first, !ArchiveRules.isHidden(only), only.utf8.count <= 200 else {
            throw .forbidden(.badName, name: ArchiveRules.shown(name))
        }
        return only
    }

    private func unpack(_ archive: String, into folder: String) async throws {
        do {
            try await installer.unpack(archive, into: folder)
        } catch ModelInstallError.notAnArchive {
            throw RecognitionError.notARecognizer
        }
    }

    private static func copy(_ file: String, to place: String) throws(ModelInstallError) {
        do {
            try FileManager.default.copyItem(atPath: file, toPath: place)
        } catch {
            throw .cannotWrite
        }
    }

    /// Whether the archive itself caused this error, so that it must be discarded.
    private static func isArchiveFault(for error: any Error) -> Bool {
        switch error {
        case RecognitionError.notARecognizer, RecognitionError.missingFile, RecognitionError.unsupportedModel,
            RecognitionError.badModel, SpeakerError.badModel:
            true
        case ModelInstallError.forbidden, ModelInstallError.damagedArchive, ModelInstallError.tooManyFiles,
            ModelInstallError.tooMuchInside, ModelInstallError.bomb:
            true
        default: false
        }
    }
}

/// The content of a folder.
private enum FoundModel {
    case recognizer(RecognizerFolder)
    case speakers(SpeakerModel)

    var path: String {
        switch self {
        case .recognizer(let folder): folder.path
        case .speakers(let model): model.path
        }
    }

    var name: String { (path as NSString).lastPathComponent }

    var added: AddedModel {
        switch self {
        case .recognizer(let folder): .recognizer(folder.recognizer)
        case .speakers(let model): .speakers(model)
        }
    }
}

/// Copies the plain files that lie in a folder; folders within it and hidden files stay behind.
private struct FolderCopy {
    let path: String
    let rules: ArchiveRules

    init(of path: String, rules: ArchiveRules) {
        (self.path, self.rules) = (path, rules)
    }

    /// - Parameters:
    ///   - folder: The destination of the copies.
    ///   - only: The only file to copy; `nil` for all.
    /// - Throws: ``ModelInstallError``, `CancellationError`.
    func make(in folder: String, only: String? = nil) throws {
        // A folder that cannot be listed counts as empty, which the search for a recognizer reports.
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().filter { name in
            var status = stat()
            guard only.map({ $0 == name }) ?? true else { return false }
            return !name.hasPrefix(".") && stat("\(path)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        let size = names.map { Disk.size(of: "\(path)/\($0)") }.totalSize
        guard size <= rules.maximumBytes else {
            throw ModelInstallError.tooMuchInside(limit: Int64(rules.maximumBytes))
        }
        if let free = FreeSpace.bytes(at: folder), free < size {
            throw ModelInstallError.noSpace(needed: size, free: free)
        }
        for name in names {
            try Task.checkCancellation()
            do {
                try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(folder)/\(name)")
            } catch {
                throw ModelInstallError.cannotWrite
            }
        }
    }
}

/// Stores in a hidden file of the recognizers' folder how long they have needed; only their ids and two numbers each are in it.
package struct RecognizerPaceFile: RecognizerPaceStore {
    private let folder: String
    private let disk = BlockingExecutor(label: "echotext.paces")

    /// The most bytes that are read, for many recognizers.
    private static let largest = 1_000_000

    /// - Parameter folder: The folder of the recognizers; made when something is stored.
    package init(in folder: String) {
        self.folder = folder
    }

    private var path: String { "\(folder)/.paces.json" }

    package func paces() async -> RecognizerPaces {
        await disk.run { [path] in Self.read(path) }
    }

    package func note(_ recognizer: Recognizer.ID, length: Double, took: Double) async {
        await disk.run { [folder, path] in
            let before = Self.read(path)
            var paces = before
            paces.note(recognizer, length: length, took: took)
            guard paces != before, let data = try? JSONEncoder().encode(paces) else { return }
            // A pace that cannot be stored is measured again the next time.
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try? AtomicFile.write(data, to: path)
        }
    }

    /// A file that cannot be read, or is larger than any, counts as missing.
    private static func read(_ path: String) -> RecognizerPaces {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        guard let size = (facts?[.size] as? NSNumber)?.intValue, size <= largest,
            let data = FileManager.default.contents(atPath: path)
        else { return RecognizerPaces() }
        return (try? JSONDecoder().decode(RecognizerPaces.self, from: data)) ?? RecognizerPaces()
    }
}

/// The metadata that sherpa-onnx reads from a diarization model before it uses the model.
///
/// It ends its process if a segmentation model lacks an entry, and reads out of bounds if a file is not an embedding
/// model: both are rejected here.
enum SpeakerModelMetadata {
    /// - SeeAlso: `offline-speaker-segmentation-pyannote-model.cc` and `speaker-embedding-extractor-model.cc` of
    ///   github.com/k2-fsa/sherpa-onnx.
    private static func needed(by kind: SpeakerModel.Kind) -> Set<String> {
        switch kind {
        case .segmentation:
            [
                "sample_rate", "window_size", "receptive_field_size", "receptive_field_shift", "num_speakers",
                "powerset_max_classes", "num_classes",
            ]
        case .embedding: ["framework", "output_dim", "sample_rate"]
        }
    }

    /// - Throws: ``SpeakerError/badModel(_:)``.
    static func check(_ model: SpeakerModel) throws(SpeakerError) {
        guard let bytes = try? Data(contentsOf: URL(filePath: model.model), options: .alwaysMapped),
            let metadata = ONNXMetadata(of: bytes), needed(by: model.kind).isSubset(of: metadata.keys)
        else { throw .badModel(model.name) }
    }
}
