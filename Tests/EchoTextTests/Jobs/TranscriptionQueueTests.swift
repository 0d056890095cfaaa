import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("The queue of transcriptions", .endsInTime)
struct TranscriptionQueueTests {
    private static let rate = RecognitionClip.sampleRate
    private static let second = Recognizer(
        id: Recognizer.ID(rawValue: "scripted/second"),
        name: "Second",
        engine: .sherpaOnnx,
        languages: ["en"],
        timing: .words
    )

    /// A library with one recording, and a queue for it.
    struct Fixture {
        let vault = MemoryVault()
        let events = StudioEvents()
        let clock: ManualClock
        let paces = MemoryPaces()
        let network: ScriptedNetwork
        let recognizer: ScriptedRecognizer
        let consent: SendingConsent
        let queue: TranscriptionQueue
        let item: AudioItem

        var library: Library { vault.library }
        var order: TranscriptionOrder { TranscriptionOrder(recognizers: [ScriptedRecognizer.standard.id]) }

        // The ranges of speech, with lengths in seconds, are surrounded by two seconds of silence each.
        init(
            _ recognizer: ScriptedRecognizer = ScriptedRecognizer([ScriptedRecognizer.standard, second]),
            speech: [Double] = [12, 12, 12],
            network: NetworkState = .reachable,
            rule: ConsentRule = .eachTime,
            sends: Bool = false,
            lanes: Int = 2,
            clock: ManualClock = ManualClock(),
            paceClock: ManualClock = ManualClock()
        ) async throws {
            self.recognizer = recognizer
            self.clock = clock
            self.network = ScriptedNetwork(network)
            let library = vault.library
            var samples = Array(repeating: Int16(0), count: 2 * rate)
            for seconds in speech {
                let count = Int(seconds * Double(rate))
                samples += (0..<count).map { Int16(8_000 * sin(Double($0) / 20)) }
                samples += Array(repeating: 0, count: 2 * rate)
            }
            let order = try RecordingOrder(name: "Talk", sampleRate: rate, source: .microphone)
            let session = try await library.recordings.begin(order)
            try await library.recordings.append(RecordingChunk(number: 0, samples: samples), to: session.id)
            item = try await library.recordings.finish(session.id)
            consent = SendingConsent { rule }
            queue = TranscriptionQueue(
                in: library,
                with: .scripted(recognizer, paces: paces) { _, seconds in
                    sends ? Sending(host: "speech.example", bytes: Int(seconds * 32_000), seconds: seconds) : nil
                },
                consent: consent,
                network: self.network,
                events: events,
                clock: clock,
                paceClock: paceClock,
                now: { Date(timeIntervalSince1970: 1_790_000_000) },
                chance: { 1 },
                lanes: { lanes }
            )
        }

        /// A queue for the same library, as a later process has it.
        func later() -> TranscriptionQueue {
            TranscriptionQueue(
                in: library,
                with: .scripted(recognizer),
                consent: consent,
                network: network,
                events: events,
                lanes: { 2 }
            )
        }

        /// A queue for the same library, which stores its jobs in `jobs`.
        func queue(
            storingIn jobs: JobsOnDisk,
            with recognizer: ScriptedRecognizer? = nil
        ) -> TranscriptionQueue {
            TranscriptionQueue(
                in: library.with(jobs),
                with: .scripted(recognizer ?? self.recognizer),
                consent: consent,
                network: network,
                events: events,
                lanes: { 1 }
            )
        }

        /// The first event of this transcription that fits.
        func wait(until fits: (TranscriptionStatus) -> Bool) async -> TranscriptionStatus? {
            for await entry in await events.subscribe(after: 0).entries {
                if case .transcription(let status) = entry.event, fits(status) { return status }
            }
            return nil
        }

        func text() async throws -> String { try await library.audio.text(of: item.id) }
    }

