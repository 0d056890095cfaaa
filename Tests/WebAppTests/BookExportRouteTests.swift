import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import WebApp

@Suite("The export of a document's recording", .endsInTime)
struct BookExportRouteTests {
    private static let book = "# One\nThe keeper sleeps.\u{0C}\n# Two\nWaves come in.\n"

    /// A studio with a recording of a document that has a cover.
    private func recorded(sounds: PlainSounds) async throws -> (studio: TestStudio, item: String) {
        let studio = try await TestStudio(sounds: sounds)
        let id = try await studio.document(Self.book)
        let subscription = await studio.events.subscribe()
        let begun = try await studio.ask(.post, "/api/documents/\(id)/narrations", "{}")
        let item = try #require(try begun.json["id"] as? String, "\(begun.text)")
        for await entry in subscription.entries {
            if case .library(let added, _, _) = entry.event, added.map(\.rawValue).contains(item) { break }
        }
        return (studio, item)
    }

    @Test("is an audiobook with the chapters and the cover of the document")
    func audiobook() async throws {
        let sounds = PlainSounds()
        let (studio, item) = try await recorded(sounds: sounds)
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=m4b")
        #expect(answer.headers[.contentType] == "audio/mp4")
        let order = try #require(sounds.orders.withLock { $0.first })
        #expect(order.chapters.map(\.title) == ["One", "Two"])
        #expect(order.cover?.data == ScriptedReader.picture.png)
    }

    @Test("has the chapters that are listed for the recording")
    func listedChapters() async throws {
        let sounds = PlainSounds()
        let (studio, item) = try await recorded(sounds: sounds)
        let listed = try await studio.ask(.get, "/api/library/\(item)/chapters").list
        #expect(listed.compactMap { $0["title"] as? String } == ["One", "Two"])
        _ = try await studio.ask(.get, "/api/library/\(item)/export?format=m4b")
        let order = try #require(sounds.orders.withLock { $0.first })
        let starts = order.chapters.map { Double($0.start) / Double(order.sampleRate) }
        #expect(listed.compactMap { $0["start"] as? Double } == starts)
        #expect(try await studio.ask(.get, "/api/library/no-such/chapters").code == "library.item-not-found")
    }

