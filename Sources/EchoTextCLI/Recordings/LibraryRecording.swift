import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// A recording into the library, new or continued.
struct LibraryRecording: LibraryCommand {
    private enum Work {
        case new(ItemName, language: String)
        case resumed(String?)
    }

    private var work: Work
    private var capture: CaptureOptions
    private var answer: JSONOption

    init() {
        preconditionFailure("made by other commands only")
    }

    init(from decoder: any Decoder) throws {
        preconditionFailure("made by other commands only")
    }

    /// - Parameters:
    ///   - name: What it is to be called.
    ///   - language: BCP 47.
    ///   - capture: How the microphone is used.
    ///   - answer: How to answer.
    init(name: ItemName, language: String, capture: CaptureOptions, answer: JSONOption) {
        work = .new(name, language: language)
        (self.capture, self.answer) = (capture, answer)
    }

    init(resuming session: String?, capture: CaptureOptions, answer: JSONOption) {
        work = .resumed(session)
        (self.capture, self.answer) = (capture, answer)
    }

    var json: Bool { answer.json }

    func run(in library: Library) async throws {
        let sessions = library.recordings
        var options = capture.options
        let taker = SessionTaker(sessions)
        if case .resumed(let reference) = work {
            let session = try await sessions.resume(try await sessions.session(called: reference).id)
            options.sampleRate = session.order.sampleRate
            options.present = session.samples
            await taker.hold(session)
        }
        let line = LevelLine(isShown: capture.showsLevel)
        let item: AudioItem
        do {
            let end = try await SoundCapture(from: Microphones()).run(options) { device in
                if case .new(let name, let language) = work {
                    let order = try RecordingOrder(
                        name: name,
                        language: language,
                        sampleRate: device.sampleRate,
                        source: .microphone,
                        sourceName: device.name
                    )
                    await taker.hold(try await sessions.begin(order))
                } else if await taker.sampleRate != device.sampleRate {
                    throw CaptureError.deviceNotFound(device.name)
                }
                await line.begin(device)
            } tell: {
                await line.show($0)
            } take: {
                try await taker.append($0)
            }
            await line.end(end)
            // The task is cancelled where Ctrl-C has ended the recording.
            item = try await Task { try await taker.finish() }.value
        } catch {
            await line.clear()
            await taker.leave()
            throw error
        }
        if json { return try Answer.json(item) }
        EchoTextCommand.say("kept as \(item.mention), \(Answer.time(item.duration))")
    }
}

/// The session that a recording goes into.
private actor SessionTaker {
    /// Pieces of half a second that wait at most: ten minutes, 58 MB at 48,000 Hz.
    private static let maximumWaiting = 1_200
    /// How often, and after which time, what waits is tried at the end.
    private static let (lastAttempts, lastPause) = (3, Duration.seconds(2))

    private let sessions: any RecordingSessions
    private var session: RecordingSession?
    /// What could not be stored yet.
    private var waiting: [[Int16]] = []
    private var hasWarned = false

    init(_ sessions: any RecordingSessions) {
        self.sessions = sessions
    }

    var sampleRate: Int? { session?.order.sampleRate }

    func hold(_ session: RecordingSession) { self.session = session }

    /// Stores the sound, or holds it until it can be stored.
    ///
    /// - Throws: Why it cannot be stored, when as much waits as may be held.
    func append(_ samples: [Int16]) async throws {
        waiting.append(samples)
        do {
            try await store()
        } catch  where waiting.count < Self.maximumWaiting {
            if !hasWarned { warn(of: error) }
        }
    }

    private func store() async throws {
        guard var session else { return }
        while let samples = waiting.first {
            let chunk = try RecordingChunk(number: session.nextChunk, samples: samples)
            session = try await sessions.append(chunk, to: session.id)
            self.session = session
            waiting.removeFirst()
        }
        hasWarned = false
    }

    private func warn(of error: any Error) {
        hasWarned = true
        EchoTextCommand.say(
            "cannot be stored now: \(Failure(error).message) The recording goes on, and what waits is stored when it can be."
        )
    }

    /// - Throws: ``RecordingError/nothingRecorded``; nothing is left then.
    func finish() async throws -> AudioItem {
        for _ in 0..<Self.lastAttempts where !waiting.isEmpty {
            do { try await store() } catch { try? await Task.sleep(for: Self.lastPause) }
        }
        try await store()
        guard let session else { throw RecordingError.nothingRecorded }
        guard session.samples > 0 else {
            try await sessions.discard(session.id)
            throw RecordingError.nothingRecorded
        }
        return try await sessions.finish(session.id)
    }

    /// Leaves what there is as an interrupted session, or nothing where there is no sound.
    func leave() async {
        guard let session else { return }
        let lost = waiting.reduce(0) { $0 + $1.count }
        if lost > 0 {
            let seconds = Double(lost) / Double(session.order.sampleRate)
            EchoTextCommand.say("the last \(Answer.time(seconds)) could not be stored, and are lost")
        }
        guard session.samples > 0 else {
            // One that cannot be discarded now is found as an interrupted one.
            try? await sessions.discard(session.id)
            return
        }
        await sessions.release(session.id)
        EchoTextCommand.say(
            "what was recorded so far is kept: see “echotext recordings keep \(session.id.rawValue.prefix(8))”"
        )
    }
}
