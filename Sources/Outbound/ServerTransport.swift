import EchoText
import Foundation
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
import Glibc
#endif

/// Downloads an archive from a server.
///
/// - SeeAlso: RFC 9110, sections 13.1.5 (`If-Range`) and 14 (ranges).
struct ServerTransport: ArchiveTransport {
    let url: URL
    let client: OutboundClient
    let now: @Sendable () -> Date

    var place: String { url.absoluteString }
    var host: String { HostName(url.host ?? "").text }

    func transfer(to sink: DownloadSink) async throws {
        let (bytes, note) = (await sink.partial.bytes, await sink.partial.note)
        var headers: HTTPHeaders = ["accept": "*/*", "accept-encoding": "identity"]
        let tag = note?.place == place && bytes > 0 ? note?.tag : nil
        if let tag {
            headers.add(name: "range", value: "bytes=\(bytes)-")
            headers.add(name: "if-range", value: tag)
        }
        let purpose = sink.entry.release == .voices ? OutboundRecord.Purpose.voice : .recognizer
        let answer = try await client.get(url, for: purpose, headers: headers)
        sink.received()
        guard let start = try await start(answer, asked: tag == nil ? 0 : bytes, sink) else { return }
        try await sink.begin(at: start.offset, start.note)
        do {
            try await answer.read { try await sink.write($0) }
        } catch ModelDownloadError.unreachable {
            let (bytes, total) = (await sink.partial.bytes, await sink.partial.note?.total)
            throw ModelDownloadError.interrupted(bytes: bytes, of: total)
        }
        if let total = start.note.total, await sink.partial.bytes < total {
            throw ModelDownloadError.interrupted(bytes: await sink.partial.bytes, of: total)
        }
    }

    /// The offset of the answer's first byte and the archive it belongs to; `nil` when nothing is missing.
    private func start(
        _ answer: OutboundClient.Answer,
        asked: Int64,
        _ sink: DownloadSink
    ) async throws -> (offset: Int64, note: PartialArchive.Note)? {
        let tag = Self.tag(in: answer.headers)
        if (200..<300).contains(answer.status), answer.isPage {
            throw ModelDownloadError.wrongContent(sink.entry.id, host: answer.host)
        }
        switch answer.status {
        case 200:
            let total = answer.headers.first(name: "content-length").flatMap { Int64($0) }
            return (0, PartialArchive.Note(place: place, tag: tag, total: total))
        case 206:
            let old = await sink.partial.note
            let range = answer.headers.first(name: "content-range").flatMap(ContentRange.init)
            guard asked > 0, let range, range.start == asked, old?.total == nil || range.total == old?.total,
                tag == nil || tag == old?.tag
            else { throw try await forget(sink) }
            return (asked, PartialArchive.Note(place: place, tag: old?.tag, total: range.total ?? old?.total))
        case 416:
            let range = answer.headers.first(name: "content-range").flatMap(ContentRange.init)
            guard asked > 0, range?.total == asked else { throw try await forget(sink) }
            return nil
        default: throw ModelDownloadError(answer, to: sink.entry.archive, now: now())
        }
    }

    /// Discards the bytes that do not belong to the server's present file, so that the next attempt begins again.
    private func forget(_ sink: DownloadSink) async throws -> ModelDownloadError {
        try await sink.partial.restart(nil)
        return .interrupted(bytes: 0, of: nil)
    }

    /// A strong entity tag, or the date of change where there is no tag; weak tags do not identify bytes.
    private static func tag(in headers: HTTPHeaders) -> String? {
        guard let tag = headers.first(name: "etag") else { return headers.first(name: "last-modified") }
        return tag.hasPrefix("\"") && tag.utf8.count < 1_000 ? tag : nil
    }
}

extension OutboundClient.Answer {
    /// Whether the answer is a page for a person, such as the login page of a network.
    fileprivate var isPage: Bool {
        headers.first(name: "content-type")?.lowercased().hasPrefix("text/html") == true
    }
}

/// The part of an archive that an answer holds.
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

/// Transfers an archive in one attempt, which resumes where the last one ended.
protocol ArchiveTransport: Sendable {
    /// The archive's address, without anything private.
    var place: String { get }
    /// The host that errors name.
    var host: String { get }

