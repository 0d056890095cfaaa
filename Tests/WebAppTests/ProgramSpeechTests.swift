import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import WebApp

@Suite("Speech for programs", .endsInTime)
struct ProgramSpeechTests {
    private static let path = "/v1/audio/speech"

    private func speak(_ fields: [String: Any], _ studio: TestStudio, _ headers: HTTPFields) async throws -> Answer {
        let body = try JSONSerialization.data(withJSONObject: fields)
        return try await studio.ask(.post, Self.path, bytes: body, headers: headers)
    }

    @Test(
        "is made in every format that OpenAI has",
        arguments: [
            (nil, "audio/mpeg", "mp3 "), ("mp3", "audio/mpeg", "mp3 "), ("opus", "audio/ogg; codecs=opus", "opus "),
            ("aac", "audio/mp4", "m4a "), ("flac", "audio/flac", "flac "), ("wav", "audio/wav", "wav "),
        ] as [(String?, String, String)]
    )
    func formats(_ format: String?, _ type: String, _ beginning: String) async throws {
        let studio = try await TestStudio(sounds: NamedSounds())
        var fields: [String: Any] = ["model": "tts-1", "voice": "alloy", "input": "Some words."]
        fields["response_format"] = format
        let answer = try await speak(fields, studio, try await studio.programHeaders())
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(answer.headers[.contentType] == type)
        #expect(answer.data.starts(with: Data("\(beginning)8000 ".utf8)))
        #expect(answer.data.count > 1_000)
    }

    @Test("is sent as samples of 24 kHz whatever the voice's rate is")
    func samples() async throws {
        let studio = try await TestStudio(sounds: NamedSounds())
        let headers = try await studio.programHeaders()
        let fields = ["model": "tts-1", "voice": "alloy", "input": "Some words."]
        let whole = try await speak(fields.merging(["response_format": "wav"]) { $1 }, studio, headers).data
        let answer = try await speak(fields.merging(["response_format": "pcm"]) { $1 }, studio, headers)
        #expect(answer.headers[.contentType] == "audio/pcm")
        #expect(answer.data.count == 3 * (whole.count - "wav 8000 ".utf8.count))
    }

    @Test("leaves nothing in the library")
    func nothingStays() async throws {
        let studio = try await TestStudio(sounds: NamedSounds())
        let headers = try await studio.programHeaders()
        #expect(try await speak(["input": "Secret words."], studio, headers).status == .ok)
        let library = studio.vault.library
        #expect(try await library.audio.items(matching: AudioQuery()).total == 0)
        #expect(try await library.history.texts().entries.isEmpty)
        #expect(try await library.draft.drafts().isEmpty)
        #expect(try await studio.librarySession.use().narrations.narrations().isEmpty)
    }

    @Test(
        "has the voice or the profile that is named, and the chosen one for OpenAI's names",
        arguments: [
            ("espeak/et-actor", "espeak/et-actor", 1), ("et", "espeak/et-actor", 1), ("Actor", "espeak/et-actor", 1),
            ("slow", "espeak/et-actor", 0.75), ("alloy", "espeak/en-narrator", 1), ("nova", "espeak/et-actor", 0.5),
            (nil, "espeak/en-narrator", 1),
        ] as [(String?, String, Double)]
    )
    func voices(_ name: String?, _ voice: String, _ speed: Double) async throws {
        let spoken = Mutex<[Utterance]>([])
        let studio = try await TestStudio(
            sounds: NamedSounds(),
            beforeSpeaking: { utterance in spoken.withLock { $0.append(utterance) } }
        )
        let actor = ScriptedSynthesizer.actor.id
        for (name, speed) in [("Slow", 0.75), ("nova", 0.5)] {
            let profile = VoiceProfile(name: try ItemName(name), voice: actor, speed: speed)
            try await studio.vault.library.profiles.save(profile)
        }
        let headers = try await studio.programHeaders()
        var fields: [String: Any] = ["input": "Words."]
        fields["voice"] = name
        #expect(try await speak(fields, studio, headers).status == .ok)
        #expect(spoken.withLock { $0.map(\.voice.rawValue) } == [voice])
        #expect(spoken.withLock { $0.map(\.prosody.speed) } == [speed])
        if let name {
            fields["voice"] = ["id": name]
            #expect(try await speak(fields, studio, headers).status == .ok)
            #expect(spoken.withLock { $0.map(\.voice.rawValue) } == [voice, voice])
        }
    }

