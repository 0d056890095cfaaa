import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@testable import EchoTextCLI

@Suite("Practice in the terminal", .endsInTime)
struct TerminalPracticeTests {
    /// A microphone that is disconnected after a moment, and there is no other.
    private var looseMicrophone: TerminalPractice.Microphone {
        let sound = [Int16](repeating: 1_000, count: 800)
        return .init(devices: ScriptedMicrophones([.init(pieces: [sound])]), device: nil)
    }

    @Test("SP3: plays each segment at the very next sample after the one before, in one stream, without turns")
    func oneStream() async throws {
        let practiced = try await PracticedText { $0.echo = .off }
        let sounds = try await practiced.sounds()
        let output = MemoryLoudspeaker()
        let kept = try await practiced.run(by: output, keys: TestKeys(areThere: false))
        #expect(kept.isFinished)
        // The first one is opened to find out whether there is a loudspeaker.
        #expect(output.streams.map(\.state) == [.discarded, .finished])
        #expect(output.streams.last?.samples == Array(sounds.joined()))
    }

    @Test func `is read on by another voice when its own is removed meanwhile`() async throws {
        let (own, other) = (ScriptedSynthesizer.narrator, ScriptedSynthesizer.actor)
        let spoken = Mutex<Set<Voice.ID>>([])
        let practiced = try await PracticedText(
            ["Tere hommikust. Head aega.", "--language", "et"],
            by: ScriptedSynthesizer { utterance in spoken.withLock { _ = $0.insert(utterance.voice) } },
            voice: own.id
        ) { $0.echo = .off }
        let kept = try await practiced.run(by: MemoryLoudspeaker(), keys: TestKeys(areThere: false)) {
            spoken.withLock { $0.isEmpty } ? [own, other] : [other]
        }
        #expect(kept.isFinished && spoken.withLock(\.self) == [own.id, other.id])
    }

    @Test(
        "SP3: fills each turn, to the sample, with the silence of a pause, in the stream of the segments",
        arguments: [0.5, 2]  // shorter than the loudspeaker's delay, and longer
    )
    func turns(_ factor: Double) async throws {
        let practiced = try await PracticedText { $0.factor = factor }
        let sounds = try await practiced.sounds()
        let (output, clock) = (MemoryLoudspeaker(), ManualClock())
        async let ended = practiced.run(by: output, keys: TestKeys(areThere: false), clock: clock)
        var expected: [Float] = []
        for (sound, next) in zip(sounds, ["2  Waves come in.", ""]) {
            let rate = Double(ScriptedSynthesizer.sampleRate)
            let pause = Int((factor * Double(sound.count) / rate * rate).rounded())
            expected += sound + [Float](repeating: 0, count: pause)
            let length = expected.count
            try await waitUntil("the turn is filled") { output.streams.last?.samples.count == length }
            try await waitUntil("the turn is over") {
                if next.isEmpty ? output.streams.last?.state == .finished : practiced.screen.text.contains(next) {
                    return true
                }
                clock.advance(by: .milliseconds(100))
                return false
            }
        }
        let kept = try await ended
        #expect(kept.isFinished)
        #expect(output.streams.map(\.state) == [.discarded, .finished])
        #expect(output.streams.last?.samples == expected)
    }

    @Test("lets go of the loudspeaker while a turn is paused, and fills the rest of it when it continues")
    func pausedTurn() async throws {
        let practiced = try await PracticedText { _ in }
        let sounds = try await practiced.sounds()
        let (output, keys) = (MemoryLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, keys: keys)
        try await waitUntil("the turn is filled") { output.streams.last?.samples.count == 2 * sounds[0].count }
        keys.press(.pause)
        try await waitUntil("the loudspeaker is free") { output.streams.last?.state == .discarded }
        keys.press(.pause)
        try await waitUntil("the rest is filled") { output.streams.last?.samples.count == sounds[0].count }
        #expect(output.streams.count == 3 && output.streams.last?.samples.allSatisfy { $0 == 0 } == true)
        keys.press(.quit)
        let kept = try await ended
        #expect(kept.session.phase == .paused(in: .echo))
        #expect(output.streams.allSatisfy { $0.state == .discarded })
    }

