import API
import Crypto
package import EchoText
import Foundation
import Hummingbird
import Synchronization

/// `/api/library/imports`: sound files that become recordings.
struct ImportRoutes: Sendable {
    let studio: WebStudio
    private let imports = ImportGate()
    /// No file has more sound tracks.
    private static let highestTrack = 65_535

    init(studio: WebStudio) {
        self.studio = studio
    }

    func add(to group: RouterGroup<WebRequestContext>) {
        group.post("library/imports", use: add)
    }

    /// Imports a file, whose bytes are the body, for as long as the client waits; one that was imported before is refused
    /// unless `twin` says otherwise.
    func add(_ request: Request, _ context: WebRequestContext) async throws -> EditedResponse<SoundImportResponse> {
        let fileName = (request.text("name") ?? "").split(separator: "/").last.map(String.init) ?? ""
        let options = SoundImport.Options(
            name: try request.text("title").map { try ItemName($0) },
            language: try request.languageTag,
            keepsPart: try request.flag("keepPart") ?? false,
            track: try request.integer("track", in: 1...Self.highestTrack),
            twin: try request.choice("twin") ?? .refuse
        )
        let outcome: SoundImport.Outcome = try await SentFileFailure.naming(fileName) {
            let largest = SoundImport.largestFile
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > largest {
                throw SoundImportError.tooLarge(limit: largest)
            }
            return try await context.whileWaitedFor(on: studio.connections) {
                try await studio.librarySession.keepingOpen { open in
                    try await imports.pass {
                        try await take(request.body, called: fileName, options, into: open)
                    }
                }
            }
        }
        return EditedResponse(status: outcome.isReused ? .ok : .created, response: SoundImportResponse(outcome))
    }

    private func take(
        _ body: RequestBody,
        called fileName: String,
        _ options: SoundImport.Options,
        into open: OpenLibrary
    ) async throws -> SoundImport.Outcome {
        let file = try SealedUpload(in: studio.soundImports.folder)
        var count = 0
        for try await buffer in body {
            count += buffer.readableBytes
            try studio.soundImports.checkRoom(for: count)
            try await file.append(Data(buffer.readableBytesView))
        }
        try await file.finish()
        let importer = SoundImport(
            into: open.library.recordings,
            by: studio.soundImports.decoder,
            freeSpace: studio.soundImports.freeSpace
        )
        var options = options
        options.largestStored = try await open.library.settings.largestStoredFile()
        var outcome = try await importer.add(file, called: fileName, options)
        guard !outcome.isReused else { return outcome }
        await studio.events.post(.library(added: [outcome.item.id]))
        for id in outcome.discarded { await studio.events.post(.recording(id, nil)) }
        if let notice = await open.live.take(imported: outcome.item) { outcome.notices.append(notice) }
        return outcome
    }
}

/// The parts of the program with which sound files are imported.
package struct SoundImports: Sendable {
    package let decoder: any SoundFileDecoder
    /// The absolute path of the folder on whose disk files are stored while they are read.
    package let folder: String
    /// Returns the bytes that can still be written on that disk; `nil` if unknown.
    package let freeSpace: @Sendable () -> Int64?

    package init(
        decoder: any SoundFileDecoder,
        folder: String,
        freeSpace: @escaping @Sendable () -> Int64? = { nil }
    ) {
        (self.decoder, self.folder, self.freeSpace) = (decoder, folder, freeSpace)
    }

    /// Checks whether so much of a file may be stored while it is read.
    ///
    /// - Parameter count: Bytes.
    /// - Throws: ``SoundImportError/tooLarge(limit:)``, ``SoundImportError/noRoom``.
    func checkRoom(for count: Int) throws {
        guard count <= SoundImport.largestFile else {
            throw SoundImportError.tooLarge(limit: SoundImport.largestFile)
        }
        if let free = freeSpace(), free < SoundImport.reserve(for: Int64(count)) { throw SoundImportError.noRoom }
    }
}

extension Request {
    /// The language of the query, in canonical case.
    ///
    /// - Throws: ``WebError/badRequest(what:)``.
    fileprivate var languageTag: String? {
        get throws {
            try text("language").map(LanguageTag.asked)
        }
    }
}

/// An uploaded file, encrypted on disk: in an unnamed file, with a key that exists in memory only.
///
/// Hours of sound and pictures do not fit into memory, and a plain temporary file could be read by others or found
/// later.
final class SealedUpload: StoredBytes {
    /// Bytes that are sealed at once.
    private static let blockLength = 256 << 10
    /// ChaChaPoly's tag.
    private static let tagLength = 16

