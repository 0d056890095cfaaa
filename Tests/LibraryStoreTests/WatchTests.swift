import EchoText
import EchoTextTesting
import Testing

@testable import LibraryStore

@Suite("The watch for changes by others", .endsInTime)
struct WatchTests {
    @Test("reports what another process writes, not what this one writes, and looks less often while it continues")
    func others() async throws {
        let room = try LibraryRoom()
        let other = try LibraryDatabase(in: room.folder, key: room.key)
        let clock = ManualClock()
        let changes = await StoredWatch(database: room.database, clock: clock).changesByOthers()
        var each = changes.makeAsyncIterator()

        func sleeps(_ count: Int) async -> [Duration] {
            var all: [Duration] = []
            for _ in 0..<count { all.append(await clock.endShortestSleep()) }
            return all
        }

        _ = await sleeps(1)
        try await StoredSettings(database: room.database).set("page.theme", to: "dark")
        #expect(await sleeps(3) == Array(repeating: .seconds(1), count: 3))
        try await StoredSettings(database: other).set("page.theme", to: "light")
        #expect(await sleeps(3).filter { $0 == .seconds(2) }.count == 1)
        #expect(await each.next() != nil)
        try other.close()
    }
}
