import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

@Suite("Sound files that are not what their heads say")
struct JoinedFileTests {
    private static let rate = 8_000
    private let samples = (0..<32_000).map { Int16(truncatingIfNeeded: ($0 * 7_919) % 20_001 - 10_000) }

    /// Four seconds, with `size` instead of the samples' size, and `whole` instead of the file's.
    private func wave(size: UInt32, whole: UInt32? = nil) -> Data {
        var file = WAVHeader.file(of: samples, sampleRate: Self.rate)
        withUnsafeBytes(of: (whole ?? size &+ 36).littleEndian) { file.replaceSubrange(4..<8, with: $0) }
        withUnsafeBytes(of: size.littleEndian) { file.replaceSubrange(40..<44, with: $0) }
        return file
    }

    @Test(
        "give all samples where a program did not know their number",
        arguments: [0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFDB] as [UInt32]
    )
    func unknownSize(_ size: UInt32) async throws {
        let output = try await decodedByLibsndfile(wave(size: size))
        #expect(await output.samples == samples)
        #expect(await output.notices.isEmpty)
    }

    @Test(
        "give all samples where a number was made up, and say so",
        arguments: [2_000_000_000, 1_073_741_824] as [UInt32]
    )
    func inventedSize(_ size: UInt32) async throws {
        let output = try await decodedByLibsndfile(wave(size: size))
        #expect(await output.samples == samples)
        #expect(await output.notices == [.lengthDiffers(stated: Double(size / 2) / 8_000, kept: 4)])
    }

    @Test(
        "give the samples behind those that are announced, and say so",
        arguments: [nil, 64_036] as [UInt32?]
    )
    func sizeOfTheFirstPiece(_ whole: UInt32?) async throws {
        let output = try await decodedByLibsndfile(wave(size: 16_000, whole: whole))
        #expect(await output.samples == samples)
        #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
    }

    @Test("give the samples of every chunk that has some", arguments: [0, 3])
    func chunks(_ scrap: Int) async throws {
        func chunk(_ name: String, _ content: Data) -> Data {
            Data(name.utf8) + withUnsafeBytes(of: UInt32(content.count).littleEndian) { Data($0) } + content
        }
        let parts = [samples[..<8_000], samples[8_000..<20_000], samples[20_000...]].map { part in
            part.withUnsafeBytes { Data($0) }
        }
        let list = chunk("LIST", Data("INFO".utf8))
        var file = WAVHeader.file(of: Array(samples[..<8_000]), sampleRate: Self.rate) + list
        file += chunk("data", parts[1]) + list + chunk("data", parts[2]) + Data(count: scrap)
        let output = try await decodedByLibsndfile(file)
        #expect(await output.samples == samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("take chunks, tags and padding behind the samples for what they are")
    func trailers() async throws {
        let file = WAVHeader.file(of: samples, sampleRate: Self.rate)
        let list = Data("LIST".utf8) + Data([4, 0, 0, 0]) + Data("INFO".utf8)
        let tag = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
        for behind in [list, tag, Data(count: 3_000), list + tag, Data([0])] {
            let output = try await decodedByLibsndfile(file + behind)
            #expect(await output.samples == samples, "\(behind.count) bytes")
            #expect(await output.notices.isEmpty)
        }
    }

    @Test("are whole when only the size of the samples is too large, or counts the head")
    func sizeOfMore() async throws {
        let wrong = try await decodedByLibsndfile(wave(size: 96_000, whole: 64_036))
        #expect(await wrong.samples == samples)
        #expect(await wrong.notices == [.lengthDiffers(stated: 6, kept: 4)])
        let slip = try await decodedByLibsndfile(wave(size: 64_044, whole: 64_080))
        #expect(await slip.samples == samples)
        #expect(await slip.notices.isEmpty)
    }

    @Test("take a tag behind the samples that was cut for no sound")
    func cutTrailer() async throws {
        let tag = Data("id3 ".utf8) + Data([0, 0, 1, 0]) + Data(repeating: 0x55, count: 9_000)
        let output = try await decodedByLibsndfile(WAVHeader.file(of: samples, sampleRate: Self.rate) + tag)
        #expect(await output.samples == samples)
        #expect(await output.notices.isEmpty)
    }

    @Test(
        "give samples of 24 bits in four bytes at their level, at whichever end they stand",
        arguments: [0, 8] as [Int32]
    )
    func paddedSamples(_ shift: Int32) async throws {
        let words = samples.map { Int32($0) << (8 + shift) | (shift == 0 ? 0x55 : 0) }
        let sound = words.withUnsafeBytes { Data($0) }
        var file = WAVHeader.file(of: samples, sampleRate: Self.rate).prefix(44)
        let size = UInt32(sound.count)
        for (place, number) in [(4, 36 + size), (28, 32_000), (40, size)] as [(Int, UInt32)] {
            withUnsafeBytes(of: number.littleEndian) { file.replaceSubrange(place..<place + 4, with: $0) }
        }
        // Bytes of a frame, and bits of a sample.
        file.replaceSubrange(32..<36, with: [4, 0, 24, 0])
        let output = try await decodedByLibsndfile(file + sound)
        let heard = await output.samples
        #expect(heard.count == samples.count)
        #expect(zip(heard, samples).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        #expect(await output.notices.isEmpty)
    }

    @Test("give the samples behind those that are announced where the bytes of a second or of a frame are left out")
    func missingNumbers() async throws {
        for missing in [28..<32, 32..<34, 28..<34] {
            var file = wave(size: 16_000)
            file.replaceSubrange(missing, with: Data(count: missing.count))
            let output = try await decodedByLibsndfile(file)
            #expect(await output.samples == samples, "\(missing)")
            #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
        }
    }

    @Test("are cut when less is there than they announce")
    func cut() async throws {
        await #expect(throws: SoundImportError.damaged(seconds: 2)) {
            _ = try await decodedByLibsndfile(WAVHeader.file(of: samples, sampleRate: Self.rate).prefix(44 + 32_000))
        }
    }

