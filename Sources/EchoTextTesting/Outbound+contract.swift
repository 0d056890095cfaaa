package import EchoText
import Foundation
import Testing

/// Checks every promise ``TranscriptionServices`` makes, on an empty one.
package func verifyContract(of services: some TranscriptionServices) async throws {
    #expect(try await services.services().isEmpty, "nothing is set up by itself")
    let office = try TranscriptionService(
        name: try ServiceName("office"),
        address: try ServiceAddress("https://speech.example.org/v1/"),
        model: "whisper-1",
        language: "et",
        prompt: "EchoText",
        key: try ServiceKey("sk-1")
    )
    var cellar = try TranscriptionService(
        name: try ServiceName("cellar"),
        address: try ServiceAddress("http://10.0.0.2:8000", allowsPlain: true),
        model: "small"
    )
    for service in [office, cellar] { try await services.save(service) }
    #expect(try await services.services() == [cellar, office], "by name, and whole")
    cellar.key = try ServiceKey("sk-2")
    try await services.save(cellar)
    #expect(try await services.services() == [cellar, office], "one is replaced")
    #expect(try await services.service(cellar.name) == cellar)
    try await services.delete(office.name)
    for name in [office.name, try ServiceName("nobody")] {
        await #expect(throws: TranscriptionServiceError.notFound) { try await services.delete(name) }
        await #expect(throws: TranscriptionServiceError.notFound) { try await services.service(name) }
    }
    for number in 1..<TranscriptionServiceLimits.services {
        let name = try ServiceName("n\(number)")
        try await services.save(try TranscriptionService(name: name, address: office.address, model: "m"))
    }
    let limit = TranscriptionServiceLimits.services
    await #expect(throws: TranscriptionServiceError.tooMany(limit: limit)) { try await services.save(office) }
    try await services.save(cellar)
}

/// Checks every promise ``OutboundLedger`` makes, on an empty one.
package func verifyContract(of ledger: some OutboundLedger) async throws {
    #expect(try await ledger.records(limit: 10).isEmpty)
    let start = Date(timeIntervalSince1970: 1_790_000_000)
    let first = OutboundRecord(time: start, purpose: .catalogue, host: "example.org")
    let second = OutboundRecord(
        time: start + 1,
        purpose: .transcription,
        host: "speech.example.org:8443",
        bytesSent: 32_044,
        seconds: 1
    )
    let numbers = [try await ledger.begin(first), try await ledger.begin(second)]
    #expect(Set(numbers).count == 2)
    #expect(try await ledger.records(limit: 10) == [second, first], "newest first, before anything is connected")
    await ledger.end(numbers[1], outcome: .answered, bytesReceived: 123)
    await ledger.end(numbers[0], outcome: .failed, bytesReceived: 0)
    let ended = try await ledger.records(limit: 10)
    #expect(ended.map(\.outcome) == [.answered, .failed] && ended.map(\.bytesReceived) == [123, 0])
    #expect(ended.map(\.host) == [second.host, first.host] && ended.map(\.seconds) == [1, nil])
    #expect(try await ledger.records(limit: 1).map(\.host) == [second.host])
}

/// Checks every promise ``OutboundNotes`` makes, on empty ones.
///
/// - Parameter notes: What is checked; its clock says 2026-09-21 at the earliest, and 2026-09-22 at the latest.
/// - Throws: What the notes threw that they should not have.
package func verifyContract(ofNotes notes: some OutboundNotes) async throws {
    try await notes.move(into: MemoryOutbound())
    try await verifyContract(of: notes)
    let start = Date(timeIntervalSince1970: 1_790_000_010)
    let running = try await notes.begin(OutboundRecord(time: start, purpose: .voice, host: "slow.example.org"))
    let ledger: any OutboundLedger = MemoryOutbound()
    try await notes.move(into: ledger)
    #expect(
        try await ledger.records(limit: 10).map(\.outcome) == [.answered, .failed],
        "with their ends, in order of time"
    )
    #expect(try await notes.records(limit: 10).map(\.host) == ["slow.example.org"], "one that has not ended stays")
    await notes.end(running, outcome: .answered, bytesReceived: 9)
    try await notes.move(into: ledger)
    try await notes.move(into: ledger)
    #expect(try await ledger.records(limit: 10).map(\.host).first == "slow.example.org")
    #expect(try await ledger.records(limit: 10).count == 3, "each is moved once")
    #expect(try await notes.records(limit: 10).isEmpty)
    _ = try await notes.begin(OutboundRecord(time: start, purpose: .voice, host: "last.example.org"))
    try await notes.erase()
    try await notes.erase()
    #expect(try await notes.records(limit: 10).isEmpty)
}

/// Checks every promise ``NetworkWatch`` makes.
///
/// - Parameters:
///   - watch: What is checked; it is unreachable at first.
///   - change: Makes the network be so.
/// - Throws: What `change` threw.
package func verifyContract(
    of watch: some NetworkWatch,
    change: (NetworkState) async throws -> Void
) async throws {
    var states = watch.states().makeAsyncIterator()
    #expect(await states.next() == .unreachable, "the first state comes at once")
    try await change(.reachable)
    #expect(await states.next() == .reachable)
    try await change(.reachable)
    try await change(.unreachable)
    #expect(await states.next() == .unreachable, "no state comes twice in a row")
    var others = watch.states().makeAsyncIterator()
    #expect(await others.next() == .unreachable, "each reader begins with the present state")
    try await change(.reachable)
    try await watch.untilReachable()
    let waiting = Task { try await watch.untilReachable() }
    try await waiting.value
}
