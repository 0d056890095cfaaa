import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

@Suite("Broadcasts", .enabled(if: Films.program != nil, "needs FFmpeg"), .endsInTime)
struct BroadcastTests {
    private static let tone = Films.generated("sine=frequency=440:duration=8:sample_rate=44100") + ["-ac", "1"]
    private static let sounds: [[String]] = [
        tone + ["-c:a", "aac"], tone + ["-c:a", "mp2"], tone + ["-c:a", "ac3"], Films.picture + tone + ["-c:a", "aac"],
    ]

    /// Where the packets begin that begin a piece of the last stream, which is one of sound.
    private func starts(of file: Data) -> [Int] {
        let all = stride(from: 0, to: file.count, by: 188).filter { file[$0 + 1] & 0x5F == 0x41 }
        let last = all.map { file[$0 + 2] }.max() ?? 0
        return all.filter { file[$0 + 2] == last }
    }

    private func found(in file: Data) async throws -> ContainerPart {
        let parts = try await ContainerParts.find(.mpegTransport, in: HeldBytes(file))
        #expect(parts.map(\.range) == [0..<file.count])
        return try #require(parts.first)
    }

    @Test("that are whole are heard without a word, also where one stands behind another", arguments: sounds)
    func whole(_ arguments: [String]) async throws {
        let disc = try Films.make("a.m2ts", arguments + ["-mpegts_m2ts_mode", "1"])
        let file = try Films.make("a.ts", arguments)
        for file in [disc, file, file + file] {
            let part = try await found(in: file)
            #expect(!part.isCut && !part.hasMore)
        }
        let heard = try await decodedByFFmpeg(file)
        #expect(abs(await heard.seconds - 8) < 0.2)
        #expect(await heard.notices.isEmpty)
    }

    @Test("that were cut at the end of a packet are said to be", arguments: sounds)
    func cut(_ arguments: [String]) async throws {
        let file = try Films.make("a.ts", arguments)
        let pieces = starts(of: file)
        let cut = Data(file.prefix(pieces[pieces.count / 2] + 188))
        #expect(try await found(in: cut).isCut)
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg(cut) }
    }

    @Test("that lack packets of sound are said to be incomplete", arguments: sounds)
    func lossy(_ arguments: [String]) async throws {
        let file = try Films.make("a.ts", arguments)
        let pieces = starts(of: file)
        let middle = pieces[pieces.count / 2]
        // A packet within a piece, the beginning of one, and many packets.
        let ranges = [
            middle + 188..<middle + 2 * 188, middle..<middle + 188, middle + 188..<middle + 100 * 188,
        ]
        for range in ranges {
            var lossy = file
            lossy.removeSubrange(range)
            #expect(try await found(in: lossy).hasMore, "\(range)")
        }
    }

    @Test("that lack whole pieces are said to be incomplete")
    func lostPieces() async throws {
        let file = try Films.make("a.ts", Self.sounds[1])
        let pieces = starts(of: file)
        var lossy = file
        lossy.removeSubrange(pieces[50]..<pieces[52])
        #expect(try await found(in: lossy).hasMore)
    }

    @Test("that a receiver recorded begin and end anywhere", arguments: sounds)
    func slice(_ arguments: [String]) async throws {
        let file = try Films.make("a.ts", arguments)
        let pieces = starts(of: file)
        let last = pieces[pieces.count - 2] + 188
        for first in [pieces[2], pieces[2] + 188] {
            let part = try await found(in: Data(file[first..<last]))
            #expect(!part.isCut && !part.hasMore)
        }
    }

    @Test("that say that their numbers begin again lack nothing")
    func announced() async throws {
        let file = try Films.make("a.ts", Self.sounds[1])
        let pieces = starts(of: file)
        let place = pieces[50]
        // A packet without content.
        let jump =
            Data([0x47, file[place + 1] & 0x1F, file[place + 2], 0x20, 183, 0x80]) + Data(repeating: 0xFF, count: 182)
        var spliced = file
        spliced.replaceSubrange(place..<pieces[52], with: jump)
        #expect(try await !found(in: spliced).hasMore)
    }

    @Test("whose lengths lie are counted without harm", arguments: [0x10, 0x20, 0x30] as [UInt8], [0, 182, 183, 255])
    func hostile(_ control: UInt8, _ length: Int) async throws {
        let head = Data([0x47, 0x41, 0, control, UInt8(length), 0, 0, 1, 0xC0, 0xFF, 0xFF, 0x80, 0x80, 0xFF])
        let packet = head + Data(repeating: 0xFF, count: 188 - head.count)
        let file = Data((0..<12).map { _ in packet }.joined()).dropLast(7)
        #expect(try await !found(in: Data(file)).hasMore)
    }
}
