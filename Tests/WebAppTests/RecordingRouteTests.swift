import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of recording sessions", .endsInTime)
struct RecordingRouteTests {
    private let sessions = "/api/recordings/sessions"

    private func begin(_ studio: TestStudio, _ body: String = #"{"sampleRate":16000,"name":"Talk"}"#) async throws
        -> String
    {
        let answer = try await studio.ask(.post, sessions, body)
        #expect(answer.status == .created, "\(answer.text)")
        return "\(sessions)/\(try #require(try answer.json["id"] as? String))"
    }

    private func send(_ studio: TestStudio, _ path: String, _ number: Int, _ samples: [Int16]) async throws -> Answer {
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let bytes = samples.withUnsafeBytes { Data($0) }
        return try await studio.ask(.put, "\(path)/chunks/\(number)", bytes: bytes, headers: headers)
    }

    @Test("take a recording from its first chunk into the library")
    func recording() async throws {
        let studio = try await TestStudio()
        // A transcript would come while the library is asked for recordings that have none.
        for setting in ["transcription.live", "transcription.after-recording"] {
            #expect(try await studio.ask(.put, "/api/settings/\(setting)", #"{"value":"false"}"#).status == .ok)
        }
        let path = try await begin(studio)
        let receipt = try await send(studio, path, 0, Array(repeating: 7, count: 8_000)).json
        #expect(receipt["nextChunk"] as? Int == 1)
        #expect(receipt["seconds"] as? Double == 0.5)
        #expect(receipt["remaining"] is NSNull)
        #expect(receipt["slept"] as? Double == 0)
        let marked = try await studio.ask(.post, "\(path)/marks", #"{"seconds":0.25}"#).json
        #expect((marked["marks"] as? [[String: Any]])?.map { $0["seconds"] as? Double } == [0.25])
        let sound = try await studio.ask(.get, "\(path)/sound")
        #expect((sound.status, sound.headers[.contentType], sound.data.count) == (.ok, "audio/wav", 16_044))
        let item = try await studio.ask(.post, "\(path)/finish", "{}")
        #expect(item.status == .created)
        #expect(try item.json["origin"] as? String == "recorded")
        #expect(try item.json["isTranscribed"] as? Bool == false)
        #expect(try item.json["duration"] as? Double == 0.5)
        #expect(try (await studio.ask(.get, sessions).json["sessions"] as? [Any])?.isEmpty == true)
        #expect(try await studio.ask(.get, "/api/library?origin=recorded&transcribed=false").json["total"] as? Int == 1)
        #expect(try await studio.ask(.get, "/api/library?transcribed=true").json["total"] as? Int == 0)
    }

    @Test("list the beginning of a file whose import was interrupted, also when the library is opened again")
    func interruptedImport() async throws {
        let studio = try await TestStudio()
        let stored = studio.vault.library.recordings
        let tape = try RecordingOrder(name: "Tape", sampleRate: 16_000, source: .file)
        let going = try await stored.begin(tape).id
        let left = try await stored.begin(tape).id
        _ = try await stored.append(try RecordingChunk(number: 0, samples: [1, 2, 3]), to: left)
        await stored.release(left)
        await studio.librarySession.close()
        _ = try await begin(studio)
        let listed = try #require(try await studio.ask(.get, sessions).json["sessions"] as? [[String: Any]])
        #expect(listed.map { $0["name"] as? String } == ["Tape", "Talk"], "one that continues is not listed")
        #expect(listed.map { $0["isOfFile"] as? Bool } == [true, false])
        #expect(try await stored.session(going).state == .recording)
        #expect(try await studio.ask(.delete, "\(sessions)/\(left)", "{}").status == .noContent)
    }

    @Test("take a chunk twice without harm, and refuse one after a gap")
    func repetition() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        #expect(try await send(studio, path, 0, [1, 2]).status == .ok)
        let again = try await send(studio, path, 0, [1, 2])
        #expect((again.status, try again.json["nextChunk"] as? Int) == (.ok, 1))
        let other = try await send(studio, path, 0, [1, 3])
        #expect((other.status, other.code) == (.conflict, "recording.chunk-taken"))
        let gap = try await send(studio, path, 2, [3])
        #expect((gap.status, gap.code) == (.conflict, "recording.chunk-missing"))
        #expect(gap.text.contains("number 1"))
        #expect(try await studio.ask(.get, path).json["samples"] as? Int == 2)
    }

    @Test("refuse half samples, none, and a number that is none")
    func refusals() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        for (number, bytes) in [("0", Data([1])), ("0", Data()), ("-1", Data([1, 2])), ("first", Data([1, 2]))] {
            let answer = try await studio.ask(.put, "\(path)/chunks/\(number)", bytes: bytes, headers: headers)
            #expect((answer.status, answer.code) == (.unprocessableContent, "recording.invalid-chunk"))
        }
        let rate = try await studio.ask(.post, sessions, #"{"sampleRate":100}"#)
        #expect((rate.status, rate.code) == (.unprocessableContent, "recording.unsupported-rate"))
        let nothing = try await studio.ask(.post, "\(path)/finish", "{}")
        #expect(nothing.code == "recording.empty")
        #expect(try await studio.ask(.delete, "\(sessions)/no-such", "{}").code == "recording.not-found")
    }

    @Test("take names and labels of 200 characters, and no longer ones, and a language that is one")
    func limits() async throws {
        let studio = try await TestStudio()
        let (most, more) = (String(repeating: "a", count: 200), String(repeating: "a", count: 201))
        let path = try await begin(studio, #"{"sampleRate":48000,"device":"\#(most)"}"#)
        #expect(try await studio.ask(.post, "\(path)/marks", #"{"seconds":0,"label":"\#(most)"}"#).status == .ok)
        let requests: [(HTTPRequest.Method, String, String)] = [
            (.post, sessions, #"{"sampleRate":48000,"device":"\#(more)"}"#),
            (.post, "\(path)/marks", #"{"seconds":0,"label":"\#(more)"}"#),
            (.post, sessions, #"{"sampleRate":48000,"language":"<script>"}"#),
            (.post, sessions, #"{"sampleRate":48000,"language":"\#(more)"}"#),
            (.patch, path, #"{"language":"<script>"}"#), (.patch, path, #"{"language":"\#(more)"}"#),
        ]
        for (method, address, body) in requests {
            let refused = try await studio.ask(method, address, body)
            #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"), "\(body)")
        }
        #expect((try await studio.ask(.get, sessions).json["sessions"] as? [Any])?.count == 1)
    }

    @Test("pause, leave, continue and discard a session")
    func states() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio, #"{"sampleRate":48000,"language":"en_gb","device":"Headset"}"#)
        let paused = try await studio.ask(.patch, path, #"{"state":"paused","name":"Walk"}"#).json
        #expect(paused["state"] as? String == "paused")
        #expect(paused["name"] as? String == "Walk")
        #expect(paused["language"] as? String == "en-GB")
        #expect(paused["device"] as? String == "Headset")
        #expect(
            try await studio.ask(.patch, path, #"{"state":"interrupted"}"#).json["state"] as? String == "interrupted"
        )
        #expect(try await studio.ask(.post, "\(path)/resume", "{}").json["state"] as? String == "recording")
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        #expect(try await studio.ask(.get, path).status == .notFound)
    }

    @Test("tell a session that was discarded from one that the library does not know")
    func discarded() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        #expect(try await send(studio, path, 0, [1, 2]).status == .ok)
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        for answer in [try await studio.ask(.get, path), try await send(studio, path, 1, [3])] {
            #expect((answer.status, answer.code) == (.notFound, "recording.discarded"))
        }
        let unknown = "\(sessions)/\(AudioItem.ID())"
        for answer in [try await studio.ask(.get, unknown), try await send(studio, unknown, 0, [1])] {
            #expect((answer.status, answer.code) == (.notFound, "recording.not-found"))
        }
    }

    @Test("leave a session interrupted when the library is locked, and take its next chunk when it is open again")
    func locking() async throws {
        let studio = try await TestStudio()
        try await studio.setPasscode("2580")
        let path = try await begin(studio)
        _ = try await send(studio, path, 0, [1, 2])
        _ = try await studio.ask(.post, "/api/lock", "{}")
        #expect(try await send(studio, path, 1, [3]).status.code == 423)
        _ = try await studio.ask(.post, "/api/unlock", #"{"passcode":"2580"}"#)
        #expect(try await studio.ask(.get, path).json["state"] as? String == "interrupted")
        #expect(try await send(studio, path, 1, [3]).status == .ok)
        #expect(try await studio.ask(.get, path).json["samples"] as? Int == 3)
    }

    @Test("report each change of a session")
    func events() async throws {
        let studio = try await TestStudio()
        let subscription = await studio.events.subscribe()
        let path = try await begin(studio)
        _ = try await studio.ask(.delete, path, "{}")
        var names: [String] = []
        for await entry in subscription.entries {
            let event = try await ServerSentEvent(entry.event, id: "1", in: studio.web)
            if event.name == "recording" { names.append("\(event.data.contains(#""session":null"#))") }
            if names.count == 2 { break }
        }
        #expect(names == ["false", "true"])
    }
}
