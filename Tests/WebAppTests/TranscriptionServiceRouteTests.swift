import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Testing

@testable import WebApp

@Suite("Routes of transcription services", .endsInTime)
struct TranscriptionServiceRouteTests {
    private static let path = "/api/transcription-services/office"
    private static let content = #"{"address":"https://speech.example.org/v1","model":"whisper-1","key":"sk-secret"}"#

    @Test("are asked for beside one that cannot be read, which is counted and can be deleted")
    func unreadable() async throws {
        let studio = try await TestStudio()
        #expect(try await studio.ask(.put, Self.path, Self.content).status == .ok)
        let services = try #require(studio.vault.library.services as? MemoryServices)
        await services.damage(try ServiceName("office"))
        let answer = try await studio.ask(.get, "/api/transcription-services").json
        #expect((answer["services"] as? [Any])?.isEmpty == true && answer["unreadable"] as? Int == 1)
        #expect(try await studio.ask(.delete, Self.path).status == .noContent)
        #expect(await services.unreadable() == 0)
    }

    @Test("keep services without ever telling a key")
    func keys() async throws {
        let studio = try await TestStudio()
        let none = try await studio.ask(.get, "/api/transcription-services").json
        #expect((none["services"] as? [Any])?.isEmpty == true && none["unreadable"] as? Int == 0 && none.count == 2)
        var answers = [try await studio.ask(.put, Self.path, Self.content)]
        answers.append(try await studio.ask(.get, Self.path))
        answers.append(try await studio.ask(.get, "/api/transcription-services"))
        answers.append(try await studio.ask(.get, "/api/settings"))
        #expect(answers.allSatisfy { $0.status == .ok && !$0.text.contains("sk-secret") })
        let shown = try answers[1].json
        #expect(shown["hasKey"] as? Bool == true && shown["host"] as? String == "speech.example.org")
        #expect(shown["language"] is NSNull && (shown["trial"] as? [String: Any])?["bytes"] as? Int == 32_044)
        let trial = try #require(shown["trial"] as? [String: Any])
        #expect(trial["isEncrypted"] as? Bool == true && trial["sendsWords"] as? Bool == false)
        #expect(trial["path"] as? String == "/v1/audio/transcriptions")
        let services = studio.vault.library.services
        #expect(try await services.services().first?.key?.revealed() == "sk-secret")
        #expect(try await studio.ask(.delete, Self.path).status == .noContent)
        for method in [HTTPRequest.Method.get, .delete] {
            let gone = try await studio.ask(method, Self.path)
            #expect((gone.status, gone.code) == (.notFound, "service.not-found"))
        }
    }

    @Test("keep a key for its server only")
    func movedKeys() async throws {
        let studio = try await TestStudio()
        _ = try await studio.ask(.put, Self.path, Self.content)
        let key = { try await studio.vault.library.services.services().first?.key?.revealed() }
        _ = try await studio.ask(.put, Self.path, #"{"address":"https://speech.example.org","model":"whisper-2"}"#)
        #expect(try await key() == "sk-secret", "the same server")
        _ = try await studio.ask(
            .put,
            Self.path,
            #"{"address":"http://speech.example.org:443","allowsPlain":true,"model":"m"}"#
        )
        #expect(try await key() == nil, "not unencrypted")
        _ = try await studio.ask(.put, Self.path, Self.content)
        _ = try await studio.ask(.put, Self.path, #"{"address":"https://evil.example.org/v1","model":"whisper-1"}"#)
        #expect(try await key() == nil, "not to another server")
        _ = try await studio.ask(.put, Self.path, Self.content)
        _ = try await studio.ask(.put, Self.path, Self.content.replacing("sk-secret", with: ""))
        #expect(try await key() == nil, "an empty one removes it")
    }

    @Test(
        "refuse what is no service",
        arguments: [
            ("office", #"{"address":"http://speech.example.org","model":"m"}"#, "service.plain-address"),
            ("office", #"{"address":"ftp://speech.example.org","model":"m"}"#, "service.bad-address"),
            ("office", #"{"address":"https://a:b@speech.example.org","model":"m"}"#, "service.bad-address"),
            ("office", #"{"address":"https://speech.example.org","model":" "}"#, "service.bad-model"),
            (
                "office", #"{"address":"https://speech.example.org","model":"m","language":"english"}"#,
                "service.bad-language"
            ),
            ("office", #"{"address":"https://speech.example.org","model":"m","key":"a b"}"#, "service.bad-key"),
            ("Office", #"{"address":"https://speech.example.org","model":"m"}"#, "service.bad-name"),
        ]
    )
    func refused(name: String, content: String, code: String) async throws {
        let studio = try await TestStudio()
        let refused = try await studio.ask(.put, "/api/transcription-services/\(name)", content)
        #expect((refused.status, refused.code) == (.unprocessableContent, code))
        #expect(try await studio.vault.library.services.services().isEmpty)
    }

    @Test("try a service, and say why it does not work")
    func trial() async throws {
        let studio = try await TestStudio()
        _ = try await studio.ask(.put, Self.path, Self.content)
        studio.trials.answer(.success("Ding."))
        #expect(try await studio.ask(.post, Self.path + "/try").json["text"] as? String == "Ding.")
        studio.trials.answer(.failure(.keyRefused(host: "speech.example.org")))
        let refused = try await studio.ask(.post, Self.path + "/try")
        #expect((refused.status, refused.code) == (.badGateway, "service.key-refused"))
        #expect(!refused.text.contains("sk-secret"))
        studio.trials.answer(.failure(.offline))
        #expect(try await studio.ask(.post, Self.path + "/try").status == .conflict)
        #expect(try await studio.ask(.post, "/api/transcription-services/other/try").status == .notFound)
    }

    @Test("list connections, newest first")
    func records() async throws {
        let studio = try await TestStudio()
        let time = Date(timeIntervalSince1970: 1_790_000_000)
        let ledger = studio.vault.library.outbound
        _ = try await ledger.begin(OutboundRecord(time: time, purpose: .voice, host: "example.org"))
        let record = OutboundRecord(time: time, purpose: .transcription, host: "h:1", bytesSent: 9, seconds: 0.5)
        await ledger.end(try await ledger.begin(record), outcome: .refused, bytesReceived: 3)
        let records = try #require(
            try await studio.ask(.get, "/api/outbound/records").json["records"] as? [[String: Any]]
        )
        #expect(records.map { $0["host"] as? String } == ["h:1", "example.org"])
        #expect(records[0]["outcome"] as? String == "refused" && records[0]["bytesReceived"] as? Int == 3)
        #expect((records[0]["time"] as? String)?.hasPrefix("2026-09-21T") == true)
        let newest = try await studio.ask(.get, "/api/outbound/records?limit=1").json["records"] as? [[String: Any]]
        #expect(newest?.map { $0["host"] as? String } == ["h:1"])
        #expect(try await studio.ask(.get, "/api/outbound/records?limit=0").status == .unprocessableContent)
    }
}
