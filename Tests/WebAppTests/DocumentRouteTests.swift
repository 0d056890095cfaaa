import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import WebApp

@Suite("The documents' routes", .endsInTime)
struct DocumentRouteTests {
    private static let book = "# One\nThe keeper sleeps.\u{0C}\n# Two\nWaves come in. 𝄞\n"

    @Test("import a file, list it, and find words in it")
    func importing() async throws {
        let studio = try await TestStudio()
        let added = try await studio.upload(Self.book, name: "A%20book.md")
        #expect(added.status == .created)
        let document = try #require(try added.json["document"] as? [String: Any])
        #expect(document["name"] as? String == "A book")
        #expect(document["kind"] as? String == "markdown")
        #expect((document["pages"] as? Int, document["chapters"] as? Int) == (2, 2))
        #expect(try added.json["isReused"] as? Bool == false)
        let id = try #require(document["id"] as? String)
        #expect(try await studio.ask(.get, "/api/documents/\(id)").json["fileName"] as? String == "A book.md")
        let found = try await studio.ask(.get, "/api/documents?words=waves&in=text&kind=markdown&pagesTo=2").json
        #expect(found["total"] as? Int == 1)
        let place = (found["documents"] as? [[String: Any]])?.first?["place"] as? [String: Any]
        #expect((place?["from"] as? Int, place?["page"] as? Int) == (32, 2))
        #expect(try await studio.ask(.get, "/api/documents?kind=pdf").json["total"] as? Int == 0)
        #expect(try await studio.ask(.get, "/api/documents/languages").text == "[]", "it says no language")
        #expect(try await studio.ask(.get, "/api/documents?pagesFrom=3").json["total"] as? Int == 0)
    }

    @Test("keep one file once, unless requested otherwise")
    func twins() async throws {
        let studio = try await TestStudio()
        let first = try await studio.document(Self.book)
        let refused = try await studio.upload(Self.book)
        #expect((refused.status, refused.code) == (.conflict, "document.there-already"))
        let reused = try await studio.upload(Self.book, "&twin=reuse")
        #expect(reused.status == .ok)
        #expect((try reused.json["document"] as? [String: Any])?["id"] as? String == first)
        #expect(try await studio.upload(Self.book, "&twin=keep").status == .created)
        #expect(try await studio.ask(.get, "/api/documents").json["total"] as? Int == 2)
        #expect(try await studio.upload(Self.book, "&twin=double").code == "web.bad-request")
    }

    @Test("ask for a password, and take it as it was typed")
    func password() async throws {
        let studio = try await TestStudio()
        let closed = "!encrypted\nInside it says hello."
        let asked = try await studio.upload(closed)
        #expect((asked.status, asked.code) == (.unprocessableContent, "document.password-needed"))
        let wrong = try await studio.upload(closed, password: "%C3%B5un")
        #expect((wrong.status, wrong.code) == (.unprocessableContent, "document.password-wrong"))
        #expect(try await studio.upload(closed, password: "%").code == "web.bad-request")
        #expect(try await studio.ask(.get, "/api/documents").json["total"] as? Int == 0)
        #expect(try await studio.upload(closed, password: "op%65n").status == .created)
    }

    @Test(
        "refuse what cannot be read and keep nothing of it",
        arguments: [
            ("", "document.empty"), ("!damaged", "document.damaged"), ("!no-text", "document.no-text"),
            ("!slow", "document.too-slow"),
        ]
    )
    func unreadable(_ content: String, _ code: String) async throws {
        let studio = try await TestStudio()
        let answer = try await studio.upload(content)
        #expect((answer.status, answer.code) == (.unprocessableContent, code))
        #expect(try await studio.ask(.get, "/api/documents").json["total"] as? Int == 0)
    }

    @Test("refuse a file that says that it is too long before any of it comes")
    func tooLong() async throws {
        let studio = try await TestStudio()
        let answer = try await studio.upload("short", length: "256000001")
        #expect((answer.status, answer.code) == (.contentTooLarge, "document.too-large"))
    }