    @Test("SP5: pauses when the loudspeaker is lost in a turn")
    func lostLoudspeakerInTurn() async throws {
        let practiced = try await PracticedText { _ in }
        let sounds = try await practiced.sounds()
        let pieces = (sounds[0].count + 799) / 800  // of 0.1 s
        // Two more let the segment be heard to its end.
        let kept = try await practiced.run(by: LooseLoudspeaker(lostAt: pieces + 3), keys: TestKeys(areThere: false))
        #expect(practiced.screen.text.contains("The sound output stopped working."), "\(practiced.screen.text)")
        #expect(!kept.isFinished && kept.session.position.segment == 1)
        #expect(kept.session.phase == .paused(in: .echo) && kept.session.interruption == .deviceLost)
    }

    @Test("SP5: pauses when the loudspeaker is lost within a segment, and continues from there")
    func lostLoudspeaker() async throws {
        let practiced = try await PracticedText { $0.echo = .off }
        let length = try await practiced.length()
        let (output, keys) = (LooseLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, keys: keys)
        try await waitUntil("it pauses") { practiced.screen.text.contains("⏸") }
        #expect(practiced.screen.text.contains("The sound output stopped working."), "\(practiced.screen.text)")
        #expect(output.heard > 0 && output.heard < length)
        keys.press(.pause)
        let kept = try await ended
        #expect(kept.isFinished)
        #expect(output.heard == length, "every sample was heard once")
    }

    @Test("SP5: ends when the loudspeaker is lost and there are no keys, at a place from which it can be continued")
    func lostLoudspeakerWithoutKeys() async throws {
        let practiced = try await PracticedText { $0.echo = .off }
        let kept = try await practiced.run(by: LooseLoudspeaker(), keys: TestKeys(areThere: false))
        #expect(!kept.isFinished && kept.session.position.segment == 1)
        #expect(kept.session.phase == .paused(in: .playing) && kept.session.interruption == .deviceLost)
    }

    @Test("SP5: pauses when the microphone is lost in a turn, and again when there is none at the resumption")
    func lostMicrophone() async throws {
        let practiced = try await PracticedText { $0.records = true }
        let (microphone, keys) = (looseMicrophone, TestKeys())
        async let ended = practiced.run(by: LooseLoudspeaker(lostAt: nil), microphone: microphone, keys: keys)
        try await waitUntil("it pauses") { practiced.screen.text.contains("⏸") }
        #expect(practiced.screen.text.contains("the microphone is gone"), "\(practiced.screen.text)")
        keys.press(.pause)
        try await waitUntil("it pauses again") { practiced.screen.text.contains("No microphone can be heard") }
        keys.press(.quit)
        let kept = try await ended
        #expect(kept.session.phase == .paused(in: .echo) && kept.session.interruption == .deviceLost)
    }

