import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import WebApp

@Suite("Sessions", .endsInTime)
struct SessionTests {
    @Test("begin with a ticket that works once")
    func ticket() async throws {
        let folder = TemporaryFolder()
        let sessions = SessionStore(folder: "\(folder.path)/web")
        let ticket = try await sessions.makeTicket()
        let token = try #require(try await sessions.redeem(ticket))
        #expect(try await sessions.redeem(ticket) == nil)
        #expect(await sessions.isValid(token))
        #expect(await !sessions.isValid(ticket))
        #expect(try await sessions.redeem("../host") == nil)
    }

    @Test("are led to by a file that reveals nothing by its name and is gone when the ticket is used")
    func launcher() async throws {
        let folder = TemporaryFolder()
        let sessions = SessionStore(folder: "\(folder.path)/web")
        let ticket = try await sessions.makeTicket()
        let address = WebServer.Address(host: "name.localhost", port: 7_340)
        let launcher = try await sessions.makeLauncher(for: ticket, at: address)
        #expect(!launcher.contains(ticket))
        let page = try String(contentsOfFile: launcher, encoding: .utf8)
        #expect(page.contains("url=http://name.localhost:7340/open/\(ticket)\""))
        let attributes = try FileManager.default.attributesOfItem(atPath: launcher)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        _ = try #require(try await sessions.redeem(ticket))
        #expect(!FileManager.default.fileExists(atPath: launcher))
    }

    @Test("leave no ticket and no file that leads to one behind when a day has passed")
    func oldTickets() async throws {
        let folder = TemporaryFolder()
        let now = Clock()
        let sessions = SessionStore(folder: "\(folder.path)/web") { now.time }
        let address = WebServer.Address(host: "name.localhost", port: 7_340)
        let late = try await sessions.makeTicket()
        _ = try await sessions.makeLauncher(for: late, at: address)
        now.advance(by: 1.1 * 24 * 3_600)
        let fresh = try await sessions.makeLauncher(for: try await sessions.makeTicket(), at: address)
        #expect(try await sessions.redeem(late) == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/web")
        #expect(names.filter { $0.hasPrefix("open-") }.map { "\(folder.path)/web/\($0)" } == [fresh])
    }

    /// Says that the disk is full.
    private static let full: @Sendable (Data, String) throws -> Void = { _, _ in throw SystemError(errno: ENOSPC) }

    @Test("begin with a ticket that works once, also where the disk has no room for it")
    func ticketInMemory() async throws {
        let folder = TemporaryFolder()
        let now = Clock()
        let sessions = SessionStore(folder: "\(folder.path)/web", now: { now.time }, store: Self.full)
        try await sessions.begin()
        let ticket = try await sessions.makeTicket()
        let token = try #require(try await sessions.redeem(ticket))
        #expect(try await sessions.redeem(ticket) == nil)
        #expect(await sessions.isValid(token))
        let late = try await sessions.makeTicket()
        now.advance(by: 1.1 * 24 * 3_600)
        #expect(try await sessions.redeem(late) == nil)
        let ended = try await sessions.makeTicket()
        await sessions.endAll()
        #expect(try await sessions.redeem(ended) == nil)
    }

    @Test("do not begin with a ticket that only another process has in memory: the disk is full, it says")
    func foreignTicket() async throws {
        let folder = TemporaryFolder()
        let sessions = SessionStore(folder: "\(folder.path)/web", store: Self.full)
        let full = WebError.diskFull(path: "\(folder.path)/web")
        await #expect(throws: full) { try await sessions.makeTicket() }
        let address = WebServer.Address(host: "name.localhost", port: 7_340)
        await #expect(throws: full) { try await sessions.makeLauncher(for: "a", at: address) }
        #expect(full.failure.inTerminal.suggestion?.contains("\(folder.path)/web") == true, "the place is named")
    }

