import API
import ArgumentParser
import AudioFiles
import EchoText
import Foundation

/// Records into the library: a new recording, or the continuation of one.
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
    ///   - name: The name of the recording.
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
        let writer = SessionWriter(into: sessions) { error in
            EchoTextCommand.say(
                "cannot be stored now: \(Failure(error).message) The recording continues, and what waits is stored when it can be."
            )
        }
        if case .resumed(let reference) = work {
            let session = try await sessions.resume(try await sessions.session(called: reference).id)
            options.sampleRate = session.order.sampleRate
            options.present = session.samples
            await writer.hold(session)
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
                    await writer.hold(try await sessions.begin(order))
                } else if await writer.sampleRate != device.sampleRate {
                    throw CaptureError.deviceNotFound(device.name)
                }
                await line.begin(device)
            } report: {
                await line.show($0)
            } take: {
                try await writer.append($0)
            }
            await line.end(end)
            // A new task, because Ctrl-C, which ends the recording, has cancelled this one.
            item = try await Task { try await writer.finish() }.value
        } catch {
            await line.clear()
            Self.say(await writer.leave())
            throw error
        }
        if json { return try Answer.json(ItemResponse(item)) }
        EchoTextCommand.say("kept as \(item.mention), \(Answer.time(item.duration))")
    }

    private static func say(_ left: SessionWriter.Left) {
        if left.lost > 0 {
            EchoTextCommand.say("the last \(Answer.time(left.lost)) could not be stored, and are lost")
        }
        guard let session = left.session else { return }
        EchoTextCommand.say(
            "what was recorded so far is kept: see “echotext recordings keep \(session.rawValue.prefix(8))”"
        )
    }
}
