import API
import EchoText
import EchoTextTesting
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import Testing

@testable import WebApp

@Suite("The route of sound files", .endsInTime)
struct ImportRouteTests {
    private let wave = WAVHeader.file(of: (0..<300_000).map { Int16(truncatingIfNeeded: $0) }, sampleRate: 16_000)

    private func send(_ bytes: Data, _ query: String, to studio: TestStudio) async throws -> Answer {
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        return try await studio.ask(.post, "/api/library/imports?\(query)", bytes: bytes, headers: headers)
    }

    @Test("makes a recording of a file, and says so to every page")
    func imported() async throws {
        let studio = try await TestStudio()
        let events = await studio.events.subscribe()
        let answer = try await send(wave, "name=My%20talk.wav&language=et", to: studio)
        #expect(answer.status == .created, "\(answer.text)")
        let item = try #require(try answer.json["item"] as? [String: Any])
        #expect(item["name"] as? String == "My talk")
        #expect(item["language"] as? String == "et")
        #expect(item["origin"] as? String == "imported")
        #expect(item["duration"] as? Double == 18.75)
        let id = try #require(item["id"] as? String)
        #expect(try await studio.ask(.get, "/api/library/\(id)/sound").data == wave)
        for await entry in events.entries {
            if case .library(let added, _, _) = entry.event, added.map(\.rawValue) == [id] { break }
        }
    }

