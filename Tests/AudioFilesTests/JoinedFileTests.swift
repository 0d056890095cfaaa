import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

/// What libsndfile makes of a file, in the test's own process.
private func decoded(_ file: Data) async throws -> SoundCollector {
    let output = SoundCollector()
    let bytes = [UInt8](file)
    var pieces: [DecodedSound] = []
    let failure: (any Error)?
    do {
        try SoundFileDecoding.decode(length: bytes.count) { range in
            Array(bytes[range.prefix(5_000)])
        } give: {
            pieces.append($0)
        }
        failure = nil
    } catch {
        failure = error
    }
    for piece in pieces { try await output.take(piece) }
    if let failure { throw failure }
    return output
}

extension SoundCollector {
    /// How long the sound is, in seconds.
    fileprivate var seconds: Double { Double(samples.count) / Double(facts?.sampleRate ?? 1) }

    /// The sound from `start` on for half a second, and silence where there is none.
    fileprivate func clip(from start: Double) -> AudioClip {
        let rate = facts?.sampleRate ?? 8_000
        let first = Int(start * Double(rate))
        let part = samples[(first..<first + rate / 2).clamped(to: samples.indices)]
        let missing = [Float](repeating: 0, count: rate / 2 - part.count)
        return AudioClip(samples: part.map { Float($0) / 32_768 } + missing, sampleRate: rate)
    }
}

@Suite("Sound files that are not what their heads say")
struct JoinedFileTests {
    private static let rate = 8_000
    private let samples = (0..<32_000).map { Int16(truncatingIfNeeded: ($0 * 7_919) % 20_001 - 10_000) }

