import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import Outbound

@Suite("A connection that is forbidden while it is open", .endsInTime)
struct ForbiddenConnectionTests {
    private static let shared = Result { try TranscriptionServer() }

    /// What a person says while something is sent.
    enum Change: CaseIterable, Sendable {
        case offline
        case serviceRemoved
        case otherKey
        case leaveTakenBack

        /// What the sending ends with.
        var error: RemoteRecognitionError {
            switch self {
            case .offline: .offline
            case .serviceRemoved, .otherKey: .changed(host: "127.0.0.1")
            case .leaveTakenBack: .notAllowed(host: "127.0.0.1")
            }
        }
    }

    /// What the connection does when the person says it, as the server's scenarios have it.
    enum Phase: String, CaseIterable, Sendable {
        case sending = "unread"
        case waiting = "gate"
        case receiving = "drip=20"
    }

    /// Who has set up a service, and changes what is allowed.
    private final class Person: Sendable {
        private let service: TranscriptionService
        private let change = Mutex<Change?>(nil)

        init(_ service: TranscriptionService) {
            self.service = service
        }

        func say(_ new: Change) { change.withLock { $0 = new } }

        var rules: OutboundRules { OutboundRules(isOffline: change.withLock(\.self) == .offline) }
        var isLeaveGiven: Bool { change.withLock(\.self) != .leaveTakenBack }

        var services: [TranscriptionService] {
            get throws {
                switch change.withLock(\.self) {
                case .serviceRemoved: return []
                case .otherKey:
                    var other = service
                    other.key = try ServiceKey("sk-other")
                    return [other]
                case .offline, .leaveTakenBack, nil: return [service]
                }
            }
        }
    }

    /// Where connections are listed; how many there were can be asked at any time.
    private final class Ledger: OutboundLedger {
        private let outcomes = Mutex<[OutboundRecord.Outcome?]>([])

        var count: Int { outcomes.withLock(\.count) }
        var last: OutboundRecord.Outcome? { outcomes.withLock { $0.last ?? nil } }

        func begin(_ record: OutboundRecord) -> Int {
            outcomes.withLock { outcomes in
                outcomes.append(nil)
                return outcomes.count - 1
            }
        }

        func end(_ number: Int, outcome: OutboundRecord.Outcome, bytesReceived: Int) {
            outcomes.withLock { $0[number] = outcome }
        }

        func records(limit: Int) -> [OutboundRecord] { [] }
    }

    @Test("to a service is closed, and no other follows", arguments: Phase.allCases, Change.allCases)
    func service(phase: Phase, change: Change) async throws {
        let server = try Self.shared.get()
        let scenario = TranscriptionServer.scenario(phase.rawValue)
        let service = try server.service(scenario)
        let (person, ledger, end) = (Person(service), Ledger(), Latch())
        let client = OutboundClient(environment: [:], ledger: ledger) { person.rules }
        let recognizer = RemoteRecognizer(client: client) { try person.services }
        let sending = Sending(seconds: 1_000, to: service)
        let permit = SendingPermission(confirmed: sending) { person.isLeaveGiven }
        let session = try await permit.use { try await recognizer.open(service.id, .init()) }
        // More than the buffers of a connection hold that nobody reads from.
        let clip = AudioClip.noise(phase == .sending ? 200 : 2, amplitude: 0.3)
        let asking = Task {
            defer { end.set() }
            return try await session.recognize(clip)
        }
        try await waitUntil("the service is asked", while: !end.isSet) {
            try phase == .sending ? server.counts(scenario).begun == 1 : !server.requests(scenario).isEmpty
        }
        person.say(change)
        let error = change.error
        await #expect(throws: error) { try await asking.value }
        await #expect(throws: error) { try await session.recognize(.noise(1, amplitude: 0.3)) }
        #expect(ledger.count == 1 && ledger.last == .failed)
        try server.openGate(scenario)
        // The server reads on: what it has been sent after all comes to it before the request ends for it.
        try await waitUntil("the server has done with the request") { try server.counts(scenario).ended == 1 }
        #expect(try server.counts(scenario).begun == 1)
        #expect(try server.requests(scenario).count == (phase == .sending ? 0 : 1))
        await session.close()
    }

    @Test("to a mirror is closed", arguments: ["silent", "stall=100000"])
    func download(words: String) async throws {
        let server = try ArchiveServer.withSamples()
        let folder = TemporaryFolder()
        let isOffline = Mutex(false)
        let (ledger, end) = (Ledger(), Latch())
        let address = try CatalogueAddress(server.address(ArchiveServer.scenario(words)))
        let client = OutboundClient(environment: [:], ledger: ledger) {
            OutboundRules(isOffline: isOffline.withLock(\.self), catalogue: address)
        }
        let archives = OutboundArchives(client: client, folder: folder("voices"), environment: .hasty())
        let fetching = Task {
            defer { end.set() }
            return try await archives.fetch(ArchiveServer.voice.entry)
        }
        try await waitUntil("the mirror is asked", while: !end.isSet) { ledger.count == 1 }
        isOffline.withLock { $0 = true }
        await #expect(throws: VoiceDownloadError.offline) { try await fetching.value }
        #expect(ledger.count == 1)
    }
}
