import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import Outbound

@Suite("A service that transcribes", .endsInTime)
struct RemoteRecognizerTests {
    private static let shared = Result { try TranscriptionServer() }

    private let server: TranscriptionServer

    init() throws {
        server = try Self.shared.get()
    }

    /// Two seconds in which something can be heard.
    private static let clip = AudioClip.noise(2, amplitude: 0.3)

    private func recognizer(
        _ service: TranscriptionService,
        _ environment: RemoteRecognizer.Environment? = nil,
        client: OutboundClient? = nil
    ) throws -> RemoteRecognizer {
        RemoteRecognizer(
            client: try client ?? OutboundClient(),
            environment: environment ?? .patient(for: service.address.text)
        ) { [service] }
    }

    private func allowed(_ service: TranscriptionService, seconds: Double = 1_000) -> SendingPermission {
        SendingPermission(confirmed: Sending(seconds: seconds, to: service))
    }

    private func allowed(_ service: TranscriptionService, with settings: RecognitionSettings) -> SendingPermission {
        SendingPermission(confirmed: Sending(seconds: 1_000, to: service).with(settings))
    }

    private func hear(
        _ service: TranscriptionService,
        _ settings: RecognitionSettings = RecognitionSettings(),
        clip: AudioClip = clip,
        _ environment: RemoteRecognizer.Environment? = nil,
        client: OutboundClient? = nil
    ) async throws -> RecognizedSpeech {
        let recognizer = try recognizer(service, environment, client: client)
        let permit = allowed(service, with: settings)
        let session = try await permit.use { try await recognizer.open(service.id, settings) }
        return try await session.recognize(clip)
    }

    private func hear(_ scenario: String) async throws -> RecognizedSpeech {
        try await hear(server.service(scenario))
    }

    @Test("AT5: keeps the contract of recognizers")
    func contract() async throws {
        let service = try server.service("contract")
        try await allowed(service).use {
            try await verifyContract(of: recognizer(service), on: Self.clip)
        }
    }

