import EchoText
import Foundation
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
import Glibc
#endif

/// Tries once to bring an archive, from where the last try has come to.
protocol ArchiveCarrier: Sendable {
    /// Where it comes from, as a person may be told.
    var place: String { get }
    /// Whom a failure is blamed on.
    var host: String { get }

    /// Returns when all of it is there.
    ///
    /// - Throws: ``VoiceDownloadError``, or `CancellationError`.
    func carry(to arrival: Arrival) async throws
}

/// Brings an archive from a server.
///
/// - SeeAlso: RFC 9110, sections 13.1.5 (`If-Range`) and 14 (ranges).
struct ServerCarrier: ArchiveCarrier {
    let url: URL
    let door: OutboundDoor
    let now: @Sendable () -> Date

    var place: String { url.absoluteString }
    var host: String { HostName(url.host ?? "").text }

    func carry(to arrival: Arrival) async throws {
        let (bytes, note) = (await arrival.partial.bytes, await arrival.partial.note)
        var headers: HTTPHeaders = ["accept": "*/*", "accept-encoding": "identity"]
        let tag = note?.place == place && bytes > 0 ? note?.tag : nil
        if let tag {
            headers.add(name: "range", value: "bytes=\(bytes)-")
            headers.add(name: "if-range", value: tag)
        }
        let answer = try await door.get(url, headers: headers)
        arrival.heard()
        guard let start = try await start(answer, asked: tag == nil ? 0 : bytes, arrival) else { return }
        try await arrival.begin(at: start.offset, start.note)
        do {
            try await answer.read { try await arrival.write($0) }
        } catch VoiceDownloadError.unreachable {
            let (bytes, total) = (await arrival.partial.bytes, await arrival.partial.note?.total)
            throw VoiceDownloadError.interrupted(bytes: bytes, of: total)
        }
        if let total = start.note.total, await arrival.partial.bytes < total {
            throw VoiceDownloadError.interrupted(bytes: await arrival.partial.bytes, of: total)
        }
    }

    /// Where the answer's bytes begin, and what they belong to; `nil` when the server says that nothing is missing.
    private func start(
        _ answer: OutboundDoor.Answer,
        asked: Int64,
        _ arrival: Arrival
    ) async throws -> (offset: Int64, note: PartialArchive.Note)? {
        let tag = Self.tag(in: answer.headers)
        if (200..<300).contains(answer.status), answer.isPage {
            throw VoiceDownloadError.wrongContent(arrival.entry.id, host: answer.host)
        }
        switch answer.status {
        case 200:
            let total = answer.headers.first(name: "content-length").flatMap { Int64($0) }
            return (0, PartialArchive.Note(place: place, tag: tag, total: total))
        case 206:
            let old = await arrival.partial.note
            let range = answer.headers.first(name: "content-range").flatMap(ContentRange.init)
            guard asked > 0, let range, range.start == asked, old?.total == nil || range.total == old?.total,
                tag == nil || tag == old?.tag
            else { throw try await forget(arrival) }
            return (asked, PartialArchive.Note(place: place, tag: old?.tag, total: range.total ?? old?.total))
        case 416:
            let range = answer.headers.first(name: "content-range").flatMap(ContentRange.init)
            guard asked > 0, range?.total == asked else { throw try await forget(arrival) }
            return nil
        default: throw VoiceDownloadError(answer, to: arrival.entry.archive, now: now())
        }
    }

    /// What is there does not fit what the server has now: the next try begins anew.
    private func forget(_ arrival: Arrival) async throws -> VoiceDownloadError {
        try await arrival.partial.restart(nil)
        return .interrupted(bytes: 0, of: nil)
    }

    /// A tag that stands for these very bytes; weak ones do not, and a date does where there is no tag.
    private static func tag(in headers: HTTPHeaders) -> String? {
        guard let tag = headers.first(name: "etag") else { return headers.first(name: "last-modified") }
        return tag.hasPrefix("\"") && tag.utf8.count < 1_000 ? tag : nil
    }
}

extension OutboundDoor.Answer {
    /// Whether it is for a person to read, as that of a network that wants one to log in first.
    fileprivate var isPage: Bool {
        headers.first(name: "content-type")?.lowercased().hasPrefix("text/html") == true
    }
}

/// What part of an archive an answer holds.
///
/// - SeeAlso: RFC 9110, section 14.4, `Content-Range`.
struct ContentRange: Equatable {
    /// `nil` where the server says only how much there is.
    let start: Int64?
    let total: Int64?

    init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        total = halves[1] == "*" ? nil : Int64(halves[1])
        if halves[1] != "*", total.map({ $0 < 0 }) ?? true { return nil }
        if halves[0] == "*" {
            start = nil
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, last >= first,
            last < total ?? .max
        else { return nil }
        start = first
    }
}

/// Brings an archive from a folder, such as one on a stick.
struct FolderCarrier: ArchiveCarrier {
    let path: String

    private static let chunk = 1 << 20

    var place: String { URL(filePath: path).absoluteString }
    var host: String { "file" }

    func carry(to arrival: Arrival) async throws {
        let file = try SourceFile(path, named: arrival.entry.archive)
        let note = PartialArchive.Note(place: place, tag: file.tag, total: file.size)
        let old = await arrival.partial.note
        let bytes = await arrival.partial.bytes
        let offset = old?.place == place && old?.tag == file.tag && bytes <= file.size ? bytes : 0
        try await arrival.begin(at: offset, note)
        var place = offset
        while place < file.size {
            try Task.checkCancellation()
            let buffer = try await file.read(at: place, count: Self.chunk)
            guard buffer.readableBytes > 0 else {
                throw VoiceDownloadError.wrongSize(arrival.entry.id, bytes: place, expected: file.size)
            }
            place += Int64(buffer.readableBytes)
            try await arrival.write(buffer)
        }
    }
}

/// A file that is copied from, opened once.
private actor SourceFile {
    let size: Int64
    /// Differs when the file is another, as far as that can be told without reading it.
    let tag: String
    private let file: Int32
    private let executor = BlockingExecutor(label: "echotext.folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``VoiceDownloadError/notThere(_:)``.
    init(_ path: String, named name: String) throws(VoiceDownloadError) {
        // Not waiting, should a pipe lie there.
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw .notThere(name) }
        var facts = stat()
        guard fstat(opened, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            _ = Glibc.close(opened)
            throw .notThere(name)
        }
        file = opened
        size = Int64(facts.st_size)
        tag = "\(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }

    deinit { _ = Glibc.close(file) }

    /// - Throws: ``VoiceDownloadError/interrupted(bytes:of:)`` when the disk does not give it.
    func read(at place: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, pread(file, bytes.baseAddress, min(count, bytes.count), off_t(place)))
        }
        guard read > 0 || place >= size else { throw VoiceDownloadError.interrupted(bytes: place, of: size) }
        return buffer
    }
}
