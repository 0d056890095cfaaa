import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import WebApp

@Suite("Transcripts for programs", .endsInTime)
struct ProgramTranscriptionTests {
    private static let path = "/v1/audio/transcriptions"
    /// A second of noise at the rate of recognizers.
    private static let sound = WAVHeader.file(
        of: (0..<16_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) },
        sampleRate: 16_000
    )

    /// A form with a sound and fields; `nil` leaves the sound out.
    private static func form(_ fields: KeyValuePairs<String, String>, file: Data? = sound) -> Data {
        var form = Data()
        if let file {
            form += Data("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n".utf8)
            form += Data("Content-Type: audio/wav\r\n\r\n".utf8) + file + Data("\r\n".utf8)
        }
        for (name, value) in fields {
            form += Data("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        return form + Data("--b--\r\n".utf8)
    }

    private func send(_ form: Data, to studio: TestStudio, type: String = "multipart/form-data; boundary=b")
        async throws
        -> Answer
    {
        try await studio.ask(.post, Self.path, bytes: form, headers: headers(of: studio, type: type))
    }

    private func headers(
        of studio: TestStudio,
        type: String = "multipart/form-data; boundary=b"
    ) async throws -> HTTPFields {
        var headers = try await studio.programHeaders()
        headers[.contentType] = type
        return headers
    }

    @Test("are what a recognizer of this machine hears, and leave nothing in the library")
    func heard() async throws {
        let recognizer = ScriptedRecognizer(saying: ["good morning"])
        let studio = try await TestStudio(recognizer: recognizer)
        let form = Self.form(["model": "whisper-1", "language": "en", "prompt": "Names: Ann.", "temperature": "0"])
        let answer = try await send(form, to: studio)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try answer.json["text"] as? String == "good morning")
        #expect(try (answer.json["usage"] as? [String: Any])?["seconds"] as? Int == 1)
        let request = try #require(recognizer.requests.first)
        #expect(request.settings == RecognitionSettings(language: "en", prompt: "Names: Ann."))
        #expect(recognizer.openSessions == 0)
        #expect(try await studio.vault.library.audio.items(matching: AudioQuery()).total == 0)
        #expect(try await studio.vault.library.transcriptions.jobs().isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: studio.folder.path)
        #expect(!left.contains { $0.hasPrefix(".upload") }, "\(left)")
    }

    @Test("are not given to a program whose key was removed while they were made")
    func removedKey() async throws {
        let (begun, gate) = (Latch(), Latch())
        let recognizer = ScriptedRecognizer { clip, _, _ in
            begun.set()
            await gate.wait()
            return ScriptedRecognizer.words(in: clip)
        }
        let studio = try await TestStudio(recognizer: recognizer)
        async let answer = send(Self.form(["model": "whisper-1"]), to: studio)
        await begun.wait()
        try await studio.vault.library.apiKeys.remove("Editor")
        gate.set()
        let refused = try await answer
        #expect(refused.status == .unauthorized, "\(refused.text)")
        #expect(try refused.failure["code"] as? String == "invalid_api_key")
    }

    @Test("are made while another program has not sent all of its sound")
    func slowSender() async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: ["good morning"]))
        let headers = try await headers(of: studio)
        let (begun, rest) = (Latch(), Latch())
        let form = Self.form(["model": "whisper-1"])
        let pieces = Mutex([form.prefix(1_000), form.dropFirst(1_000)][...])
        let parts = AsyncStream<ByteBuffer>(unfolding: {
            let piece = pieces.withLock { $0.popFirst() }
            if piece?.startIndex != form.startIndex {
                begun.set()
                await rest.wait()
            }
            return piece.map { ByteBuffer(bytes: $0) }
        })
        async let slow = studio.ask(.post, Self.path, body: RequestBody(asyncSequence: parts), headers: headers)
        await begun.wait()
        let answer = try await studio.ask(.post, Self.path, bytes: form, headers: headers)
        #expect(try (answer.status, answer.json["text"] as? String) == (.ok, "good morning"), "\(answer.text)")
        rest.set()
        #expect(try await slow.status == .ok)
    }

    @Test(
        "are written in every form that OpenAI has",
        arguments: [
            ("text", "good morning\n"), ("srt", "1\n00:00:0"), ("vtt", "WEBVTT\n"),
        ]
    )
    func forms(_ format: String, _ beginning: String) async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: ["good morning"]))
        let answer = try await send(Self.form(["model": "whisper-1", "response_format": format]), to: studio)
        #expect(answer.status == .ok)
        #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(answer.text.hasPrefix(beginning), "\(answer.text)")
        #expect(answer.text.contains("good morning"))
    }

    @Test(
        "have times of segments, of words or of both",
        arguments: [
            ([], true, false), (["segment"], true, false), (["word"], false, true), (["word", "segment"], true, true),
        ]
            as [([String], Bool, Bool)]
    )
    func times(_ wanted: [String], _ hasSegments: Bool, _ hasWords: Bool) async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer(saying: ["good morning"]))
        var form = Self.form(["response_format": "verbose_json", "language": "en"]).dropLast("--b--\r\n".utf8.count)
        for name in wanted {
            form += Data(
                "--b\r\nContent-Disposition: form-data; name=\"timestamp_granularities[]\"\r\n\r\n\(name)\r\n".utf8
            )
        }
        let json = try await send(Data(form) + Data("--b--\r\n".utf8), to: studio).json
        #expect(json["language"] as? String == "english")
        #expect(json["duration"] as? Double == 1)
        #expect(json["task"] as? String == "transcribe")
        let segments = json["segments"] as? [[String: Any]]
        #expect(segments?.map { $0["text"] as? String } == (hasSegments ? ["good morning"] : nil))
        let words = json["words"] as? [[String: Any]]
        #expect(words?.map { $0["word"] as? String } == (hasWords ? ["good", "morning"] : nil))
        for part in (segments ?? []) + (words ?? []) {
            let (start, end) = (try #require(part["start"] as? Double), try #require(part["end"] as? Double))
            #expect(0 <= start && start <= end && end <= 1.1)
        }
    }

    @Test("say where speech was not understood, by a segment without text")
    func notUnderstood() throws {
        let segments = [
            TranscriptSegment(time: 0..<1, text: "good morning"), TranscriptSegment(kind: .silence, time: 1..<2),
            TranscriptSegment(kind: .notUnderstood, time: 2..<9),
        ]
        let answer = try TranscriptionOptions(["response_format": ["verbose_json"]]).answer(
            FileTranscription.Result(segments: segments, duration: 9),
            by: ScriptedRecognizer.standard
        )
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        let found = try #require(json["segments"] as? [[String: Any]])
        #expect(found.map { $0["text"] as? String } == ["good morning", ""])
        #expect(found.map { $0["start"] as? Double } == [0, 2] && found.map { $0["end"] as? Double } == [1, 9])
    }

    @Test("say what of the sound is missing, in JSON in words and in every form by a field of the head")
    func notices() async throws {
        let segments = [
            TranscriptSegment(time: 0..<1, text: "good morning"), TranscriptSegment(kind: .notUnderstood, time: 2..<9),
        ]
        let result = FileTranscription.Result(segments: segments, duration: 9, notices: [.incomplete(kept: 9)])
        let codes = ["sound-file.incomplete", "transcript.not-understood"]
        for format in TranscriptionOptions.Format.allCases {
            let options = try TranscriptionOptions(["response_format": [format.rawValue]])
            let answer = try options.answer(result, by: ScriptedRecognizer.standard)
            #expect(answer.notices == codes)
            guard answer.type.hasPrefix("application/json") else { continue }
            let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
            let said = try #require(json["notices"] as? [[String: Any]])
            #expect(said.map { $0["code"] as? String } == codes)
            #expect(said.last?["message"] as? String == "not understood: 1 passage, 0:07 in all")
        }
        let studio = try await TestStudio(recognizer: ScriptedRecognizer())
        let silence = WAVHeader.file(of: [Int16](repeating: 0, count: 16_000), sampleRate: 16_000)
        let field = try #require(HTTPField.Name("EchoText-Notices"))
        let silent = try await send(Self.form(["response_format": "text"], file: silence), to: studio)
        #expect(silent.headers[field] == "transcript.no-speech", "\(silent.text)")
        try await studio.vault.library.apiKeys.remove("Editor")
        let heard = try await send(Self.form(["response_format": "json"]), to: studio)
        #expect(heard.status == .ok && heard.headers[field] == nil, "\(heard.text)")
        #expect(try heard.json["notices"] == nil)
    }

    @Test("are never made by a service elsewhere, whatever the order of recognizers says")
    func local() async throws {
        let service = Recognizer(
            id: Recognizer.ID(rawValue: "remote/office"),
            name: "office",
            engine: .remote,
            languages: ["mul"],
            timing: .none
        )
        let recognizer = ScriptedRecognizer([service, ScriptedRecognizer.standard])
        let studio = try await TestStudio(recognizer: recognizer)
        try await studio.vault.library.settings.store(
            "remote/office scripted/plain",
            for: SettingsCatalogue.recognizers.name
        )
        #expect(try await send(Self.form(["model": "whisper-1"]), to: studio).status == .ok)
        #expect(recognizer.requests.allSatisfy { $0.recognizer == ScriptedRecognizer.standard.id })
        try await studio.vault.library.apiKeys.remove("Editor")
        let named = try await send(Self.form(["model": "remote/office"]), to: studio)
        #expect(named.status == .notFound)
        #expect(try named.failure["code"] as? String == "model_not_found")
    }

    @Test("are made by the recognizer that is named", arguments: ["scripted/plain", "plain", "gpt-4o-transcribe", ""])
    func named(_ model: String) async throws {
        let recognizer = ScriptedRecognizer()
        let studio = try await TestStudio(recognizer: recognizer)
        #expect(try await send(Self.form(["model": model]), to: studio).status == .ok)
        #expect(recognizer.openings == 1)
    }

    @Test(
        "are refused with the field that is wrong",
        arguments: [
            ("model", "gpt-4o", 404, "model"), ("response_format", "diarized_json", 400, "response_format"),
            ("language", "the English language", 400, "language"),
            ("timestamp_granularities[]", "letter", 400, "timestamp_granularities[]"),
            ("prompt", String(repeating: "a", count: 70_000), 400, "prompt"), ("file", "another", 400, "file"),
        ]
    )
    func refused(_ name: String, _ value: String, _ status: Int, _ field: String) async throws {
        let studio = try await TestStudio()
        let answer = try await send(Self.form([name: value]), to: studio)
        #expect(answer.status.code == status, "\(answer.text)")
        #expect(try answer.failure["param"] as? String == field)
    }

    @Test("are not sent as events, which OpenAI's first model does not do either")
    func events() async throws {
        let studio = try await TestStudio()
        #expect(try await send(Self.form(["model": "whisper-1", "stream": "true"]), to: studio).status == .ok)
        try await studio.vault.library.apiKeys.remove("Editor")
        let answer = try await send(Self.form(["model": "gpt-4o-transcribe", "stream": "true"]), to: studio)
        #expect(try (answer.status, answer.failure["param"] as? String) == (.badRequest, "stream"))
    }

    @Test("are refused without a sound, with one that is none, and for what is no form")
    func noForm() async throws {
        let bodies: [(Data, type: String, field: String?)] = [
            (Self.form(["model": "whisper-1"], file: nil), "multipart/form-data; boundary=b", "file"),
            (Self.form([:], file: Data("no sound".utf8)), "multipart/form-data; boundary=b", "file"),
            (Self.form([:]), "multipart/form-data", nil), (Self.form([:]), "application/json", nil),
            (Self.form([:]), "multipart/form-data; boundary=c", nil),
            (Self.form([:]).dropLast(8), "multipart/form-data; boundary=b", nil),
            (Data(), "multipart/form-data; boundary=b", nil),
        ]
        for (body, type, field) in bodies {
            let recognizer = ScriptedRecognizer()
            let studio = try await TestStudio(recognizer: recognizer)
            let answer = try await send(body, to: studio, type: type)
            #expect(answer.status == .badRequest, "\(answer.text)")
            #expect(try answer.failure["param"] as? String == field, "\(answer.text)")
            #expect(recognizer.openSessions == 0)
        }
    }

    @Test("are refused in words where nothing can transcribe")
    func noRecognizer() async throws {
        let studio = try await TestStudio(recognizer: ScriptedRecognizer([]))
        let answer = try await send(Self.form(["model": "whisper-1"]), to: studio)
        #expect(try answer.failure["code"] as? String == "recognition.none", "\(answer.text)")
    }
}