    @Test("SP5: ends when the microphone is lost and there are no keys, at a place from which it can be continued")
    func lostMicrophoneWithoutKeys() async throws {
        let practiced = try await PracticedText { $0.records = true }
        let kept = try await practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: looseMicrophone,
            keys: TestKeys(areThere: false)
        )
        #expect(!kept.isFinished && kept.session.position.segment == 1)
        #expect(kept.session.phase == .paused(in: .echo) && kept.session.interruption == .deviceLost)
    }

    @Test(
        "is recorded by a microphone only, and leaves what the page may record as it was chosen there",
        arguments: [(true, true), (true, false), (false, true), (false, false)]
    )
    func consent(_ isRecorded: Bool, _ isChosen: Bool) async throws {
        let library = MemoryVault().library
        let practiced = try await PracticedText(in: library) { $0.records = isChosen }
        let sound = [Int16](repeating: 1_000, count: 800)
        let microphones = ScriptedMicrophones([.init(pieces: [sound], stays: true)])
        let (microphone, keys) = (TerminalPractice.Microphone(devices: microphones, device: nil), TestKeys())
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: isRecorded ? microphone : nil,
            keys: keys
        )
        let mark = isRecorded ? "● recording" : "your turn"
        try await waitUntil("the person's turn has come") { practiced.screen.text.contains(mark) }
        #expect(try await practiced.sessions.session(practiced.id).session.settings.records == isRecorded)
        let stored = try await library.practice.practice(practiced.id)
        #expect(stored.session.settings.records == isChosen, "a command that is killed leaves it so too")
        keys.press(.quit)
        let kept = try await ended
        #expect(kept.session.settings.records == isChosen && kept.session.phase == .paused(in: .echo))
        #expect(try await !library.settings.practice().records, "later ones are not recorded")
        #expect(microphones.askedRates.isEmpty == !isRecorded)
    }

    @Test("shows a red mark from before the microphone is opened until it is closed, also below other lines")
    func redMark() async throws {
        let practiced = try await PracticedText { _ in }
        let microphones = WatchedMicrophones(seenOn: practiced.screen)
        let keys = TestKeys()
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: TerminalPractice.Microphone(devices: microphones, device: nil),
            keys: keys
        )
        let mark = "\u{1B}[31m● recording"
        try await waitUntil("something is recorded") { microphones.pieces > 1 }
        #expect(microphones.atOpening?.contains(mark) == true, "\(practiced.screen.text)")
        keys.press(.mark)
        try await waitUntil("the mark is below the report") {
            practiced.screen.has("is marked as hard") && practiced.screen.line.contains(mark)
        }
        keys.press(.quit)
        _ = try await ended
        #expect(microphones.atClosing?.contains(mark) == true, "\(practiced.screen.text)")
        #expect(!practiced.screen.line.contains(mark))
        #expect(!practiced.screen.has("has ended"), "the mark says so where it can be seen")
    }

    @Test("shows with the mark how loud the recorded sound is")
    func level() async throws {
        let practiced = try await PracticedText { $0.factor = 3 }
        let microphones = WatchedMicrophones(seenOn: practiced.screen)
        let (keys, clock) = (TestKeys(), ManualClock())
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: TerminalPractice.Microphone(devices: microphones, device: nil),
            keys: keys,
            clock: clock
        )
        try await waitUntil("the sound was heard") { microphones.pieces > 1 }
        try await waitUntil("its level is shown") {
            if practiced.screen.line.contains("● recording\u{1B}[39m [███████░]") { return true }
            // The line is drawn again before the timer sleeps again.
            if clock.sleeperCount > 0 { clock.advance(by: .milliseconds(100)) }
            return false
        }
        keys.press(.quit)
        _ = try await ended
    }

    @Test("says when recording begins and ends where there is no terminal to draw on")
    func saidMark() async throws {
        let practiced = try await PracticedText { _ in }
        let microphones = WatchedMicrophones(seenOn: practiced.screen)
        let keys = TestKeys()
        async let ended = practiced.run(
            by: LooseLoudspeaker(lostAt: nil),
            microphone: TerminalPractice.Microphone(devices: microphones, device: nil),
            keys: keys,
            isTerminal: false
        )
        let (begins, ends) = ("echotext: ● recording\n", "echotext: the recording has ended\n")
        try await waitUntil("something is recorded") { microphones.pieces > 1 }
        #expect(microphones.atOpening?.hasSuffix(begins) == true, "\(practiced.screen.text)")
        keys.press(.quit)
        _ = try await ended
        #expect(microphones.atClosing?.contains(ends) == false)
        let left = "echotext: the take of part 1 is not kept: practice ended before your turn was over\n"
        #expect(practiced.screen.text == "1  The keeper sleeps.\n\(begins)\(ends)\(left)")
    }

    @Test("changes settings for later sessions too, but discards the takes of the one that it continues only")
    func changes() async throws {
        let library = MemoryVault().library
        let practiced = try await PracticedText(in: library) { $0.echo = .off }
        var changes = PracticeSettings.Changes()
        (changes.keepsTakes, changes.factor) = (false, 2)
        let keys = TestKeys(areThere: false)
        let kept = try await practiced.run(by: LooseLoudspeaker(lostAt: nil), keys: keys, changes: changes)
        #expect(kept.isFinished && !kept.session.settings.keepsTakes && kept.session.settings.factor == 2)
        let later = try await library.settings.practice()
        #expect(later.keepsTakes && later.factor == 2)
    }

    @Test("reads the hard segments that are due, and no others")
    func hard() async throws {
        let library = MemoryVault().library
        let longAgo = Date(timeIntervalSince1970: 1_000_000_000)
        for (text, time) in [("Waves come in.", longAgo), ("It is night.", Date.now)] {
            try await library.practice.keep(HardSegment(text: text, language: "en", score: nil, at: time))
        }
        let practiced = try await PracticedText(["--hard"], in: library) { $0.echo = .off }
        let kept = try await practiced.run(by: LooseLoudspeaker(lostAt: nil), keys: TestKeys(areThere: false))
        #expect(kept.isFinished && kept.source == .hard)
        #expect(practiced.screen.text.contains("1  Waves come in."), "\(practiced.screen.text)")
        #expect(!practiced.screen.text.contains("It is night."))
        let next = try await library.practice.hardSegments().map(\.next)
        #expect(next.allSatisfy { $0 > Date.now }, "what was practised is due again later")
    }

    @Test("plays the voice and the last take at once when a key asks for it, and pauses for that")
    func atOnce() async throws {
        let practiced = try await PracticedText { _ in }
        let sounds = try await practiced.sounds()
        let sound = [Int16](repeating: 1_000, count: 8_000)
        // The second one is opened when the sound of the first one has been recorded, the third one in the next turn.
        let silent = ScriptedMicrophones.Script(pieces: [], stays: true)
        let microphones = ScriptedMicrophones([.init(pieces: [sound]), silent, silent])
        let microphone = TerminalPractice.Microphone(devices: microphones, device: nil)
        let (output, keys) = (MemoryLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, microphone: microphone, keys: keys)
        try await waitUntil("the turn has begun") { microphones.askedRates.count >= 1 }
        keys.press(.align)
        try await waitUntil("there is no take yet") { practiced.screen.text.contains("nothing is recorded yet") }
        try await waitUntil("something is recorded") { microphones.askedRates.count >= 2 }
        keys.press(.next)
        try await waitUntil("the next turn has begun") { microphones.askedRates.count >= 3 }
        keys.press(.align)
        try await waitUntil("both are heard") { output.streams.last?.state == .finished }
        #expect(practiced.screen.text.contains("part 1: the voice and you at once"), "\(practiced.screen.text)")
        let mixed = try #require(output.streams.last)
        #expect(mixed.samples.count >= sounds[0].count)
        keys.press(.compare)
        try await waitUntil("one after the other is heard") {
            output.streams.count == 5 && output.streams.last?.state == .finished
        }
        #expect(output.streams[3].samples == sounds[0] && output.streams[4].samples.count == 4_000)
        // The first one is opened to find out whether there is a loudspeaker.
        #expect(output.streams.dropFirst().allSatisfy { $0.sampleRate == ScriptedSynthesizer.sampleRate })
        keys.press(.quit)
        let kept = try await ended
        #expect(kept.session.phase == .paused(in: .echo) && kept.session.position.segment == 2)
    }

    @Test("plays the beginning of a segment while the voice speaks the rest, and each sample once though it is paused")
    func growingSegment() async throws {
        let spoken = Latch()
        defer { spoken.set() }
        let sentences = Mutex(0)
        let synthesizer = ScriptedSynthesizer { _ in
            let number = sentences.withLock { count in
                count += 1
                return count
            }
            if number > 1 { await spoken.wait() }
        }
        let practiced = try await PracticedText(by: synthesizer) { ($0.echo, $0.granularity) = (.off, .paragraph) }
        let (output, keys) = (MemoryLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, keys: keys)
        try await waitUntil("the first sentence is heard") { output.streams.last?.samples.isEmpty == false }
        keys.press(.pause)
        try await waitUntil("the loudspeaker is free") { output.streams.map(\.state) == [.discarded, .discarded] }
        keys.press(.pause)
        spoken.set()
        let kept = try await ended
        #expect(kept.isFinished)
        let sound = try await practiced.sessions.sound(
            of: 1,
            rate: 0.1,
            in: practiced.id,
            voices: [ScriptedSynthesizer.narrator]
        )
        #expect(output.streams.flatMap(\.samples) == sound.clip.samples)
        #expect(output.streams.count == 3 && sentences.withLock(\.self) == 2)
    }

    @Test("plays the next segment from its beginning when a key skips one that the voice has not spoken to its end")
    func skippedSegment() async throws {
        let sentences = Mutex(0)
        let synthesizer = ScriptedSynthesizer { _ in
            let number = sentences.withLock { count in
                count += 1
                return count
            }
            if number == 2 { try await untilCancelled() }
        }
        let text = "The keeper sleeps. Waves come in.\n\nIt is night. The lamp turns."
        let practiced = try await PracticedText([text, "--language", "en"], by: synthesizer) {
            ($0.echo, $0.granularity) = (.off, .paragraph)
        }
        let (output, keys) = (MemoryLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, keys: keys)
        try await waitUntil("the first sentence is heard") { output.streams.last?.samples.isEmpty == false }
        keys.press(.next)
        let kept = try await ended
        #expect(kept.isFinished && practiced.screen.has("2  It is night. The lamp turns."))
        let next = try await practiced.sounds()[1]
        let heard = output.streams.flatMap(\.samples)
        #expect(heard.count > next.count && heard.suffix(next.count) == next[...])
    }

    @Test("obeys keys while the voice is still speaking a segment")
    func slowVoice() async throws {
        let spoken = Latch()
        defer { spoken.set() }
        let practiced = try await PracticedText(by: ScriptedSynthesizer { _ in await spoken.wait() }) { _ in }
        let (output, keys) = (MemoryLoudspeaker(), TestKeys())
        async let ended = practiced.run(by: output, keys: keys)
        try await waitUntil("the segment is shown") { practiced.screen.text.contains("1  The keeper sleeps.") }
        let answers: [(PlayerKey, String)] = [
            (.pause, "⏸"), (.faster, "the rate is 0.15"), (.next, "2  Waves come in."),
        ]
        for (key, words) in answers {
            keys.press(key)
            try await waitUntil("\(key) is obeyed") { practiced.screen.text.contains(words) }
        }
        keys.press(.quit)
        let kept = try await ended
        #expect(kept.session.phase == .paused(in: .playing) && kept.session.position.segment == 2)
        #expect(output.streams.map(\.samples) == [[]], "nothing was heard")
    }

    @Test("names what the voice cannot speak of a segment, and plays the rest")
    func unspoken() async throws {
        let library = MemoryVault().library
        try await library.settings.set(SettingsCatalogue.dictionary.name, to: "gone = .")
        let practiced = try await PracticedText(["Gone. Waves come in.", "--language", "en"], in: library) {
            $0.echo = .off
        }
        let kept = try await practiced.run(by: MemoryLoudspeaker(), keys: TestKeys(areThere: false))
        #expect(kept.isFinished && practiced.screen.has("2  Waves come in."))
        let words = "warning: “Gone.” could not be spoken and was left out"
        #expect(practiced.screen.text.components(separatedBy: words).count == 2, "\(practiced.screen.text)")
    }

    @Test("shows in a line of 80 columns which keys can be pressed while it is paused")
    func pauseLine() async {
        let screen = Screen()
        await PracticeLine(isTerminal: true) { screen.add($0) }.showPause()
        let shown = screen.text.replacingOccurrences(of: "\r\u{1B}[K\u{1B}[?7l", with: "")
            .replacingOccurrences(of: "\u{1B}[?7h", with: "")
        #expect(shown.contains("⏸") && shown.contains("q ends") && shown.count <= 80, "\(shown)")
    }

    @Test("reports a microphone that was never there")
    func noMicrophone() async throws {
        let practiced = try await PracticedText { $0.records = true }
        let microphone = TerminalPractice.Microphone(devices: ScriptedMicrophones([]), device: nil)
        await #expect(throws: CaptureError.noMicrophone) {
            try await practiced.run(by: LooseLoudspeaker(lostAt: nil), microphone: microphone, keys: TestKeys())
        }
    }
}

