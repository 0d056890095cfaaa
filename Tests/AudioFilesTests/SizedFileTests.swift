import EchoText
import EchoTextTesting
import Foundation
import Testing
@testable import AudioFiles

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
        let output = try await decodedByLibsndfile(head + numbers.reduce(into: Data()) { $0 += little($1.bitPattern) })
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
            let output = try await decodedByLibsndfile(file.data(saying: size))
            #expect(await output.facts?.sampleRate == 8_000)
            #expect(await output.samples == SizedFile.samples, "\(size)")
            #expect(await output.notices.isEmpty)
        }
    }

    @Test("give the samples behind those that are announced, and say so", arguments: files)
    func more(_ file: SizedFile) async throws {
        let output = try await decodedByLibsndfile(file.data(saying: Self.count / 4 * file.width))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
    }

    @Test("of IMA ADPCM give the blocks behind those that are announced, and say so")
    func blocks() async throws {
        func big<Number: FixedWidthInteger>(_ number: Number) -> Data {
            withUnsafeBytes(of: number.bigEndian) { Data($0) }
        }
        let block = Data([0, 0]) + Data((0..<32).map { UInt8(truncatingIfNeeded: $0 * 37) })
        let sound = Data((0..<500).map { _ in block }.joined())
        func file(saying count: Int) -> Data {
            var common = big(UInt16(1)) + big(UInt32(count)) + big(UInt16(16))
            common += Data([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]) + Data("ima4".utf8) + Data([0, 0])
            var body = Data("AIFCCOMM".utf8) + big(UInt32(common.count)) + common
            body += Data("SSND".utf8) + big(UInt32(8 + 34 * count)) + Data(count: 8)
            return Data("FORM".utf8) + big(UInt32(body.count + 34 * count)) + body + sound
        }
        let whole = try await decodedByLibsndfile(file(saying: 500))
        #expect(await whole.samples.count == 32_000)
        #expect(await whole.notices.isEmpty)
        let output = try await decodedByLibsndfile(file(saying: 125))
        let samples = await whole.samples
        #expect(await output.samples == samples)
        #expect(await output.notices == [.lengthDiffers(stated: 1, kept: 4)])
        let half = Data(file(saying: 500).dropLast(250 * 34))
        await #expect(throws: SoundImportError.damaged(seconds: 2)) { _ = try await decodedByLibsndfile(half) }
    }

    @Test("give all samples where a number was made up, and say so", arguments: files)
    func invented(_ file: SizedFile) async throws {
        let frames = 250_000_000
        let output = try await decodedByLibsndfile(file.data(saying: frames * file.width))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices == [.lengthDiffers(stated: Double(frames) / 8_000, kept: 4)])
    }

    @Test("give all samples where sizes are absurd", arguments: [SizedFile.Kind.caf, .rf64])
    func absurd(_ kind: SizedFile.Kind) async throws {
        let output = try await decodedByLibsndfile(SizedFile(kind: kind).data(saying: 1 << 62))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("are whole when only the size of the samples is too large", arguments: [SizedFile.Kind.aiff, .rf64, .rifx])
    func sizeOfMore(_ kind: SizedFile.Kind) async throws {
        let output = try await decodedByLibsndfile(SizedFile(kind: kind).data(saying: 96_000, isWhole: true))
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
        let heard = try await decodedByLibsndfile(one + empty + one)
        #expect(await heard.samples == SizedFile.samples + SizedFile.samples)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are whole where a size counts the head, too", arguments: [SizedFile.Kind.au, .au24])
    func sizeOfAll(_ kind: SizedFile.Kind) async throws {
        let file = SizedFile(kind: kind)
        let size = file.data(saying: -1).count
        let heard = try await decodedByLibsndfile(file.data(saying: size))
        #expect(await heard.samples == SizedFile.samples)
        #expect(await heard.notices.isEmpty)
    }

    @Test("are cut when less is there than they announce", arguments: files)
    func cut(_ file: SizedFile) async throws {
        let half = file.data(saying: Self.count * file.width).dropLast(Self.count / 2 * file.width)
        await #expect(throws: SoundImportError.damaged(seconds: 2)) { _ = try await decodedByLibsndfile(Data(half)) }
    }

    @Test("of a rate with a fraction are whole")
    func fraction() async throws {
        let heard = try await decodedByLibsndfile(SizedFile(kind: .caf, rate: 8_000.6).data(saying: 2 * Self.count))
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
        let whole = try await decodedByLibsndfile(file)
        #expect(await whole.samples == SizedFile.samples)
        #expect(await whole.notices.isEmpty)
        let half = Data(file.dropLast(32_000))
        await #expect(throws: SoundImportError.damaged(seconds: 2)) { _ = try await decodedByLibsndfile(half) }
    }

    @Test("take chunks and padding behind the samples for what they are", arguments: files)
    func trailers(_ file: SizedFile) async throws {
        let padding = Data(count: 6_000)
        let output = try await decodedByLibsndfile(file.data(saying: Self.count * file.width, behind: padding))
        #expect(await output.samples == SizedFile.samples)
        #expect(await output.notices.isEmpty)
    }

    @Test("have no sound when there is nothing but a head", arguments: files)
    func onlyHead(_ file: SizedFile) async {
        for size in [0, -1] {
            let head = file.data(saying: size).dropLast(Self.count * file.width)
            await #expect(throws: SoundImportError.noSound) { _ = try await decodedByLibsndfile(Data(head)) }
        }
    }
}