    @Test("Learns how long a recognizer of this machine needs, without the time that the machine sleeps")
    func pace() async throws {
        let (clock, wallClock) = (ManualClock(), ManualClock())
        let recognizer = ScriptedRecognizer { clip, _, _ in
            clock.advance(by: .seconds(4))
            wallClock.advance(by: .seconds(4_000))
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer, clock: wallClock, paceClock: clock)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
        let expected = try #require(await fixture.queue.paces().expectation(of: ScriptedRecognizer.standard.id))
        let spent = clock.now.offset / .seconds(1)
        #expect(expected.isMeasured && spent >= 12 && abs(expected.pace - spent / fixture.item.duration) < 0.001)
    }

    @Test("Learns nothing of recognizers that were at work at the same time")
    func disturbedPace() async throws {
        let paceClock = ManualClock()
        let (starts, start) = AsyncStream<Void>.makeStream()
        let bothAreAtWork = Task {
            for await _ in starts.prefix(2) {}
        }
        let recognizer = ScriptedRecognizer([ScriptedRecognizer.standard, Self.second]) { clip, _, _ in
            start.yield()
            await bothAreAtWork.value
            paceClock.advance(by: .seconds(4))
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer, lanes: 1, paceClock: paceClock)
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let order = TranscriptionOrder(recognizers: [Self.second.id])
        let second = try await fixture.queue.take(order, for: fixture.item.id)
        for id in [first.id, second.id] { #expect(await fixture.queue.ending(of: id)?.version != nil) }
        #expect(await fixture.queue.paces() == RecognizerPaces())
    }

    @Test("Replaces a person's text that is there when it is ordered, and none that is written while it is at work")
    func ownText() async throws {
        let (begun, ended) = (Latch(), Latch())
        let recognizer = ScriptedRecognizer { clip, _, _ in
            begun.set()
            await ended.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer)
        func write(_ text: String) async throws -> Transcript.ID {
            let edit = try TranscriptEdit([TranscriptEdit.Segment(time: 0..<2, text: text)])
            let own = try Transcript(edit, of: fixture.item, at: Date())
            try await fixture.library.transcripts.add(own)
            return own.id
        }
        func current() async throws -> Transcript.ID? {
            try await fixture.library.transcripts.versions(of: fixture.item.id).first(where: \.isCurrent)?.id
        }
        let before = try await write("My words.")
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        await begun.wait()
        let again = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        #expect(again.id == first.id, "a button may be pressed twice")
        let since = try await write("My own words.")
        ended.set()
        #expect(await fixture.queue.ending(of: first.id)?.version != nil)
        #expect(try await current() == since)
        let second = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let version = await fixture.queue.ending(of: second.id)?.version
        let present = try await current()
        #expect(version != nil && present == version)
        #expect(try await fixture.library.transcripts.versions(of: fixture.item.id).map(\.id).contains(before))
    }

    @Test("AT7: Makes a transcript, which is the recording's text then")
    func transcript() async throws {
        let texts = ["Good morning.", "How are you?", "Thank you."]
        let fixture = try await Fixture(ScriptedRecognizer(saying: texts), lanes: 1)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let end = try #require(await fixture.queue.ending(of: status.id))
        let version = try #require(end.version)
        let transcript = try await fixture.library.transcripts.transcript(version)
        #expect(transcript.segments.filter { $0.kind == .speech }.map(\.text) == texts)
        #expect(transcript.source.recognizer == ScriptedRecognizer.standard.id)
        #expect(transcript.source.soundDigest?.isEmpty == false)
        #expect(try await fixture.text() == "Good morning.\nHow are you?\nThank you.")
        #expect(try await fixture.queue.statuses().isEmpty)
        #expect(try await fixture.queue.status(status.id).version == version)
        #expect(fixture.recognizer.openSessions == 0)
    }

    @Test("Is known at every moment, until it is a transcript and afterwards")
    func isKnown() async throws {
        let fixture = try await Fixture(speech: [1])
        for _ in 0..<10 {
            var status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
            while status.version == nil {
                if case .failed = status.job.state { throw WrongState() }
                await Task.yield()
                status = try await fixture.queue.status(status.id)
            }
            #expect(await fixture.queue.ending(of: status.id)?.version == status.version)
        }
    }

    @Test("Hears the clips in the order of the recording, though the first takes longest")
    func order() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            // Two clips are heard at once, and either can be the first to begin: their lengths tell them apart.
            let number = clip.seconds > 12 ? 0 : clip.seconds > 11 ? 1 : 2
            if number == 0 { await gate.wait() } else { gate.open() }
            return ScriptedRecognizer.speech("Number \(number).", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, speech: [12, 11, 10.2])
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        _ = await fixture.queue.ending(of: status.id)
        #expect(try await fixture.text() == "Number 0.\nNumber 1.\nNumber 2.")
    }

