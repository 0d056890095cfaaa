import EchoText
import EchoTextTesting
import Foundation
import Testing

@Suite("echotext, programs with a key", .endsInTime)
struct KeyTests {
    private struct Listed: Decodable {
        let name: String
        let lastUsed: Date?
    }

    private struct Created: Decodable {
        let name: String
        let key: String
    }

    /// The server's answer.
    private struct Answer {
        let status: Int?
        let type: String
        let body: Data

        var json: [String: Any]? { try? JSONSerialization.jsonObject(with: body) as? [String: Any] }
        var code: String? { (json?["error"] as? [String: Any])?["code"] as? String }
    }

    /// A program that sends its standard input, and prints the status and the type before what it gets.
    private static let client = """
        import http.client, sys
        port, method, path, key, type = sys.argv[1:6]
        connection = http.client.HTTPConnection("localhost", int(port), timeout=150)
        body = sys.stdin.buffer.read()
        connection.request(method, path, body, {"Authorization": "Bearer " + key, "Content-Type": type})
        answer = connection.getresponse()
        sys.stdout.buffer.write(f"{answer.status}\\n{answer.headers['Content-Type']}\\n".encode() + answer.read())
        """

    private func ask(
        _ home: TranscriptionHome,
        _ port: Substring,
        _ method: String,
        _ path: String,
        key: String,
        type: String = "application/json",
        body: Data = Data()
    ) async throws -> Answer {
        var asking = home.program([])
        asking.tracer = ["/usr/bin/python3", "-c", Self.client, String(port), method, path, key, type]
        asking.input = body
        let outcome = try await asking.run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        let parts = outcome.output.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        return Answer(
            status: parts.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) },
            type: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "",
            body: parts.count > 2 ? Data(parts[2]) : Data()
        )
    }

    /// Passes the port of a server to `body`.
    private func serve(
        _ home: TranscriptionHome,
        _ body: @escaping (Substring) async throws -> Void
    ) async throws {
        let served = try await home.program(["serve", "--port", "0", "--no-browser"]).run { running in
            let address = String(decoding: await running.output.until("\n"), as: UTF8.self)
            try await body(try #require(address.firstMatch(of: /localhost:([0-9]+)/)?.1))
            running.signal(SIGINT)
        }
        #expect(served.status == 0, "\(served.errors)")
    }

    private func makeKey(_ name: String, in home: TranscriptionHome) async throws -> String {
        let key = try await home.succeed("keys", "create", name).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(key.wholeMatch(of: /et-[0-9a-f]{64}/) != nil, "\(key)")
        return key
    }

    @Test("speak and transcribe as with OpenAI's API, until the key is removed")
    func speakAndTranscribe() async throws {
        try await TranscriptionHome.with { home in
            let key = try await makeKey("editor", in: home)
            try await serve(home) { port in
                let models = try await ask(home, port, "GET", "/v1/models", key: key)
                #expect(models.status == 200)
                let ids = (models.json?["data"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
                #expect(ids?.contains("espeak-ng") == true && ids?.contains(TranscriptionHome.recognizer) == true)

                let order = #"{"model":"tts-1","voice":"alloy","input":"Some plain words.","response_format":"wav"}"#
                let speech = try await ask(home, port, "POST", "/v1/audio/speech", key: key, body: Data(order.utf8))
                #expect((speech.status, speech.type) == (200, "audio/wav"))
                #expect(speech.body.starts(with: Data("RIFF".utf8)))
                let samples = (speech.body.count - WAVHeader.plainLength) / 2
                let rate = speech.body.dropFirst(24).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
                #expect((0.4...4).contains(Double(samples) / Double(max(1, rate))), "\(samples) at \(rate) Hz")

                let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"talk.wav\"\r\n\r\n"
                let sound = try #require(FileManager.default.contents(atPath: home.home.folder("talk.wav")))
                let transcript = try await ask(
                    home,
                    port,
                    "POST",
                    "/v1/audio/transcriptions",
                    key: key,
                    type: "multipart/form-data; boundary=b",
                    body: Data(head.utf8) + sound + Data("\r\n--b--\r\n".utf8)
                )
                #expect(transcript.status == 200)
                #expect(transcript.json?["text"] as? String == TranscriptionHome.said.joined(separator: " "))

                try await home.succeed("keys", "remove", "editor")
                let refused = try await ask(home, port, "GET", "/v1/models", key: key)
                #expect((refused.status, refused.code) == (401, "invalid_api_key"))
            }
            #expect(try await home.succeed("library", "list", "--json").contains("\"total\" : 0"))
        }
    }

    @Test("are refused with a reason while the library is locked")
    func locked() async throws {
        try await TranscriptionHome.with { home in
            let key = try await makeKey("editor", in: home)
            _ = try await home.home.setPasscode("4071")
            try await home.succeed("vault", "lock")
            try await serve(home) { port in
                for (method, path) in [("GET", "/v1/models"), ("POST", "/v1/audio/speech")] {
                    let answer = try await ask(home, port, method, path, key: key)
                    #expect((answer.status, answer.code) == (423, "vault.locked"))
                }
                let nobody = try await ask(home, port, "GET", "/v1/models", key: "sk-1")
                #expect(nobody.status == 401)
            }
        }
    }

    @Test("have keys that are shown once, and are in no file")
    func secrecy() async throws {
        try await TranscriptionHome.with { home in
            let key = try await makeKey("editor", in: home)
            let other = try await home.json(Created.self, "keys", "create", "other")
            #expect(other.name == "other" && other.key != key)
            for arguments in [["keys"], ["keys", "list"], ["keys", "list", "--json"]] {
                let listed = try await home.program(arguments).run()
                #expect(listed.status == 0 && listed.text.contains("editor"), "\(listed.errors)")
                #expect(!listed.text.contains("et-") && !listed.errors.contains("et-"))
            }
            let keys = try await home.json([Listed].self, "keys", "list")
            #expect(keys.map(\.name) == ["editor", "other"] && keys.allSatisfy { $0.lastUsed == nil })
            for name in FileManager.default.enumerator(atPath: home.home.folder.path)?.compactMap({ $0 as? String })
                ?? []
            {
                // An entry that is not a file has no content.
                guard let content = FileManager.default.contents(atPath: home.home.folder(name)) else { continue }
                for secret in [key, other.key] {
                    #expect(content.range(of: Data(secret.dropFirst(3).utf8)) == nil, "\(name)")
                }
            }
            let again = try await home.run("keys", "create", "editor", "--json")
            #expect(again.status != 0 && again.code == "api.key-name-taken", "\(again.text)")
            let unknown = try await home.run("keys", "remove", "nobody", "--json")
            #expect(unknown.status != 0 && unknown.code == "api.key-not-found", "\(unknown.text)")
        }
    }
}