    @Test("has the recording transcribed at once where the settings say so", arguments: [true, false])
    func transcribed(isWanted: Bool) async throws {
        let studio = try await TestStudio()
        let value = isWanted ? "on" : "off"
        _ = try await studio.ask(.put, "/api/settings/transcription.after-import", #"{"value":"\#(value)"}"#)
        let last = await studio.events.last
        let made = try await send(wave, "name=a.wav", to: studio)
        let id = try #require((try made.json["item"] as? [String: Any])?["id"] as? String)
        let isBegun = await studio.events.haveComeAfter(last) { event in
            guard case .transcription(let status) = event else { return false }
            return status.job.item.rawValue == id
        }
        #expect(isBegun == isWanted)
    }

    @Test("gives back the file as it came, also a part of it, under its own name")
    func file() async throws {
        let studio = try await TestStudio()
        let made = try await send(wave, "name=My%20talk%20%C3%B5.wav&title=Other", to: studio)
        let item = try #require(try made.json["item"] as? [String: Any])
        #expect(item["fileSize"] as? Int == wave.count)
        let id = try #require(item["id"] as? String)
        let whole = try await studio.ask(.get, "/api/library/\(id)/file")
        #expect(whole.data == wave && whole.headers[.contentType] == "application/octet-stream")
        #expect(whole.headers[.contentDisposition]?.contains("attachment") == true)
        #expect(whole.headers[.contentDisposition]?.contains("My%20talk%20%C3%B5.wav") == true)
        let storage = try await studio.ask(.get, "/api/storage").json["libraryBytes"] as? [String: Int]
        #expect(storage?["importedFiles"] == wave.count && storage?["recordings"] == wave.count)
        var headers = studio.headers
        headers[.range] = "bytes=10-19"
        let part = try await studio.ask(.get, "/api/library/\(id)/file", headers: headers)
        #expect(part.status == .partialContent && part.data == wave[10..<20])
        #expect(try await studio.ask(.delete, "/api/library/\(id)/file", "{}").status == .noContent)
        #expect(try await studio.ask(.delete, "/api/library/\(id)/file", "{}").code == "library.file-not-kept")
        #expect(try await studio.ask(.get, "/api/library/\(id)").json["fileSize"] is NSNull)
        #expect(try await studio.ask(.get, "/api/library/\(id)/sound").data == wave, "the recording stays")

        _ = try await studio.ask(.put, "/api/settings/recording.keep-files", #"{"value":"0"}"#)
        let unkept = try await send(wave, "name=b.wav&twin=keep", to: studio)
        let other = try #require(try unkept.json["item"] as? [String: Any])
        #expect(other["fileSize"] is NSNull)
        let plain = try #require(other["id"] as? String)
        let missing = try await studio.ask(.get, "/api/library/\(plain)/file")
        #expect((missing.status, missing.code) == (.notFound, "library.file-not-kept"))
    }

    @Test("deletes the files of all recordings at once, which stay, and says so to every page")
    func allFiles() async throws {
        let studio = try await TestStudio()
        let first = try await send(wave, "name=a.wav", to: studio)
        let second = try await send(wave, "name=b.wav&twin=keep", to: studio)
        var ids: Set<String> = []
        for answer in [first, second] {
            ids.insert(try #require((try answer.json["item"] as? [String: Any])?["id"] as? String))
        }
        let imported = ids
        let last = await studio.events.last
        #expect(try await studio.ask(.delete, "/api/storage/files", "{}").status == .noContent)
        let storage = try await studio.ask(.get, "/api/storage").json["libraryBytes"] as? [String: Int]
        #expect(storage?["importedFiles"] == 0)
        for id in imported {
            #expect(try await studio.ask(.get, "/api/library/\(id)").json["fileSize"] is NSNull)
            #expect(try await studio.ask(.get, "/api/library/\(id)/sound").data == wave, "the recording stays")
        }
        let isReported = await studio.events.haveComeAfter(last) { event in
            guard case .library(_, let changed, _) = event else { return false }
            return Set(changed.map(\.rawValue)) == imported
        }
        #expect(isReported)
        let again = try await studio.ask(.delete, "/api/storage/files", "{}")
        #expect(again.status == .noContent, "also when there are none")
    }

    @Test("answers with 409, or the recording that is there, to a file that was imported before")
    func twin() async throws {
        let studio = try await TestStudio()
        let first = try await send(wave, "name=a.wav", to: studio)
        let id = try #require((try first.json["item"] as? [String: Any])?["id"] as? String)
        #expect(try first.json["isReused"] as? Bool == false)
        for query in ["name=b.wav", "name=b.wav&twin=refuse"] {
            let refused = try await send(wave, query, to: studio)
            #expect((refused.status, refused.code) == (.conflict, "library.recording-there"))
        }
        let reused = try await send(wave, "name=b.wav&twin=reuse", to: studio)
        #expect(reused.status == .ok)
        #expect(try reused.json["isReused"] as? Bool == true)
        #expect((try reused.json["item"] as? [String: Any])?["id"] as? String == id)
        #expect(try await send(wave, "name=b.wav&twin=keep", to: studio).status == .created)
        #expect(try await send(wave, "name=b.wav&twin=other", to: studio).code == "web.bad-request")
        #expect(try await studio.ask(.get, "/api/library").json["total"] as? Int == 2)
        #expect(try await send(wave, "name=b.wav&track=1", to: studio).status == .created, "a track that is asked for")
        let refused = try await send(wave, "name=b.wav&track=1", to: studio)
        #expect((refused.status, refused.code) == (.conflict, "library.recording-there"))
        #expect(try refused.json["file"] as? String == "b.wav", "the file is named as it was sent")
    }

    @Test("refuses what is no sound, and keeps nothing")
    func refused() async throws {
        let studio = try await TestStudio()
        let text = try await send(Data("Dear all".utf8), "name=a.wav", to: studio)
        #expect((text.status, text.code) == (.unprocessableContent, "sound-file.unknown-kind"))
        #expect(try text.json["file"] as? String == "a.wav", "the file is named as it was sent")
        let unnamed = try await send(Data("Dear all".utf8), "language=et", to: studio)
        #expect(try unnamed.json["file"] == nil)
        let empty = try await send(Data(), "name=a.wav", to: studio)
        #expect((empty.status, empty.code) == (.unprocessableContent, "sound-file.empty"))
        let language = try await send(wave, "language=%3Cb%3E", to: studio)
        #expect(language.code == "web.bad-request")
        #expect(try await studio.ask(.get, "/api/library").json["total"] as? Int == 0)
    }

    @Test("keeps the readable part of a damaged file when that is wanted")
    func damaged() async throws {
        let studio = try await TestStudio()
        let cut = wave.prefix(400_044)
        #expect(try await send(cut, "name=a.wav", to: studio).code == "sound-file.damaged")
        let kept = try await send(cut, "name=a.wav&keepPart=true&title=Half", to: studio)
        #expect(kept.status == .created)
        #expect((try kept.json["item"] as? [String: Any])?["duration"] as? Double == 12.5)
        #expect((try kept.json["item"] as? [String: Any])?["name"] as? String == "Half")
        let notice = (try kept.json["notices"] as? [[String: Any]])?.first
        #expect(notice?["code"] as? String == "sound-file.part-kept")
    }

    @Test("takes the sound track that is asked for, and says which there are where it is none of them")
    func tracks() async throws {
        let studio = try await TestStudio()
        #expect(try await send(wave, "name=a.wav&track=1", to: studio).status == .created)
        let answer = try await send(wave, "name=Minu%20film%20%26.mkv&track=2", to: studio)
        #expect((answer.status, answer.code) == (.unprocessableContent, "sound-file.no-such-track"))
        #expect(try answer.json["file"] as? String == "Minu film &.mkv")
        for track in ["0", "-1", "two", "9999999999999999999"] {
            let bad = try await send(wave, "name=a.wav&track=\(track)", to: studio)
            #expect(bad.code == "web.bad-request")
            #expect(try bad.json["file"] == nil)
        }
    }

    @Test("reports every notice with its numbers")
    func notices() throws {
        func response(to notice: SoundImportNotice) throws -> [String: Any]? {
            let data = try JSONEncoder().encode(SoundImportResponse.Notice(notice))
            return try JSONSerialization.jsonObject(with: data) as? [String: Any]
        }
        let tracks = try #require(try response(to: .tracks(count: 3, taken: 2)))
        #expect((tracks["count"] as? Int, tracks["track"] as? Int) == (3, 2))
        #expect(tracks["code"] as? String == "sound-file.tracks")
        let length = try #require(try response(to: .lengthDiffers(stated: 1, kept: 4)))
        #expect((length["statedSeconds"] as? Double, length["seconds"] as? Double) == (1, 4))
        #expect(try response(to: .incomplete(kept: 4))?["seconds"] as? Double == 4)
        #expect(try response(to: .fileTooLarge(limit: 7))?["limit"] as? Int == 7)
        let plains = [SoundImportNotice.damaged, .noRoomForFile, .notTranscribed]
        for plain in plains { #expect(try response(to: plain)?.count == 2) }
    }

    @Test("refuses a file that is said to be too large before any of it comes")
    func tooLarge() async throws {
        let studio = try await TestStudio()
        var headers = studio.headers
        headers[.contentType] = "application/octet-stream"
        headers[.contentLength] = "17000000000"
        let answer = try await studio.ask(.post, "/api/library/imports", headers: headers)
        #expect((answer.status, answer.code) == (.contentTooLarge, "sound-file.too-large"))
    }

    /// Hears no end of a file of few bytes; decodes the others.
    private struct EndlessDecoder: SoundFileDecoder {
        let begun = Latch()
        let ended = Latch()

        func decode(
            _ file: any StoredBytes,
            track: Int?,
            take: @escaping @Sendable (DecodedSound) async throws -> Void
        ) async throws {
            guard file.length < 100 else { return try await WaveDecoder().decode(file, track: track, take: take) }
            defer { ended.set() }
            try await take(.facts(SoundFacts(sampleRate: 16_000, channels: 1, tags: SoundTags())))
            try await take(.samples([Int16](repeating: 1, count: 16_000)))
            begun.set()
            await Latch().wait()
            try Task.checkCancellation()
        }
    }

    @Test("ends an import for which nobody waits any more, keeps nothing of it, and takes the next file")
    func departed() async throws {
        let decoder = EndlessDecoder()
        let studio = try await TestStudio(decoder: decoder)
        let (channel, connections) = (NIOAsyncTestingChannel(), studio.web.connections)
        connections.add(channel) {}
        let importing = Task {
            var headers = studio.headers
            headers[.contentType] = "application/octet-stream"
            _ = try await studio.respond(
                .post,
                "/api/library/imports?name=a.wav",
                body: RequestBody(buffer: ByteBuffer(string: "endless")),
                headers: headers,
                on: channel
            )
        }
        await decoder.begun.wait()
        connections.noteDeparture(from: channel)
        _ = await importing.result
        #expect(decoder.ended.isSet)
        #expect(try await send(wave, "name=b.wav", to: studio).status == .created)
        let library = try await studio.librarySession.use().library
        #expect(try await library.audio.items(matching: AudioQuery()).total == 1)
        #expect(try await library.recordings.sessions().isEmpty)
    }

    @Test("stands sealed and without a name on the disk while it comes")
    func sealed() async throws {
        let folder = TemporaryFolder()
        let upload = try SealedUpload(in: folder(""))
        let secret = Data("The secret of the lighthouse. ".utf8)
        var whole = Data()
        for count in [1, 10_000, 3, 20_000, 700] {
            let piece = Data((0..<count).flatMap { _ in secret })
            whole += piece
            try await upload.append(piece)
        }
        try await upload.finish()
        #expect(upload.length == whole.count)
        #expect(folder.names.isEmpty)
        for range in [0..<whole.count, 262_143..<262_145, 500_000..<600_000, whole.count - 1..<whole.count, 5..<5] {
            #expect(try await upload.read(range) == whole[range])
        }
    }
}