/// A microphone that hears a loud sound and then nothing, and notes what the screen shows when it is opened and closed.
private final class WatchedMicrophones: CaptureDevices {
    private struct State {
        var atOpening: String?
        var atClosing: String?
        var pieces = 0
    }

    private struct Device: CaptureDevice {
        let microphones: WatchedMicrophones
        let device: any CaptureDevice

        var name: String { device.name }
        var sampleRate: Int { device.sampleRate }

        func next() async throws -> [Int16] {
            microphones.state.withLock { $0.pieces += 1 }
            return try await device.next()
        }

        func takePending() -> [Int16] { device.takePending() }

        func close() {
            let shown = microphones.screen.line
            microphones.state.withLock { $0.atClosing = $0.atClosing ?? shown }
            device.close()
        }
    }

    private let screen: Screen
    private let devices = ScriptedMicrophones([
        .init(pieces: [[Int16](repeating: 16_384, count: 1_600)], stays: true)
    ])
    private let state = Mutex(State())

    init(seenOn screen: Screen) {
        self.screen = screen
    }

    var atOpening: String? { state.withLock(\.atOpening) }
    var atClosing: String? { state.withLock(\.atClosing) }
    /// How many pieces of sound were asked for; all but the last of them were taken.
    var pieces: Int { state.withLock(\.pieces) }

    func all() async -> [CaptureDeviceListing] { await devices.all() }

    func open(_ id: String?, rates: [Int]) async throws -> any CaptureDevice {
        let shown = screen.line
        state.withLock { $0.atOpening = $0.atOpening ?? shown }
        return Device(microphones: self, device: try await devices.open(id, rates: rates))
    }
}
