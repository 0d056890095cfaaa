import Crypto
import EchoText
import FileSystem
import Foundation
import NIOCore

#if canImport(Glibc)
import Glibc
#endif

/// The file in which an archive gathers, held by one process at a time, and a note of what it belongs to.
///
/// Whenever the program ends, the file holds the beginning of the archive that the note describes.
actor PartialArchive {
    /// Identifies the archive whose beginning the bytes are.
    struct Note: Codable, Equatable {
        /// Where they came from.
        var place: String
        /// The server's tag for the content; `nil` when the server sends none that identifies it.
        var tag: String?
        /// How many bytes there will be.
        var total: Int64?
        /// Whether the archive is complete, for servers that do not send ``total`` beforehand.
        var isWhole = false
    }

    private let id: CatalogueEntry.ID
    private let path: String
    private let freeSpace: @Sendable (String) -> Int64?
    private let executor = BlockingExecutor(label: "echotext.download")
    private var file: LockableFile?
    private var digest = SHA256()
    private(set) var bytes: Int64 = 0
    private(set) var note: Note?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens nothing.
    init(_ id: CatalogueEntry.ID, in folder: String, freeSpace: @escaping @Sendable (String) -> Int64?) {
        self.id = id
        path = Self.path(of: id, in: folder)
        self.freeSpace = freeSpace
    }

    static let ending = ".partial"

    static func path(of id: CatalogueEntry.ID, in folder: String) -> String { "\(folder)/\(id.rawValue)\(ending)" }

    private static func notePath(_ path: String) -> String { path + ".json" }

    /// The entries of which a folder holds a part of the archive.
    ///
    /// - Parameters:
    ///   - folder: Where archives gather; need not be there.
    ///   - ofNotes: Whether notes without an archive count too.
    /// - Returns: Their ids, by name.
    static func begun(in folder: String, ofNotes: Bool = false) -> [CatalogueEntry.ID] {
        // A folder that is not there holds nothing.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let ending = ofNotes ? notePath(Self.ending) : Self.ending
        return names.sorted().compactMap { name in
            guard name.hasSuffix(ending) else { return nil }
            let id = CatalogueEntry.ID(rawValue: String(name.dropLast(ending.count)))
            guard !ofNotes || access(Self.path(of: id, in: folder), F_OK) != 0 else { return nil }
            return isPlain(id) ? id : nil
        }
    }

    /// Whether the folder may hold an archive of that name.
    static func isPlain(_ id: CatalogueEntry.ID) -> Bool {
        [".tar.bz2", SpeakerModel.ending].contains { CatalogueEntry(archive: id.rawValue + $0)?.id == id }
    }

    static func note(at path: String) -> Note? {
        // A note that cannot be read says nothing, and the bytes are of no use.
        guard let data = FileManager.default.contents(atPath: notePath(path)), data.count < 65_536 else { return nil }
        return try? JSONDecoder().decode(Note.self, from: data)
    }

    /// Takes hold of the file, made when it is not there, and reads the part that was downloaded before.
    ///
    /// - Throws: ``ModelDownloadError/busy(_:)``, ``ModelDownloadError/cannotWrite``.
    func open() throws {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ModelDownloadError.cannotWrite
        }
        repeat { try hold() } while isOrphan
        note = Self.note(at: path)
        if note == nil { try restart(nil) } else { try readExistingPart() }
    }

    private func hold() throws {
        closeFile()
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ModelDownloadError.cannotWrite }
        let opened = LockableFile(descriptor)
        guard let isOurs = try? opened.lock() else { throw ModelDownloadError.cannotWrite }
        guard isOurs else { throw ModelDownloadError.busy(id) }
        file = opened
    }

    /// −1 while the file is not held.
    private var descriptor: Int32 { file?.descriptor ?? -1 }

    /// Whether somebody has removed the file since it was opened.
    private var isOrphan: Bool { file?.isRemoved ?? false }

    /// Removes the file and its note, and closes it; does nothing for one that is not held.
    func remove() {
        guard file != nil else { return }
        // If the file was removed meanwhile, the one at that path belongs to another process.
        if !isOrphan || access(path, F_OK) != 0 {
            // The note goes last: bytes without one are of no use, and are taken away when they are found.
            for path in [path, Self.notePath(path)] { _ = unlink(path) }
        }
        bytes = 0
        note = nil
        digest = SHA256()
        closeFile()
    }

    /// Closes the file; what is in it stays, and an empty one goes, as does the note of one that somebody has removed.
    func close() {
        if bytes == 0 || isOrphan { remove() }
        closeFile()
    }

    private func closeFile() { file = nil }

    /// Whether nothing is missing, by what the note says.
    var isWhole: Bool { note.map { bytes > 0 && ($0.isWhole || $0.total == bytes) } ?? false }

    var sha256: String { digest.finalize().map { String(format: "%02x", $0) }.joined() }

    /// Discards what is there.
    ///
    /// - Parameter note: What comes next; `nil` for nothing.
    /// - Throws: ``ModelDownloadError/cannotWrite``.
    func restart(_ note: Note?) throws {
        // In this order: at no moment does a note stand beside bytes of another archive.
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw ModelDownloadError.cannotWrite
        }
        bytes = 0
        digest = SHA256()
        self.note = nil
        if let note { try write(note) } else { _ = unlink(Self.notePath(path)) }
    }

    /// Keeps what has become known of the archive.
    ///
    /// - Throws: ``ModelDownloadError/cannotWrite``.
    func write(_ note: Note) throws {
        do {
            try AtomicFile.write(JSONEncoder().encode(note), to: Self.notePath(path), permissions: 0o666)
        } catch {
            throw ModelDownloadError.cannotWrite
        }
        self.note = note
    }

    /// Puts bytes at the end.
    ///
    /// - Throws: ``ModelDownloadError/noSpace(needed:free:)``, ``ModelDownloadError/cannotWrite``.
    func append(_ buffer: ByteBuffer) throws {
        try buffer.withUnsafeReadableBytes { whole in
            try whole.writeAll { rest in
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: rest[..<count]))
                    bytes += Int64(count)
                }
                return count
            } orThrow: {
                problem($0)
            }
        }
    }

    /// Sees to it that what is there survives a power cut, and that the note says it is all.
    ///
    /// - Throws: ``ModelDownloadError/cannotWrite``.
    func finish() throws {
        guard fsync(descriptor) == 0 else { throw problem(errno) }
        guard var note else { return }
        note.total = bytes
        note.isWhole = true
        try write(note)
    }

    /// The first bytes of the archive, at most `count`.
    func beginning(_ count: Int) -> [UInt8] {
        var start = [UInt8](repeating: 0, count: count)
        let read = start.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        return Array(start.prefix(max(0, read)))
    }

    /// Sees to it that there is room for what is still to come and for the voice unpacked.
    ///
    /// - Throws: ``ModelDownloadError/noSpace(needed:free:)``.
    func makeSure(of total: Int64) throws {
        let needed = [max(0, total) - bytes, Self.unpacked(total)].totalSize
        guard let free = freeSpace(path), free < needed else { return }
        throw ModelDownloadError.noSpace(needed: needed, free: free)
    }

    private static func unpacked(_ total: Int64) -> Int64 { CatalogueEntry.room(forUnpacking: total) }

    private func readExistingPart() throws {
        let limit = note?.total ?? .max
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ModelDownloadError.cannotWrite }
            guard count > 0 else { break }
            chunk.withUnsafeBytes { digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            bytes += Int64(count)
            // More than there should be is not a beginning of it.
            if bytes > limit { return try restart(nil) }
        }
    }

    private func problem(_ number: Int32) -> ModelDownloadError {
        guard number == ENOSPC || number == EDQUOT else { return .cannotWrite }
        let total = note?.total ?? bytes
        let needed = [max(0, total) - bytes, Self.unpacked(total)].totalSize
        return .noSpace(needed: needed, free: freeSpace(path) ?? 0)
    }
}