    /// Four seconds, with `size` in the place of the samples' size, and `whole` in the place of the file's.
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
        let output = try await decoded(wave(size: size))
        #expect(await output.samples == samples)
        #expect(await output.notices.isEmpty)
    }

    @Test(
        "give all samples where a number was made up, and say so",
        arguments: [2_000_000_000, 1_073_741_824] as [UInt32]
    )
    func inventedSize(_ size: UInt32) async throws {
        let output = try await decoded(wave(size: size))
        #expect(await output.samples == samples)
        #expect(await output.notices == [.lengthDiffers(stated: Double(size / 2) / 8_000, kept: 4)])
    }

    @Test(
        "give the samples behind those that are announced, and say so",
        arguments: [nil, 64_036] as [UInt32?]
    )
    func sizeOfTheFirstPiece(_ whole: UInt32?) async throws {
        let output = try await decoded(wave(size: 16_000, whole: whole))
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
        let output = try await decoded(file)
        #expect(await output.samples == samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("take chunks, tags and padding behind the samples for what they are")
    func trailers() async throws {
        let file = WAVHeader.file(of: samples, sampleRate: Self.rate)
        let list = Data("LIST".utf8) + Data([4, 0, 0, 0]) + Data("INFO".utf8)
        let tag = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
        for behind in [list, tag, Data(count: 3_000), list + tag, Data([0])] {
            let output = try await decoded(file + behind)
            #expect(await output.samples == samples, "\(behind.count) bytes")
            #expect(await output.notices.isEmpty)
        }
    }

    @Test("are whole when only the size of the samples is too large, or counts the head")
    func sizeOfMore() async throws {
        let wrong = try await decoded(wave(size: 96_000, whole: 64_036))
        #expect(await wrong.samples == samples)
        #expect(await wrong.notices == [.lengthDiffers(stated: 6, kept: 4)])
        let slip = try await decoded(wave(size: 64_044, whole: 64_080))
        #expect(await slip.samples == samples)
        #expect(await slip.notices.isEmpty)
    }

    @Test("take a tag behind the samples that was cut for no sound")
    func cutTrailer() async throws {
        let tag = Data("id3 ".utf8) + Data([0, 0, 1, 0]) + Data(repeating: 0x55, count: 9_000)
        let output = try await decoded(WAVHeader.file(of: samples, sampleRate: Self.rate) + tag)
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
        let output = try await decoded(file + sound)
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
            let output = try await decoded(file)
            #expect(await output.samples == samples, "\(missing)")
            #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
        }
    }

    @Test("are cut when less is there than they announce")
    func cut() async throws {
        await #expect(throws: SoundImportError.damaged(seconds: 2)) {
            _ = try await decoded(WAVHeader.file(of: samples, sampleRate: Self.rate).prefix(44 + 32_000))
        }
    }

    @Test("have no sound when there is nothing but a head")
    func onlyHead() async {
        for size in [0, 0xFFFF_FFFF] as [UInt32] {
            await #expect(throws: SoundImportError.noSound) { _ = try await decoded(wave(size: size).prefix(44)) }
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
            let output = try await decoded(begun + second)
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
        let output = try await decoded(unknown + WAVHeader.file(of: samples, sampleRate: Self.rate))
        #expect(await output.samples == samples)
        #expect(await output.notices == [.incomplete(kept: 4)])
        await #expect(throws: SoundImportError.unknownKind(found: nil)) { _ = try await decoded(unknown) }
    }

    @Test("joined from more parts than are told apart give the first, and it is said that there are more")
    func tooManyParts() async throws {
        let one = WAVHeader.file(of: [Int16](repeating: 1_000, count: 8), sampleRate: Self.rate)
        let empty = WAVHeader.file(of: [], sampleRate: Self.rate)
        var file = one
        for _ in 0..<SoundParts.maximum { file += empty }
        file += one
        let output = try await decoded(file)
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

/// A file of four seconds whose head may lie.
struct SizedFile: CustomTestStringConvertible {
    enum Kind: CaseIterable {
        case aiff, aiffFloat, caf, caf24, cafFloat, rf64, bw64, rifx, au, au24
    }

    static let samples = (0..<32_000).map { Int16(truncatingIfNeeded: ($0 * 7_919) % 20_001 - 10_000) }

    let kind: Kind
    /// In hertz, as a CAF file says.
    var rate = 8_000.0

    var testDescription: String { "\(kind)" }

    /// Bytes of a sample.
    var width: Int {
        switch kind {
        case .aiff, .caf, .rf64, .bw64, .rifx, .au: 2
        case .caf24, .au24: 3
        case .aiffFloat, .cafFloat: 4
        }
    }

    private func big<Number: FixedWidthInteger>(_ number: Number) -> Data {
        withUnsafeBytes(of: number.bigEndian) { Data($0) }
    }

    private func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    private func bytes(_ sample: Int16) -> Data {
        switch kind {
        case .aiff, .caf, .rifx, .au: big(sample)
        case .rf64, .bw64: little(sample)
        case .caf24, .au24: big(sample) + Data([0])
        case .aiffFloat, .cafFloat: big((Float(sample) / 32_768).bitPattern)
        }
    }

    /// The file with all samples.
    ///
    /// - Parameters:
    ///   - size: What it says of the samples' size in bytes; −1 is what a program writes that does not know it.
    ///   - isWhole: Whether the size of the file is right all the same.
    ///   - behind: What stands behind the samples.
    /// - Returns: The bytes of the file.
    func data(saying size: Int, isWhole: Bool = false, behind: Data = Data()) -> Data {
        let sound = Data(Self.samples.flatMap { bytes($0) }) + behind
        let said = isWhole ? sound.count : size
        switch kind {
        case .aiff, .aiffFloat: return aiff(size, sound, whole: said)
        case .caf, .caf24, .cafFloat: return caf(size, sound)
        case .rf64, .bw64: return rf64(size, sound, whole: said)
        case .rifx: return rifx(size, sound, whole: said)
        case .au, .au24: return au(size, sound)
        }
    }

    private func aiff(_ size: Int, _ sound: Data, whole: Int) -> Data {
        let isFloat = kind == .aiffFloat
        func said(_ number: Int, _ more: Int) -> Data { big(number < 0 ? UInt32.max : UInt32(number + more)) }
        var common = big(UInt16(1)) + said(size < 0 ? -1 : size / width, 0) + big(UInt16(8 * width))
        // 8,000 as a number of ten bytes.
        common += Data([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0])
        if isFloat { common += Data("fl32".utf8) + Data([0, 0]) }
        var body = Data((isFloat ? "AIFC" : "AIFF").utf8)
        body += Data("COMM".utf8) + big(UInt32(common.count)) + common
        body += Data("SSND".utf8) + said(size, 8) + Data(count: 8)
        return Data("FORM".utf8) + said(whole, body.count) + body + sound
    }

    private func caf(_ size: Int, _ sound: Data) -> Data {
        var head = Data("caff".utf8) + big(UInt16(1)) + big(UInt16(0))
        head += Data("desc".utf8) + big(Int64(32)) + big(rate.bitPattern) + Data("lpcm".utf8)
        let isFloat: UInt32 = kind == .cafFloat ? 1 : 0
        for number in [isFloat, UInt32(width), 1, 1, UInt32(8 * width)] { head += big(number) }
        head += Data("data".utf8) + big(Int64(size < 0 ? -1 : size + 4)) + Data(count: 4)
        return head + sound
    }

    private func au(_ size: Int, _ sound: Data) -> Data {
        var head = Data(".snd".utf8) + big(UInt32(28)) + big(size < 0 ? UInt32.max : UInt32(size))
        for number in [UInt32(width + 1), 8_000, 1, 0] { head += big(number) }
        return head + sound
    }

    private func rifx(_ size: Int, _ sound: Data, whole: Int) -> Data {
        func said(_ number: Int, _ more: Int) -> Data { big(number < 0 ? UInt32.max : UInt32(number + more)) }
        var head = Data("RIFX".utf8) + said(whole, 36) + Data("WAVEfmt ".utf8) + big(UInt32(16))
        head += big(UInt16(1)) + big(UInt16(1)) + big(UInt32(8_000)) + big(UInt32(16_000))
        head += big(UInt16(2)) + big(UInt16(16))
        head += Data("data".utf8) + said(size, 0)
        return head + sound
    }

    private func rf64(_ size: Int, _ sound: Data, whole: Int) -> Data {
        func said(_ number: Int, _ more: Int) -> Data { little(number < 0 ? UInt64.max : UInt64(number + more)) }
        var head = Data((kind == .bw64 ? "BW64" : "RF64").utf8) + little(UInt32.max) + Data("WAVE".utf8)
        head += Data("ds64".utf8) + little(UInt32(28)) + said(whole, 72) + said(size, 0)
        head += said(size < 0 ? -1 : size / 2, 0) + little(UInt32(0))
        head += Data("fmt ".utf8) + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1))
        head += little(UInt32(8_000)) + little(UInt32(16_000)) + little(UInt16(2)) + little(UInt16(16))
        head += Data("data".utf8) + little(UInt32.max)
        return head + sound
    }
}

