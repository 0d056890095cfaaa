import EchoText
import Foundation
import NIOCore
import NIOHTTP1

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
        let purpose = sink.entry.release == .voices ? OutboundRecord.Purpose.voice : .recogniser
        let answer = try await client.get(url, for: purpose, headers: headers)
        sink.heard()
        guard let start = try await start(answer, asked: tag == nil ? 0 : bytes, sink) else { return }
        try await sink.begin(at: start.offset, start.note)
        do {
            try await answer.read { try await sink.write($0) }
        } catch VoiceDownloadError.unreachable {
            let (bytes, total) = (await sink.partial.bytes, await sink.partial.note?.total)
            throw VoiceDownloadError.interrupted(bytes: bytes, of: total)
        }
        if let total = start.note.total, await sink.partial.bytes < total {
            throw VoiceDownloadError.interrupted(bytes: await sink.partial.bytes, of: total)
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
            throw VoiceDownloadError.wrongContent(sink.entry.id, host: answer.host)
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
        default: throw VoiceDownloadError(answer, to: sink.entry.archive, now: now())
        }
    }

    /// Discards the bytes that do not belong to the server's present file, so that the next attempt begins again.
    private func forget(_ sink: DownloadSink) async throws -> VoiceDownloadError {
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