    @Test("An equal order for the same recording is answered by the one that runs or waits, until that has ended")
    func twice() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer(waitingFor: gate)
        let fixture = try await Fixture(recognizer)
        let (queue, item) = (fixture.queue, fixture.item.id)
        let order = fixture.order
        var part = order
        part.range = 0..<15
        async let one = queue.take(order, for: item)
        async let other = queue.take(order, for: item)
        let (first, second) = try await (one.id, other.id)
        #expect(first == second, "pressed twice at once")
        await recognizer.waitUntilHeard(1)
        #expect(try await queue.take(order, for: item).id == first)
        let waiting = try await queue.take(part, for: item).id
        #expect(try await queue.take(part, for: item).id == waiting && waiting != first)
        #expect(try await queue.statuses().count == 2)
        gate.open()
        for id in [first, waiting] { #expect(await queue.ending(of: id)?.version != nil) }
        let again = try await queue.take(order, for: item).id
        #expect(again != first)
        #expect(await queue.ending(of: again)?.version != nil)
    }

    @Test("A short one goes before a long one that waits, and each knows its place")
    func places() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.speech("Number.", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, speech: [140])
        let first = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        var part = fixture.order
        part.range = 0..<130
        let long = try await fixture.queue.take(part, for: fixture.item.id)
        #expect(first.queuePosition == nil && long.queuePosition == 1)
        part.range = 0..<10
        let short = try await fixture.queue.take(part, for: fixture.item.id)
        #expect(short.queuePosition == 1)
        #expect(try await fixture.queue.status(long.id).queuePosition == 2)
        #expect(try await fixture.queue.segments(of: long.id).isEmpty)
        gate.open()
        let end = try #require(await fixture.queue.ending(of: long.id))
        #expect(try await fixture.queue.segments(of: long.id).isEmpty, "it is a transcript now")
        #expect(end.version != nil && end.queuePosition == nil)
        #expect(try await fixture.queue.status(short.id).version != nil, "it was heard before")
    }

    @Test("A long one that waits is overtaken by five short ones at most, and each knows its place")
    func overtaking() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.speech("Number.", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, speech: [140])
        _ = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        var part = fixture.order
        part.range = 0..<130
        let long = try await fixture.queue.take(part, for: fixture.item.id)
        var positions: [Int?] = []
        var last = long
        for seconds in 1...7 {
            part.range = 0..<Double(10 + seconds)
            last = try await fixture.queue.take(part, for: fixture.item.id)
            positions.append(last.queuePosition)
        }
        #expect(positions == [1, 2, 3, 4, 5, 7, 8])
        #expect(try await fixture.queue.status(long.id).queuePosition == 6)
        gate.open()
        _ = await fixture.queue.ending(of: last.id)
        #expect(try await fixture.queue.status(long.id).version != nil, "it was heard before the last short one")
    }

    @Test("Refuses a narration, no recognizer and an unknown one")
    func refusals() async throws {
        let fixture = try await Fixture()
        await #expect(throws: RecognitionError.noRecognizer) {
            try await fixture.queue.take(TranscriptionOrder(recognizers: []), for: fixture.item.id)
        }
        let unknown = Recognizer.ID(rawValue: "nobody/here")
        await #expect(throws: RecognitionError.noSuchRecognizer(unknown)) {
            try await fixture.queue.take(TranscriptionOrder(recognizers: [unknown]), for: fixture.item.id)
        }
        await #expect(throws: LibraryError.itemNotFound) {
            try await fixture.queue.take(fixture.order, for: AudioItem.ID())
        }
        #expect(try await fixture.library.transcriptions.jobs().isEmpty)
    }

    @Test("AT6: Tries again after a failure that may pass, later each time, from where it was")
    func retries() async throws {
        // Two concurrent clips could both fail in the first attempt.
        let fixture = try await Fixture(lanes: 1)
        fixture.recognizer.fail(with: RecognitionError.recognizerDied, RecognitionError.recognizerDied)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        #expect(await fixture.clock.endShortestSleep() == .seconds(2))
        #expect(await fixture.clock.endShortestSleep() == .seconds(4))
        let end = try #require(await fixture.queue.ending(of: status.id))
        #expect(end.version != nil)
        #expect(end.job.failure?.code == "recognition.died")
    }

    @Test(
        "Resumes unbroken speech behind the last sentence whose time is known",
        arguments: [Recognizer.Timing.words, .none]
    )
    func unbroken(_ timing: Recognizer.Timing) async throws {
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 1 { throw RecognitionError.recognizerDied }
            let text = """
                The mill at the bend of the river stood still. Nobody in the village could say who owned it. In spring the \
                water came up to the second step. She had no choice that day.
                """
            let recognized = ScriptedRecognizer.speech(text, in: clip.seconds)
            return timing == .words ? recognized : RecognizedSpeech(text: text)
        }
        let fixture = try await Fixture(recognizer, speech: [80], lanes: 1)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let failed = await fixture.wait { status in
            if case .retrying = status.job.state { true } else { false }
        }
        let progress = try #require(failed).job.progress
        #expect(timing == .words ? (10...30).contains(progress) : progress < 2.1, "\(progress)")
        await fixture.clock.endShortestSleep()
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT5, AT6: Asks the next recognizer after so many failures, and from the start")
    func fallback() async throws {
        let fixture = try await Fixture()
        fixture.recognizer.failOpening(with: RecognitionError.badModel("encoder.onnx"))
        var order = fixture.order
        order.recognizers.append(Self.second.id)
        let status = try await fixture.queue.take(order, for: fixture.item.id)
        let end = try #require(await fixture.queue.ending(of: status.id))
        let version = try #require(end.version)
        let source = try await fixture.library.transcripts.transcript(version).source
        #expect(source.recognizer == Self.second.id)
        #expect(source.insteadOf?.recognizer == fixture.order.recognizers.first, "it says in whose place")
        #expect(source.insteadOf?.code == "recognition.bad-model")
        #expect(source.insteadOf?.suggestion == "Download the recogniser again.")
    }

    @Test("Says of the recognizer that was asked first why it has not made the transcript, whatever fails after it")
    func firstFailure() async throws {
        let third = Recognizer(
            id: Recognizer.ID(rawValue: "scripted/third"),
            name: "Third",
            engine: .sherpaOnnx,
            languages: ["en"],
            timing: .words
        )
        let fixture = try await Fixture(ScriptedRecognizer([ScriptedRecognizer.standard, Self.second, third]))
        fixture.recognizer.failOpening(
            with: RecognitionError.badModel("encoder.onnx"),
            RecognitionError.missingFile("tokens.txt")
        )
        let order = TranscriptionOrder(recognizers: [ScriptedRecognizer.standard.id, Self.second.id, third.id])
        let status = try await fixture.queue.take(order, for: fixture.item.id)
        let end = try #require(await fixture.queue.ending(of: status.id))
        let source = try await fixture.library.transcripts.transcript(try #require(end.version)).source
        #expect(source.recognizer == third.id)
        #expect(source.insteadOf?.recognizer == ScriptedRecognizer.standard.id)
        #expect(source.insteadOf?.code == "recognition.bad-model")
    }

    @Test("AT6, AT10: Fails with the reason when no recognizer is left, and can be tried again")
    func failure() async throws {
        let fixture = try await Fixture()
        fixture.recognizer.failOpening(with: RecognitionError.badModel("encoder.onnx"))
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let end = try #require(await fixture.queue.ending(of: status.id))
        guard case .failed(let failure) = end.job.state else { throw WrongState() }
        #expect(failure.code == "recognition.bad-model")
        #expect(try await fixture.queue.statuses().map(\.job.state) == [.failed(failure)])
        _ = try await fixture.queue.retry(status.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }

    @Test("Closes its recognizer where the detector cannot be opened, and says why it has failed")
    func noDetector() async throws {
        let fixture = try await Fixture()
        let queue = TranscriptionQueue(
            in: fixture.library,
            with: .scripted(fixture.recognizer, detector: BrokenDetector()),
            consent: fixture.consent,
            network: fixture.network,
            events: fixture.events,
            lanes: { 1 }
        )
        let status = try await queue.take(fixture.order, for: fixture.item.id)
        let end = try #require(await queue.ending(of: status.id))
        guard case .failed(let failure) = end.job.state else { throw WrongState() }
        #expect(failure.code == "recognition.bad-model")
        #expect(fixture.recognizer.openings == 1 && fixture.recognizer.openSessions == 0)
    }

    @Test("AT10: Says why it has failed, also where that cannot be stored")
    func fullDisk() async throws {
        let fixture = try await Fixture()
        let jobs = JobsOnDisk(fixture.library.transcriptions)
        let recognizer = ScriptedRecognizer { clip, _, _ in
            jobs.isFull = true
            return ScriptedRecognizer.words(in: clip)
        }
        let queue = fixture.queue(storingIn: jobs, with: recognizer)
        let status = try await queue.take(fixture.order, for: fixture.item.id)
        let end = try #require(await queue.ending(of: status.id))
        guard case .failed(let failure) = end.job.state else { throw WrongState() }
        #expect(failure.code == VaultError.readOnly(.diskFull).code)
        #expect(try await fixture.library.transcriptions.jobs().first?.state == .running, "what the disk has")
        #expect(try await queue.statuses().map(\.job.state) == [.failed(failure)])
        #expect(try await queue.status(status.id).job.state == .failed(failure))
        await #expect(throws: VaultError.self) { try await queue.retry(status.id) }
        #expect(try await queue.statuses().map(\.job.state) == [.failed(failure)], "it does not seem to run")
        #expect(await queue.ending(of: status.id)?.job.state == .failed(failure))
        try await queue.discard(status.id)
        #expect(try await queue.statuses().isEmpty)
    }

    @Test("AT10: Says why it cannot be cancelled, and does not seem to run then")
    func cancelOnFullDisk() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer(waitingFor: gate)
        let fixture = try await Fixture(recognizer)
        let jobs = JobsOnDisk(fixture.library.transcriptions)
        let queue = fixture.queue(storingIn: jobs)
        let status = try await queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        jobs.isFull = true
        await #expect(throws: VaultError.self) { try await queue.cancel(status.id) }
        guard case .failed(let failure)? = await queue.ending(of: status.id)?.job.state else { throw WrongState() }
        #expect(failure.code == VaultError.readOnly(.diskFull).code)
        #expect(try await queue.statuses().map(\.job.state) == [.failed(failure)])
        jobs.isFull = false
        gate.open()
        _ = try await queue.retry(status.id)
        #expect(await queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT10: Says why it does not resume, neither after a start nor when the network is back")
    func resumingOnFullDisk() async throws {
        let fixture = try await Fixture(network: .unreachable)
        let jobs = JobsOnDisk(fixture.library.transcriptions)
        let queue = fixture.queue(storingIn: jobs)
        let job = try await jobs.begin(fixture.order, for: fixture.item.id)
        await jobs.release(job.id)
        jobs.isFull = true
        await queue.start()
        guard case .failed(let failure)? = try await queue.statuses().first?.job.state else { throw WrongState() }
        #expect(failure.code == VaultError.readOnly(.diskFull).code)

        jobs.isFull = false
        while await queue.network == .reachable { try await Task.sleep(for: .milliseconds(1)) }
        fixture.recognizer.failOpening(with: RemoteRecognitionError.unreachable(host: "speech.example"))
        _ = try await queue.retry(job.id)
        _ = await fixture.wait { $0.job.state == .waitingForNetwork }
        jobs.isFull = true
        fixture.network.change(to: .reachable)
        #expect(await queue.ending(of: job.id)?.job.state == .failed(failure))

        jobs.isFull = false
        _ = try await queue.retry(job.id)
        #expect(await queue.ending(of: job.id)?.version != nil)
    }

    @Test("Is heard when it is tried again while its cancellation is stored")
    func retryWhileCancelling() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer(waitingFor: gate)
        let fixture = try await Fixture(recognizer)
        let jobs = JobsOnDisk(fixture.library.transcriptions)
        let queue = fixture.queue(storingIn: jobs)
        let status = try await queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        let (isStoring, isStored) = (Latch(), Latch())
        jobs.delayChanges {
            isStoring.set()
            await isStored.wait()
        }
        let cancelling = Task { try await queue.cancel(status.id) }
        await isStoring.wait()
        let retrying = Task { try await queue.retry(status.id) }
        // In whichever order they continue, it must be heard.
        for _ in 0..<100 { await Task.yield() }
        isStored.set()
        gate.open()
        try await cancelling.value
        _ = try await retrying.value
        #expect(await queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT9: A deleted recording takes its transcription with it")
    func deleted() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        try await fixture.library.audio.delete([fixture.item.id])
        gate.open()
        let end = try #require(await fixture.queue.ending(of: status.id))
        #expect(end.version == nil)
        #expect(end.isGone, "there is nothing to try again")
        #expect(try await fixture.queue.statuses().isEmpty)
    }

    @Test("AT9: A deleted recording is not asked for any more, nor waited for by the next one")
    func endsWithRecording() async throws {
        let fixture = try await Fixture(sends: true)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        _ = try #require(await fixture.wait { $0.sending != nil })
        try await fixture.library.audio.delete([fixture.item.id])
        await fixture.queue.endAll(of: [fixture.item.id])
        #expect(await fixture.queue.ending(of: status.id)?.isGone == true)
        _ = try #require(await fixture.wait { $0.isGone })
        #expect(try await fixture.queue.statuses().isEmpty)
        await #expect(throws: TranscriptError.jobNotFound) { try await fixture.queue.retry(status.id) }
    }

    @Test("AT9: A recording that is renamed is transcribed under its new name")
    func renamed() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, _, _ in
            await gate.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        await fixture.queue.rename(fixture.item.id, to: "Another name")
        #expect(try await fixture.queue.statuses().map(\.name) == ["Another name"])
        gate.open()
        #expect(await fixture.queue.ending(of: status.id)?.name == "Another name")
    }

    @Test("A decoder that repeats itself is heard again in halves, and cut where it continues")
    func repetition() async throws {
        let loop = Array(repeating: "thank you for watching", count: 8).joined(separator: " ")
        let recognizer = ScriptedRecognizer { clip, number, _ in
            ScriptedRecognizer.speech(number == 0 ? loop : "Half \(number).", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, speech: [12])
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let version = try #require(await fixture.queue.ending(of: status.id)?.version)
        let speech = try await fixture.library.transcripts.transcript(version).segments.filter { $0.kind == .speech }
        #expect(speech.map(\.text).joined(separator: " ") == "Half 1. Half 2.")
        #expect(speech.allSatisfy { $0.remark == .repeated })
    }

    struct WrongState: Error {}

    /// A gate that opens once.
    final class Gate: Sendable {
        private let end = Latch()

        func open() { end.set() }

        func wait() async { await end.wait() }

        func waitUnlessCancelled() async throws {
            await end.wait()
            try Task.checkCancellation()
        }
    }
}

private struct BrokenDetector: VoiceActivityDetector {
    func open() async throws -> any VoiceActivitySession { throw RecognitionError.badModel("detector.onnx") }
}

extension ScriptedRecognizer {
    /// Makes a recognizer that returns ``words(in:)`` once `gate` is open, unless it is cancelled.
    convenience init(waitingFor gate: TranscriptionQueueTests.Gate) {
        self.init { clip, _, _ in
            try await gate.waitUnlessCancelled()
            return ScriptedRecognizer.words(in: clip)
        }
    }

    /// Returns when `count` clips were begun, or the task is cancelled.
    func waitUntilHeard(_ count: Int) async {
        while requests.count < count, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