/// Receives the bytes of an archive: writes them, measures the rate and reports progress.
struct DownloadSink: Sendable {
    let entry: CatalogueEntry
    let partial: PartialArchive
    /// Called whenever the server sends something.
    let received: @Sendable () -> Void
    let meter: TransferMeter

    /// Prepares for bytes from `offset` on; existing bytes of another file are discarded.
    ///
    /// - Parameters:
    ///   - offset: Zero, or the number of bytes in the file.
    ///   - note: Identifies the archive that the bytes belong to.
    /// - Throws: ``ModelDownloadError``.
    func begin(at offset: Int64, _ note: PartialArchive.Note) async throws {
        if let total = note.total {
            guard total <= ReleaseList.largestArchive else {
                throw ModelDownloadError.tooLarge(limit: ReleaseList.largestArchive)
            }
            if let expected = entry.archiveBytes, total != expected {
                throw ModelDownloadError.wrongSize(entry.id, bytes: total, expected: expected)
            }
        }
        if await partial.bytes != offset || offset == 0 {
            precondition(offset == 0, "bytes from \(offset) on do not join what is there")
            try await partial.restart(note)
        } else if await partial.note != note {
            try await partial.write(note)
        }
        try await partial.makeSure(of: note.total ?? entry.expectedBytes)
        await meter.report(await partial.bytes, of: note.total ?? entry.archiveBytes, isUrgent: true)
    }