    @Test("takes the speed and the fields that change nothing here")
    func speed() async throws {
        let spoken = Mutex<[Double]>([])
        let studio = try await TestStudio(
            sounds: NamedSounds(),
            beforeSpeaking: { utterance in spoken.withLock { $0.append(utterance.prosody.speed) } }
        )
        let fields: [String: Any] = [
            "model": "gpt-4o-mini-tts", "input": "Words.", "voice": "coral", "speed": 1.25,
            "instructions": "Speak cheerfully.", "stream_format": "audio", "unknown": [1, 2],
        ]
        #expect(try await speak(fields, studio, try await studio.programHeaders()).status == .ok)
        #expect(spoken.withLock(\.self) == [1.25])
    }

    @Test(
        "is refused with the field that is wrong",
        arguments: [
            (#"{"model":"tts-1"}"#, 400, "input", "is missing"), (#"{"input":7}"#, 400, "input", "wrong kind"),
            (#"{"input":" \n"}"#, 400, "input", "no text"), (#"{"input":"A.","speed":2}"#, 400, "speed", "1.5"),
            (#"{"input":"A.","speed":0.25}"#, 400, "speed", "0.5"),
            (#"{"input":"A.","response_format":"ogg"}"#, 400, "response_format", "mp3, opus, aac, flac, wav, pcm"),
            (#"{"input":"A.","stream_format":"sse"}"#, 400, "stream_format", "events"),
            (#"{"input":"A.","model":"gpt-4o"}"#, 404, "model", "/v1/models"),
            (#"{"input":"A.","voice":"nobody-knows-it"}"#, 400, "voice", "nobody-knows-it"),
            (#"{"input":"A.","model":"sherpa-onnx","voice":"espeak/et-actor"}"#, 400, "voice", "sherpa-onnx"),
            (#"{"input":"A.""#, 400, nil, "JSON"), ("[]", 400, nil, "JSON"), ("", 400, nil, "JSON"),
        ] as [(String, Int, String?, String)]
    )
    func refused(_ body: String, _ status: Int, _ field: String?, _ words: String) async throws {
        let studio = try await TestStudio(sounds: NamedSounds())
        let answer = try await studio.ask(.post, Self.path, body, headers: try await studio.programHeaders())
        #expect(answer.status.code == status, "\(answer.text)")
        let failure = try answer.failure
        #expect(failure["param"] as? String == field)
        #expect((failure["message"] as? String)?.contains(words) == true, "\(answer.text)")
        #expect(failure["type"] as? String == "invalid_request_error")
    }

    @Test("is refused for more text than it has room for")
    func tooLong() async throws {
        let studio = try await TestStudio(sounds: NamedSounds())
        let text = String(repeating: "a ", count: ProgramSpeechRoute.longestInput / 2) + "b"
        let answer = try await speak(["input": text], studio, try await studio.programHeaders())
        #expect(answer.status == .contentTooLarge)
        #expect(try answer.failure["param"] as? String == "input")
    }

    @Test("is refused in words when it cannot be encoded")
    func encoder() async throws {
        let studio = try await TestStudio()
        let answer = try await speak(["input": "Some words."], studio, try await studio.programHeaders())
        #expect(try answer.failure["code"] as? String == ExportError.folderNotUsable.code, "\(answer.text)")
    }

    @Test("is refused in words when the engine fails before anything is heard")
    func engine() async throws {
        let studio = try await TestStudio(
            sounds: NamedSounds(),
            beforeSpeaking: { _ in throw SynthesisError.voiceNotInstalled(ScriptedSynthesizer.narrator.id) }
        )
        let answer = try await speak(["input": "Some words."], studio, try await studio.programHeaders())
        #expect(answer.status.code >= 400, "\(answer.text)")
        #expect(try answer.failure["message"] as? String != nil)
    }

    /// Has no sound for a sentence with “Ναι” in it.
    private func muted() async throws -> TestStudio {
        try await TestStudio(
            sounds: NamedSounds(),
            beforeSpeaking: { utterance in
                if String(describing: utterance.text).contains("Ναι") { throw SynthesisError.nothingToSay }
            }
        )
    }

    private func unspoken(in fields: HTTPFields) throws -> (count: Int, phrases: [String]) {
        let value = try #require(fields[.unspoken])
        #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && value.utf8.count < 8_000)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(value.utf8)) as? [String: Any])
        return (try #require(report["count"] as? Int), try #require(report["phrases"] as? [String]))
    }

    @Test("names what could not be spoken behind the sound, or before it where that is sent whole")
    func leftOut() async throws {
        let studio = try await muted()
        let headers = try await studio.programHeaders()
        let text = "Some words. Ναι “\\” 🙂. Others."
        let streamed = try await speak(["input": text, "response_format": "mp3"], studio, headers)
        #expect(streamed.status == .ok, "\(streamed.text)")
        #expect(streamed.headers[.trailer] == "EchoText-Unspoken" && streamed.headers[.unspoken] == nil)
        #expect(try unspoken(in: streamed.trailers) == (1, ["Ναι “\\” 🙂."]))
        let whole = try await speak(["input": text, "response_format": "aac"], studio, headers)
        #expect(whole.headers[.trailer] == nil && whole.trailers.isEmpty)
        #expect(try unspoken(in: whole.headers) == (1, ["Ναι “\\” 🙂."]))
    }

    @Test("is refused in words where nothing of it can be spoken, instead of being silent", arguments: ["mp3", "aac"])
    func nothingSpoken(format: String) async throws {
        let studio = try await muted()
        let headers = try await studio.programHeaders()
        for text in ["Ναι. Ναι ναι.", "[pause:1s] Ναι."] {
            let answer = try await speak(["input": text, "response_format": format], studio, headers)
            #expect(answer.status.code >= 400, "\(answer.text)")
            #expect(try answer.failure["code"] as? String == SynthesisError.nothingToSay.code)
        }
        let late = ["input": "Ναι. Words.", "response_format": format]
        #expect(try await speak(late, studio, headers).status == .ok)
    }

    @Test("has no field for what could not be spoken where all is")
    func allSpoken() async throws {
        let studio = try await muted()
        let headers = try await studio.programHeaders()
        for format in ["mp3", "aac"] {
            let answer = try await speak(["input": "Words.", "response_format": format], studio, headers)
            #expect(answer.trailers.isEmpty && answer.headers[.unspoken] == nil)
        }
    }

    @Test("counts all that could not be spoken, and names as much as a field has room for")
    func muchLeftOut() async throws {
        let studio = try await muted()
        let text = "Words. " + String(repeating: "Ναι\(String(repeating: " ναι", count: 30)). ", count: 50)
        let answer = try await speak(["input": text], studio, try await studio.programHeaders())
        let (count, phrases) = try unspoken(in: answer.trailers)
        #expect(count == 50)
        #expect(!phrases.isEmpty && phrases.count < NarrationJob.maximumLeftOut)
        #expect(phrases.allSatisfy { $0.hasPrefix("Ναι ναι") })
    }

    /// Speaks a sentence with “second” in it only when `release` has occurred; `started` and `ended` say when it began and
    /// was given up.
    private func held(
        _ release: Latch,
        started: Latch = Latch(),
        ended: Latch = Latch()
    ) async throws -> TestStudio {
        try await TestStudio(
            sounds: NamedSounds(),
            beforeSpeaking: { utterance in
                guard String(describing: utterance.text).contains("second") else { return }
                started.set()
                await release.wait()
                guard Task.isCancelled else { return }
                ended.set()
                throw CancellationError()
            }
        )
    }

    private func respond(_ studio: TestStudio, _ headers: HTTPFields) async throws -> Response {
        let text = "The first sentence is here. The second one comes later."
        let body = try JSONSerialization.data(withJSONObject: ["input": text])
        return try await studio.respond(
            .post,
            Self.path,
            body: RequestBody(buffer: ByteBuffer(bytes: body)),
            headers: headers
        )
    }

    @Test("is sent while it is made")
    func streamed() async throws {
        let (release, begun) = (Latch(), Latch())
        let studio = try await held(release)
        let response = try await respond(studio, try await studio.programHeaders())
        let reading = Task { try await response.body.write(FirstPiece(latch: begun)) }
        await begun.wait()
        #expect(!release.isSet, "something was read before the second sentence could be spoken")
        release.set()
        try await reading.value
    }

    @Test("ends when the program that asked for it has gone")
    func gone() async throws {
        let (begun, started, ended) = (Latch(), Latch(), Latch())
        let studio = try await held(Latch(), started: started, ended: ended)
        let response = try await respond(studio, try await studio.programHeaders())
        let reading = Task { try await response.body.write(FirstPiece(latch: begun)) }
        await begun.wait()
        await started.wait()
        reading.cancel()
        await ended.wait()
        await #expect(throws: (any Error).self) { try await reading.value }
    }

    @Test("ends when the key of the program that asked for it is removed")
    func removedKey() async throws {
        let (release, begun) = (Latch(), Latch())
        let studio = try await held(release)
        let response = try await respond(studio, try await studio.programHeaders())
        let reading = Task { try await response.body.write(FirstPiece(latch: begun)) }
        await begun.wait()
        try await studio.vault.library.apiKeys.remove("Editor")
        release.set()
        await #expect(throws: (any Error).self) { try await reading.value }
    }

    @Test("ends when its answer is never sent, and holds no place")
    func unsent() async throws {
        let studio = try await held(Latch())
        let headers = try await studio.programHeaders()
        for _ in 1...4 { _ = try await respond(studio, headers) }
        #expect(try await speak(["input": "Words."], studio, headers).status == .ok)
    }
}

/// Notes the first sound that is sent, which is longer than what stands before it.
private struct FirstPiece: ResponseBodyWriter {
    let latch: Latch

    func write(_ buffer: ByteBuffer) async throws {
        try Task.checkCancellation()
        if buffer.readableBytes > 100 { latch.set() }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Sound files that say their format and rate, and then have the samples as they are.
private struct NamedSounds: SoundFiles {
    /// Writes into a sink of bytes.
    private struct Sink: AudioSink {
        let bytes: any ByteSink

        func append(_ clip: AudioClip) async throws {
            try await bytes.append(clip.pcm16.withUnsafeBytes { Data($0) })
        }

        func finish() async throws { try await bytes.finish() }

        func discard() async { await bytes.discard() }
    }

    /// Repeats each sample.
    private struct Repetition: RateConversion {
        let factor: Int

        func convert(_ clip: AudioClip, isLast: Bool) async throws -> AudioClip {
            AudioClip(
                samples: clip.samples.flatMap { Array(repeating: $0, count: factor) },
                sampleRate: clip.sampleRate * factor
            )
        }
    }

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink { throw ExportError.folderNotUsable }

    func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink {
        try await bytes.append("\(order.format.rawValue) \(order.sampleRate) ")
        return Sink(bytes: bytes)
    }

    func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes) {
        let bytes = MemoryBytes()
        return (try await sound(order, into: bytes), bytes)
    }

    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        Repetition(factor: outputRate / inputRate)
    }
}
