import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

@Suite("The tables of films", .enabled(if: Films.program != nil, "needs FFmpeg"), .endsInTime)
struct MovieTableTests {
    private static let tone = Films.generated("sine=frequency=440:duration=4:sample_rate=44100")
    /// A tone of 330 Hz for two seconds, then of 550 Hz.
    private static let twoTones = Films.generated(
        "aevalsrc=0.3*sin(2*PI*(330+220*gte(t\\,2))*t):s=44100:d=4"
    )
    private static let codec = ["-c:a", "aac", "-ac", "1"]
    private static let sound = tone + codec
    private static let film = Films.picture + tone + codec
    private static let twoTracks = Films.picture + tone + twoTones + ["-map", "0", "-map", "1", "-map", "2"] + codec

    private func bytes(_ number: Int) -> Data { withUnsafeBytes(of: UInt32(number).bigEndian) { Data($0) } }

    private func number(_ file: Data, at place: Int) -> Int { file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }

    /// Where the content of the last box with this name begins; the table stands behind the sound.
    private func content(of name: String, in file: Data) throws -> Int {
        try #require(file.range(of: Data(name.utf8), options: .backwards)).upperBound
    }

    private func change(_ file: inout Data, _ name: String, _ numbers: [Int: Int]) throws {
        let start = try content(of: name, in: file)
        for (offset, number) in numbers {
            file.replaceSubrange(start + offset..<start + offset + 4, with: bytes(number))
        }
    }

    /// The table of sizes in the form that takes two bytes for each.
    private func shortened(_ film: Data) throws -> Data {
        var file = film
        let start = try content(of: "stsz", in: file)
        let count = number(file, at: start + 8)
        var sizes = Data()
        for index in 0..<count { sizes += file[start + 14 + 4 * index..<start + 16 + 4 * index] }
        let table = Data("stz2".utf8) + bytes(0) + bytes(16) + bytes(count) + sizes
        file.replaceSubrange(start - 4..<start - 4 + table.count, with: table)
        return file
    }

