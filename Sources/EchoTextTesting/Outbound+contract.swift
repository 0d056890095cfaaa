package import EchoText
import Foundation
import Testing

/// Checks every promise ``TranscriptionServices`` makes, on an empty one.
package func verifyContract(of services: some TranscriptionServices) async throws {
    #expect(try await services.services().isEmpty, "nothing is set up by itself")
    #expect(try await services.unreadable() == 0)
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

/// Checks every promise ``OutboundNotes`` makes, on empty ones.
///
/// - Parameter notes: The notes to check, whose clock is between 2026-09-21 and 2026-09-22.
/// - Throws: Unexpected errors of the notes.
package func verifyContract(ofNotes notes: some OutboundNotes) async throws {
    try await notes.move(into: MemoryOutbound())
    try await verifyContract(of: notes)
    let ledger: any OutboundLedger = MemoryOutbound()
    let before = try await notes.records(limit: 10)
    try await notes.move(into: ledger)
    #expect(
        try await ledger.records(limit: 10) == before.filter { $0.outcome != .begun },
        "with their ends, in their order"
    )
    #expect(try await notes.records(limit: 10) == before.filter { $0.outcome == .begun }, "what has not ended stays")
    let time = Date(timeIntervalSince1970: 1_790_000_010)
    let number = try await notes.begin(OutboundRecord(time: time, purpose: .voice, host: "late.example.org"))
    await notes.end(number, outcome: .answered, bytesReceived: 9)
    let moved = try await ledger.records(limit: 10).count
    for _ in 0..<2 { try await notes.move(into: ledger) }
    #expect(try await ledger.records(limit: 10).first?.bytesReceived == 9)
    #expect(try await ledger.records(limit: 10).count == moved + 1, "each is moved once")
    for _ in 0..<2 { try await notes.erase() }
    #expect(try await notes.records(limit: 10).isEmpty)
}

/// Checks every promise ``NetworkWatch`` makes.
///
/// - Parameters:
///   - watch: The watch to check, initially unreachable.
///   - change: Changes the state of the network.
/// - Throws: Errors of `change`.
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
