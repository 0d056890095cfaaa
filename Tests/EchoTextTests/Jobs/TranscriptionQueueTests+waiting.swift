import EchoText
import EchoTextTesting
import Foundation
import Testing

// Transcriptions that wait for the network, a service, a person or the next start of the program.

extension TranscriptionQueueTests {
    @Test("AT6, AT11: Waits for the network where it is missing, and resumes when it is back")
    func network() async throws {
        let fixture = try await Fixture(network: .unreachable)
        await fixture.queue.start()
        while await fixture.queue.network == .reachable { try await Task.sleep(for: .milliseconds(1)) }
        fixture.recognizer.failOpening(with: RemoteRecognitionError.unreachable(host: "speech.example"))
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        _ = await fixture.wait { $0.job.state == .waitingForNetwork }
        fixture.network.change(to: .reachable)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT6: Waits at least as long as a service asks for")
    func retryAfter() async throws {
        let fixture = try await Fixture()
        fixture.recognizer.failOpening(
            with: RemoteRecognitionError.tooManyRequests(host: "speech.example", wait: .seconds(77))
        )
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        #expect(await fixture.clock.endShortestSleep() == .seconds(77))
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT6: Waits for no service that asks for more than an hour, and says for how long")
    func longRetryAfter() async throws {
        let fixture = try await Fixture()
        fixture.recognizer.failOpening(
            with: RemoteRecognitionError.tooManyRequests(host: "speech.example", wait: .seconds(604_800))
        )
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let end = try #require(await fixture.queue.ending(of: status.id))
        guard case .failed(let failure) = end.job.state else { throw WrongState() }
        #expect(failure.code == "service.rests" && failure.message.contains("168 hours"))
    }

    @Test("AT5: Sends nothing before the person has allowed it, naming how much")
    func consent() async throws {
        let fixture = try await Fixture(sends: true)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let asking = try #require(await fixture.wait { $0.sending != nil })
        #expect(asking.sending?.host == "speech.example")
        #expect(asking.job.state == .waitingForConsent)
        #expect(abs((asking.sending?.seconds ?? 0) - fixture.item.duration) < 0.1)
        #expect(fixture.recognizer.openings == 0)
        let sending = try #require(asking.sending)
        let more = Sending(host: sending.host, bytes: sending.bytes + 1, seconds: sending.seconds)
        await #expect(throws: TranscriptError.otherSending) { try await fixture.queue.allow(more, for: status.id) }
        #expect(fixture.recognizer.openings == 0)
        _ = try await fixture.queue.allow(sending, for: status.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT6: Is no reason to keep the library open when it only waits for a service")
    func waiting() async throws {
        let office = Recognizer(
            id: Recognizer.ID(rawValue: "remote/office"),
            name: "Office",
            engine: .remote,
            languages: ["mul"],
            timing: .words
        )
        for (recognizer, isBusy) in [(office, false), (ScriptedRecognizer.standard, true)] {
            let gate = Gate()
            let scripted = ScriptedRecognizer([recognizer]) { clip, _, _ in
                await gate.wait()
                return ScriptedRecognizer.words(in: clip)
            }
            let fixture = try await Fixture(scripted)
            let order = TranscriptionOrder(recognizers: [recognizer.id])
            let status = try await fixture.queue.take(order, for: fixture.item.id)
            await scripted.waitUntilHeard(1)
            #expect(await fixture.queue.isBusy)
            fixture.clock.advance(by: TranscriptionQueue.longestWait)
            #expect(await fixture.queue.isBusy == isBusy)
            gate.open()
            #expect(await fixture.queue.ending(of: status.id)?.version != nil)
        }
    }

    @Test("Is cancelled where it is, and resumes there")
    func cancel() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 2 { try await gate.waitUnlessCancelled() }
            return ScriptedRecognizer.speech("Number \(number).", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(3)
        try await fixture.queue.cancel(status.id)
        let cancelled = try await fixture.queue.status(status.id)
        #expect(cancelled.job.state == .cancelled)
        let published = await fixture.wait { $0.job.state == .cancelled }
        #expect(published?.position == cancelled.position, "where it resumes, whatever more was heard")
        gate.open()
        _ = try await fixture.queue.retry(status.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
        #expect(recognizer.openSessions == 0)
    }

    @Test("AT6: Continues after a restart at the first segment that is missing")
    func restart() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 2 { try await gate.waitUnlessCancelled() }
            return ScriptedRecognizer.speech("Number \(number).", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, lanes: 1)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        _ = await fixture.wait { $0.position > 15 }
        await recognizer.waitUntilHeard(3)
        await fixture.queue.close()
        #expect(try await fixture.library.transcriptions.jobs().first?.state != .cancelled)
        gate.open()
        let heard = recognizer.requests.count
        let next = fixture.later()
        await next.start()
        #expect(await next.ending(of: status.id)?.version != nil)
        #expect(recognizer.requests.count - heard < 3)
        #expect(try await fixture.text().hasPrefix("Number 0."))
    }

    @Test("AT6: Continues after a restart in the paragraph that was heard before")
    func paragraph() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer { clip, number, _ in
            if number == 1 { try await gate.waitUnlessCancelled() }
            return ScriptedRecognizer.speech("The mill stood still. Nobody said who owned it.", in: clip.seconds)
        }
        let fixture = try await Fixture(recognizer, speech: [80], lanes: 1)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        _ = await fixture.wait { $0.position > 5 }
        await recognizer.waitUntilHeard(2)
        await fixture.queue.close()
        gate.open()
        let next = fixture.later()
        await next.start()
        #expect(await next.ending(of: status.id)?.version != nil)
        var beginnings: [Bool] = []
        for await entry in await fixture.events.subscribe(after: 0).entries {
            if case .recognized(_, let begin, _) = entry.event { beginnings += begin }
            if case .transcription(let status) = entry.event, status.version != nil { break }
        }
        #expect(beginnings.filter { $0 }.count == 1, "\(beginnings)")
    }

    @Test("AT6: Sets aside what has ended the program twice, and hears it on request")
    func endsProgram() async throws {
        let fixture = try await Fixture()
        let jobs = fixture.library.transcriptions
        let job = try await jobs.begin(fixture.order, for: fixture.item.id)
        for _ in 1...2 { _ = try await jobs.noteStart(of: job.id) }
        await jobs.release(job.id)
        await fixture.queue.start()
        let end = try #require(await fixture.queue.ending(of: job.id))
        #expect(end.version == nil && end.job.failure?.code == "transcription.ended-program")
        #expect(fixture.recognizer.openings == 0)
        #expect(try await jobs.jobs().map(\.state.isUnderWay) == [false])
        _ = try await fixture.queue.retry(job.id)
        #expect(await fixture.queue.ending(of: job.id)?.version != nil)
    }

    @Test("AT6: Hears what has ended the program, however often, where a person asks for it")
    func isAskedFor() async throws {
        let fixture = try await Fixture()
        let jobs = fixture.library.transcriptions
        let job = try await jobs.begin(fixture.order, for: fixture.item.id)
        for _ in 1...2 { _ = try await jobs.noteStart(of: job.id) }
        await jobs.release(job.id)
        _ = try await fixture.queue.retry(job.id)
        #expect(await fixture.queue.ending(of: job.id)?.version != nil)
    }

    @Test("AT6: Sets nothing aside that was left in order, however often")
    func leavesInOrder() async throws {
        let gate = Gate()
        let recognizer = ScriptedRecognizer(waitingFor: gate)
        let fixture = try await Fixture(recognizer)
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        await fixture.queue.close()
        for _ in 1...3 {
            let heard = recognizer.requests.count
            let queue = fixture.later()
            await queue.start()
            await recognizer.waitUntilHeard(heard + 1)
            await queue.close()
        }
        gate.open()
        let queue = fixture.later()
        await queue.start()
        #expect(await queue.ending(of: status.id)?.version != nil)
    }

    @Test("AT6: Sets nothing aside that was left in order, though its recognizer does not end")
    func leavesStubborn() async throws {
        let gate = Latch()
        defer { gate.set() }
        let recognizer = ScriptedRecognizer { clip, _, _ in
            // A task of its own does not learn that the recognition is cancelled.
            await Task { await gate.wait() }.value
            return ScriptedRecognizer.words(in: clip)
        }
        let fixture = try await Fixture(recognizer)
        let (queue, jobs) = (fixture.queue, fixture.library.transcriptions)
        let status = try await queue.take(fixture.order, for: fixture.item.id)
        await recognizer.waitUntilHeard(1)
        #expect(try await jobs.noteStart(of: status.id) == 2, "it was begun")
        let closing = Task { await queue.close() }
        while try await jobs.noteStart(of: status.id) > 1 { await Task.yield() }
        gate.set()
        await closing.value
    }

    @Test("AT5, AT6: Sets nothing aside that only waited for leave to send when the program ended")
    func waitsForLeave() async throws {
        let fixture = try await Fixture(sends: true)
        let jobs = fixture.library.transcriptions
        let status = try await fixture.queue.take(fixture.order, for: fixture.item.id)
        let sending = try #require(await fixture.wait { $0.sending != nil }?.sending)
        #expect(try await jobs.noteStart(of: status.id) == 1, "waiting is no start")
        _ = try await fixture.queue.allow(sending, for: status.id)
        #expect(await fixture.queue.ending(of: status.id)?.version != nil)
    }
}
