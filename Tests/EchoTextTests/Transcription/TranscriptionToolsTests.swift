import EchoText
import EchoTextTesting
import Synchronization
import Testing

@Suite("Recognizer and detector of a transcription", .endsInTime)
struct TranscriptionToolsTests {
    private static func open(
        _ recognizer: SteppedRecognizer,
        _ detector: SteppedDetector
    ) async throws -> OpenRecognition {
        try await TranscriptionTools.scripted(recognizer, detector: detector)
            .open(ScriptedRecognizer.standard.id, RecognitionSettings(), rate: RecognitionClip.sampleRate) { session in
                SegmentationRules.whole(for: session)
            }
    }

    private static func waitForCancellation() async throws {
        await Latch().wait()
        try Task.checkCancellation()
    }

    @Test("are opened at once, and closed together")
    func atOnce() async throws {
        let (recognizerBegins, detectorBegins) = (Latch(), Latch())
        let recognizer = SteppedRecognizer(before: {
            recognizerBegins.set()
            await detectorBegins.wait()
        })
        let detector = SteppedDetector(before: {
            detectorBegins.set()
            await recognizerBegins.wait()
        })
        let opened = try await Self.open(recognizer, detector)
        #expect(recognizer.openSessions == 1 && detector.openSessions == 1)
        await #expect(throws: RecognitionError.recognizerDied) {
            try await opened.closing { throw RecognitionError.recognizerDied }
        }
        #expect(recognizer.openSessions == 0 && detector.openSessions == 0)
    }

    @Test("are both closed where the recognizer cannot be opened")
    func noRecognizer() async {
        let detectorIsOpen = Latch()
        let detector = SteppedDetector(after: { detectorIsOpen.set() })
        let recognizer = SteppedRecognizer(before: {
            await detectorIsOpen.wait()
            throw RecognitionError.badModel("encoder.onnx")
        })
        await #expect(throws: RecognitionError.badModel("encoder.onnx")) {
            try await Self.open(recognizer, detector)
        }
        #expect(recognizer.openings == 0)
        #expect(detector.openings == 1 && detector.openSessions == 0)
    }

    @Test("are both closed where the detector cannot be opened")
    func noDetector() async {
        let recognizerIsOpen = Latch()
        let recognizer = SteppedRecognizer(after: { recognizerIsOpen.set() })
        let detector = SteppedDetector(before: {
            await recognizerIsOpen.wait()
            throw RecognitionError.cannotStart
        })
        await #expect(throws: RecognitionError.cannotStart) { try await Self.open(recognizer, detector) }
        #expect(recognizer.openings == 1 && recognizer.openSessions == 0)
        #expect(detector.openings == 0)
    }

    @Test("are both closed where it is cancelled while the detector is opened")
    func cancelledDetector() async {
        let recognizerIsOpen = Latch()
        let recognizer = SteppedRecognizer(after: { recognizerIsOpen.set() })
        let detector = SteppedDetector(before: { try await Self.waitForCancellation() })
        let opening = Task { try await Self.open(recognizer, detector) }
        await recognizerIsOpen.wait()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(recognizer.openings == 1 && recognizer.openSessions == 0)
        #expect(detector.openings == 0)
    }

    @Test("are both closed where it is cancelled while the recognizer is opened")
    func cancelledRecognizer() async {
        let detectorIsOpen = Latch()
        let detector = SteppedDetector(after: { detectorIsOpen.set() })
        let recognizer = SteppedRecognizer(before: { try await Self.waitForCancellation() })
        let opening = Task { try await Self.open(recognizer, detector) }
        await detectorIsOpen.wait()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(recognizer.openings == 0)
        #expect(detector.openings == 1 && detector.openSessions == 0)
    }
}

/// Something that a test does while a model is opened.
private typealias Step = @Sendable () async throws -> Void

/// A recognizer with a step before it is opened, and one after it was.
private struct SteppedRecognizer: SpeechRecognizer {
    private let recognizer = ScriptedRecognizer()
    private let before: Step
    private let after: Step

    init(before: @escaping Step = {}, after: @escaping Step = {}) {
        (self.before, self.after) = (before, after)
    }

    var openings: Int { recognizer.openings }
    var openSessions: Int { recognizer.openSessions }

    func recognizers() async throws -> [Recognizer] { try await recognizer.recognizers() }

    func open(_ id: Recognizer.ID, _ settings: RecognitionSettings) async throws -> any RecognitionSession {
        try await before()
        let session = try await recognizer.open(id, settings)
        try await after()
        return session
    }
}

/// A detector with a step before it is opened, and one after it was; it counts its sessions.
private final class SteppedDetector: VoiceActivityDetector {
    private let before: Step
    private let after: Step
    private let counts = Mutex((openings: 0, closings: 0))

    init(before: @escaping Step = {}, after: @escaping Step = {}) {
        (self.before, self.after) = (before, after)
    }

    var openings: Int { counts.withLock { $0.openings } }
    var openSessions: Int { counts.withLock { $0.openings - $0.closings } }

    func open() async throws -> any VoiceActivitySession {
        try await before()
        let session = try await ScriptedDetector().open()
        counts.withLock { $0.openings += 1 }
        try await after()
        return CountedActivity(session) { self.counts.withLock { $0.closings += 1 } }
    }
}

private struct CountedActivity: VoiceActivitySession {
    private let session: any VoiceActivitySession
    private let closed: @Sendable () -> Void

    init(_ session: any VoiceActivitySession, closed: @escaping @Sendable () -> Void) {
        (self.session, self.closed) = (session, closed)
    }

    func detect(_ clip: AudioClip) async throws -> [VoiceWindow] { try await session.detect(clip) }

    func close() async {
        await session.close()
        closed()
    }
}
