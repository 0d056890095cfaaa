import EchoText
import EchoTextTesting
import FileSystem
import Foundation
import Synchronization
import Testing

@testable import Outbound

@Suite("A connection that is forbidden while it is open", .endsInTime)
struct ForbiddenConnectionTests {
    private static let shared = Result { try TranscriptionServer() }

    /// An order that a person gives while something is sent.
    enum Change: CaseIterable, Sendable {
        case offline
        case serviceRemoved
        case otherKey
        case leaveTakenBack

        /// The error that sending ends with.
        var error: RemoteRecognitionError {
            switch self {
            case .offline: .offline
            case .serviceRemoved, .otherKey: .changed(host: "127.0.0.1")
            case .leaveTakenBack: .notAllowed(host: "127.0.0.1")
            }
        }
    }

    /// The state of the connection when the person gives the order, as the server's scenarios have it.
    enum Phase: String, CaseIterable, Sendable {
        case sending = "unread"
        case waiting = "gate"
        case receiving = "drip=20"
    }

    /// A person who has set up a service, and changes what is allowed.
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

    @Test("to a service is given up while nobody has taken it yet", arguments: Change.allCases)
    func connecting(change: Change) async throws {
        let listener = try DeafListener()
        let service = try TranscriptionService(
            name: try ServiceName("office"),
            address: try ServiceAddress(listener.address),
            model: "whisper-1"
        )
        let (person, ledger, end) = (Person(service), Ledger(), Latch())
        let client = OutboundClient(environment: [:], ledger: ledger) { person.rules }
        let recognizer = RemoteRecognizer(client: client) { try person.services }
        let permit = SendingPermission(confirmed: Sending(seconds: 1_000, to: service)) { person.isLeaveGiven }
        let session = try await permit.use { try await recognizer.open(service.id, .init()) }
        let asking = Task {
            defer { end.set() }
            return try await session.recognize(.noise(1, amplitude: 0.3))
        }
        try await listener.whenAsked(while: { !end.isSet }, do: { person.say(change) })
        let error = change.error
        await #expect(throws: error) { try await asking.value }
        try await waitUntil("it connects no longer") { try !listener.isAskedInVain }
        await #expect(throws: error) { try await session.recognize(.noise(1, amplitude: 0.3)) }
        #expect(ledger.count == 1 && ledger.last == .failed)
        await session.close()
    }

    /// The files that are asked for at a mirror.
    enum Download: CaseIterable, Sendable {
        case voice
        case model
        case voices
        case recognizers

        /// Its bytes, after which a server may fall silent.
        var pause: Int {
            switch self {
            case .voice, .model: 100_000
            case .voices, .recognizers: 10
            }
        }

        func fetch(by client: OutboundClient, into folder: String) async throws {
            let archives = OutboundArchives(client: client, folder: folder, environment: .hasty())
            let catalogue = OutboundCatalogue(
                client: client,
                idleTimeout: HastyClock.longTimeout,
                clock: HastyClock()
            )
            switch self {
            case .voice: _ = try await archives.fetch(ArchiveServer.voice.entry)
            case .model: _ = try await archives.fetch(ArchiveServer.model.entry)
            case .voices: _ = try await catalogue.entries(of: .voices, since: nil)
            case .recognizers: _ = try await catalogue.entries(of: .recognizers, since: nil)
            }
        }
    }

    /// Has `download` under way at `mirror` when the person goes offline, which ends it.
    ///
    /// `whenUnderWay` waits until it is, as long as its first argument says that it has not ended, then does its second.
    private func expectEnd(
        of download: Download,
        at mirror: String,
        whenUnderWay: (@escaping @Sendable () -> Bool, @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
        let folder = TemporaryFolder()
        let isOffline = Mutex(false)
        let (ledger, end) = (Ledger(), Latch())
        let address = try CatalogueAddress(mirror)
        let client = OutboundClient(environment: [:], ledger: ledger) {
            OutboundRules(isOffline: isOffline.withLock(\.self), catalogue: address)
        }
        let fetching = Task {
            defer { end.set() }
            try await download.fetch(by: client, into: folder("voices"))
        }
        try await whenUnderWay({ !end.isSet }, { isOffline.withLock { $0 = true } })
        await #expect(throws: ModelDownloadError.offline) { try await fetching.value }
        #expect(ledger.count == 1 && ledger.last == .failed)
    }

    @Test("to a mirror is closed", arguments: Download.allCases, [true, false])
    func download(_ download: Download, isAnswered: Bool) async throws {
        let server = try ArchiveServer.withSamples()
        let scenario = ArchiveServer.scenario(isAnswered ? "stall=\(download.pause)" : "silent")
        try await expectEnd(of: download, at: server.address(scenario)) { isPossible, goOffline in
            try await waitUntil("the mirror is asked", while: isPossible()) { try server.requests(scenario).count == 1 }
            goOffline()
        }
        #expect(try server.requests(scenario).count == 1)
    }

    @Test("to a mirror is given up while nobody has taken it yet", arguments: Download.allCases)
    func connectingToMirror(_ download: Download) async throws {
        let listener = try DeafListener()
        try await expectEnd(of: download, at: listener.address) { isPossible, goOffline in
            try await listener.whenAsked(while: isPossible, do: goOffline)
        }
        try await waitUntil("it connects no longer") { try !listener.isAskedInVain }
    }
}

/// A port of this machine whose queue is full, so that the system lets nobody else connect, and refuses nobody.
private final class DeafListener: Sendable {
    private let listener: Int32
    private let first: Int32
    private let port: UInt16

    /// - Throws: An error of the system.
    init() throws {
        let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let (server, client) = (socket(AF_INET, stream, 0), socket(AF_INET, stream, 0))
        (listener, first) = (server, client)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(server, place, size) == 0 && getsockname(server, place, &size) == 0
                    && listen(server, 0) == 0 && connect(client, place, size) == 0
            }
        }
        port = UInt16(bigEndian: place.sin_port)
        guard isReady else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(first)
        close(listener)
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Makes a change as soon as a connection to it is waiting to be taken.
    ///
    /// It is looked for on a thread of its own: a client gives up after seconds, for which a task may wait on a busy machine.
    ///
    /// - Throws: A timeout when it is no longer possible; an error of the system.
    func whenAsked(
        while isPossible: @escaping @Sendable () -> Bool,
        do change: @escaping @Sendable () -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        while try !self.isAskedInVain {
                            guard isPossible() else { throw POSIXError(.ETIMEDOUT) }
                            usleep(10_000)
                        }
                        change()
                    }
                )
            }
        }
    }

    /// Whether a connection to it is waiting to be taken.
    var isAskedInVain: Bool {
        get throws {
            // The state 02 is that of a socket that has sent its first packet.
            try String(kernelFile: "/proc/net/tcp")
                .contains(" 0100007F:\(String(format: "%04X", Int(port))) 02 ")
        }
    }
}