    @Test("keep nothing of a file of which only a part comes, and take the next one")
    func brokenOff() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let parts = AsyncThrowingStream<ByteBuffer, any Error> { continuation in
            continuation.yield(ByteBuffer(string: "The first half"))
            continuation.finish(throwing: CancellationError())
        }
        let body = RequestBody(asyncSequence: parts)
        let answer = try await studio.ask(.post, "/api/documents?name=a.txt", body: body, headers: headers)
        #expect(answer.status == .serviceUnavailable)
        #expect(try await studio.ask(.get, "/api/documents").json["total"] as? Int == 0)
        #expect(try await studio.upload(Self.book).status == .created)
    }

    @Test("name a file that is refused as it was sent")
    func named() async throws {
        let studio = try await TestStudio()
        let blank = try await studio.upload("   ", name: "Tund%20%26%20p%C3%A4ev.txt")
        #expect(blank.status == .unprocessableContent)
        #expect(try blank.json["file"] as? String == "Tund & päev.txt")
        #expect(try await studio.upload("   ", name: "").json["file"] == nil)
    }

    @Test("put a file together that comes in many pieces")
    func pieces() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        let parts = AsyncStream<ByteBuffer> { continuation in
            for number in 0..<1_000 { continuation.yield(ByteBuffer(string: "Line \(number).\n")) }
            continuation.finish()
        }
        let body = RequestBody(asyncSequence: parts)
        let answer = try await studio.ask(.post, "/api/documents?name=a.txt", body: body, headers: headers)
        let id = try #require((try answer.json["document"] as? [String: Any])?["id"] as? String)
        let original = try await studio.ask(.get, "/api/documents/\(id)/original").text
        #expect(original == (0..<1_000).map { "Line \($0).\n" }.joined())
    }

    @Test("give the text by stretches, with what is known of it")
    func text() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let structure = try await studio.ask(.get, "/api/documents/\(id)/structure").json
        let pages = try #require(structure["pages"] as? [[String: Any]])
        #expect(pages.map { $0["from"] as? Int } == [0, 25])
        let chapters = try #require(structure["chapters"] as? [[String: Any]])
        #expect(chapters.map { $0["title"] as? String } == ["One", "Two"])
        #expect(chapters.map { $0["number"] as? Int } == [1, 2])
        let length = Self.book.utf16.count
        #expect(structure["length"] as? Int == length)
        let page = try await studio.ask(.get, "/api/documents/\(id)/text?from=26").json
        #expect(page["text"] as? String == "# Two\nWaves come in. 𝄞\n")
        #expect((page["from"] as? Int, page["to"] as? Int) == (26, length))
        let sign = try await studio.ask(.get, "/api/documents/\(id)/text?from=\(length - 2)&to=\(length - 1)").json
        #expect((sign["from"] as? Int, sign["text"] as? String) == (length - 3, "𝄞"), "no character is cut in two")
        #expect(try await studio.ask(.get, "/api/documents/\(id)/text?from=5&to=4").code == "web.bad-request")
        #expect(try await studio.ask(.get, "/api/documents/x/text").code == "document.not-found")
    }

    @Test("send no more of a long text at once than is said")
    func longText() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(String(repeating: "word ", count: 60_000))
        let first = try await studio.ask(.get, "/api/documents/\(id)/text").json
        #expect(first["to"] as? Int == DocumentReadingRoutes.longestPassage)
        #expect(first["length"] as? Int == 300_000)
        let rest = try await studio.ask(.get, "/api/documents/\(id)/text?from=250000&to=9999999").json
        #expect((rest["from"] as? Int, rest["to"] as? Int) == (250_000, 300_000))
    }

    @Test("find every place of words in one document, and say when there are more")
    func places() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document("Sea and sky.\u{0C}Sea and sand. Sea.")
        let found = try await studio.ask(.get, "/api/documents/\(id)/places?words=sea%20and").json
        let places = try #require(found["places"] as? [[String: Any]])
        #expect(places.map { $0["from"] as? Int } == [0, 13])
        #expect(places.map { $0["page"] as? Int } == [1, 2])
        #expect(found["isCut"] as? Bool == false)
        let some = try await studio.ask(.get, "/api/documents/\(id)/places?words=sea&limit=2").json
        #expect((some["places"] as? [Any])?.count == 2)
        #expect(some["isCut"] as? Bool == true)
    }

    @Test("draw pages, and say when there is no picture")
    func pictures() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let page = try await studio.ask(.get, "/api/documents/\(id)/picture?page=2&width=200")
        #expect(page.headers[.contentType] == "image/png")
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(page.data == ScriptedReader.picture.png)
        let missing = try await studio.ask(.get, "/api/documents/\(id)/picture?page=3")
        #expect((missing.status, missing.code) == (.notFound, "document.no-such-page"))
        #expect(try await studio.ask(.get, "/api/documents/\(id)/picture?width=5000").code == "web.bad-request")
        let small = try await studio.ask(.get, "/api/documents/\(id)/thumbnail")
        #expect((small.status, small.data) == (.ok, ScriptedReader.picture.png))
        let closed = try await studio.document("!encrypted\nInside it says hello.", password: "open")
        let asked = try await studio.ask(.get, "/api/documents/\(closed)/picture")
        #expect(asked.code == "document.password-needed", "the password is not kept")
        var headers = studio.headers
        headers[.documentPassword] = "open"
        #expect(try await studio.ask(.get, "/api/documents/\(closed)/picture", headers: headers).status == .ok)
    }

    @Test("hand the file back as it was given, by ranges too")
    func original() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let whole = try await studio.ask(.get, "/api/documents/\(id)/original")
        #expect(whole.text == Self.book)
        #expect(whole.headers[.contentDisposition]?.contains("attachment; filename=\"A book.md\"") == true)
        #expect(whole.headers[.contentType] == "text/markdown")
        var headers = studio.headers
        headers[.range] = "bytes=2-4"
        #expect(try await studio.ask(.get, "/api/documents/\(id)/original", headers: headers).text == "One")
    }

    @Test("rename and delete, and post events")
    func changes() async throws {
        let studio = try await TestStudio()
        let subscription = await studio.events.subscribe()
        let id = try await studio.document(Self.book)
        let renamed = try await studio.ask(.patch, "/api/documents/\(id)", #"{"name":"New"}"#).json
        #expect(renamed["name"] as? String == "New")
        #expect(try await studio.ask(.patch, "/api/documents/\(id)", #"{"name":""}"#).code == "library.invalid-name")
        let refused = try await studio.ask(.post, "/api/documents/delete", #"{"ids":["\#(id)","x"]}"#)
        #expect(refused.status == .notFound)
        let deleted = try await studio.ask(.post, "/api/documents/delete", #"{"ids":["\#(id)"]}"#)
        #expect(deleted.status == .noContent)
        #expect(try await studio.ask(.get, "/api/documents/\(id)").status == .notFound)
        var reported: [StudioEvent] = []
        for await entry in subscription.entries {
            guard case .documents(_, _, let deleted) = entry.event else { continue }
            reported.append(entry.event)
            if !deleted.isEmpty { break }
        }
        let key = Document.ID(rawValue: id)
        #expect(reported == [.documents(added: [key]), .documents(changed: [key]), .documents(deleted: [key])])
        let event = try await ServerSentEvent(.documents(added: [key]), id: "1", in: studio.web)
        #expect(event.name == "documents")
        let data = try JSONDecoder().decode([String: [String]].self, from: Data(event.data.utf8))
        #expect(data == ["added": [id], "changed": [], "deleted": []])
    }

    @Test("remember what is chosen, and refuse what there is none of")
    func selection() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let path = "/api/documents/\(id)/selection"
        #expect(try await studio.ask(.get, path).text == "{}")
        let chosen = try await studio.ask(.put, path, #"{"pages":"2","leftOut":[[32,37]]}"#)
        #expect(chosen.status == .ok)
        let kept = try await studio.ask(.get, path).json
        #expect(kept["pages"] as? String == "2")
        #expect(kept["leftOut"] as? [[Int]] == [[32, 37]])
        for (body, code) in [
            (#"{"pages":"3"}"#, "pages.no-such-page"), (#"{"chapters":"9"}"#, "pages.no-such-chapter"),
            (#"{"pages":"x"}"#, "pages.unreadable"), (#"{"pages":"2-1"}"#, "pages.reversed"),
            (#"{"leftOut":[[2,1]]}"#, "web.bad-request"),
        ] {
            let refused = try await studio.ask(.put, path, body)
            #expect((refused.status, refused.code) == (.unprocessableContent, code))
        }
        #expect(try await studio.ask(.get, path).json["pages"] as? String == "2", "what was kept stays")
    }

    @Test("show what would be spoken and what is left out")
    func preview() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let path = "/api/documents/\(id)/preview"
        let body = #"{"selection":{"pages":"2","leftOut":[[32,37]]}}"#
        let spoken = try await studio.ask(.post, path, body).json
        #expect(spoken["part"] as? String == "page 2")
        #expect((spoken["pages"] as? Int, spoken["words"] as? Int) == (1, 3))
        let pieces = try #require(spoken["pieces"] as? [[String: Int]])
        #expect(pieces == [["spoken": 0, "from": 25, "to": 32], ["spoken": 7, "from": 37, "to": 50]])
        let omission = try #require((spoken["omissions"] as? [[String: Any]])?.first)
        #expect((omission["from"] as? Int, omission["to"] as? Int) == (32, 37))
        #expect(omission["mark"] is NSNull)
        let windowed = #"{"selection":{"pages":"2","leftOut":[[32,37]]},"from":40,"to":45}"#
        let part = try await studio.ask(.post, path, windowed).json
        #expect((part["pieces"] as? [Any])?.count == 1)
        #expect((part["omissions"] as? [Any])?.isEmpty == true)
        #expect(part["words"] as? Int == 3, "the totals stay")
        #expect(try await studio.ask(.post, path, #"{"selection":{"pages":"7"}}"#).code == "pages.no-such-page")
    }

    @Test("speak what is chosen into a recording that knows its document")
    func narration() async throws {
        let studio = try await TestStudio()
        let id = try await studio.document(Self.book)
        let subscription = await studio.events.subscribe()
        let body = #"{"selection":{"chapters":"2"},"voice":"espeak/et-actor"}"#
        let begun = try await studio.ask(.post, "/api/documents/\(id)/narrations", body)
        #expect(begun.status == .created)
        #expect((try begun.json["document"] as? [String: Any])?["part"] as? String == "Two")
        let narration = try #require(try begun.json["id"] as? String)
        for await entry in subscription.entries {
            if case .library(let added, _, _) = entry.event, added.map(\.rawValue).contains(narration) { break }
        }
        let item = try await studio.ask(.get, "/api/library/\(narration)").json
        #expect(item["name"] as? String == "A book – Two")
        let origin = try #require(item["narration"] as? [String: Any])
        #expect(origin["voice"] as? String == "espeak/et-actor")
        let link = try #require(origin["document"] as? [String: Any])
        #expect(link["id"] as? String == id)
        #expect((link["selection"] as? [String: Any])?["chapters"] as? String == "2")
        #expect(try await studio.ask(.get, "/api/documents/\(id)/selection").json["chapters"] as? String == "2")
        #expect(try await studio.ask(.get, "/api/library?hasDocument=true").json["total"] as? Int == 1)
        #expect(try await studio.ask(.get, "/api/library?document=another").json["total"] as? Int == 0)
        _ = try await studio.ask(.post, "/api/documents/delete", #"{"ids":["\#(id)"]}"#)
        let left = try await studio.ask(.get, "/api/library/\(narration)")
        #expect(left.status == .ok, "the recording stays")
    }

    @Test("speak subtitles at their own times, and refuse that of other documents")
    func keptTimes() async throws {
        let studio = try await TestStudio()
        let body = #"{"keepTimes":true,"voice":"espeak/et-actor"}"#
        let book = try await studio.document(Self.book)
        let refused = try await studio.ask(.post, "/api/documents/\(book)/narrations", body)
        #expect((refused.status, refused.code) == (.unprocessableContent, "document.no-times"))
        let cues = [SubtitleCue(range: 0..<4, start: 1.5), SubtitleCue(range: 5..<9, start: 4)]
        let pages = [DocumentPage(number: 1, range: 0..<9)]
        let structure = DocumentStructure(kind: .srt, pages: pages, cues: cues)
        let talk = NewDocument(
            name: "Talk",
            bytes: Data("One. Two.".utf8),
            content: DocumentText(text: "One. Two.", structure: structure),
            added: Date(timeIntervalSince1970: 1)
        )
        let document = try await studio.vault.library.documents.add(talk)
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/documents/\(document.id)/narrations", body)
        #expect(begun.status == .created)
        #expect(try begun.json["times"] is [String: Any])
        let narration = try #require(try begun.json["id"] as? String)
        var last: NarrationStatus?
        for await entry in subscription.entries {
            if case .narration(let status) = entry.event { last = status }
            if case .library(let added, _, _) = entry.event, added.map(\.rawValue).contains(narration) { break }
        }
        #expect(last?.times?.captions == 2 && last?.times?.late == 0)
        let timings = try await studio.ask(.get, "/api/library/\(narration)/timings").json
        let sentences = try #require(timings["sentences"] as? [[String: Any]])
        #expect(sentences.map { $0["start"] as? Double } == [1.5, 4])
    }

    @Test("say what notices a reading left")
    func notices() async throws {
        let studio = try await TestStudio()
        let sample = SampleDocument.all[1]
        let document = try await studio.vault.library.documents.add(sample.new)
        let structure = try await studio.ask(.get, "/api/documents/\(document.id)/structure").json
        let notices = try #require(structure["notices"] as? [[String: Any]])
        #expect(notices.count == 1)
        let notice = try #require(notices.first)
        #expect(notice["code"] as? String == "document.ends-early")
        #expect(notice["message"] as? String == "The document could be read only up to page 1.")
        #expect(notice["pages"] as? [Int] == [1])
    }
}

@Suite("The gate of imports", .endsInTime)
struct ImportGateTests {
    @Test("lets one through at a time, and turns away who would be one too many")
    func crowd() async throws {
        let gate = ImportGate()
        let (entered, entering) = AsyncStream.makeStream(of: Void.self)
        let (release, releasing) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<ImportGate.most + 1 {
                group.addTask {
                    do {
                        try await gate.pass {
                            entering.yield()
                            for await _ in release { break }
                        }
                        return true
                    } catch WebError.busy {
                        return false
                    }
                }
            }
            // The excess request is the first to end: the others cannot before they are released.
            let first = try await group.next()
            #expect(first == false)
            var count = 0
            for await _ in entered {
                count += 1
                releasing.yield()
                if count == ImportGate.most { break }
            }
            for try await passed in group { #expect(passed) }
        }
    }
}

extension TestStudio {
    /// Sends a file as the page does.
    func upload(
        _ content: String,
        _ query: String = "",
        name: String = "A%20book.md",
        password: String? = nil,
        length: String? = nil
    ) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/octet-stream"
        headers[.contentLength] = length ?? "\(content.utf8.count)"
        headers[.documentPassword] = password
        return try await ask(
            .post,
            "/api/documents?name=\(name)\(query)",
            bytes: Data(content.utf8),
            headers: headers
        )
    }

    /// A document that was imported.
    func document(_ content: String, password: String? = nil) async throws -> String {
        let answer = try await upload(content, password: password)
        let document = try #require(try answer.json["document"] as? [String: Any], "\(answer.text)")
        return try #require(document["id"] as? String)
    }
}
