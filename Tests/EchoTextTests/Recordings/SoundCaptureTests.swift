import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Sound capture", .endsInTime)
struct SoundCaptureTests {
    private actor Tape {
        private(set) var samples: [Int16] = []
        private(set) var pieces: [Int] = []
        private(set) var events: [SoundCapture.Event] = []

        func take(_ sound: [Int16]) {
            samples += sound
            pieces.append(sound.count)
        }

        func note(_ event: SoundCapture.Event) { events.append(event) }
    }

    private let tape = Tape()

    private func pieces(_ count: Int, of value: Int16 = 5, length: Int = 2_400) -> [[Int16]] {
        Array(repeating: Array(repeating: value, count: length), count: count)
    }

    private func run(
        _ microphones: ScriptedMicrophones,
        _ options: SoundCapture.Options = .init(),
        report: @escaping @Sendable (SoundCapture.Event) async -> Void = { _ in }
    ) async throws -> SoundCapture.End {
        try await SoundCapture(from: microphones).run(options) { _ in
        } report: { event in
            await tape.note(event)
            await report(event)
        } take: { [tape] in
            await tape.take($0)
        }
    }

    @Test("takes all sound, in pieces of half a second")
    func pieces() async throws {
        let microphones = ScriptedMicrophones([.init(pieces: pieces(33))])
        #expect(try await run(microphones) == .deviceGone)
        #expect(await tape.samples.count == 33 * 2_400)
        #expect(await tape.pieces == [24_000, 24_000, 24_000, 7_200])
        #expect(microphones.askedRates == [SoundCapture.rates])
    }

    @Test("says how much sound is missing, and where, when the machine was too busy")
    func lost() async throws {
        var script = ScriptedMicrophones.Script(pieces: pieces(33))
        script.losses = [0: 0.5, 20: 1.25]
        var options = SoundCapture.Options()
        options.present = 96_000
        #expect(try await run(ScriptedMicrophones([script]), options) == .deviceGone)
        let lost = await tape.events.filter { if case .lost = $0 { true } else { false } }
        #expect(lost == [.lost(0.5, at: 2), .lost(1.25, at: 3)])
        #expect(await tape.samples.count == 33 * 2_400, "the sound that there is stays")
    }

    @Test("ends at the longest time, to the sample")
    func longest() async throws {
        let microphones = ScriptedMicrophones([.init(pieces: pieces(100), stays: true)])
        #expect(try await run(microphones, .init(sampleRate: 16_000, longest: 1.25)) == .longest)
        #expect(await tape.samples.count == 20_000)
        #expect(microphones.askedRates == [[16_000]])
    }

    @Test("says that it ends because one recording can have no more sound, which nobody has asked for")
    func full() async throws {
        let microphones = ScriptedMicrophones([.init(pieces: pieces(100), stays: true)])
        var options = SoundCapture.Options(longest: 3_600)
        options.present = WAVHeader.maximumPlainData / 2 - 24_000
        #expect(try await run(microphones, options) == .full)
        #expect(await tape.samples.count == 24_000)
    }

    @Test("keeps the last moment when it is stopped")
    func stopped() async throws {
        let microphones = ScriptedMicrophones([.init(pieces: pieces(3), stays: true)])
        let (heard, intoHeard) = AsyncStream.makeStream(of: Double.self)
        let capture = Task {
            try await run(microphones) { event in
                if case .level(_, let seconds) = event { intoHeard.yield(seconds) }
            }
        }
        for await seconds in heard where seconds >= 0.15 { break }
        capture.cancel()
        #expect(try await capture.value == .stopped)
        #expect(await tape.samples.count == 3 * 2_400)
    }

    @Test("keeps what was said before the stop, though a slow disk has not let it be taken yet")
    func stoppedBehind() async throws {
        let microphones = ScriptedMicrophones([.init(pieces: pieces(33), stays: true)])
        let (reached, reach) = AsyncStream.makeStream(of: Void.self)
        let room = Latch()
        let capture = Task { [tape] in
            try await SoundCapture(from: microphones).run(.init()) { _ in
            } report: { _ in
            } take: { sound in
                reach.yield()
                await room.wait()
                await tape.take(sound)
            }
        }
        for await _ in reached { break }
        capture.cancel()
        room.set()
        #expect(try await capture.value == .stopped)
        #expect(await tape.samples.count == 33 * 2_400)
    }

    @Test("continues with the next microphone at the same rate, and says so")
    func nextDevice() async throws {
        let microphones = ScriptedMicrophones([
            .init(name: "one", pieces: pieces(4, of: 1)), .init(name: "two", pieces: pieces(4, of: 2)),
        ])
        #expect(try await run(microphones, .init(device: "one")) == .deviceGone)
        #expect(await tape.samples == (pieces(4, of: 1) + pieces(4, of: 2)).flatMap(\.self))
        #expect(await tape.events.contains(.continued(on: "two")))
        #expect(microphones.askedRates == [SoundCapture.rates, [48_000]])
    }

    @Test("ends when microphones open but give no sound")
    func deadDevices() async throws {
        let dead = ScriptedMicrophones(Array(repeating: .init(pieces: []), count: 50))
        #expect(try await run(dead) == .deviceGone)
        #expect(dead.askedRates.count < 10)
        #expect(await tape.samples.isEmpty)
    }

    @Test("says where there is no microphone")
    func none() async {
        await #expect(throws: CaptureError.noMicrophone) { try await run(ScriptedMicrophones([])) }
        await #expect(throws: CaptureError.deviceNotFound("x")) {
            try await run(ScriptedMicrophones([.init(pieces: [])]), .init(device: "x"))
        }
    }

    @Test("keeps a microphone's promises with its own fake")
    func contract() async throws {
        let microphones = ScriptedMicrophones(Array(repeating: .init(pieces: pieces(20)), count: 2))
        try await verifyContract(ofDevices: { try await microphones.open(nil, rates: [48_000]) })
    }
}

@Suite("Sound level")
struct SoundLevelTests {
    @Test("is reported in decibels below full scale, silence at the floor")
    func levels() {
        #expect(SoundLevel(of: [Int16]()).peak == SoundLevel.floor)
        #expect(SoundLevel(of: [0, 0] as [Int16]).average == SoundLevel.floor)
        let half = SoundLevel(of: [16_384, -16_384] as [Int16])
        #expect(abs(half.peak + 6.02) < 0.01)
        #expect(abs(half.average + 6.02) < 0.01)
        #expect(!half.isClipped)
        #expect(SoundLevel(of: [0, -32_768] as [Int16]).isClipped)
    }
}