    @Test("AT5: is sent the sound with what was set up, and nothing else")
    func request() async throws {
        let scenario = TranscriptionServer.scenario("key=sk-1")
        let service = try server.service(scenario, language: "et-EE", prompt: "EchoText.", key: try ServiceKey("sk-1"))
        let settings = RecognitionSettings(hotwords: ["Tartu", "Tallinn"], prompt: "Yes.")
        let recognized = try await hear(service, settings)
        #expect(recognized.text == "Hello, world." && recognized.language == "en")
        let seen = try #require(try server.requests(scenario).first)
        #expect(seen.authorization == "Bearer sk-1" && seen.seconds == 2 && seen.bytes == 64_044)
        #expect(
            seen.fields == [
                "model": ["whisper-1"], "temperature": ["0"], "language": ["et"],
                "prompt": ["EchoText. Tartu, Tallinn Yes."], "response_format": ["verbose_json"],
                "timestamp_granularities[]": ["word", "segment"],
            ]
        )
        _ = try await hear(service, RecognitionSettings(language: "de"))
        #expect(try server.requests(scenario).last?.fields["language"] == ["de"], "an order's language counts more")
    }

    @Test("AT7: reports words with times, beside the segments or within them", arguments: ["top", "inside", "chunked"])
    func words(scenario: String) async throws {
        let recognized = try await hear(scenario)
        #expect(recognized.text == "Hello, world." && recognized.timing == .words)
        #expect(recognized.words.map(\.start) == [0, 1] && recognized.words.map(\.end) == [1, 2])
        let inside = scenario == "inside"
        #expect(recognized.words.map(\.source) == [0..<(inside ? 6 : 5), 7..<(inside ? 13 : 12)])
        let confidence = inside ? 0.5 : exp(-0.1)
        #expect(recognized.words.allSatisfy { abs(($0.confidence ?? 0) - confidence) < 1e-9 })
    }

    @Test("spreads words over segments where there are no others, and reports none where there is a text alone")
    func fewerTimes() async throws {
        let spread = try await hear("unworded,text=One%2520two%2520three%2520four.")
        #expect(spread.timing == .segments && spread.words.count == 4)
        #expect(spread.words.map(\.start).first == 0 && spread.words[2].start == 1, "each segment begins where it did")
        #expect(spread.words.map(\.passage?.lowerBound) == [0, 0, 1, 1] && spread.words.allSatisfy(\.isEstimated))
        #expect(zip(spread.words, spread.words.dropFirst()).allSatisfy { $0.end <= $1.start + 1e-9 })
        for scenario in ["bare", "odd"] {
            let recognized = try await hear(scenario)
            #expect(
                recognized.text == "Hello, world." && recognized.words.isEmpty && recognized.timing == .none,
                "\(scenario)"
            )
        }
    }

    @Test("AT7: leaves out what the model takes for silence, and sends none")
    func silence() async throws {
        let recognized = try await hear("silent-parts")
        #expect(recognized.text == "Hello," && recognized.words.count == 1)
        let scenario = TranscriptionServer.scenario("silence")
        let none = try await hear(server.service(scenario), clip: .silence(3))
        #expect(none == RecognizedSpeech(text: ""))
        #expect(try server.requests(scenario).isEmpty)
    }

    @Test("is asked for plain JSON when it has no other, from then on", arguments: ["plain", "strict"])
    func plain(words: String) async throws {
        let scenario = TranscriptionServer.scenario(words)
        let service = try server.service(scenario)
        let recognizer = try recognizer(service)
        for _ in 0..<2 {
            let session = try await allowed(service).use { try await recognizer.open(service.id, .init()) }
            #expect(try await session.recognize(Self.clip).text == "Hello, world.")
        }
        let formats = try server.requests(scenario).map { $0.fields["response_format"]?.first }
        #expect(formats == ["verbose_json", "json", "json"], "the second session knows it")
    }

    @Test("takes a long sound in pieces that are cut where it is quiet")
    func pieces() async throws {
        let scenario = TranscriptionServer.scenario("echo")
        let service = try server.service(scenario)
        var environment = RemoteRecognizer.Environment.patient(for: scenario)
        environment.largestFile = 16_384 + 2 * 32_000  // two seconds
        var clip = AudioClip.noise(5, amplitude: 0.3)
        for place in 30_400..<31_000 { clip.samples[place] = 0 }
        let recognized = try await hear(service, clip: clip, environment)
        let seen = try server.requests(scenario)
        #expect(seen.count == 3 && abs(seen.reduce(0) { $0 + $1.seconds } - 5) < 1e-9, "nothing is lost or doubled")
        #expect(seen.allSatisfy { $0.bytes <= environment.largestFile })
        #expect((1.9...1.94).contains(seen.first?.seconds ?? 0))
        #expect(recognized.words.count == 6 && recognized.isPossible(in: 5))
        #expect((recognized.words.last?.end ?? 0) > 4.9, "times are those of the whole")
    }

    @Test(
        "AT10: says what went wrong, and whether it may pass",
        arguments: [
            ("status=500", .serverFailed(host: "127.0.0.1", status: 500)),
            ("status=503", .serverFailed(host: "127.0.0.1", status: 503)),
            ("status=429", .tooManyRequests(host: "127.0.0.1", wait: nil)),
            ("status=429,retry=7", .tooManyRequests(host: "127.0.0.1", wait: .seconds(7))),
            ("status=429,retry=604800", .tooManyRequests(host: "127.0.0.1", wait: .seconds(604_800))),
            ("status=503,retry=9", .tooManyRequests(host: "127.0.0.1", wait: .seconds(9))),
            (
                "status=429,retry=Sat%252C%252021%2520Nov%25202026%252010%253A00%253A30%2520GMT",
                .tooManyRequests(host: "127.0.0.1", wait: .seconds(30))
            ),
            ("status=429,code=insufficient_quota", .quotaSpent(host: "127.0.0.1")),
            ("status=402", .quotaSpent(host: "127.0.0.1")), ("status=401", .keyRefused(host: "127.0.0.1")),
            ("status=403", .keyRefused(host: "127.0.0.1")), ("key=other", .keyRefused(host: "127.0.0.1")),
            ("status=404", .notThere(host: "127.0.0.1")), ("limit=1000", .soundTooLarge(host: "127.0.0.1")),
            ("status=422", .refused(host: "127.0.0.1", status: 422)),
            ("status=400,code=bad", .refused(host: "127.0.0.1", status: 400)),
            ("to=http%253A%252F%252F127.0.0.1%253A1%252F", .refused(host: "127.0.0.1", status: 302)),
            ("cut=10", .interrupted(host: "127.0.0.1")), ("cut=10,chunked", .interrupted(host: "127.0.0.1")),
            ("close", .interrupted(host: "127.0.0.1")), ("hang", .timedOut(host: "127.0.0.1")),
            ("stall=10", .timedOut(host: "127.0.0.1")), ("drip=20", .timedOut(host: "127.0.0.1")),
            ("garbage", .badAnswer(host: "127.0.0.1")),
            ("html", .badAnswer(host: "127.0.0.1")), ("wrong", .badAnswer(host: "127.0.0.1")),
            ("huge=2000000", .badAnswer(host: "127.0.0.1")),
        ] as [(String, RemoteRecognitionError)]
    )
    func refused(words: String, error: RemoteRecognitionError) async throws {
        let scenario = TranscriptionServer.scenario(words)
        await #expect(throws: error) { try await hear(scenario) }
        #expect(error.suggestion != nil && error.failure.message.contains("127.0.0.1"))
        // A connection that is given up early because the machine is busy may not have been seen.
        let tries = try server.requests(scenario).count
        #expect(tries == 1 || (tries == 0 && error == .timedOut(host: "127.0.0.1")), "who retries is the queue")
    }

    @Test(
        "is not believed when it answers more than anybody can say in the sound",
        arguments: [
            "words=701", "within=701", "segments=241", "letters=701", "words=32000", "segments=250000",
            "letters=200000", "huge=140000",
        ]
    )
    func crowded(words: String) async throws {
        let scenario = TranscriptionServer.scenario(words)
        await #expect(throws: RemoteRecognitionError.badAnswer(host: "127.0.0.1")) { try await hear(scenario) }
    }

    @Test(
        "is believed when it answers as much as can be said in the sound",
        arguments: ["words=700", "within=700", "segments=240", "letters=700", "huge=139000"]
    )
    func full(words: String) async throws {
        let recognized = try await hear(TranscriptionServer.scenario(words))
        #expect(!recognized.text.isEmpty && recognized.isPossible(in: 2))
    }

    @Test(
        "is believed when its model repeats itself to the end of its text, however short the sound is",
        arguments: ["words=448", "within=448", "segments=149", "letters=448"]
    )
    func loop(words: String) async throws {
        let service = try server.service(TranscriptionServer.scenario(words))
        let recognized = try await hear(service, clip: .noise(0.5, amplitude: 0.3))
        #expect(!recognized.text.isEmpty && recognized.isPossible(in: 0.5))
        let isRepeated = RepetitionCheck.start(in: recognized.text.split(separator: " ")) != nil
        #expect(isRepeated == words.hasPrefix("letters"), "a repetition is found and cut afterwards")
    }

    @Test("AT6: which failures are tried again")
    func retrying() {
        let passing: [RemoteRecognitionError] = [
            .unreachable(host: "h"), .interrupted(host: "h"), .timedOut(host: "h"),
            .tooManyRequests(host: "h", wait: .seconds(3)), .serverFailed(host: "h", status: 502),
        ]
        let staying: [RemoteRecognitionError] = [
            .offline, .notAllowed(host: "h"), .changed(host: "h"), .untrusted(host: "h"), .keyRefused(host: "h"),
            .quotaSpent(host: "h"), .notThere(host: "h"), .soundTooLarge(host: "h"), .refused(host: "h", status: 422),
            .badAnswer(host: "h"), .tooManyRequests(host: "h", wait: .seconds(3_601)),
        ]
        #expect(passing.allSatisfy(\.isWorthRetrying) && !staying.contains(where: \.isWorthRetrying))
        #expect((passing + staying).filter(\.needsNetwork) == [.unreachable(host: "h")])
        #expect(!RemoteRecognitionError.unreachable(host: "127.0.0.1").needsNetwork, "this machine needs no network")
        #expect(RemoteRecognitionError.tooManyRequests(host: "h", wait: .seconds(3)).failure.retryAfter == .seconds(3))
        #expect(Set((passing + staying).map(\.code)).count == passing.count + staying.count)
    }

    @Test(
        "AT6: answers again after it has failed",
        arguments: ["status=500", "cut=5", "close", "status=429,retry=1", "status=503,slow=20"]
    )
    func recovers(words: String) async throws {
        let scenario = TranscriptionServer.scenario("\(words),times=2")
        let service = try server.service(scenario)
        let recognizer = try recognizer(service)
        let session = try await allowed(service).use { try await recognizer.open(service.id, .init()) }
        for _ in 0..<2 {
            let error = await #expect(throws: RemoteRecognitionError.self) { try await session.recognize(Self.clip) }
            #expect(error?.isWorthRetrying == true)
        }
        #expect(try await session.recognize(Self.clip).text == "Hello, world.")
    }

    @Test(
        "is reached under a name of this machine without anybody's name server",
        arguments: [
            "localhost", "localhost.", "LOCALHOST", "speech.localhost", "a.b.localhost.", "127.0.0.1", "127.0.0.1.",
        ]
    )
    func ownNames(host: String) async throws {
        let scenario = TranscriptionServer.scenario("named")
        let service = try TranscriptionService(
            name: try ServiceName("named"),
            address: try ServiceAddress("http://\(host):\(server.port)/\(scenario)"),
            model: "m"
        )
        #expect(try await hear(service).text == "Hello, world.")
        #expect(try server.requests(scenario).count == 1)
    }

    @Test("is not waited for longer than its sound is worth, whatever it shows", arguments: ["hang", "drip=1"])
    func deadline(words: String) async throws {
        let scenario = TranscriptionServer.scenario(words)
        var environment = RemoteRecognizer.Environment()
        environment.answerTime = .milliseconds(300)
        let short = AudioClip.noise(0.1, amplitude: 0.3)
        await #expect(throws: RemoteRecognitionError.timedOut(host: "127.0.0.1")) {
            try await hear(try server.service(scenario), clip: short, environment)
        }
    }

    @Test("gets no more sound than was allowed, but for what it has refused")
    func spent() async throws {
        let scenario = TranscriptionServer.scenario("status=500,times=2")
        let service = try server.service(scenario)
        let recognizer = try recognizer(service)
        let session = try await allowed(service, seconds: 2).use { try await recognizer.open(service.id, .init()) }
        for _ in 0..<2 {
            await #expect(throws: RemoteRecognitionError.self) { try await session.recognize(Self.clip) }
        }
        #expect(try await session.recognize(Self.clip).text == "Hello, world.")
        await #expect(throws: RemoteRecognitionError.notAllowed(host: "127.0.0.1")) {
            try await session.recognize(Self.clip)
        }
        #expect(try server.requests(scenario).count == 3 && !session.recognizesAgain)
    }

    @Test("gets no words, and nothing under another path, by leave for sound alone")
    func soundAlone() async throws {
        let scenario = TranscriptionServer.scenario("words-allowed")
        let service = try server.service(scenario)
        let recognizer = try recognizer(service)
        let refusal = RemoteRecognitionError.notAllowed(host: "127.0.0.1")
        await #expect(throws: refusal) {
            try await allowed(service).use {
                try await recognizer.open(service.id, RecognitionSettings(hotwords: ["Anna"]))
            }
        }
        let elsewhere = try server.service("\(scenario)-elsewhere")
        await #expect(throws: refusal) {
            try await allowed(elsewhere).use { try await recognizer.open(service.id, .init()) }
        }
        #expect(try server.requests(scenario).isEmpty)
    }

    @Test("cannot be reached where nobody listens")
    func nobody() async throws {
        let service = try TranscriptionService(
            name: try ServiceName("nobody"),
            address: try ServiceAddress("http://127.0.0.1:1"),
            model: "m"
        )
        await #expect(throws: RemoteRecognitionError.unreachable(host: "127.0.0.1")) { try await hear(service) }
        let named = try TranscriptionService(
            name: try ServiceName("nobody"),
            address: try ServiceAddress("http://nobody.localhost:1"),
            model: "m"
        )
        await #expect(throws: RemoteRecognitionError.unreachable(host: "nobody.localhost")) { try await hear(named) }
    }

    @Test("is asked no more when the caller has given up")
    func cancelled() async throws {
        let scenario = TranscriptionServer.scenario("gate")
        let service = try server.service(scenario)
        let end = Latch()
        let asking = Task {
            defer { end.set() }
            return try await hear(service)
        }
        try await waitUntil("the service is asked", while: !end.isSet) {
            try !server.requests(scenario).isEmpty
        }
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
        try server.openGate(scenario)
    }

    @Test("sends no more when offline is turned on in the middle")
    func turnedOffline() async throws {
        let scenario = TranscriptionServer.scenario("turned-offline")
        let asked = Mutex(0)
        let client = OutboundClient(environment: [:], ledger: MemoryOutbound()) {
            // The first answer is for the connection, the next ones for what is sent over it.
            OutboundRules(
                isOffline: asked.withLock { count in
                    defer { count += 1 }
                    return count > 1
                }
            )
        }
        let long = AudioClip.noise(20, amplitude: 0.3)
        await #expect(throws: RemoteRecognitionError.offline) {
            try await hear(try server.service(scenario), clip: long, client: client)
        }
        let sent = try server.requests(scenario).first?.bytes ?? 0
        #expect(sent <= 1 << 16, "of 640,000")
    }

    @Test("AT5: gets nothing without leave, by leave for another server, or offline")
    func consent() async throws {
        let scenario = TranscriptionServer.scenario("consent")
        let service = try server.service(scenario)
        let ledger: any OutboundLedger = MemoryOutbound()
        let recognizer = try recognizer(service, client: try OutboundClient(ledger: ledger))
        let refusal = RemoteRecognitionError.notAllowed(host: "127.0.0.1")
        await #expect(throws: refusal) { try await recognizer.open(service.id, .init()) }
        let elsewhere = SendingPermission(confirmed: Sending(host: "example.org", bytes: 9, seconds: 9))
        await #expect(throws: refusal) {
            try await elsewhere.use { try await recognizer.open(service.id, .init()) }
        }
        let form = MultipartForm([], clip: Self.clip)
        await #expect(throws: refusal) {
            try await OutboundClient(ledger: ledger).post(form, to: service, by: elsewhere)
        }
        await #expect(throws: RemoteRecognitionError.offline) {
            try await hear(service, client: try OutboundClient(isOffline: true, ledger: ledger))
        }
        #expect(try server.requests(scenario).isEmpty)
        #expect(try await ledger.records(limit: 9).isEmpty, "what is not made is not listed")
    }
}