@Suite("Forms with files")
struct MultipartReaderTests {
    private static let form = Data(
        """
        to be passed by\r
        --x y\r
        Content-Disposition: form-data; name="a; b=\\"c\\""\r
        X-Other: 1\r
        \r
        one\r
        --x \r
        --x y \t\r
        content-disposition:form-data;filename="name=d";  name=file\r
        Content-Type: audio/wav\r
        \r
        \r
        \r
        --x y\r
        Content-Disposition: form-data; name="empty"\r
        \r
        \r
        --x y--\r
        passed by as well --x y
        """.utf8
    )

    /// The fields, with pieces joined.
    private static func read(_ form: Data, inPiecesOf size: Int) throws -> [[String]] {
        var reader = try MultipartReader("Multipart/Form-Data; charset=utf-8; Boundary=\"x y\"")
        var fields: [[String]] = []
        for start in stride(from: 0, to: form.count, by: size) {
            for event in try reader.take(Data(form[start..<min(form.count, start + size)])) {
                switch event {
                case .field(let name): fields.append([name, ""])
                case .bytes(let bytes):
                    #expect(!bytes.isEmpty)
                    fields[fields.count - 1][1] += String(decoding: bytes, as: UTF8.self)
                case .end: fields[fields.count - 1].append("end")
                }
            }
        }
        #expect(reader.isOver)
        return fields
    }

