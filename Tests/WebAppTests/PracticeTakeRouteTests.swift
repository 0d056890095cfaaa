import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of takes", .endsInTime)
struct PracticeTakeRouteTests {
    private static let text = "The keeper sleeps. Waves come in."

    private func begin(_ studio: TestStudio, _ settings: String = "{}") async throws -> String {
        let order =
            #"{"source":{"kind":"text","text":"\#(Self.text)","language":"en"},"settings":\#(settings)}"#
        let answer = try await studio.ask(.post, "/api/practice/sessions", order)
        #expect(answer.status == .created, "\(answer.text)")
        return "/api/practice/sessions/\(try #require(try answer.json["id"] as? String))"
    }

    private func send(
        _ studio: TestStudio,
        _ path: String,
        segment: Int = 1,
        rate: String = "0.5",
        _ sound: Data
    ) async throws -> Answer {
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let address = "\(path)/takes?segment=\(segment)&rate=\(rate)"
        return try await studio.ask(.post, address, bytes: sound, headers: headers)
    }

    /// A second of something, and its end of silence.
    private static let sound = WAVHeader.file(
        of: (0..<24_000).map { $0 < 20_000 ? Int16(8_000 * sin(Double($0) * 0.06 + sin(Double($0) * 0.0005))) : 0 },
        sampleRate: 24_000
    )

    private func take(_ studio: TestStudio, _ path: String, segment: Int = 1) async throws -> String {
        let answer = try await send(studio, path, segment: segment, Self.sound)
        #expect(answer.status == .created, "\(answer.text)")
        return "/api/practice/takes/\(try #require(try answer.json["id"] as? String))"
    }

    @Test("are sealed, heard and scored word by word")
    func scored() async throws {
        let studio = try await TestStudio(
            recognizer: ScriptedRecognizer(saying: ["The keeper snores.", "Waves come in."])
        )
        let path = try await begin(studio)
        let take = try await take(studio, path)
        #expect(try await studio.ask(.get, "\(take)/sound").data == Self.sound)
        let score = try await studio.ask(.post, "\(take)/score", "{}")
        #expect(score.status == .ok, "\(score.text)")
        let words = try #require(try score.json["words"] as? [[String: Any]])
        #expect(words.map { $0["kind"] as? String } == ["said", "said", "different"])
        #expect(words.map { $0["from"] as? Int } == [0, 4, 11] && words[2]["heard"] as? String == "snores")
        #expect(words[0]["start"] is Double && words[0]["modelStart"] is Double)
        let value = try #require(try score.json["score"] as? Double)
        #expect(abs(value - 2 / 3) < 0.01)
        #expect(try score.json["reason"] is NSNull && score.json["hasSound"] as? Bool == true)
        let loudness = try #require(try score.json["loudness"] as? [String: Any])
        #expect((loudness["take"] as? [Double])?.isEmpty == false && (loudness["model"] as? [Double])?.isEmpty == false)
        let again = try await studio.ask(.post, "\(take)/score", "{}")
        #expect(try again.json as NSDictionary == score.json as NSDictionary, "it is heard once")
        let second = try await self.take(studio, path, segment: 2)
        #expect(try await studio.ask(.post, "\(second)/score", "{}").json["score"] as? Double == 1)
        let takes = try #require(try await studio.ask(.get, "\(path)/takes").json["takes"] as? [[String: Any]])
        #expect(takes.map { $0["segment"] as? Int } == [1, 2] && takes[1]["score"] as? Double == 1)
        let summary = try #require(try await studio.ask(.get, path).json["summary"] as? [String: Any])
        #expect(summary["takes"] as? Int == 2)
        #expect((summary["best"] as? [String: Any])?["number"] as? Int == 2)
        #expect((summary["worst"] as? [String: Any])?["number"] as? Int == 1)
    }

