import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Leave to send", .endsInTime)
struct SendingConsentTests {
    private let job = TranscriptionJob.ID(rawValue: "one")
    private let sending = Sending(host: "speech.example.org:8443", bytes: 1_000, seconds: 2)

    private func consent(_ rule: ConsentRule) -> SendingConsent { SendingConsent { rule } }

    /// Asks, and answers when the question is there.
    private func ask(
        _ consent: SendingConsent,
        _ sending: Sending,
        for job: TranscriptionJob.ID,
        answer: @escaping @Sendable (SendingConsent, TranscriptionJob.ID) async -> Bool
    ) async throws -> (permit: SendingPermission, asked: Int) {
        let asked = Mutex(0)
        let permit = try await consent.ask(sending, for: job) {
            asked.withLock { $0 += 1 }
            #expect(await consent.waiting == [job: sending])
            #expect(await answer(consent, job))
        }
        #expect(await consent.waiting.isEmpty)
        return (permit, asked.withLock(\.self))
    }

    private func allow(
        _ consent: SendingConsent,
        _ sending: Sending? = nil,
        for job: TranscriptionJob.ID? = nil
    ) async throws -> Int {
        let sending = sending ?? self.sending
        return try await ask(consent, sending, for: job ?? self.job) { await $0.allow(sending, for: $1) }.asked
    }

    @Test("is asked for each sending, and not again for its repetition")
    func each() async throws {
        let consent = consent(.eachTime)
        #expect(try await allow(consent) == 1)
        #expect(try await allow(consent) == 0, "a failed sending is repeated")
        #expect(try await allow(consent, Sending(host: sending.host, bytes: 500, seconds: 1)) == 0, "so is its rest")
        #expect(try await allow(consent, Sending(host: sending.host, bytes: 1_001, seconds: 2)) == 1, "not more")
        #expect(try await allow(consent, Sending(host: "other.example.org", bytes: 1, seconds: 0.1)) == 1)
        #expect(try await allow(consent, for: TranscriptionJob.ID(rawValue: "two")) == 1, "nor another job")
        await consent.end(job)
        #expect(try await allow(consent) == 1)
    }

    @Test("is asked for once for a server in a session, which ends when the library is closed")
    func session() async throws {
        let consent = consent(.oncePerSession)
        let other = TranscriptionJob.ID(rawValue: "two")
        #expect(try await allow(consent) == 1)
        #expect(try await allow(consent, for: other) == 0)
        #expect(try await allow(consent, Sending(host: "other.example.org", bytes: 1, seconds: 1), for: other) == 1)
        await consent.forget()
        #expect(try await allow(consent) == 1)
    }

    /// The permission to send sound to a service at `address`.
    private func sending(to address: String, prompt: String? = nil) throws -> Sending {
        let service = try TranscriptionService(
            name: try ServiceName("office"),
            address: try ServiceAddress(address, allowsPlain: true),
            model: "m",
            prompt: prompt
        )
        return Sending(seconds: 2, to: service)
    }

    @Test(
        "is asked for again for another server, path or port, without encryption, and with words",
        arguments: [ConsentRule.eachTime, .oncePerSession]
    )
    func parts(rule: ConsentRule) async throws {
        let address = "https://speech.example.org/a"
        let first = try sending(to: address)
        let others = [
            try sending(to: "http://speech.example.org/a"), try sending(to: "https://speech.example.com/a"),
            try sending(to: "https://speech.example.org:8443/a"), try sending(to: "https://speech.example.org/b"),
            try sending(to: address, prompt: "Names."), first.with(RecognitionSettings(hotwords: ["Anna"])),
            first.with(RecognitionSettings(prompt: "Anna.")),
        ]
        for other in others {
            let consent = consent(rule)
            #expect(try await allow(consent, first) == 1)
            #expect(try await allow(consent, first) == 0)
            #expect(try await allow(consent, other) == 1, "\(other)")
        }
        #expect(first.with(RecognitionSettings(language: "et")) == first, "a language is no words")
    }

    @Test("says whether others can read what goes to another machine")
    func readable() throws {
        #expect(try sending(to: "http://speech.example.org").isReadable)
        for address in ["https://speech.example.org", "http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost"]
        {
            #expect(try !sending(to: address).isReadable, "\(address)")
        }
    }

    @Test("is not given by an answer to another question", .endsInTime)
    func stale() async throws {
        let consent = consent(.eachTime)
        let other = Sending(host: "other.example.org", bytes: 1_000, seconds: 2)
        let permit = try await consent.ask(sending, for: job) { [job, sending] in
            #expect(await !consent.allow(other, for: job))
            #expect(await consent.waiting == [job: sending])
            #expect(await !consent.hasAllowed(other, for: job))
            #expect(await consent.allow(sending, for: job))
        }
        #expect(permit.sending == sending)
        #expect(await consent.hasAllowed(sending, for: job))
    }

    @Test("is for so many bytes, of which some may be sent again for nothing")
    func bytes() {
        let permit = SendingPermission(confirmed: Sending(host: "h", bytes: 160_000, seconds: 5))
        #expect(permit.take(160_000) && !permit.take(160_000))
        permit.giveBack(160_000)
        #expect(permit.take(160_000) && !permit.take(100_000))
    }

