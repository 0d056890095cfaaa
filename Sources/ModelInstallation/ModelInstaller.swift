import CArchive  // also declares “struct stat”, and the compiler may attribute it to either
import EchoText
import FileSystem
import Foundation

/// The steps that the installations of voices, recognizers and diarization models share.
///
/// A model is assembled in a quarantine folder next to the others. The last step is a single `rename(2)`, so it is installed
/// completely or not at all, even if the program is killed.
struct ModelInstaller: Sendable {
    /// Absolute path of the folder of the models; it need not exist.
    let folder: String
    let unpacker: any ArchiveUnpacker
    /// The limits for archives and folders.
    let rules: ArchiveRules
    /// Returns the time of an installation.
    let now: @Sendable () -> Date

    /// The receipt of a download, still without files.
    func receipt(of archive: FetchedArchive, _ entry: CatalogueEntry.ID) -> ModelReceipt {
        ModelReceipt(
            entry: entry,
            url: archive.url,
            archiveBytes: archive.bytes,
            sha256: archive.sha256,
            installedAt: now().timeIntervalSince1970,
            files: [:]
        )
    }

    /// The receipt of a person's own model, still without files, by the size of its archive or file if there is one.
    func receipt(bytes: Int64?) -> ModelReceipt {
        ModelReceipt(
            entry: nil,
            url: nil,
            archiveBytes: bytes,
            sha256: nil,
            installedAt: now().timeIntervalSince1970,
            files: [:]
        )
    }

    /// Makes the quarantine folder in which a model is assembled.
    ///
    /// - Throws: ``ModelInstallError``.
    func quarantine() throws(ModelInstallError) -> Quarantine {
        try Disk.makeFolders(folder)
        return try Quarantine(in: folder)
    }

    /// Makes the folder that receives what is installed.
    ///
    /// - Returns: Its path.
    /// - Throws: ``ModelInstallError``.
    func makeContents(_ name: String, in quarantine: Quarantine) throws(ModelInstallError) -> String {
        let contents = "\(quarantine.path)/\(name)"
        guard mkdir(contents, 0o755) == 0 else { throw ModelInstallError(writing: errno, at: folder) }
        return contents
    }

    /// Unpacks an archive.
    ///
    /// - Throws: ``ModelInstallError``, `CancellationError`.
    func unpack(_ archive: String, into contents: String) async throws {
        var status = stat()
        guard stat(archive, &status) == 0 else { throw ModelInstallError.notAnArchive }
        let needed = CatalogueEntry.room(forUnpacking: Int64(status.st_size))
        if let free = FreeSpace.bytes(at: contents), free < needed {
            throw ModelInstallError.noSpace(needed: needed, free: free)
        }
        let writer = try PieceWriter(into: contents)
        try await unpacker.unpack(archive, by: rules) { try writer.take($0) }
        try writer.finish()
    }

    /// Moves an assembled model into place, with its receipt.
    ///
    /// - Parameters:
    ///   - model: The path of its folder.
    ///   - name: The name of its folder in its place.
    ///   - receipt: Its receipt, still without files.
    ///   - isUsable: Whether the folder in its place has a model that can be used; another one makes room.
    /// - Returns: The path of the installed model.
    /// - Throws: ``ModelInstallError/nameTaken(_:)`` where another one would be gone; ``ModelInstallError``.
    func finish(
        _ model: String,
        as name: String,
        _ receipt: ModelReceipt,
        sparing isUsable: (_ place: String) -> Bool = { _ in true }
    ) throws -> String {
        let place = "\(folder)/\(name)"
        if isUsable(place) { try check(name, for: model, from: receipt.entry) }
        var receipt = receipt
        receipt.files = ModelReceipt.files(in: model)
        try write(receipt, to: "\(model)/\(ModelReceipt.fileName)")
        try Disk.syncFiles(in: model)
        try Disk.move(model, to: place)
        try Disk.sync(folder)
        return place
    }

    /// Refuses a name that another model has, which a person may have nowhere else.
    ///
    /// The same one may come again, as may what the catalogue has by now, and one whose files have changed makes room.
    ///
    /// - Throws: ``ModelInstallError/nameTaken(_:)``.
    private func check(_ name: String, for model: String, from entry: CatalogueEntry.ID?) throws(ModelInstallError) {
        let place = "\(folder)/\(name)"
        let present = ModelReceipt(at: place)
        guard present?.difference(at: place) == nil, entry == nil || present?.entry != entry else { return }
        let isAnother = Self.models(in: place).contains { file in
            !FileManager.default.contentsEqual(atPath: "\(place)/\(file)", andPath: "\(model)/\(file)")
        }
        guard isAnother else { return }
        throw .nameTaken(ArchiveRules.shown(String(name.trimmingPrefix(Voice.ID.folderPrefix))))
    }

    /// The names of the models' own files in a folder.
    private static func models(in path: String) -> [String] {
        ModelReceipt.files(in: path).keys.filter { $0.hasSuffix(".onnx") || $0.hasSuffix(".ort") }
    }

    /// - Throws: ``ModelInstallError``, and what encoding throws.
    func write(_ receipt: ModelReceipt, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ModelInstallError(writing: errno, at: folder) }
        defer { close(file) }
        try receipt.encoded.withUnsafeBytes {
            try $0.writeAll(to: file) { ModelInstallError(writing: $0, at: folder) }
        }
    }

    /// Removes an installed model, by the name of its folder.
    ///
    /// - Throws: ``ModelInstallError``.
    func remove(_ name: String) throws {
        // From here on it is removed; the rest may be interrupted.
        let quarantine = try Quarantine(in: folder)
        defer { quarantine.discard() }
        guard rename("\(folder)/\(name)", "\(quarantine.path)/\(name)") == 0 else {
            throw ModelInstallError(writing: errno)
        }
        try Disk.sync(folder)
    }

    /// Removes a download that is not needed any more.
    static func discard(_ archive: FetchedArchive) {
        // If removal fails, the next download finds the archive complete, or removes it.
        _ = try? FileManager.default.removeItem(atPath: archive.path)
    }
}