extension RemoteRecognizer.Environment {
    /// A server that is to fall silent in `scenario` is not waited for as long as others.
    static func patient(for scenario: String) -> Self {
        var environment = Self()
        environment.idleTimeout =
            ["hang", "stall", "drip"].contains { scenario.contains($0) }
            ? HastyClock.shortTimeout : HastyClock.longTimeout
        environment.clock = HastyClock()
        environment.now = { Date(timeIntervalSince1970: 1_795_255_200) }  // 2026-11-21 10:00:00 UTC
        environment.largestAnswer = 1_000_000
        return environment
    }
}

@Suite("An answer of a service")
struct TranscriptionAnswerTests {
    private func speech(_ json: String, length: Double = 2) throws -> RecognizedSpeech {
        try JSONDecoder().decode(TranscriptionAnswer.self, from: Data(json.utf8)).speech(length: length)
    }

    @Test(
        "gives words that lie in order within the text and the sound, whatever it says",
        arguments: [
            #"{"text":"a b","words":[{"word":"b","start":1,"end":0},{"word":"a","start":0,"end":1}]}"#,
            #"{"text":"a b","words":[{"word":"a","start":-5,"end":99},{"word":"b","start":-9,"end":-8}]}"#,
            #"{"text":"a a a","words":[{"word":"a","start":1,"end":1},{"word":"","start":1,"end":1},{"word":"a","start":0,"end":1}]}"#,
            #"{"text":"","words":[{"word":"a","start":0,"end":1}]}"#,
            #"{"text":" \n ","segments":[{"text":" ","start":0,"end":1}]}"#,
            #"{"text":"😀 naïve","words":[{"word":"😀","start":0,"end":1},{"word":"naïve","start":1,"end":2,"probability":7}]}"#,
            #"{"text":"a b","words":[{"word":"a b","start":0,"end":1}]}"#,
            #"{"text":"x","segments":[{"text":"x y z","start":9,"end":3,"avg_logprob":5,"no_speech_prob":1}]}"#,
            #"{"text":"x","segments":[{"text":"x","start":0,"end":3,"words":[{"word":"nothing","start":0,"end":1}]}]}"#,
        ]
    )
    func possible(json: String) throws {
        let recognized = try speech(json)
        #expect(recognized.isPossible(in: 2), "\(recognized)")
    }

