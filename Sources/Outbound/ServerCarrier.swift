import EchoText
import Foundation
import NIOCore
import NIOHTTP1

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
