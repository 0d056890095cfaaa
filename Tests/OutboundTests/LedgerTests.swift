import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import Outbound

@Suite("The list of connections", .endsInTime)
struct LedgerTests {
    private let folder = TemporaryFolder()
    /// Within a day of the contract's records.
    private let now = Date(timeIntervalSince1970: 1_790_000_100)

    private var notes: OutboundNoteFile { OutboundNoteFile(path: folder("state/connections")) { [now] in now } }

    @Test("keeps the contract in memory, in a file and as both")
    func contracts() async throws {
        try await verifyContract(of: MemoryOutbound())
        try await verifyContract(ofNotes: notes)
        let other = OutboundNoteFile(path: folder("other"))
        try await verifyContract(of: CombinedLedger(aside: other) { nil })
        try await other.erase()
        let memory: any OutboundLedger = MemoryOutbound()
        try await verifyContract(of: CombinedLedger(aside: other) { memory })
    }

    @Test("is in a file that nobody else can read, and survives a line that was written in half")
    func file() async throws {
        let record = OutboundRecord(time: now, purpose: .voice, host: "example.org")
        let number = try await notes.begin(record)
        let path = folder("state/connections")
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"number":5,"rec"#.utf8))
        try handle.close()
        await notes.end(number, outcome: .answered, bytesReceived: 7)
        #expect(try await notes.records(limit: 9).map(\.bytesReceived) == [7])
    }

    @Test("takes over what a program was killed at after a day")
    func killed() async throws {
        _ = try await notes.begin(OutboundRecord(time: now - 90_000, purpose: .voice, host: "old.example.org"))
        _ = try await notes.begin(OutboundRecord(time: now - 9, purpose: .voice, host: "new.example.org"))
        let ledger: any OutboundLedger = MemoryOutbound()
        try await notes.move(into: ledger)
        #expect(try await ledger.records(limit: 9).map(\.host) == ["old.example.org"])
        #expect(try await ledger.records(limit: 9).map(\.outcome) == [.begun])
        #expect(try await notes.records(limit: 9).map(\.host) == ["new.example.org"])
    }

    @Test("loses and doubles nothing while several write and move")
    func together() async throws {
        let ledger: any OutboundLedger = MemoryOutbound()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                let notes = OutboundNoteFile(path: folder("state/connections")) { [now] in now }
                group.addTask {
                    let record = OutboundRecord(time: now, purpose: .voice, host: "h\(number).example.org")
                    guard let entry = try? await notes.begin(record) else { return }
                    await notes.end(entry, outcome: .answered, bytesReceived: number)
                    if number.isMultiple(of: 7) { try? await notes.move(into: ledger) }
                }
            }
        }
        try await notes.move(into: ledger)
        let kept = try await ledger.records(limit: 100)
        #expect(kept.count == 50 && Set(kept.map(\.host)).count == 50)
        #expect(kept.allSatisfy { $0.host == "h\($0.bytesReceived).example.org" && $0.outcome == .answered })
    }

    @Test("is in the library while that is open, and aside otherwise")
    func combined() async throws {
        let memory: any OutboundLedger = MemoryOutbound()
        let isOpen = Switch()
        let ledger = CombinedLedger(aside: notes) { isOpen.isOn ? memory : nil }
        let locked = try await ledger.begin(OutboundRecord(time: now, purpose: .catalogue, host: "one.example.org"))
        isOpen.isOn = true
        let open = try await ledger.begin(OutboundRecord(time: now + 1, purpose: .voice, host: "two.example.org"))
        isOpen.isOn = false
        await ledger.end(open, outcome: .answered, bytesReceived: 2)
        isOpen.isOn = true
        await ledger.end(locked, outcome: .answered, bytesReceived: 1)
        #expect(try await memory.records(limit: 9).map(\.bytesReceived) == [2])
        #expect(try await notes.records(limit: 9).map(\.bytesReceived) == [1])
        let hosts = try await ledger.records(limit: 9).map(\.host)
        #expect(hosts == ["one.example.org", "two.example.org"], "what was noted aside is taken over last")
        try await notes.move(into: memory)
        #expect(try await memory.records(limit: 9).count == 2)
    }

    @Test("has every connection before it is made, with what was sent and what came")
    func connections() async throws {
        let server = try TranscriptionServer()
        let archives = try ArchiveServer.withSamples()
        let ledger: any OutboundLedger = MemoryOutbound()
        let client = try OutboundClient(to: archives.address("plain"), ledger: ledger)
        _ = try await OutboundCatalogue(client: client).entries(of: .voices, since: nil)
        _ = try await OutboundArchives(client: client, folder: folder("voices"), environment: .hasty())
            .fetch(ArchiveServer.voice.entry)
        let absent = try #require(CatalogueEntry(archive: "vits-piper-et_EE-absent-low.tar.bz2"))
        await #expect(throws: ModelDownloadError.self) {
            try await OutboundArchives(client: client, folder: folder("voices"), environment: .hasty()).fetch(absent)
        }
        let service = try server.service("plain")
        let recognizer = RemoteRecognizer(client: client) { [service] }
        let permit = SendingPermission(confirmed: Sending(seconds: 2, to: service))
        let session = try await permit.use { try await recognizer.open(service.id, .init()) }
        _ = try await session.recognize(.noise(2, amplitude: 0.3))
        let gone = try TranscriptionService(
            name: try ServiceName("gone"),
            address: try ServiceAddress("http://127.0.0.1:1"),
            model: "m"
        )
        let going = SendingPermission(confirmed: Sending(seconds: 2, to: gone))
        await #expect(throws: RemoteRecognitionError.self) {
            let session = try await going.use { try recognizer.open(gone) }
            _ = try await session.recognize(.noise(2, amplitude: 0.3))
        }
        let records = try await ledger.records(limit: 20)
        #expect(
            records.map(\.purpose) == [.transcription, .transcription, .transcription, .voice, .voice, .catalogue]
        )
        #expect(records.first?.host == "127.0.0.1:1" && records.first?.outcome == .failed)
        let asked = Array(records[1...2])
        #expect(asked.map(\.outcome) == [.answered, .refused], "first refused with its format, then answered")
        #expect(asked.allSatisfy { $0.host == "127.0.0.1:\(server.port)" && $0.seconds == 2 && $0.bytesSent > 64_044 })
        #expect(records[4].bytesReceived == 1_000_000 && records[4].bytesSent == 0 && records[4].seconds == nil)
        #expect(records.allSatisfy { !$0.host.contains("/") })
    }

    @Test("keeps a connection from being made that it does not take")
    func refusing() async throws {
        struct Full: OutboundLedger {
            struct Problem: Error {}
            func begin(_ record: OutboundRecord) async throws -> Int { throw Problem() }
            func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) async {}
            func records(limit: Int) async throws -> [OutboundRecord] { [] }
        }
        let archives = try ArchiveServer.withSamples()
        let scenario = ArchiveServer.scenario("unlisted")
        let client = try OutboundClient(to: archives.address(scenario), ledger: Full())
        await #expect(throws: OutboundLedgerError.notRecorded) {
            try await OutboundCatalogue(client: client).entries(of: .voices, since: nil)
        }
        #expect(try archives.requests(scenario).isEmpty)
    }
}

/// Says whether a library is open.
private final class Switch: Sendable {
    private let state = Mutex(false)

    var isOn: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }
}
