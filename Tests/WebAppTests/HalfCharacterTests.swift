import EchoText
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Half of a character, left where something has cut a text")
struct HalfCharacterTests {
    @Test("is kept as a sign of its own, and the text around it as it is")
    func kept() async throws {
        let studio = try await TestStudio()
        let text = #"half \ud83d of 🎧 and \ud83c\udfa7, \udfa7 \\ud83d \n\u00e9"#
        let saved = try await studio.ask(.put, "/api/draft", #"{"page":"x","text":"\#(text)"}"#)
        #expect(saved.status == .noContent, "\(saved.text)")
        let kept = try await studio.ask(.get, "/api/draft").json["text"] as? String
        #expect(kept == "half \u{FFFD} of 🎧 and 🎧, \u{FFFD} \\ud83d \né")
        let speech = #"{"text":"Cut here \ud83d","language":"en"}"#
        #expect(try await studio.ask(.post, "/api/speeches", speech).status == .created)
        let id = try await studio.record("A story.")
        let renamed = try await studio.ask(.patch, "/api/library/\(id)", #"{"name":"A \ud83d"}"#)
        #expect(try renamed.json["name"] as? String == "A \u{FFFD}", "\(renamed.text)")
    }

    @Test(
        "is found in JSON alone where an escape is one",
        arguments: [
            (#"["\ud83d"]"#, #"["\ufffd"]"#), (#"["\uDFA7\uD83C"]"#, #"["\ufffd\ufffd"]"#),
            (#"["\ud83c\ud83c\udfa7"]"#, #"["\ufffd\ud83c\udfa7"]"#), (#"["\\\ud83d"]"#, #"["\\\ufffd"]"#),
            (#"["\ud83dx"#, #"["\ufffdx"#),
        ]
    )
    func found(_ json: String, _ whole: String) {
        #expect(PageDecoder.withoutHalves(Array(json.utf8)) == Data(whole.utf8))
    }

    @Test(
        "is found in nothing else",
        arguments: ["", "\\", #"["\u"#, #"["\\ud83d"]"#, #"["\ud83c\udfa7"]"#, #"["\ud8"]"#, #"["é\"]"#, "[1]"]
    )
    func whole(_ json: String) {
        #expect(PageDecoder.withoutHalves(Array(json.utf8)) == nil)
    }

    @Test("changes nothing about what is refused", arguments: [#"{"page":"x"}"#, "{", #"{"page":1,"text":"\ud83d"}"#])
    func refused(_ body: String) async throws {
        let studio = try await TestStudio()
        let answer = try await studio.ask(.put, "/api/draft", body)
        #expect((answer.status, answer.code) == (.unprocessableContent, "web.bad-request"))
    }
}