    private let descriptor: Int32
    private let key = SymmetricKey(size: .bits256)
    private let disk = BlockingExecutor(label: "upload")
    private let size = Atomic(0)
    /// The bytes that do not fill a block yet; empty once the upload is complete.
    private let rest = Mutex(Data())

    /// - Parameter folder: The folder whose disk is used.
    /// - Throws: ``VaultError/system(errno:)``.
    init(in folder: String) throws {
        descriptor = Self.unnamedFile(in: folder)
        guard descriptor >= 0 else { throw Self.failure }
    }

    /// Opens a file that has no name; −1 with the reason in `errno` when it cannot be had.
    private static func unnamedFile(in folder: String) -> Int32 {
        let unnamed = open(folder, __O_TMPFILE | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
        guard unnamed < 0, [EOPNOTSUPP, EISDIR].contains(errno) else { return unnamed }
        // Some file systems do not support unnamed files; the name is removed at once.
        var path = Array("\(folder)/.upload-XXXXXX".utf8CString)
        let named = mkstemp(&path)
        guard named >= 0 else { return named }
        unlink(path)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

    deinit { close(descriptor) }

    var length: Int { size.load(ordering: .acquiring) }

    /// Adds bytes; one caller at a time.
    func append(_ bytes: Data) async throws {
        let blocks = rest.withLock { rest in
            rest.append(bytes)
            var blocks: [Data] = []
            while rest.count >= Self.blockLength {
                blocks.append(Data(rest.prefix(Self.blockLength)))
                rest = Data(rest.dropFirst(Self.blockLength))
            }
            return blocks
        }
        for block in blocks { try await write(block) }
    }

    /// Completes the upload; it can be read only afterwards.
    func finish() async throws {
        let last = rest.withLock { rest in
            defer { rest = Data() }
            return rest
        }
        if !last.isEmpty { try await write(last) }
    }

    /// - Throws: ``VaultError/contentDamaged`` when the bytes on disk are not what was written.
    func read(_ range: Range<Int>) async throws -> Data {
        guard !range.isEmpty else { return Data() }
        let length = length
        return try await disk.run { [self] in
            var data = Data(capacity: range.count)
            for block in range.lowerBound / Self.blockLength...(range.upperBound - 1) / Self.blockLength {
                let start = block * Self.blockLength
                let opened = try opened(block, length: min(Self.blockLength, length - start))
                let part = range.clamped(to: start..<start + opened.count)
                data.append(opened[(part.lowerBound - start)..<(part.upperBound - start)])
            }
            return data
        }
    }

    private func write(_ block: Data) async throws {
        let start = length
        try await disk.run { [self] in
            let number = start / Self.blockLength
            let sealed = try ChaChaPoly.seal(block, using: key, nonce: Self.nonce(number))
            try Self.write(sealed.ciphertext + sealed.tag, to: descriptor, at: Self.place(of: number))
        }
        size.store(start + block.count, ordering: .releasing)
    }

    private func opened(_ number: Int, length: Int) throws -> Data {
        var sealed = Data(count: length + Self.tagLength)
        var done = 0
        while done < sealed.count {
            let count = sealed.withUnsafeMutableBytes {
                pread(
                    descriptor,
                    $0.baseAddress?.advanced(by: done),
                    $0.count - done,
                    off_t(Self.place(of: number) + done)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw VaultError.contentDamaged }
            done += count
        }
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: Self.nonce(number),
                ciphertext: sealed.prefix(length),
                tag: sealed.suffix(Self.tagLength)
            )
            return try ChaChaPoly.open(box, using: key)
        } catch {
            throw VaultError.contentDamaged
        }
    }

    /// Each number is used once under the key.
    private static func nonce(_ number: Int) throws -> ChaChaPoly.Nonce {
        let counter = withUnsafeBytes(of: UInt64(number).littleEndian) { Data($0) }
        return try ChaChaPoly.Nonce(data: counter + Data(count: 4))
    }

    private static func place(of number: Int) -> Int { number * (blockLength + tagLength) }

    private static func write(_ bytes: Data, to descriptor: Int32, at place: Int) throws {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(place + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            done += count
        }
    }

    /// The error of the system call that has just failed.
    private static var failure: VaultError { .system(errno: errno) }
}