@Suite("AIFF, CAF, RF64, RIFX and AU files that are not what their heads say")
struct SizedFileTests {
    private static let files = SizedFile.Kind.allCases.map { SizedFile(kind: $0) }
    private static let count = SizedFile.samples.count

    @Test(
        "of floating-point numbers beyond full scale are turned down, and only a click is clipped",
        arguments: [8, 30_000] as [Float]
    )
    func overload(_ factor: Float) async throws {
        var numbers = AudioClip.tone(220, seconds: 2, sampleRate: 8_000).samples.map { $0 * factor }
        let loudest = try #require(numbers.max())
        numbers[100] = 1_000_000
        var head = Data("RIFF".utf8) + little(UInt32(36 + 4 * numbers.count)) + Data("WAVEfmt ".utf8)
        head += little(UInt32(16)) + little(UInt16(3)) + little(UInt16(1)) + little(UInt32(8_000))
        head += little(UInt32(32_000)) + little(UInt16(4)) + little(UInt16(32))
        head += Data("data".utf8) + little(UInt32(4 * numbers.count))
        let output = try await decoded(head + numbers.reduce(into: Data()) { $0 += little($1.bitPattern) })
        var kept = await output.samples.map { Float($0) / 32_768 }
        try #require(kept.count == numbers.count)
        (kept[100], numbers[100]) = (0, 0)
        let peak = try #require(kept.max())
        #expect(peak > 0.5 && peak < 0.99)
        #expect(zip(kept, numbers).allSatisfy { abs($0 / peak - $1 / loudest) < 0.001 })
    }