    @Test("is never asked for where a person has said so")
    func always() async throws {
        #expect(try await allow(consent(.neverAsk)) == 0)
    }

    @Test(
        "is refused for one question, and asked for again afterwards",
        arguments: [ConsentRule.eachTime, .oncePerSession]
    )
    func refused(rule: ConsentRule) async throws {
        let consent = consent(rule)
        await #expect(throws: RemoteRecognitionError.notAllowed(host: "speech.example.org")) {
            try await ask(consent, sending, for: job) { await $0.refuse($1) }
        }
        #expect(try await allow(consent) == 1)
        #expect(await !consent.allow(sending, for: job), "nobody waits")
        #expect(await !consent.refuse(job))
    }

    @Test("is not given by an answer that comes after a refusal", arguments: [ConsentRule.eachTime, .oncePerSession])
    func tooLate(rule: ConsentRule) async throws {
        let consent = consent(rule)
        await #expect(throws: RemoteRecognitionError.notAllowed(host: "speech.example.org")) {
            // All of it before the job hears the first answer.
            try await consent.ask(sending, for: job) { [job, sending] in
                #expect(await consent.refuse(job))
                #expect(await consent.waiting.isEmpty)
                #expect(await !consent.allow(sending, for: job))
                #expect(await !consent.refuse(job))
            }
        }
        #expect(await !consent.hasAllowed(sending, for: job))
        #expect(try await allow(consent) == 1, "the next question is asked")
    }

    @Test("comes also when it is answered later, and to the one who waits for it", .endsInTime)
    func later() async throws {
        let consent = consent(.eachTime)
        let other = TranscriptionJob.ID(rawValue: "two")
        let (waits, continuation) = AsyncStream.makeStream(of: TranscriptionJob.ID.self)
        let first = Task { [job, sending] in
            try await consent.ask(sending, for: job) { continuation.yield(job) }
        }
        let second = Task { [sending] in
            try await consent.ask(sending, for: other) { continuation.yield(other) }
        }
        var waiting = waits.makeAsyncIterator()
        for _ in 0..<2 { _ = await waiting.next() }
        await consent.allow(sending, for: other)
        #expect(try await second.value == SendingPermission(confirmed: sending))
        #expect(await consent.waiting.keys.map(\.self) == [job])
        await consent.forget()
        await #expect(throws: RemoteRecognitionError.self) { try await first.value }
    }

    @Test("is waited for until the job is cancelled", .endsInTime)
    func cancelled() async throws {
        let consent = consent(.eachTime)
        let asking = Task { [job, sending] in
            try await consent.ask(sending, for: job) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await asking.value }
        #expect(await consent.waiting.isEmpty)
    }

    @Test("is no longer asked for when the setting changes", .endsInTime)
    func reconsidered() async throws {
        let settings = MemorySettings()
        let consent = SendingConsent { try await settings.consentRule() }
        _ = try await ask(consent, sending, for: job) { consent, _ in
            do {
                try await settings.set("transcription.consent", to: "never-ask")
                try await consent.reconsider()
                return true
            } catch {
                return false
            }
        }
    }

    @Test("is not waited for where the setting changes before there is a question", .endsInTime)
    func changedBefore() async throws {
        let rules = Mutex([ConsentRule.eachTime])
        let consent = SendingConsent { rules.withLock { $0.popLast() } ?? .neverAsk }
        let permit = try await consent.ask(sending, for: job)
        #expect(try await permit.isGiven())
        #expect(await consent.waiting.isEmpty)
    }

    @Test("is taken back when a person wants to be asked again, but for what was allowed")
    func takenBack() async throws {
        let settings = MemorySettings()
        let consent = SendingConsent { try await settings.consentRule() }
        try await settings.set("transcription.consent", to: "never-ask")
        let unasked = try await consent.ask(sending, for: job)
        #expect(try await unasked.isGiven())
        try await settings.set("transcription.consent", to: "each-time")
        #expect(try await !unasked.isGiven())
        let asked = try await ask(consent, sending, for: job) { [sending] in await $0.allow(sending, for: $1) }
        #expect(try await asked.permit.isGiven())
        try await settings.set("transcription.consent", to: "once-per-session")
        #expect(try await asked.permit.isGiven())
        await consent.forget()
        #expect(try await !asked.permit.isGiven())
    }

    @Test(
        "says in each of its rules' words whether a person is asked",
        arguments: ["ask", "session", "always", "never"]
    )
    func words(formerOrUnclear: String) throws {
        #expect(ConsentRule.allCases.map(\.rawValue) == ["each-time", "once-per-session", "never-ask"])
        #expect(
            throws: LibraryError.invalidSetting(
                name: "transcription.consent",
                allowed: "each-time, once-per-session, never-ask"
            )
        ) {
            try SettingsCatalogue.consent.value(of: formerOrUnclear)
        }
    }

    @Test("holds for what is done with it, and for nothing else")
    func permit() async throws {
        #expect(SendingPermission.current == nil)
        let permit = SendingPermission(confirmed: sending)
        await permit.use { #expect(SendingPermission.current == permit) }
        #expect(SendingPermission.current == nil)
    }
}
