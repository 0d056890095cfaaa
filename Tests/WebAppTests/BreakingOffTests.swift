import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Testing

@testable import WebApp

@Suite("An answer on its way", .endsInTime)
struct BreakingOffTests {
    /// A reader that consumes one piece and then stalls.
    private struct StalledReader: ResponseBodyWriter {
        let channel: NIOAsyncTestingChannel
        let taken: AsyncStream<Void>.Continuation

        func write(_ buffer: ByteBuffer) async throws {
            taken.yield()
            try await channel.closeFuture.get()
            throw ChannelError.ioOnClosedChannel
        }

        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// An answer that somebody has begun to read.
    private struct Reading {
        let channel = NIOAsyncTestingChannel()
        private let taken: AsyncStream<Void>
        private let reading: Task<Void, any Error>

        init(_ path: String, of studio: TestStudio) async throws {
            let response = try await studio.respond(.get, path, on: channel)
            try #require(response.status == .ok, "\(path)")
            let (taken, taking) = AsyncStream.makeStream(of: Void.self)
            let reader = StalledReader(channel: channel, taken: taking)
            self.taken = taken
            reading = Task {
                defer { taking.finish() }
                try await response.body.write(reader)
            }
        }

        /// Until the first piece has been taken.
        func begun() async {
            for await _ in taken { return }
        }

        /// Waits for its end.
        ///
        /// - Returns: Whether it was cut short.
        func isCut() async -> Bool {
            guard case .failure = await reading.result else { return false }
            return true
        }
    }

    private static let long = String(repeating: "The tide comes in and goes out again. ", count: 400)

    /// A studio with a passcode, a long recording and a document.
    private func studio(clock: any Clock<Duration> = ContinuousClock()) async throws -> (TestStudio, paths: [String]) {
        let studio = try await TestStudio(sounds: PlainSounds(), clock: clock)
        try await studio.setPasscode("2580")
        let item = try await studio.record(Self.long)
        let document = try await studio.upload(Self.long + Self.long + Self.long + Self.long + Self.long).json[
            "document"
        ]
        let id = try #require((document as? [String: Any])?["id"] as? String)
        let order = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(item)"],"format":"wav"}"#)
        let export = try #require(try order.json["id"] as? String)
        let whole = try await studio.ask(.post, "/api/export-all", #"{"format":"wav","passcode":"2580"}"#)
        let everything = try #require(try whole.json["id"] as? String)
        return (
            studio,
            [
                "/api/library/\(item)/sound", "/api/library/\(item)/export?format=wav", "/api/exports/\(export)",
                "/api/exports/\(everything)", "/api/documents/\(id)/original",
            ]
        )
    }

    @Test("is cut when the library is locked, however far it has come")
    func locked() async throws {
        // On a busy machine, more time may pass than a download waits for its reader.
        let (studio, paths) = try await studio(clock: ManualClock())
        var all: [Reading] = []
        for path in paths {
            let reading = try await Reading(path, of: studio)
            await reading.begun()
            all.append(reading)
        }
        let subscription = await studio.events.subscribe()
        #expect(try await studio.ask(.post, "/api/lock", "{}").status == .ok)
        for (reading, path) in zip(all, paths) { #expect(await reading.isCut(), "\(path)") }
        let orders = Set(paths.filter { $0.hasPrefix("/api/exports/") }.compactMap { $0.split(separator: "/").last })
        var entries: [StudioEvents.Entry] = []
        for await entry in subscription.entries { entries.append(entry) }
        // An event that was posted after the lock had ended all subscriptions comes to the next one.
        let last = entries.last?.number ?? subscription.start
        let next = await studio.events.subscribe(after: last)
        await studio.events.close()
        for await entry in next.entries { entries.append(entry) }
        var reported: Set<Substring> = []
        for entry in entries {
            guard case .export(let id, let outcome) = entry.event else { continue }
            #expect(outcome.failure?.code == "vault.locked")
            reported.insert(id[...])
        }
        #expect(reported == orders)
    }

    @Test("is cut when its session ends")
    func loggedOut() async throws {
        let (studio, paths) = try await studio()
        let reading = try await Reading(paths[0], of: studio)
        await reading.begun()
        let events = try await Reading("/api/events", of: studio)
        await events.begun()
        #expect(try await studio.ask(.post, "/api/sessions/end", "{}").status == .noContent)
        #expect(await reading.isCut())
        #expect(await events.isCut())
    }

    @Test("is cut when its session has not been used for a day, though nobody asks")
    func unused() async throws {
        let clock = ManualClock()
        let studio = try await TestStudio(sessionClock: clock)
        let reading = try await Reading("/api/library/\(try await studio.record(Self.long))/sound", of: studio)
        await reading.begun()
        let events = try await Reading("/api/events", of: studio)
        await events.begun()
        #expect(await clock.endShortestSleep() == SessionStore.lifetime)
        #expect(await reading.isCut())
        #expect(await events.isCut())
        #expect(try await studio.ask(.get, "/api/state").status == .unauthorized)
    }

    @Test("gives its place to the next when nobody reads it")
    func stalled() async throws {
        let clock = ManualClock()
        let (studio, paths) = try await studio(clock: clock)
        let item = try #require(paths[0].split(separator: "/").dropFirst(2).first)
        let subscription = await studio.events.subscribe()
        var stalled: [Reading] = []
        for _ in 0..<2 {
            let order = try await studio.ask(.post, "/api/export-all", #"{"format":"wav","passcode":"2580"}"#)
            let reading = try await Reading("/api/exports/\(try #require(order.json["id"] as? String))", of: studio)
            await reading.begun()
            stalled.append(reading)
        }
        async let third = studio.ask(.get, "/api/library/\(item)/export?format=wav")
        try await waitUntil("both downloads are waited for") { clock.sleeperCount >= 2 }
        clock.advance(by: StreamedDownload.timeout)
        for reading in stalled { #expect(await reading.isCut()) }
        #expect(try await third.status == .ok)
        var reported: [String?] = []
        for await entry in subscription.entries {
            if case .export(_, let outcome) = entry.event { reported.append(outcome.failure?.code) }
            if reported.count == 2 { break }
        }
        #expect(reported == ["export.download-unread", "export.download-unread"])
    }

    @Test("of everything is begun only for who knows the passcode, once, and while the library stays open")
    func everything() async throws {
        let (studio, _) = try await studio()
        for body in [#"{"format":"wav"}"#, #"{"format":"wav","passcode":"0000"}"#] {
            let refused = try await studio.ask(.post, "/api/export-all", body)
            #expect([403, 423].contains(refused.status.code), "\(body)")
        }
        #expect(try await studio.ask(.get, "/api/export-all").status == .notFound)
        var paths: [String] = []
        for _ in 0..<2 {
            let order = try await studio.ask(.post, "/api/export-all", #"{"format":"wav","passcode":"2580"}"#)
            paths.append("/api/exports/\(try #require(order.json["id"] as? String))")
        }
        #expect(try await studio.ask(.get, paths[0]).data.starts(with: Data("PK".utf8)))
        #expect(try await studio.ask(.get, paths[0]).status == .notFound)
        _ = try await studio.ask(.post, "/api/lock", "{}")
        _ = try await studio.ask(.post, "/api/unlock", #"{"passcode":"2580"}"#)
        #expect(try await studio.ask(.get, paths[1]).status == .notFound)
    }
}
