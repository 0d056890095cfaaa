import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import WebApp

@Suite("Checks of the library by the page", .endsInTime)
struct VaultCheckRouteTests {
    private static let path = "/api/vault/check"

    /// A library that has lost the sound of a recording, and has something that a repair removes.
    private static var damaged: VaultReport {
        var report = VaultReport()
        (report.items, report.contents, report.unused) = (1, 40, 2)
        report.damaged = [
            VaultReport.Damage(item: AudioItem.ID(rawValue: "a"), name: "Story", code: "vault.content-missing"),
            VaultReport.Damage(isCache: true, code: "vault.content-damaged"),
        ]
        return report
    }

    private func lines(of answer: Answer) throws -> [[String: Any]] {
        try answer.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private func check(_ studio: TestStudio, _ order: String = "{}") async throws -> [String: Any] {
        let answer = try await studio.ask(.post, Self.path, order)
        #expect(answer.status == .ok, "\(answer.text)")
        return try #require(try lines(of: answer).last?["report"] as? [String: Any], "\(answer.text)")
    }

    private func codes(_ report: [String: Any]) -> [String] {
        (report["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test("find nothing in a sound library")
    func sound() async throws {
        let report = try await check(try await TestStudio(), #"{"readData":true}"#)
        #expect(report["isSound"] as? Bool == true && report["canBeRepaired"] as? Bool == false)
        #expect(codes(report).isEmpty)
    }

    @Test("say how far they are, and at last what is damaged, in words and for programs")
    func damage() async throws {
        let studio = try await TestStudio()
        await studio.vault.damage(Self.damaged)
        let answer = try await studio.ask(.post, Self.path, "{}")
        #expect(answer.headers[.contentType] == "application/x-ndjson")
        let lines = try lines(of: answer)
        let percents = lines.dropLast().compactMap { $0["percent"] as? Int }
        #expect(!percents.isEmpty && percents.count == lines.count - 1 && percents == percents.sorted())
        let report = try #require(lines.last?["report"] as? [String: Any])
        #expect(report["isSound"] as? Bool == false && report["canBeRepaired"] as? Bool == true)
        #expect(codes(report) == ["recordingMissing", "cacheDamaged", "leftovers"])
        let first = try #require((report["findings"] as? [[String: Any]])?.first)
        #expect(first["message"] as? String == "the sound of “Story” is missing" && first["name"] as? String == "Story")
    }

    @Test("repair what can be repaired when they are asked to, and other pages hear of it")
    func repair() async throws {
        let studio = try await TestStudio()
        await studio.vault.damage(Self.damaged)
        _ = try await studio.ask(.get, "/api/storage")
        let subscription = await studio.events.subscribe()
        let repaired = try await check(studio, #"{"repair":true}"#)
        #expect(codes(repaired) == ["recordingMissing", "cacheRemoved", "filesRemoved"])
        #expect(repaired["isSound"] as? Bool == false && repaired["isRepaired"] as? Bool == false)
        for await entry in subscription.entries {
            if case .changedByOthers = entry.event { break }
        }
        let after = try await check(studio)
        #expect(codes(after) == ["recordingMissing"] && after["canBeRepaired"] as? Bool == false)
    }

    @Test("do not begin while the library is locked, and end without a report when it is locked meanwhile")
    func locked() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        await studio.vault.damage(Self.damaged)
        let begun = try await begin(in: studio)
        #expect(try await studio.ask(.post, "/api/lock", "{}").status == .ok)
        await #expect(throws: (any Error).self) { try await begun.body.write(Unread()) }
        let refused = try await studio.ask(.post, Self.path, "{}")
        #expect(refused.status.code == 423 && refused.code == "vault.locked")
    }

    @Test("run one at a time, and one that nobody waits for is over")
    func twice() async throws {
        let studio = try await TestStudio()
        let first = try await begin(in: studio)
        let refused = try await studio.ask(.post, Self.path, "{}")
        #expect(refused.status == .conflict && refused.code == "vault.check-in-progress")
        try await first.body.write(Unread())
        _ = try await check(studio)
        _ = try await begin(in: studio)
        _ = try await check(studio)
    }

    /// An answer that is not read yet.
    private func begin(in studio: TestStudio) async throws -> Response {
        try await studio.respond(.post, Self.path, body: RequestBody(buffer: ByteBuffer(string: "{}")))
    }
}

/// A client that takes everything and keeps nothing.
private struct Unread: ResponseBodyWriter {
    func write(_ buffer: ByteBuffer) async throws {}

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