    @Test(
        "reports no times at which nobody can have said its words",
        arguments: [
            #"{"text":"Good morning.","segments":[{"text":"Good morning.","start":0,"end":0}]}"#,
            #"{"text":"Good morning.","words":[{"word":"Good","start":0,"end":0},{"word":"morning","start":0,"end":0}]}"#,
            #"{"text":"Good morning.","segments":[{"text":"Good morning.","start":5e8,"end":2e9}]}"#,
        ]
    )
    func impossibleTimes(json: String) throws {
        let recognized = try speech(json)
        #expect(recognized.text == "Good morning." && recognized.words.isEmpty && recognized.timing == .none)
    }

    @Test("reports the times of segments where those of words are none")
    func timesOfSegments() throws {
        let json = #"""
            {"text":"Good morning.","segments":[{"text":"Good morning.","start":0.5,"end":1.5}],
            "words":[{"word":"Good","start":0,"end":0},{"word":"morning","start":0,"end":0}]}
            """#
        let recognized = try speech(json)
        #expect(recognized.timing == .segments && recognized.words.map(\.passage) == [0.5..<1.5, 0.5..<1.5])
    }

    @Test("knows each word's segment, in whatever order words and segments come")
    func segments() throws {
        let json = #"""
            {"text":"a b c","segments":[{"text":"c","start":2,"end":3,"avg_logprob":-3},
            {"text":"b","start":1,"end":2,"avg_logprob":-2},{"text":"a","start":0,"end":1,"avg_logprob":-1}],
            "words":[{"word":"a","start":0.2,"end":0.4},{"word":"b","start":1.2,"end":1.4},
            {"word":"c","start":2.2,"end":2.4},{"word":"a","start":0.6,"end":0.8}]}
            """#
        let recognized = try speech(json, length: 3)
        #expect(recognized.words.map(\.confidence) == [exp(-1), exp(-2), exp(-3)])
        let nested = #"""
            {"text":"a b","segments":[{"text":"a","start":0,"end":9,"avg_logprob":-1},
            {"text":"b","start":1,"end":2,"avg_logprob":-2},{"text":"","start":0,"end":9,"avg_logprob":-2,"no_speech_prob":1}],
            "words":[{"word":"a","start":4,"end":5},{"word":"b","start":10,"end":11}]}
            """#
        #expect(try speech(nested, length: 12).words.map(\.confidence) == [exp(-1)], "no segment holds the second word")
    }

    @Test("takes as long as it has words, and ends at once when nobody wants it any more")
    func crowd() async throws {
        let segment = #"{"text":"a","start":0,"end":1}"#
        let segments = Array(repeating: segment, count: 20_000).joined(separator: ",")
        let word = #"{"word":"a","start":2,"end":2}"#
        let words = Array(repeating: word, count: 20_000).joined(separator: ",")
        let json = #"{"text":"a","segments":[\#(segments)],"words":[\#(words)]}"#
        let answer = try JSONDecoder().decode(TranscriptionAnswer.self, from: Data(json.utf8))
        #expect(try answer.speech(length: 2).words.count == 1, "400,000,000 comparisons would not end in time")
        let ended = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try answer.speech(length: 2)
        }
        await #expect(throws: CancellationError.self) { try await ended.value }
    }

    @Test("finds words again that are repeated or written differently")
    func finding() throws {
        let json = #"""
            {"text":"No, no — “No”, said e.g. O'Neill.","words":[{"word":"No","start":0,"end":1},{"word":"no","start":1,"end":1},
            {"word":"No","start":1,"end":1},{"word":"SAID","start":1,"end":1},{"word":" e.g.","start":1,"end":1},
            {"word":"O'Neill","start":1,"end":2}]}
            """#
        let recognized = try speech(json)
        let units = Array(recognized.text.utf16)
        let words = recognized.words.map { String(decoding: units[$0.source], as: UTF16.self) }
        #expect(words == ["No", "no", "No", "e.g.", "O'Neill"])
    }

    @Test("is none without a text", arguments: ["{}", "[]", "null", "1", #"{"text":null}"#, #"{"text":["a"]}"#, "{"])
    func none(json: String) {
        #expect(throws: (any Error).self) { try speech(json) }
    }
}

@Suite("Pieces of a sound")
struct SoundPieceTests {
    @Test(
        "join, are no longer than allowed, and no more than needed",
        arguments: [1, 7, 1_000, 15_999, 16_000, 50_000]
    )
    func pieces(limit: Int) {
        let clip = AudioClip.noise(3, amplitude: 0.5)
        let ranges = SoundPieces.ranges(of: clip, limit: limit)
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == clip.samples.count)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(ranges.allSatisfy { (1...limit).contains($0.count) })
        #expect(ranges.count <= Int((Double(clip.samples.count) / (0.9 * Double(limit))).rounded(.up)) + 1)
    }
}