    /// - Throws: ``ModelDownloadError``.
    func write(_ buffer: ByteBuffer) async throws {
        received()
        try await partial.append(buffer)
        let (bytes, total) = (await partial.bytes, await partial.note?.total ?? entry.archiveBytes)
        guard bytes <= total ?? ReleaseList.largestArchive else {
            if let total { throw ModelDownloadError.wrongSize(entry.id, bytes: bytes, expected: total) }
            throw ModelDownloadError.tooLarge(limit: ReleaseList.largestArchive)
        }
        await meter.report(bytes, of: total, isUrgent: false)
    }
}

/// Reports the progress of a transfer: at its beginning and end, a few times a second in between, and what came last before the
/// server fell silent.
actor TransferMeter {
    private static let interval = Duration.milliseconds(250)

    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let send: @Sendable (TransferProgress) async -> Void
    private var rate = TransferRate()
    private var last: Duration?
    private var known: (bytes: Int64, total: Int64?) = (0, nil)
    /// Reports what is known when the interval is over.
    private var pending: Task<Void, Never>?

    init(clock: any Clock<Duration>, report: @escaping @Sendable (TransferProgress) async -> Void) {
        self.clock = clock
        elapsed = clock.stopwatch()
        send = report
    }

    /// Records the number of bytes, and reports it at once when the last report is long enough ago or `isUrgent` is set, else
    /// together with what follows.
    func report(_ bytes: Int64, of total: Int64?, isUrgent: Bool) async {
        let now = elapsed()
        if bytes < known.bytes { rate = TransferRate() }
        known = (bytes, total)
        if !isUrgent, let last, now - last < Self.interval { return reportLater(after: Self.interval - (now - last)) }
        pending?.cancel()
        pending = nil
        last = now
        rate.add(bytes, at: now)
        await send(TransferProgress(bytes: bytes, total: total, rate: rate.bytesPerSecond))
    }

    private func reportLater(after wait: Duration) {
        guard pending == nil else { return }
        pending = Task { [clock] in
            do { try await clock.sleep(for: wait) } catch { return }
            guard !Task.isCancelled else { return }
            pending = nil
            await report(known.bytes, of: known.total, isUrgent: true)
        }
    }
}