    @Test("have no sound when there is nothing but a head")
    func onlyHead() async {
        for size in [0, 0xFFFF_FFFF] as [UInt32] {
            await #expect(throws: SoundImportError.noSound) {
                _ = try await decodedByLibsndfile(wave(size: size).prefix(44))
            }
        }
    }

    @Test("written one behind the other are heard one after another, at the rate of the first")
    func joinedWaves() async throws {
        let low = AudioClip.tone(220, seconds: 1.5, sampleRate: 8_000)
        let high = AudioClip.tone(440, seconds: 2.5, sampleRate: 16_000)
        var second = WAVHeader.file(of: high.pcm16, sampleRate: 16_000)
        let first = WAVHeader.file(of: low.pcm16, sampleRate: 8_000)
        for isKnown in [true, false] {
            if !isKnown { second.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
            var begun = first
            if !isKnown { begun.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0xFF]) }
            let output = try await decodedByLibsndfile(begun + second)
            #expect(await output.facts?.sampleRate == 8_000)
            #expect(await output.samples.count == 32_000)
            #expect(abs(await output.clip(from: 0.5).fundamental - 220) < 5)
            #expect(abs(await output.clip(from: 2.5).fundamental - 440) < 8)
        }
    }

    @Test("are heard from the part on that can be read, and it is said")
    func unreadableBeginning() async throws {
        var unknown = WAVHeader.file(of: samples, sampleRate: Self.rate)
        // A format that nobody has registered.
        unknown.replaceSubrange(20..<22, with: [0x34, 0x7E])
        let output = try await decodedByLibsndfile(unknown + WAVHeader.file(of: samples, sampleRate: Self.rate))
        #expect(await output.samples == samples)
        #expect(await output.notices == [.incomplete(kept: 4)])
        await #expect(throws: SoundImportError.unknownKind(found: nil)) { _ = try await decodedByLibsndfile(unknown) }
    }

    @Test("joined from more parts than are told apart give the first, and it is said that there are more")
    func tooManyParts() async throws {
        let one = WAVHeader.file(of: [Int16](repeating: 1_000, count: 8), sampleRate: Self.rate)
        let empty = WAVHeader.file(of: [], sampleRate: Self.rate)
        var file = one
        for _ in 0..<SoundParts.maximum { file += empty }
        file += one
        let output = try await decodedByLibsndfile(file)
        #expect(await output.samples.count == 8)
        #expect(await output.notices == [.incomplete(kept: 0.001)])
    }

    @Test("of FLAC and Ogg joined from more parts than are told apart are cut into as many as there may be")
    func partsInSearch() throws {
        let frames = Data("fLaC".utf8) + Data([0, 0, 0, 34]) + Data(count: 34)
        var first = Data("OggS".utf8) + Data([0, 2]) + Data(count: 20)
        first += Data([1, 1, 0])
        var rest = first
        rest[5] = 0
        for part in [frames, first + rest] {
            for (count, hasMore) in [(SoundParts.maximum, false), (SoundParts.maximum + 3, true)] {
                let bytes = Array((0..<count).map { _ in part }.joined())
                let parts = try SoundParts.find(in: SoundBytes(length: bytes.count) { Array(bytes[$0]) })
                #expect(parts.count == SoundParts.maximum)
                #expect(parts.last?.hasMore == hasMore)
                #expect(parts.dropLast().allSatisfy { !$0.hasMore })
            }
        }
    }

    @Test("of FLAC with many heads of tags among the frames are read a few times, and not for each tag")
    func tagsInSearch() throws {
        // Each says that it is 128 kiB long.
        let tag = Data("ID3".utf8) + Data([3, 0, 0, 0, 8, 0, 0])
        var content = Data("fLaC".utf8) + Data([0x80, 0, 0, 34]) + Data(count: 34)
        for _ in 0..<40_000 { content += tag }
        let bytes = [UInt8](content)
        var read = 0
        let file = SoundBytes(length: bytes.count) { range in
            read += range.count
            return Array(bytes[range])
        }
        #expect(try SoundParts.find(in: file).count == 1)
        #expect(read < 5 * bytes.count)
    }
}

@Suite("MP3 files joined from many")
struct ManyMPEGPartsTests {
    /// The bytes of a frame of 32 kbit/s at 48 kHz, of which each holds 24 ms.
    private static let length = 96
    private static let frame = Data([0xFF, 0xFB, 0x14, 0]) + Data(count: length - 4)

    /// A table that counts one frame, and that frame.
    private static let part: Data = {
        var table = frame
        table.replaceSubrange(36..<48, with: Array("Info".utf8) + [0, 0, 0, 1, 0, 0, 0, 1])
        return table + frame
    }()

    @Test("are cut into as many parts as there may be, and it is said that there are more")
    func parts() throws {
        for (count, hasMore) in [(3, false), (SoundParts.maximum, false), (SoundParts.maximum + 3, true)] {
            let bytes = Array((0..<count).map { _ in Self.part }.joined())
            let parts = try SoundParts.find(in: SoundBytes(length: bytes.count) { Array(bytes[$0]) })
            #expect(parts.count == min(count, SoundParts.maximum))
            #expect(parts.last?.hasMore == hasMore)
            #expect(parts.dropLast().allSatisfy { !$0.hasMore })
            #expect(parts.allSatisfy { abs(($0.held ?? 0) - 0.024) < 0.001 }, "none has another's sound")
        }
    }
}
