import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import WebApp

@Suite("The export of a document's recording")
struct BookExportRouteTests {
    private static let book = "# One\nThe keeper sleeps.\u{0C}\n# Two\nWaves come in.\n"

    /// A studio with a recording of a document that has a cover.
    private func recorded(exports: PlainExports) async throws -> (studio: TestStudio, item: String) {
        let studio = try await TestStudio(exports: { exports })
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
        let exports = PlainExports()
        let (studio, item) = try await recorded(exports: exports)
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=m4b")
        #expect(answer.headers[.contentType] == "audio/mp4")
        let order = try #require(exports.orders.withLock { $0.first })
        #expect(order.chapters.map(\.title) == ["One", "Two"])
        #expect(order.cover?.data == ScriptedReader.picture.png)
    }

    @Test("is a ZIP file with a sound file for each chapter")
    func chapters() async throws {
        let exports = PlainExports()
        let (studio, item) = try await recorded(exports: exports)
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=chapters&sound=flac")
        #expect(answer.headers[.contentType] == "application/zip")
        #expect(answer.headers[.contentDisposition]?.contains("A book.zip") == true)
        #expect(answer.data.starts(with: Data("PK".utf8)))
        #expect(answer.data.range(of: Data("1 One.flac".utf8)) != nil)
        #expect(answer.data.range(of: Data("2 Two.flac".utf8)) != nil)
        #expect(exports.orders.withLock { $0.map(\.format) } == [.flac, .flac])
        let refused = try await studio.ask(.get, "/api/library/\(item)/export?format=chapters&sound=m4b")
        #expect((refused.status, refused.code) == (.unprocessableContent, "web.bad-request"))
    }

    @Test("is a book whose text is marked while it is heard")
    func book() async throws {
        let (studio, item) = try await recorded(exports: PlainExports())
        let answer = try await studio.ask(.get, "/api/library/\(item)/export?format=epub")
        #expect(answer.headers[.contentType] == "application/epub+zip")
        #expect(answer.data.dropFirst(30).starts(with: Data("mimetypeapplication/epub+zip".utf8)))
        #expect(answer.data.range(of: Data("EPUB/chapter-2.smil".utf8)) != nil)
        #expect(answer.data.range(of: Data("Waves come in.".utf8)) != nil)
    }
}

/// Exports in memory whose sound is not encoded, and that note what was ordered.
final class PlainExports: ExportFiles, ExportedBytes {
    let orders = Mutex<[SoundOrder]>([])
    private let files = Mutex<[String: Data]>([:])

    func sound(_ order: SoundOrder, at path: String) async throws -> any AudioSink {
        orders.withLock { $0.append(order) }
        files.withLock { $0[path] = Data("sound".utf8) }
        return MemorySink(sampleRate: order.sampleRate)
    }

    func text(at path: String) async throws -> any TextSink {
        files.withLock { $0[path] = Data() }
        return PlainText(exports: self, path: path)
    }

    fileprivate func add(_ bytes: Data, to path: String) {
        files.withLock { $0[path, default: Data()].append(bytes) }
    }

    func folder(at path: String) async throws {}

    func empty(_ path: String) async {}

    func rateConversion(from inputRate: Int, to outputRate: Int) throws -> any RateConversion {
        throw ExportError.folderNotUsable
    }

    func take(_ path: String) async throws -> any StoredSound {
        guard let data = files.withLock({ $0.removeValue(forKey: path) }) else {
            throw AudioFileError.fileMissing(file: path)
        }
        return MemorySound(data: data)
    }
}

private struct PlainText: TextSink {
    let exports: PlainExports
    let path: String

    func append(_ text: String) async throws { try await append(Data(text.utf8)) }

    func append(_ bytes: Data) async throws { exports.add(bytes, to: path) }

    func finish() async throws {}

    func abandon() async {}
}