    private func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
        withUnsafeBytes(of: number.littleEndian) { Data($0) }
    }

    @Test("give all samples where the head is right, or a program did not know their number", arguments: files)
    func whole(_ file: SizedFile) async throws {
        for size in [Self.count * file.width, -1] {
            let output = try await decoded(file.data(saying: size))
            #expect(await output.facts?.sampleRate == 8_000)
            #expect(await output.samples == SizedFile.samples, "\(size)")
            #expect(await output.notices.isEmpty)
        }
    }

    @Test("give the samples behind those that are announced, and say so", arguments: files)
    func more(_ file: SizedFile) async throws {
        let output = try await decoded(file.data(saying: Self.count / 4 * file.width))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
    }

    @Test("give all samples where a number was made up, and say so", arguments: files)
    func invented(_ file: SizedFile) async throws {
        let frames = 250_000_000
        let output = try await decoded(file.data(saying: frames * file.width))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices == [.lengthDiffers(stated: Double(frames) / 8_000, kept: 4)])
    }

    @Test("give all samples where sizes are absurd", arguments: [SizedFile.Kind.caf, .rf64])
    func absurd(_ kind: SizedFile.Kind) async throws {
        let output = try await decoded(SizedFile(kind: kind).data(saying: 1 << 62))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("are whole when only the size of the samples is too large", arguments: [SizedFile.Kind.aiff, .rf64, .rifx])
    func sizeOfMore(_ kind: SizedFile.Kind) async throws {
        let output = try await decoded(SizedFile(kind: kind).data(saying: 96_000, isWhole: true))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices == [.lengthDiffers(stated: 6, kept: 4)])
    }

    @Test(
        "are heard one after another where one stands behind the other",
        arguments: [SizedFile.Kind.aiff, .aiffFloat, .caf, .caf24, .rf64, .bw64]
    )
    func joined(_ kind: SizedFile.Kind) async throws {
        let file = SizedFile(kind: kind)
        let one = file.data(saying: Self.count * file.width)
        let empty = file.data(saying: 0).dropLast(Self.count * file.width)
        let heard = try await decoded(one + empty + one)
        #expect(await heard.samples == SizedFile.samples + SizedFile.samples)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are whole where a size counts the head, too", arguments: [SizedFile.Kind.au, .au24])
    func sizeOfAll(_ kind: SizedFile.Kind) async throws {
        let file = SizedFile(kind: kind)
        let size = file.data(saying: -1).count
        let heard = try await decoded(file.data(saying: size))
        #expect(await heard.samples == SizedFile.samples)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are cut when less is there than they announce", arguments: files)
    func cut(_ file: SizedFile) async throws {
        let half = file.data(saying: Self.count * file.width).dropLast(Self.count / 2 * file.width)
        await #expect(throws: SoundImportError.damaged(seconds: 2)) { _ = try await decoded(Data(half)) }
    }

    @Test("of a rate with a fraction are whole")
    func fraction() async throws {
        let heard = try await decoded(SizedFile(kind: .caf, rate: 8_000.6).data(saying: 2 * Self.count))
        #expect(await heard.samples == SizedFile.samples)
        #expect(await heard.notices.isEmpty)
    }

    @Test("of Sony's kind with sizes of eight bytes are cut when less is there than they announce")
    func cutW64() async throws {
        func little<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.littleEndian) { Data($0) }
        }
        let mark = Data([0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0])
        let others = Data([0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A])
        var file = Data("riff".utf8) + mark + little(UInt64(64_104)) + Data("wave".utf8) + others
        file += Data("fmt ".utf8) + others + little(UInt64(40))
        file += little(UInt16(1)) + little(UInt16(1)) + little(UInt32(8_000)) + little(UInt32(16_000))
        file += little(UInt16(2)) + little(UInt16(16))
        file += Data("data".utf8) + others + little(UInt64(64_024))
        file += SizedFile.samples.withUnsafeBytes { Data($0) }
        let whole = try await decoded(file)
        #expect(await whole.samples == SizedFile.samples)
        #expect(await whole.notices.isEmpty)
        let half = Data(file.dropLast(32_000))
        await #expect(throws: SoundImportError.damaged(seconds: 2)) { _ = try await decoded(half) }
    }

    @Test("take chunks and padding behind the samples for what they are", arguments: files)
    func trailers(_ file: SizedFile) async throws {
        let padding = Data(count: 6_000)
        let output = try await decoded(file.data(saying: Self.count * file.width, behind: padding))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("have no sound when there is nothing but a head", arguments: files)
    func onlyHead(_ file: SizedFile) async {
        for size in [0, -1] {
            let head = file.data(saying: size).dropLast(Self.count * file.width)
            await #expect(throws: SoundImportError.noSound) { _ = try await decoded(Data(head)) }
        }
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

/// Files that FFmpeg makes.
private enum MadeFiles {
    static let program = ChildProgram.path(of: "ffmpeg", in: "/usr/local/bin:/usr/bin:/bin")

    static func tone(_ hertz: Int, seconds: Double, _ name: String, _ options: [String]) throws -> Data {
        let folder = TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments =
            ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=frequency=\(hertz):duration=\(seconds):sample_rate=48000"]
            + options + [folder(name)]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try folder.data(of: name)
    }

    /// Changes each page of an Ogg file in place.
    ///
    /// The pages lose their checksums, which `fix` makes again.
    static func changePages(of file: inout Data, _ change: (inout Data, Int) -> Void) {
        var place = file.startIndex
        while place + 27 <= file.endIndex, file[place..<place + 4] == Data("OggS".utf8) {
            let table = file[(place + 27)..<(place + 27 + Int(file[place + 26]))]
            let end = place + 27 + table.count + table.reduce(0) { $0 + Int($1) }
            change(&file, place)
            for index in 22..<26 { file[place + index] = 0 }
            let sum = checksum(file[place..<end])
            for index in 0..<4 { file[place + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            place = end
        }
    }

    /// - SeeAlso: RFC 3533, section 6.
    private static func checksum(_ page: Data) -> UInt32 {
        var sum: UInt32 = 0
        for byte in page {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 {
                let isHigh = sum & 0x8000_0000 != 0
                sum <<= 1
                if isHigh { sum ^= 0x04C1_1DB7 }
            }
        }
        return sum
    }
}

@Suite("Joined sound files", .enabled(if: MadeFiles.program != nil, "needs FFmpeg"), .endsInTime)
struct JoinedCodecTests {
    @Test(
        "are heard whole, whatever their codecs, rates and channels",
        arguments: [
            ("a.opus", ["-ac", "1"], "b.opus", ["-ac", "2"]), ("a.ogg", ["-c:a", "libvorbis"], "b.opus", []),
            ("a.opus", [], "b.ogg", ["-c:a", "libvorbis", "-ar", "22050"]),
            ("a.ogg", ["-c:a", "libvorbis", "-ac", "2"], "b.ogg", ["-c:a", "libvorbis", "-ar", "16000", "-ac", "1"]),
            ("a.mp3", [], "b.mp3", []), ("a.mp3", ["-ac", "2"], "b.mp3", ["-ar", "22050", "-ac", "1"]),
            ("a.mp3", ["-write_xing", "0"], "b.mp3", []), ("a.mp3", [], "b.mp3", ["-write_xing", "0"]),
            ("a.mp3", [], "b.mp3", ["-write_xing", "0", "-id3v2_version", "0"]),
            ("a.flac", [], "b.flac", ["-ar", "16000"]), ("a.oga", ["-c:a", "flac"], "b.opus", []),
            ("a.opus", [], "b.oga", ["-c:a", "flac", "-ac", "2"]),
            ("a.oga", ["-c:a", "flac"], "b.ogg", ["-c:a", "libvorbis", "-ar", "22050"]),
        ] as [(String, [String], String, [String])]
    )
    func joined(_ one: String, _ options: [String], _ other: String, _ others: [String]) async throws {
        let first = try MadeFiles.tone(220, seconds: 2, one, options)
        let second = try MadeFiles.tone(440, seconds: 3, other, others)
        let output = try await decoded(first + second)
        #expect(abs(await output.seconds - 5) < 0.2, "\(one) \(other)")
        #expect(abs(await output.clip(from: 1).fundamental - 220) < 5)
        #expect(abs(await output.clip(from: 3.5).fundamental - 440) < 8)
    }

    @Test(
        "with a file of another kind behind them are said to hold more",
        arguments: [
            ("a.opus", "b.mp3"), ("a.opus", "b.wav"), ("a.mp3", "b.opus"), ("a.mp3", "b.wav"), ("a.mp3", "b.flac"),
            ("a.flac", "b.opus"), ("a.flac", "b.mp3"), ("a.flac", "b.wav"), ("a.flac", "b.aiff"), ("a.flac", "b.caf"),
            ("a.mp3", "b.aac"), ("a.mp3", "b.m4a"), ("a.opus", "b.webm"), ("a.opus", "b.m4a"), ("a.wav", "b.mp3"),
            ("a.wav", "b.opus"), ("a.wav", "b.flac"), ("a.wav", "b.m4a"), ("a.wav", "b.webm"), ("a.wav", "b.aac"),
        ]
    )
    func otherKind(_ one: String, _ other: String) async throws {
        let first = try MadeFiles.tone(220, seconds: 2, one, [])
        let heard = try await decoded(first + (try MadeFiles.tone(440, seconds: 3, other, [])))
        #expect(abs(await heard.seconds - 2) < 0.1, "\(one) \(other)")
        guard case .incomplete? = await heard.notices.first else {
            Issue.record("nothing was said of \(other)")
            return
        }
    }

    @Test("with bare frames of MP3 behind FLAC are said to hold more")
    func bareFrames() async throws {
        let first = try MadeFiles.tone(220, seconds: 2, "a.flac", [])
        let bare = try MadeFiles.tone(440, seconds: 3, "b.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
        let heard = try await decoded(first + bare)
        #expect(abs(await heard.seconds - 2) < 0.1)
        guard case .incomplete? = await heard.notices.first else {
            Issue.record("nothing was said")
            return
        }
    }

    @Test("of FLAC keep the heads of other files in their metadata, and nothing is said of them")
    func headsInMetadata() async throws {
        var file = try MadeFiles.tone(220, seconds: 2, "a.flac", [])
        // Encoders keep the head of a WAV file, behind the block that comes first (RFC 9639, section 8.4).
        let wave = Data("riff".utf8) + Data("RIFF".utf8) + Data(count: 4) + Data("WAVE".utf8)
        let page = Data("page".utf8) + Data("OggS".utf8) + Data([0, 2]) + Data(count: 20)
        for content in [wave, page] {
            file.insert(contentsOf: Data([2, 0, 0, UInt8(content.count)]) + content, at: 42)
        }
        let heard = try await decoded(file)
        #expect(abs(await heard.seconds - 2) < 0.01)
        #expect(await heard.notices.isEmpty)
    }

    @Test("of FLAC that say they hold less than they do are heard whole, and it is said", arguments: [0, 128])
    func tooFewSamples(_ behind: Int) async throws {
        var file = try MadeFiles.tone(220, seconds: 3, "a.flac", [])
        // The number of samples in the block that comes first (RFC 9639, section 8.2).
        file[21] &= 0xF0
        file.replaceSubrange(22..<26, with: [0, 0, 0xBB, 0x80])
        let tag = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
        let output = try await decoded(file + tag.prefix(behind))
        #expect(abs(await output.seconds - 3) < 0.01)
        guard case .lengthDiffers(let stated, let kept)? = await output.notices.first else {
            Issue.record("nothing was said")
            return
        }
        #expect(stated == 1 && abs(kept - 3) < 0.01)
    }

    @Test("of FLAC that were cut out of a longer one are heard without a word")
    func flacFromLater() async throws {
        var file = try MadeFiles.tone(220, seconds: 3, "a.flac", [])
        let frameLength = Int(file[10]) << 8 | Int(file[11])
        let start = try #require(file.range(of: Data([0xFF, 0xF8]))?.lowerBound)
        // The heads of frames are alike but for their numbers (RFC 9639, section 9.1).
        let later = try #require(file.range(of: file[start..<start + 4] + Data([10]))?.lowerBound)
        file.removeSubrange(start..<later)
        let left = 144_000 - 10 * frameLength
        file.replaceSubrange(22..<26, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: left >> $0) })
        let output = try await decoded(file)
        #expect(abs(await output.seconds - Double(left) / 48_000) < 0.01)
        #expect(await output.notices.isEmpty)
    }

    @Test("of three parts with the table of the first alone are heard whole, and it is said")
    func firstTable() async throws {
        let first = try MadeFiles.tone(220, seconds: 2, "a.mp3", [])
        let bare = try MadeFiles.tone(440, seconds: 3, "b.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
        let output = try await decoded(first + bare + bare)
        #expect(abs(await output.seconds - 8) < 0.3)
        guard case .lengthDiffers(let stated, let kept)? = await output.notices.first else {
            Issue.record("nothing was said")
            return
        }
        #expect(abs(stated - 2) < 0.1)
        #expect(abs(kept - 8) < 0.3)
    }

    @Test("with a table that counts nothing are heard whole")
    func emptyTable() async throws {
        var file = try MadeFiles.tone(220, seconds: 2, "a.mp3", [])
        let table = try #require(file.range(of: Data("Info".utf8)) ?? file.range(of: Data("Xing".utf8)))
        file.replaceSubrange(table.upperBound + 4..<table.upperBound + 8, with: [0, 0, 0, 0])
        let output = try await decoded(file)
        #expect(abs(await output.seconds - 2) < 0.1)
        #expect(await output.notices.isEmpty)
    }

    @Test("of MP3 in WAV are cut when less is there than they announce")
    func cutInWave() async throws {
        let file = try MadeFiles.tone(220, seconds: 4, "a.wav", ["-c:a", "libmp3lame"])
        let whole = try await decoded(file)
        #expect(abs(await whole.seconds - 4) < 0.15)
        #expect(await whole.notices.isEmpty)
        let half = Data(file.prefix(file.count / 2))
        let error = await #expect(throws: SoundImportError.self) { _ = try await decoded(half) }
        #expect(error?.failure.code == "sound-file.damaged")
    }

    @Test("of changing bit rates without a table are heard whole", arguments: [["-ac", "2"], ["-ar", "16000"]])
    func noTable(_ options: [String]) async throws {
        // Large frames come first.
        let noise = #"aeval=if(lt(t\,0.3)\,2*random(0)-1\,val(0)/8)"#
        let bare = ["-af", noise, "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"]
        let output = try await decoded(try MadeFiles.tone(440, seconds: 6, "a.mp3", bare + options))
        #expect(abs(await output.seconds - 6) < 0.2)
        #expect(await output.notices.isEmpty)
        #expect(abs(await output.clip(from: 4).fundamental - 440) < 8)
    }

    @Test("say so where frames were overwritten, or a tag says that it is longer than the file")
    func overwrittenFrames() async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let bare = try MadeFiles.tone(220, seconds: 4, "a.mp3", options)
        var file = bare
        file.replaceSubrange(16_000..<20_000, with: Data(count: 4_000))
        let holed = try await decoded(file)
        #expect((3..<3.9).contains(await holed.seconds))
        guard case .incomplete? = await holed.notices.first else {
            Issue.record("nothing was said")
            return
        }
        let tag = Data("ID3".utf8) + Data([4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F])
        for between in [tag, tag + Data(count: 1_000)] {
            let output = try await decoded(bare + between + bare)
            #expect(abs(await output.seconds - 8) < 0.3)
        }
        #expect(abs(try await decoded(tag + bare).seconds - 4) < 0.15)
        #expect(try await SoundFileKind(of: HeldBytes(tag + bare)) == .mp3)
    }

    @Test("of MP3 miss nothing where padding stands before a tag, or a tag is longer than it says")
    func paddedTags() async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let bare = try MadeFiles.tone(220, seconds: 4, "a.mp3", options)
        let tag = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 1, 72]) + Data(count: 200)
        let short = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, 0]) + Data(repeating: 1, count: 3_000)
        for between in [Data(count: 2_000) + tag, short] {
            let output = try await decoded(bare + between + bare)
            #expect(abs(await output.seconds - 8) < 0.3)
            #expect(await output.notices.isEmpty)
        }
    }

    @Test("of MP3 and AAC that begin within a frame are known all the same")
    func lateFrames() async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let mp3 = try MadeFiles.tone(220, seconds: 2, "a.mp3", options)
        let aac = try MadeFiles.tone(220, seconds: 2, "b.aac", [])
        for start in [1, 2, 50, 100, 150] {
            #expect(try await SoundFileKind(of: HeldBytes(mp3.dropFirst(start))) == .mp3, "\(start)")
            #expect(try await SoundFileKind(of: HeldBytes(aac.dropFirst(start))) == .aac, "\(start)")
        }
        // What looks like the head of a frame of AAC has no length.
        let accident = Data([0xFF, 0xF8, 0, 0, 0, 4, 8, 0])
        #expect(try await SoundFileKind(of: HeldBytes(accident + mp3)) == .mp3)
        #expect(try await SoundFileKind(of: HeldBytes(Data(count: 2_000) + aac)) == .aac)
    }

    @Test("that begin with something else are sound all the same")
    func junk() async throws {
        let bare = try MadeFiles.tone(220, seconds: 2, "b.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
        for junk in [Data(count: 5_000), Data((0..<700).map { UInt8(truncatingIfNeeded: $0 * 37) })] {
            let file = junk + bare
            #expect(try await SoundFileKind(of: HeldBytes(file)) == .mp3)
            #expect(abs(try await decoded(file).seconds - 2) < 0.15)
        }
    }

    @Test(
        "without an end mark, as telephones write them, are whole",
        arguments: [
            ("a.opus", []), ("a.ogg", ["-c:a", "libvorbis"]), ("a.oga", ["-c:a", "flac"]),
        ] as [(String, [String])]
    )
    func noEndMark(_ name: String, _ options: [String]) async throws {
        var file = try MadeFiles.tone(220, seconds: 3, name, options)
        MadeFiles.changePages(of: &file) { file, place in file[place + 5] &= ~4 }
        let output = try await decoded(file)
        #expect(abs(await output.seconds - 3) < 0.1)
        #expect(await output.notices.isEmpty)
        await #expect(throws: SoundImportError.self) { _ = try await decoded(file.dropLast(100)) }
    }

    @Test("of Opus that were cut out of a broadcast, and have other numbers behind the heads, are heard without a word")
    func opusFromLater() async throws {
        var file = try MadeFiles.tone(220, seconds: 4, "a.opus", ["-page_duration", "200000"])
        var starts: [Int] = []
        MadeFiles.changePages(of: &file) { _, place in starts.append(place) }
        try #require(starts.count > 12)
        file.removeSubrange(starts[2]..<starts[3])
        #expect(try await decoded(file).notices.isEmpty)
    }

    @Test("of which a short page is missing or damaged are reported", arguments: [true, false])
    func lostPage(isMissing: Bool) async throws {
        var file = try MadeFiles.tone(220, seconds: 4, "a.opus", ["-page_duration", "200000"])
        var starts: [Int] = []
        MadeFiles.changePages(of: &file) { _, place in starts.append(place) }
        try #require(starts.count > 12)
        if isMissing {
            file.removeSubrange(starts[8]..<starts[9])
        } else {
            file[starts[8] + 40] ^= 0x55
        }
        let output = try await decoded(file)
        guard case .incomplete? = await output.notices.first else {
            Issue.record("nothing was said of \(await output.seconds) seconds")
            return
        }
    }

    @Test("that say they hold more than came out of them are reported")
    func missingSound() async throws {
        var file = try MadeFiles.tone(220, seconds: 3, "a.opus", [])
        // The last page says that its sound ends ten seconds later.
        MadeFiles.changePages(of: &file) { file, place in
            guard file[place + 5] & 4 != 0 else { return }
            let end = UInt64(13 * 48_000)
            withUnsafeBytes(of: end.littleEndian) { file.replaceSubrange(place + 6..<place + 14, with: $0) }
        }
        do {
            let output = try await decoded(file)
            guard case .incomplete? = await output.notices.first else {
                Issue.record("nothing was said of \(await output.seconds) seconds")
                return
            }
        } catch SoundImportError.damaged {
            // The library may say so itself.
        }
    }
}