    /// Returns when the archive is complete.
    ///
    /// - Throws: ``ModelDownloadError``, or `CancellationError`.
    func transfer(to sink: DownloadSink) async throws
}

/// Copies an archive from a folder, such as one on a USB stick.
struct FolderTransport: ArchiveTransport {
    let path: String

    private static let chunk = 1 << 20

    private let disk = BlockingExecutor(label: "echotext.stick")

    init(path: String) {
        self.path = path
    }

    var place: String { URL(filePath: path).absoluteString }
    var host: String { "file" }

    func transfer(to sink: DownloadSink) async throws {
        // A stick or a network disk may block.
        let file = try await disk.run { [path] in try SourceFile(path, named: sink.entry.archive) }
        let note = PartialArchive.Note(place: place, tag: file.tag, total: file.size)
        let old = await sink.partial.note
        let bytes = await sink.partial.bytes
        let offset = old?.place == place && old?.tag == file.tag && bytes <= file.size ? bytes : 0
        try await sink.begin(at: offset, note)
        var place = offset
        while place < file.size {
            try Task.checkCancellation()
            let buffer = try await file.read(at: place, count: Self.chunk)
            guard buffer.readableBytes > 0 else {
                throw ModelDownloadError.wrongSize(sink.entry.id, bytes: place, expected: file.size)
            }
            place += Int64(buffer.readableBytes)
            try await sink.write(buffer)
        }
    }
}

/// A source file, opened once.
private actor SourceFile {
    let size: Int64
    /// Differs between two files, as far as that is known without reading them.
    let tag: String
    private let file: Int32
    private let executor = BlockingExecutor(label: "echotext.folder")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Throws: ``ModelDownloadError/notThere(_:)``.
    init(_ path: String, named name: String) throws(ModelDownloadError) {
        // `O_NONBLOCK`: the path may name a pipe.
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

    /// - Throws: ``ModelDownloadError/interrupted(bytes:of:)`` when the disk does not give it.
    func read(at place: Int64, count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            max(0, pread(file, bytes.baseAddress, min(count, bytes.count), off_t(place)))
        }
        guard read > 0 || place >= size else { throw ModelDownloadError.interrupted(bytes: place, of: size) }
        return buffer
    }
}

extension ModelDownloadError {
    /// Why a server that has answered with `status` gave nothing.
    ///
    /// - Parameters:
    ///   - answer: Neither 200 nor 206.
    ///   - what: What was asked for, without its place.
    ///   - now: The time of day, against which servers say when to come back.
    init(_ answer: OutboundClient.Answer, to what: String, now: Date) {
        let wait = RetryAfter.wait(answer.headers, now: now)
        let isSpent = answer.headers.first(name: "x-ratelimit-remaining") == "0"
        switch answer.status {
        case 404, 410: self = .notThere(what)
        case 429: self = .tooManyRequests(host: answer.host, wait: wait)
        case 403 where isSpent || answer.headers.contains(name: "retry-after"):
            self = .tooManyRequests(host: answer.host, wait: wait)
        case 500...: self = .serverFailed(host: answer.host, status: answer.status)
        default: self = .refused(host: answer.host, status: answer.status)
        }
    }
}

/// How long servers want to be left alone.
enum RetryAfter {
    /// The values of an answer's fields; `nil` where they have none.
    ///
    /// - SeeAlso: RFC 9110, section 10.2.3, `Retry-After`; GitHub's “Rate limits for the REST API”, `x-ratelimit-reset`.
    static func wait(_ headers: HTTPHeaders, now: Date) -> Duration? {
        let longest = 7 * 86_400.0
        if let text = headers.first(name: "retry-after") {
            if let seconds = Double(text), (0...longest).contains(seconds) { return .seconds(seconds) }
            if let date = HTTPDate.date(text) { return .seconds(min(longest, max(0, date.timeIntervalSince(now)))) }
        }
        if let text = headers.first(name: "x-ratelimit-reset"), let time = Double(text), time.isFinite {
            return .seconds(min(longest, max(0, time - now.timeIntervalSince1970)))
        }
        return nil
    }
}

/// Times of day as HTTP writes them.
enum HTTPDate {
    /// - SeeAlso: RFC 9110, section 5.6.7, `IMF-fixdate`.
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }
}