    @Test("is a ZIP file with a sound file for each chapter")
    func chapters() async throws {
        let sounds = PlainSounds()
        let (studio, item) = try await recorded(sounds: sounds)
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=chapters&sound=flac")
        #expect(answer.headers[.contentType] == "application/zip")
        #expect(answer.headers[.contentDisposition]?.contains("A book.zip") == true)
        #expect(answer.data.starts(with: Data("PK".utf8)))
        #expect(answer.data.range(of: Data("1 One.flac".utf8)) != nil)
        #expect(answer.data.range(of: Data("2 Two.flac".utf8)) != nil)
        #expect(sounds.orders.withLock { $0.map(\.format) } == [.flac, .flac])
        let refused = try await studio.ask(.get, "/api/library/\(item)/export?format=chapters&sound=m4b")
        #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("is a book whose text is marked while it is heard")
    func book() async throws {
        let (studio, item) = try await recorded(sounds: PlainSounds())
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=epub")
        #expect(answer.headers[.contentType] == "application/epub+zip")
        #expect(answer.data.dropFirst(30).starts(with: Data("mimetypeapplication/epub+zip".utf8)))
        #expect(answer.data.range(of: Data("EPUB/chapter-2.smil".utf8)) != nil)
        #expect(answer.data.range(of: Data("Waves come in.".utf8)) != nil)
    }

    @Test("says that it lacks the chapters of a document whose text is damaged", arguments: ["epub", "chapters"])
    func damagedDocument(format: String) async throws {
        let (studio, item) = try await recorded(sounds: PlainSounds())
        for isDamaged in [false, true] {
            if isDamaged { try await damageText(ofDocumentOf: item, in: studio) }
            let subscription = await studio.events.subscribe()
            _ = try await studio.ask(.get, "/api/library/\(item)/export?format=\(format)")
            for await entry in subscription.entries {
                guard case .export(id: item, let outcome) = entry.event else { continue }
                #expect(outcome == ExportOutcome(lacksParts: isDamaged))
                break
            }
        }
    }

    @Test("says that an audiobook lacks the chapters of a document whose text is damaged")
    func damagedAudiobook() async throws {
        let (studio, item) = try await recorded(sounds: PlainSounds())
        for isDamaged in [false, true] {
            if isDamaged { try await damageText(ofDocumentOf: item, in: studio) }
            let subscription = await studio.events.subscribe()
            #expect(try await studio.ask(.get, "/api/library/\(item)/export?format=m4b").status == .ok)
            // Nothing is said of a whole audiobook: the first event is that of the book after it.
            if !isDamaged { _ = try await studio.ask(.get, "/api/library/\(item)/export?format=epub") }
            for await entry in subscription.entries {
                guard case .export(id: item, let outcome) = entry.event else { continue }
                #expect(outcome == ExportOutcome(lacksParts: isDamaged))
                break
            }
        }
    }

    @Test("names in an archive of several the audiobooks that lack the chapters of their document")
    func damagedAmongSeveral() async throws {
        let (studio, item) = try await recorded(sounds: PlainSounds())
        let other = try await studio.record("A part.", name: "Other")
        try await damageText(ofDocumentOf: item, in: studio)
        let ordered = try await studio.ask(.post, "/api/exports", #"{"ids":["\#(item)","\#(other)"],"format":"m4b"}"#)
        let id = try #require(try ordered.json["id"] as? String, "\(ordered.text)")
        let subscription = await studio.events.subscribe()
        let answer = try await studio.ask(.get, "/api/exports/\(id)")
        for await entry in subscription.entries {
            guard case .export(id: id, let outcome) = entry.event else { continue }
            #expect(outcome == ExportOutcome(lacksParts: true))
            break
        }
        for part in ["Left out.txt", "Without their document's cover or chapters, which are damaged:\n\nA book.m4b\n"] {
            #expect(answer.data.range(of: Data(part.utf8)) != nil, "\(part)")
        }
    }

    private func damageText(ofDocumentOf item: String, in studio: TestStudio) async throws {
        let kept = try await studio.ask(.get, "/api/library/\(item)").json
        let link = (kept["narration"] as? [String: Any])?["document"] as? [String: Any]
        let id = Document.ID(rawValue: try #require(link?["id"] as? String))
        await (studio.vault.library.documents as? MemoryDocuments)?.damageText(of: id)
    }

    @Test("is made again, whole, also after somebody has stopped it when it was sent already")
    func stoppedAfterwards() async throws {
        let (studio, item) = try await recorded(sounds: PlainSounds())
        for _ in 1...2 {
            let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=epub")
            #expect(answer.data.range(of: Data("Waves come in.".utf8)) != nil)
            #expect(try await studio.ask(.delete, "/api/exports/\(item)").status == .noContent)
        }
    }
}

/// Sound files in memory without encoding; records the orders.
final class PlainSounds: SoundFiles {
    let orders = Mutex<[SoundOrder]>([])
    /// Occurs when the first sound is begun.
    let begun = Latch()
    /// Whether no sound gets further, until its task is cancelled.
    private let isHeld: Bool
    private let gate: Latch?

    /// - Parameters:
    ///   - isHeld: Whether no sound gets further, until its task is cancelled.
    ///   - gate: What each sound waits for.
    init(isHeld: Bool = false, until gate: Latch? = nil) {
        (self.isHeld, self.gate) = (isHeld, gate)
    }

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink { throw ExportError.folderNotUsable }

    func sound(_ order: SoundOrder, into bytes: any ByteSink) async throws -> any AudioSink {
        throw ExportError.folderNotUsable
    }

    func soundInMemory(_ order: SoundOrder) async throws -> (sink: any AudioSink, bytes: any StoredBytes) {
        orders.withLock { $0.append(order) }
        begun.set()
        if isHeld {
            await Latch().wait()
            throw CancellationError()
        }
        await gate?.wait()
        return (MemorySink(sampleRate: order.sampleRate), MemorySound(data: Data("sound".utf8)))
    }

    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        throw ExportError.folderNotUsable
    }
}