    @Test("are compared with the model at the rate at which it was heard, whatever the rate is by now")
    func rate() async throws {
        let said = "The keeper sleeps."
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: [said, said]))
        let path = try await begin(studio, #"{"rate":0.4}"#)
        var ends: [Double] = []
        for rate in ["0.1", "1"] {
            let answer = try await send(studio, path, rate: rate, Self.sound)
            #expect(try answer.json["rate"] as? Double == Double(rate), "\(answer.text)")
            let take = "/api/practice/takes/\(try #require(try answer.json["id"] as? String))"
            let score = try await studio.ask(.post, "\(take)/score", "{}")
            let words = try #require(try score.json["words"] as? [[String: Any]])
            ends.append(try #require(words.last?["modelEnd"] as? Double))
        }
        #expect(ends[0] > 2 * ends[1], "the slow model lasts three times as long")
        let takes = try #require(try await studio.ask(.get, "\(path)/takes").json["takes"] as? [[String: Any]])
        #expect(takes.map { $0["rate"] as? Double } == [0.1, 1])
        #expect(try await send(studio, path, rate: "1.5", Self.sound).code == "practice.out-of-range")
    }

    @Test("repeat the segment that had their number when the text was cut as they say")
    func earlierCut() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio, #"{"granularity":"paragraph"}"#)
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let address = "\(path)/takes?segment=2&granularity="
        let answer = try await studio.ask(.post, "\(address)sentence", bytes: Self.sound, headers: headers)
        #expect(try answer.json["text"] as? String == "Waves come in.", "\(answer.text)")
        let wrong = try await studio.ask(.post, "\(address)word", bytes: Self.sound, headers: headers)
        #expect((wrong.status, wrong.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("have the score 0 where nobody speaks")
    func silence() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        let silent = WAVHeader.file(of: [Int16](repeating: 0, count: 16_000), sampleRate: 16_000)
        let answer = try await send(studio, path, silent)
        let take = "/api/practice/takes/\(try #require(try answer.json["id"] as? String))"
        #expect(try await studio.ask(.post, "\(take)/score", "{}").json["score"] as? Double == 0)
    }

    @Test("go without a score where no recognizer knows the language, and say so")
    func withoutRecognizer() async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer([]))
        let path = try await begin(studio)
        #expect(try await studio.ask(.get, path).json["recognizer"] is NSNull)
        let take = try await take(studio, path)
        let score = try await studio.ask(.post, "\(take)/score", "{}").json
        #expect(score["score"] is NSNull && score["reason"] as? String == "noRecognizer")
        #expect((score["pace"] as? [String: Any])?["take"] is Double, "pace, pauses and melody are there all the same")
    }

    @Test("lose their sound once they are scored, when that is the person's wish")
    func discarded() async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: ["The keeper sleeps."]))
        let path = try await begin(studio, #"{"keepsTakes":false}"#)
        let take = try await take(studio, path)
        #expect(try await studio.ask(.get, "\(take)/sound").status == .ok)
        let score = try await studio.ask(.post, "\(take)/score", "{}")
        #expect(try score.json["score"] as? Double == 1 && score.json["hasSound"] as? Bool == false)
        #expect(try await studio.ask(.get, "\(take)/sound").code == "practice.take-not-found")
        let again = try await studio.ask(.post, "\(take)/score", "{}")
        #expect(try again.json as NSDictionary == score.json as NSDictionary, "its score stays")
        let takes = try #require(try await studio.ask(.get, "\(path)/takes").json["takes"] as? [[String: Any]])
        #expect(takes.first?["hasSound"] as? Bool == false)
    }

    @Test("are deleted, one by one or with their session")
    func deleted() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        let (first, second) = (try await take(studio, path), try await take(studio, path))
        #expect(try await studio.ask(.delete, first, "{}").status == .noContent)
        #expect(try await studio.ask(.delete, first, "{}").code == "practice.take-not-found")
        #expect(try (await studio.ask(.get, "\(path)/takes").json["takes"] as? [Any])?.count == 1)
        #expect(try await studio.ask(.delete, path, "{}").status == .noContent)
        #expect(try await studio.ask(.get, "\(second)/sound").status == .notFound)
        #expect(try await studio.ask(.post, "\(second)/score", "{}").status == .notFound)
    }

    @Test("are refused when they are no sound or belong to no segment")
    func refusals() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        let cut = Self.sound.prefix(1_001)
        for sound in [Data(), Data("RIFF".utf8), Data(Self.sound.prefix(44)), Data(cut)] {
            let answer = try await send(studio, path, sound)
            #expect((answer.status, answer.code) == (.unsupportedMediaType, "practice.invalid-take"))
        }
        #expect(try await send(studio, path, segment: 9, Self.sound).code == "practice.no-such-segment")
        #expect(try await send(studio, "/api/practice/sessions/none", Self.sound).code == "practice.session-not-found")
        #expect(try (await studio.ask(.get, "\(path)/takes").json["takes"] as? [Any])?.isEmpty == true)
    }

    @Test("say when a speaker has fallen silent, and keep nothing of that sound")
    func voice() async throws {
        let studio = try await TestStudio()
        let path = try await begin(studio)
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        func hear(_ sound: Data, turn: String = "turn=1") async throws -> Answer {
            try await studio.ask(.post, "\(path)/voice?\(turn)", bytes: sound, headers: headers)
        }
        let silence = WAVHeader.file(of: Array(repeating: 0, count: 24_000), sampleRate: 24_000)
        let ahead = try await hear(Data()).json
        #expect(ahead["isDetected"] as? Bool == true && ahead["isOver"] as? Bool == false)
        #expect(try await hear(Self.sound).json["isOver"] as? Bool == false)
        #expect(try await hear(silence).json["isOver"] as? Bool == true)
        #expect(try await hear(silence, turn: "turn=2").json["isOver"] as? Bool == false, "another turn begins again")
        #expect(try (await studio.ask(.get, "\(path)/takes").json["takes"] as? [Any])?.isEmpty == true)
        for turn in ["", "turn=x", "turn=-1"] { #expect(try await hear(silence, turn: turn).code == "web.bad-request") }
        #expect(try await hear(Data("RIFF".utf8)).code == "practice.invalid-take")
        #expect(try await hear(Data(count: 1_000_001)).code == "web.bad-request")
        let nowhere = "/api/practice/sessions/none/voice?turn=1"
        let answer = try await studio.ask(.post, nowhere, bytes: silence, headers: headers)
        #expect(answer.code == "practice.session-not-found")
    }

    @Test("mark what went badly, to be practiced again after a day")
    func hard() async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: ["What was that now?"]))
        let path = try await begin(studio)
        let take = try await take(studio, path)
        #expect(try await studio.ask(.post, "\(take)/score", "{}").json["score"] as? Double == 0)
        #expect(try await studio.ask(.post, "\(path)/segments/2/hard", #"{"isHard":true}"#).status == .noContent)
        let segments = try #require(try await studio.ask(.get, "\(path)/segments").json["segments"] as? [[String: Any]])
        #expect(segments.map { $0["isHard"] as? Bool } == [true, true])
        let hard = try await studio.ask(.get, "/api/practice/hard").json
        #expect((hard["due"] as? [Any])?.isEmpty == true && hard["later"] as? Int == 2)
        let upcoming = try #require(hard["upcoming"] as? [[String: Any]])
        #expect(Set(upcoming.map { $0["text"] as? String }) == Set(segments.map { $0["text"] as? String }))
        let nothing = try await studio.ask(.post, "/api/practice/sessions", #"{"source":{"kind":"hard"}}"#)
        #expect((nothing.status, nothing.code) == (.conflict, "practice.nothing-due"))
        #expect(try await studio.ask(.post, "\(path)/segments/2/hard", #"{"isHard":false}"#).status == .noContent)
        #expect(try await studio.ask(.get, "/api/practice/hard").json["later"] as? Int == 1)
        let due = HardSegment(
            text: "She sells sea shells.",
            language: "en",
            score: 0.25,
            at: Date(timeIntervalSinceNow: -2 * 86_400)
        )
        try await studio.vault.library.practice.keep(due)
        let listed = try await studio.ask(.get, "/api/practice/hard").json["due"] as? [[String: Any]]
        #expect(listed?.first?["text"] as? String == due.text && listed?.first?["score"] as? Double == 0.25)
        let again = try await studio.ask(.post, "/api/practice/sessions", #"{"source":{"kind":"hard"}}"#)
        #expect(again.status == .created)
        #expect((try again.json["source"] as? [String: Any])?["kind"] as? String == "hard")
    }
}
