import EchoText
import EchoTextTesting
import Foundation
import Logging
import Testing

@testable import Workers

@Suite("Decoders in processes of their own", .endsInTime)
struct SoundDecoderTests {
    private static let quiet = Logger(label: "decoders") { _ in SwiftLogNoOpLogHandler() }

    /// The program that this package builds, as a decoder.
    private static var launch: WorkerLaunch {
        var launch = WorkerLaunch.decoder
        launch.executable = BuiltPackage.program("echotext")
        return launch
    }

    private static func decoder(
        _ launch: WorkerLaunch = launch,
        in isolation: WorkerIsolation = .limitsOnly(.switchedOff),
        clock: any Clock<Duration> = .continuous
    ) -> WorkerSoundDecoder {
        WorkerSoundDecoder(
            launch,
            isolation: isolation,
            idleTimeout: .seconds(90),
            longest: .seconds(900),
            clock: clock,
            logger: quiet
        )
    }

    private let wave = HeldBytes(WAVHeader.file(of: [Int16](repeating: 100, count: 8_000), sampleRate: 8_000))

    @Test(arguments: WorkerIsolation.available)
    func `keep the promises of their port`(isolation: WorkerIsolation) async throws {
        try await verifyContract(of: Self.decoder(in: isolation))
    }

    @Test func `are not started where nothing confines them, unless that is allowed`() async throws {
        let nothing = WorkerIsolation(.open(.bubblewrapMissing), guards: .filter)
        await #expect(throws: SoundImportError.notConfined) {
            try await Self.decoder(in: nothing).decode(wave) { _ in }
        }
        var launch = Self.launch
        launch.needsConfinement = false
        try await Self.decoder(launch, in: nothing).decode(wave) { _ in }
    }

    @Test func `that cannot be started say so`() async {
        await #expect(throws: SoundImportError.self) {
            try await Self.decoder(WorkerLaunch(executable: "/nowhere/echotext")).decode(wave) { _ in }
        }
    }

    @Test func `that say nothing are given up`() async {
        var launch = WorkerLaunch(executable: "/bin/sleep")
        launch.arguments = ["600"]
        let clock = ManualClock()
        let decoding = Task { try await Self.decoder(launch, clock: clock).decode(wave) { _ in } }
        await clock.endShortestSleep(of: .seconds(90))
        await #expect(throws: SoundImportError.tooSlow(seconds: 90)) { try await decoding.value }
    }

    private static let facts = DecodedSound.facts(SoundFacts(sampleRate: 8_000)).frame
    private static let samples = DecodedSound.samples([1, 2, 3]).frame
    private static let done = Frame(.done, request: 1).encoded

    private static func facts(rate: UInt32, channels: UInt32, samples: Int64, title: String = "") -> [UInt8] {
        var payload = PayloadWriter()
        payload.write(rate)
        payload.write(channels)
        payload.write(samples)
        for text in [title, "", "", ""] { payload.write(text) }
        return Frame(.facts, request: 1, payload: payload.bytes).encoded
    }

    private static func want(_ start: Int64, _ count: UInt32) -> [UInt8] {
        var payload = PayloadWriter()
        payload.write(start)
        payload.write(count)
        return Frame(.want, request: 1, payload: payload.bytes).encoded
    }

    /// Answers that no decoder gives: out of turn, out of order, out of range.
    private static let misstatements: [[UInt8]] = [
        [], done, samples, facts + facts, facts + samples, want(0, 4) + want(0, 4),
        facts(rate: 1, channels: 1, samples: 1), facts(rate: 8_000, channels: 90_000, samples: 1),
        facts(rate: 8_000, channels: 1, samples: -7), facts(rate: 8_000, channels: 1, samples: .max),
        want(-1, 4), want(0, 0), want(16_040, 100), want(.max, 4), want(0, 1 << 20),
        Frame(.samples, request: 1, payload: [1]).encoded, Frame(.picture, request: 1, payload: [1]).encoded,
        Frame(.failed, request: 1, payload: Array(#""no such reason""#.utf8)).encoded,
        Frame(.failed, request: 1).encoded, [UInt8](repeating: 0xA5, count: 10_000),
        Frame(.done, request: 2).encoded, Frame(.failed, request: 2, payload: Array(#""noSound""#.utf8)).encoded,
        notice(1, 2, 3), facts + notice(4, 0, 0), facts + notice(1, -1, 3), facts + notice(1, .nan, 3),
        facts + notice(3, 1e300, 1), facts + Frame(.notice, request: 1).encoded,
    ]

    private static func notice(_ kind: UInt32, _ first: Double, _ second: Double) -> [UInt8] {
        var payload = PayloadWriter()
        payload.write(kind)
        payload.write(first)
        payload.write(second)
        return Frame(.notice, request: 1, payload: payload.bytes).encoded
    }

    @Test(arguments: [
        SoundImportNotice.damaged, .lengthDiffers(stated: 1, kept: 4.25), .incomplete(kept: 3),
        .tracks(count: 3, taken: 2),
    ])
    func `pass notices on`(notice: SoundImportNotice) throws {
        let frame = DecodedSound.notice(notice).frame
        #expect(try SoundImportNotice(Array(frame[FrameFormat.headerLength...])) == notice)
    }

    @Test func `distinguish files that are not as they say from empty ones`() async throws {
        let samples = [Int16](repeating: 100, count: 8_000)
        var short = WAVHeader.file(of: samples, sampleRate: 8_000)
        short.replaceSubrange(40..<44, with: [0xA0, 0x0F, 0, 0])
        let output = SoundCollector()
        try await Self.decoder().decode(HeldBytes(short)) { try await output.take($0) }
        #expect(await output.samples == samples)
        #expect(await output.notices == [.lengthDiffers(stated: 0.25, kept: 1)])
        await #expect(throws: SoundImportError.noSound) {
            let empty = HeldBytes(WAVHeader.file(of: [], sampleRate: 8_000))
            try await Self.decoder().decode(empty) { _ in }
        }
    }

    @Test(arguments: misstatements)
    func `that lie are ended, and what they said is an error`(answer: [UInt8]) async throws {
        let folder = TemporaryFolder()
        try Data(FrameFormat.preamble + answer).write(to: URL(filePath: folder("answer")))
        var launch = WorkerLaunch(executable: "/bin/cat")
        launch.arguments = [folder("answer")]
        await #expect(throws: SoundImportError.decoderDied) { try await Self.decoder(launch).decode(wave) { _ in } }
    }

    @Test func `have their tags made harmless`() throws {
        let frame = Self.facts(rate: 8_000, channels: 0, samples: -1, title: "a\u{1B}]0;b")
        let payload = Array(frame[FrameFormat.headerLength...])
        #expect(try SoundFacts(payload) == SoundFacts(sampleRate: 8_000, tags: SoundTags(title: "a ]0;b")))
    }

    @Test func `end with the task that waits for them`() async {
        let (begun, intoBegun) = AsyncStream.makeStream(of: Void.self)
        let decoding = Task {
            try await Self.decoder().decode(wave) { _ in
                intoBegun.yield()
                try await untilCancelled()
            }
        }
        for await _ in begun { break }
        decoding.cancel()
        await #expect(throws: CancellationError.self) { try await decoding.value }
    }

    @Test func `report bytes that cannot be read`() async {
        await #expect(throws: CaptureError.deviceGone) { try await Self.decoder().decode(BrokenBytes()) { _ in } }
    }
}

private struct BrokenBytes: StoredBytes {
    let length = 10_000

    func read(_ range: Range<Int>) async throws -> Data { throw CaptureError.deviceGone }
}