    private func isIncomplete(_ file: Data, kept: Double) async throws -> Bool {
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - kept) < 0.15)
        guard case .incomplete? = await output.notices.first else { return false }
        return true
    }

    @Test("that list fewer sizes of samples than there are of these make it known", arguments: [sound, film])
    func fewSizes(_ arguments: [String]) async throws {
        let whole = try Films.make("a.mp4", arguments)
        for film in [whole, try shortened(whole)] {
            let untouched = try await decodedByFFmpeg(film)
            #expect(abs(await untouched.seconds - 4) < 0.15)
            #expect(await untouched.notices.isEmpty)
            var file = film
            try change(&file, film == whole ? "stsz" : "stz2", [8: 43])
            #expect(try await isIncomplete(file, kept: 1))
        }
    }

    @Test("that count fewer samples in chunks than have a size make it known")
    func fewInChunks() async throws {
        var file = try Films.make("a.m4a", Self.sound)
        try change(&file, "stsc", [12: 43])
        #expect(try await isIncomplete(file, kept: 1))
    }

    @Test("that agree with each other, but list a part of the sound, make it known")
    func fewInAll() async throws {
        var file = try Films.make("a.m4a", Self.sound)
        try change(&file, "stsz", [8: 43])
        try change(&file, "stsc", [12: 43])
        try change(&file, "stts", [4: 1, 8: 43])
        #expect(try await isIncomplete(file, kept: 1))
    }

    @Test("that count fewer lengths than samples lose nothing")
    func fewLengths() async throws {
        var file = try Films.make("a.m4a", Self.sound)
        try change(&file, "stts", [4: 1, 8: 43])
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 4) < 0.15)
        #expect(await output.notices.isEmpty)
    }

    @Test("that list all of it are believed, whatever else stands with the sound", arguments: [sound, film, twoTracks])
    func others(_ arguments: [String]) async throws {
        var film = try Films.make("a.mp4", arguments + ["-movflags", "+faststart"])
        // A list of edits says where the sound ends, so that what stands behind would not count.
        while let list = film.range(of: Data("edts".utf8)) { film.replaceSubrange(list, with: Data("free".utf8)) }
        let content = try #require(film.range(of: Data("mdat".utf8))).lowerBound - 4
        let scrap = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 * 37 + 1) })
        let free = bytes(8 + scrap.count) + Data("free".utf8) + scrap
        let picture = Data([0xFF, 0xD8, 0xFF, 0xE0]) + scrap
        let padding = Data(count: 300_000)
        for (inside, behind) in [(Data(), free), (free, Data()), (padding, Data()), (free, free), (picture, free)] {
            var file = film + inside
            file.replaceSubrange(content..<content + 4, with: bytes(number(film, at: content) + inside.count))
            let parts = try await ContainerParts.find(.movie, in: HeldBytes(file + behind))
            #expect(parts.count == 1 && parts.allSatisfy { !$0.hasMore })
            #expect(parts.flatMap(\.held).allSatisfy { (3.9..<4.1).contains($0) })
            let output = try await decodedByFFmpeg(file + behind)
            // The report names which of several tracks was taken.
            #expect(await output.notices.count == (parts[0].held.count > 1 ? 1 : 0))
            #expect(abs(await output.seconds - 4) < 0.15)
        }
    }

    /// The film with these edits of its last track: how long each lasts, in milliseconds, and with which sample it begins.
    private func edited(_ film: Data, _ edits: [(length: Int, start: Int?)]) throws -> Data {
        var file = film
        var list = Data("elst".utf8) + bytes(0) + bytes(edits.count)
        for edit in edits { list += bytes(edit.length) + bytes(edit.start ?? 0xFFFF_FFFF) + bytes(0x1_0000) }
        list = bytes(list.count + 4) + list
        let start = try content(of: "edts", in: file) - 8
        let old = number(file, at: start)
        file.replaceSubrange(start..<start + old, with: bytes(list.count + 8) + Data("edts".utf8) + list)
        for name in ["moov", "trak"] {
            let place = try content(of: name, in: file) - 8
            file.replaceSubrange(place..<place + 4, with: bytes(number(film, at: place) + file.count - film.count))
        }
        return file
    }

    @Test(
        "that leave nothing to be heard for a while within the sound are silent then",
        arguments: [[], Films.picture]
    )
    func silence(_ picture: [String]) async throws {
        let film = try Films.make("a.mp4", picture + Self.twoTones + Self.codec)
        let file = try edited(
            film,
            [(1_000, 1_024), (2_000, nil), (1_500, 1_024 + 88_200), (500, nil), (1_000, 1_024)]
        )
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 6) < 0.2)
        #expect(abs(await output.clip(from: 0.3).fundamental - 330) < 8)
        #expect(await (output.clip(1.2..<2.8).level ?? -120) < -70)
        #expect(abs(await output.clip(from: 3.5).fundamental - 550) < 10)
        #expect(await (output.clip(4.7..<4.9).level ?? -120) < -70)
        #expect(abs(await output.clip(from: 5.4).fundamental - 330) < 8)
        #expect(await output.notices.isEmpty)
    }

    @Test("that leave nothing to be heard more often than parts are told apart say that there is more")
    func manySilences() async throws {
        let film = try Films.make("a.m4a", Self.sound)
        let edits: [(length: Int, start: Int?)] = (0..<200).map { index in
            (length: 10, start: index.isMultiple(of: 2) ? 1_024 : nil)
        }
        let parts = try await ContainerParts.find(.movie, in: HeldBytes(try edited(film, edits)))
        #expect(parts.count == ContainerParts.maximum)
        #expect(parts.last?.hasMore == true && parts.first?.hasMore == false)
    }

    @Test("whose sizes have more bytes than a number are not counted", arguments: [64, 255])
    func hostileSizes(_ bits: Int) async throws {
        var file = try shortened(try Films.make("a.m4a", Self.sound))
        let start = try content(of: "stz2", in: file) + 12
        file.replaceSubrange(start..<start + 600, with: Data(repeating: 0x7F, count: 600))
        try change(&file, "stz2", [4: bits])
        let parts = try await ContainerParts.find(.movie, in: HeldBytes(file))
        #expect(parts.map(\.range) == [0..<file.count])
    }

    @Test("that end with silence, or follow one edit with another, are read in one go")
    func edits() async throws {
        let film = try Films.make("a.mp4", Self.twoTones + Self.codec)
        for edits in [[(2_000, 1_024), (1_000, nil)], [(1_000, 1_024), (1_000, 1_024 + 88_200)]] as [[(Int, Int?)]] {
            let file = try edited(film, edits.map { (length: $0.0, start: $0.1) })
            let parts = try await ContainerParts.find(.movie, in: HeldBytes(file))
            #expect(parts.count == 1)
            #expect(abs(try #require(parts[0].held.first) - 2) < 0.05)
            let output = try await decodedByFFmpeg(file)
            #expect(abs(await output.seconds - 2) < 0.15)
            #expect(await output.notices.isEmpty)
        }
    }
}