    @Test("have the same fields in whatever pieces they come", arguments: [1, 2, 3, 7, 64, 10_000])
    func pieces(_ size: Int) throws {
        #expect(
            try Self.read(Self.form, inPiecesOf: size) == [
                [#"a; b="c""#, "one\r\n--x ", "end"], ["file", "\r\n", "end"], ["empty", "", "end"],
            ]
        )
    }

    @Test(
        "need a type and a boundary",
        arguments: [
            nil, "", "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=b",
            "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=õ", "multipart/form-data; xboundary=b",
            "multipart/form-data; boundary=\(String(repeating: "b", count: 71))", "multipart/form-data boundary=b",
        ]
    )
    func kind(_ type: String?) {
        #expect(throws: ProgramError.notForm) { _ = try MultipartReader(type) }
    }

    @Test(
        "are refused where they are none, before they take memory",
        arguments: [
            String(repeating: "a", count: 5_000), "--b" + String(repeating: " ", count: 5_000), "--bc\r\n",
            "--b\r\n\r\n\r\n", "--b\r\nContent-Type: text/plain\r\n\r\n",
            "--b\r\nContent-Disposition: attachment; name=a\r\n\r\n", "--b\r\nContent-Disposition: form-data\r\n\r\n",
            "--b\r\nX: " + String(repeating: "a", count: 20_000),
            "--b\r\nContent-Disposition: form-data; name=\"\(String(repeating: "n", count: 101))\"\r\n\r\n",
            String(repeating: "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", count: 65),
        ]
    )
    func hostile(_ form: String) throws {
        var reader = try MultipartReader("multipart/form-data; boundary=b")
        #expect(throws: ProgramError.self) { _ = try reader.take(Data(form.utf8)) }
    }

    @Test("never end the program, whatever bytes follow each other")
    func anyBytes() throws {
        var numbers = SeededNumbers(seed: 43)
        let words = [
            "--b", "\r\n", "\r", "\n", "--", "Content-Disposition: form-data; name=", "\"", "\\", ";", "a", "\0",
        ]
        for _ in 0..<2_000 {
            var reader = try MultipartReader("multipart/form-data; boundary=b")
            for _ in 0..<20 {
                let piece = (0..<5).map { _ in words.randomElement(using: &numbers) ?? "" }.joined()
                guard (try? reader.take(Data(piece.utf8))) != nil else { break }
            }
        }
    }
}