    @Test("are let in one at a time however many try one ticket")
    func race() async throws {
        let folder = TemporaryFolder()
        let stores = (0..<8).map { _ in SessionStore(folder: "\(folder.path)/web") }
        let ticket = try await stores[0].makeTicket()
        let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
            for store in stores { group.addTask { try await store.redeem(ticket) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens.compactMap(\.self).count == 1)
    }

    @Test("end with the server, whose next start has another name and takes no ticket of this one")
    func restart() async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/web"
        let first = SessionStore(folder: path)
        let token = try #require(try await first.redeem(try await first.makeTicket()))
        let ticket = try await first.makeTicket()
        let second = SessionStore(folder: path)
        #expect(await !second.isValid(token))
        #expect(first.host != second.host)
        #expect(first.host.wholeMatch(of: /echotext-[a-z0-9]{16}\.localhost/) != nil)
        try await second.begin()
        #expect(try await second.redeem(ticket) == nil)
    }

    @Test("leave nothing on the disk that opens one, nor of what earlier versions kept there")
    func files() async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/web"
        let sessions = SessionStore(folder: path)
        let token = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        let ticket = try await sessions.makeTicket()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let text = String(
                decoding: FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data(),
                as: UTF8.self
            )
            #expect(!text.contains(token) && !text.contains(ticket))
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o077 == 0, "\(name)")
        }
        for name in ["host", "sessions.json"] {
            try "{}".write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
        }
        try await sessions.begin()
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test("end when they have not been used for a day, whether or not a timer rings", arguments: [true, false])
    func age(timersRing: Bool) async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock())
        let day = SessionStore.lifetime
        let sessions = SessionStore(folder: "\(folder.path)/web", clock: timersRing ? clock : LateClock(clock))
        let token = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        let used = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        for _ in 0..<40 {
            clock.advance(by: day * 0.9)
            #expect(await sessions.isValid(used), "using a session makes it last")
        }
        #expect(await !sessions.isValid(token))
        let end = try #require(await sessions.use(used))
        clock.advance(by: day * 0.5)
        #expect(await sessions.use(used, isVisit: false) != nil)
        clock.advance(by: day * 0.5)
        #expect(await !sessions.isValid(used))
        #expect(end.isSet)
    }

    @Test("end by themselves a day after they were used last, each at its own time")
    func timer() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock())
        let day = SessionStore.lifetime
        let sessions = SessionStore(folder: "\(folder.path)/web", clock: clock)
        let token = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        let end = try #require(await sessions.use(token))
        try await waitUntil("a session lasts") { clock.sleeperCount > 0 }
        clock.advance(by: day * 0.25)
        #expect(await sessions.isValid(token))
        #expect(await clock.endShortestSleep() == day * 0.75)
        // It has been used since that sleep began, and lasts.
        #expect(await clock.endShortestSleep() == day * 0.25)
        await end.wait()

        let other = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        let replaced = try #require(await sessions.use(other))
        let renewed = await sessions.renew(other)
        // Long before the time that was waited for until then.
        #expect(await clock.endShortestSleep(of: SessionStore.grace) == SessionStore.grace)
        await replaced.wait()
        #expect(await sessions.isValid(renewed))
    }

    @Test("last as long whatever the time of day is set to")
    func timeOfDay() async throws {
        let (folder, clock, now) = (TemporaryFolder(), ManualClock(), Clock())
        let sessions = SessionStore(folder: "\(folder.path)/web", clock: clock) { now.time }
        let token = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        now.advance(by: 10 * 365 * 24 * 3_600)
        #expect(await sessions.isValid(token))
        now.advance(by: -20 * 365 * 24 * 3_600)
        clock.advance(by: SessionStore.lifetime)
        #expect(await !sessions.isValid(token))
    }

    @Test("end everywhere at once, and those that somebody was on the way to")
    func endAll() async throws {
        let studio = try await TestStudio()
        let other = try #require(try await studio.sessions.redeem(try await studio.sessions.makeTicket()))
        let end = try #require(await studio.sessions.use(other))
        let ticket = try await studio.sessions.makeTicket()
        let answer = try await studio.ask(.post, "/api/sessions/end", "{}")
        #expect(answer.status == .noContent)
        #expect(answer.headers[.clearSiteData] == "\"*\"")
        #expect(end.isSet)
        #expect(await !studio.sessions.isValid(other))
        #expect(try await studio.ask(.get, "/api/state").status == .unauthorized)
        #expect(try await studio.sessions.redeem(ticket) == nil)
    }

    @Test("of others end when what opens the library is changed, and who has changed it continues with another")
    func change() async throws {
        let studio = try await TestStudio()
        let changes: [@Sendable () async throws -> HTTPResponse.Status] = [
            {
                let code = try await studio.proposedCode()
                return try await studio.ask(.put, "/api/passcode", #"{"new":"2580","recoveryCode":"\#(code)"}"#).status
            },
            { try await studio.ask(.put, "/api/passcode", #"{"new":"1470","current":"2580"}"#).status },
            { try await studio.ask(.post, "/api/passcode/remove", #"{"current":"1470"}"#).status },
            { try await studio.ask(.post, "/api/erase", #"{"confirm":"erase everything"}"#).status },
        ]
        for (index, change) in changes.enumerated() {
            let other = try #require(try await studio.sessions.redeem(try await studio.sessions.makeTicket()))
            let end = try #require(await studio.sessions.use(other))
            let cookie = studio.cookie
            let status = try await change()
            #expect(status == .ok || status == .noContent, "\(index)")
            #expect(end.isSet, "\(index)")
            #expect(studio.cookie != cookie, "\(index)")
            #expect(try await studio.ask(.get, "/api/state").status == .ok, "\(index)")
        }
    }

    @Test("of others end also where an erasure leaves files, which is said")
    func erasureInPart() async throws {
        let studio = try await TestStudio()
        let other = try #require(try await studio.sessions.redeem(try await studio.sessions.makeTicket()))
        let end = try #require(await studio.sessions.use(other))
        let cookie = studio.cookie
        await studio.vault.leaveFiles()
        let erased = try await studio.ask(.post, "/api/erase", #"{"confirm":"erase everything"}"#)
        #expect((erased.status.code, erased.code) == (507, VaultError.erasedFilesStay.code))
        #expect(erased.headers[.clearSiteData] == "\"storage\"", "sound waits there for no library")
        #expect(end.isSet)
        #expect(studio.cookie != cookie)
        #expect(try await studio.ask(.get, "/api/state").status == .ok)
    }

    @Test("that got another token end with the old one in some seconds, however it is used")
    func renewal() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock())
        let sessions = SessionStore(folder: "\(folder.path)/web", clock: LateClock(clock))
        let token = try #require(try await sessions.redeem(try await sessions.makeTicket()))
        let end = try #require(await sessions.use(token))
        let renewed = await sessions.renew(token)
        for _ in 0..<9 {
            clock.advance(by: SessionStore.grace / 10)
            #expect(await sessions.isValid(token), "its browser may have asked before it knew")
        }
        clock.advance(by: SessionStore.grace / 10)
        #expect(await !sessions.isValid(token))
        #expect(end.isSet)
        #expect(await sessions.isValid(renewed))
        #expect(await sessions.renew("unknown") != renewed)
        #expect(await !sessions.isValid(renewed))
    }

    @Test("stay as they are when a change is refused")
    func refusedChange() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let end = try #require(await studio.sessions.use(String(studio.cookie.split(separator: "=")[1])))
        #expect(try await studio.ask(.put, "/api/passcode", #"{"new":"1470","current":"0000"}"#).status == .forbidden)
        #expect(!end.isSet)
    }

    @Test("are not remembered in a folder that others can look into")
    func openFolder() async throws {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/web"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        await #expect(throws: WebError.folderUnusable(path: path)) {
            _ = try await SessionStore(folder: path).makeTicket()
        }
    }

    private final class Clock: Sendable {
        private let now = Mutex(Date())

        var time: Date { now.withLock(\.self) }

        func advance(by seconds: TimeInterval) {
            now.withLock { $0 += seconds }
        }
    }
}
