import EchoText
import FileSystem
import Foundation

/// Stores received files, each in its own quarantine; a later sweep removes those of a program that ended.
package struct FolderVoiceInbox: VoiceInbox {
    private let voicesFolder: String
    private let disk = BlockingExecutor(label: "echotext.inbox")

    /// - Parameter voicesFolder: Absolute path of the folder of the voices; it need not exist.
    package init(in voicesFolder: String) {
        self.voicesFolder = voicesFolder
    }

    package func hold<Output: Sendable>(
        named name: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void,
        _ work: (_ path: String) async throws -> Output
    ) async throws -> Output {
        let quarantine = try await disk.run { [voicesFolder] in
            try Disk.makeFolders(voicesFolder)
            return try Quarantine(in: voicesFolder)
        }
        do {
            let path = "\(quarantine.path)/\(Self.safe(name))"
            try await write(path, filledBy: fill)
            let output = try await work(path)
            await disk.run { quarantine.discard() }
            return output
        } catch {
            await disk.run { quarantine.discard() }
            throw error
        }
    }

    private func write(
        _ path: String,
        filledBy fill: (_ take: ([UInt8]) async throws -> Void) async throws -> Void
    ) async throws {
        let file = try await disk.run { [voicesFolder] in try UploadedFile(path, in: voicesFolder) }
        do {
            try await fill { try await file.append($0) }
        } catch {
            await file.close()
            throw error
        }
        await file.close()
    }

    /// `name` without folders and with only letters, digits and `_-.+`.
    static func safe(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let kept = String(
            last.unicodeScalars.filter { $0.properties.isAlphabetic || "0123456789_-.+".unicodeScalars.contains($0) }
        )
        let bare = kept.drop { $0 == "." }
        return bare.isEmpty ? "voice" : String(bare.suffix(100))
    }
}

/// Writes a received file on a thread outside the shared pool.
private actor UploadedFile {
    private let voicesFolder: String
    private var descriptor: Int32
    private var bytes: Int64 = 0
    private let executor = BlockingExecutor(label: "echotext.inbox")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``ModelInstallError``.
    init(_ path: String, in voicesFolder: String) throws(ModelInstallError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        self.voicesFolder = voicesFolder
        guard descriptor >= 0 else { throw ModelInstallError(writing: errno, at: voicesFolder) }
    }

    /// - Throws: ``ModelInstallError``.
    func append(_ piece: [UInt8]) throws {
        let needed = bytes + Int64(piece.count)
        try piece.withUnsafeBytes {
            try $0.writeAll(to: descriptor) { ModelInstallError(writing: $0, needed: needed, at: voicesFolder) }
        }
        bytes = needed
    }

    func close() {
        if descriptor >= 0 { _ = Foundation.close(descriptor) }
        descriptor = -1
    }
}
