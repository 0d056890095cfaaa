import EchoText
import EchoTextTesting
import Foundation
import Testing

@testable import AudioFiles

private func tone(_ hertz: Int, seconds: Int) -> [String] {
    Films.generated("sine=frequency=\(hertz):duration=\(seconds):sample_rate=44100")
}

/// A file that counts how often it is read.
private struct CountedBytes: StoredBytes {
    actor Reads {
        private(set) var count = 0

        func add() { count += 1 }
    }

    let bytes: HeldBytes
    let reads = Reads()

    var length: Int { bytes.length }

    func read(_ range: Range<Int>) async throws -> Data {
        await reads.add()
        return try await bytes.read(range)
    }
}

/// Frames of AMR, by hand: FFmpeg writes none.
private enum VoiceNote {
    static let mark = Data("#!AMR\n".utf8)
    /// A frame of 12.2 kbit/s.
    static let speech = Data([0x3C]) + Data((0..<31).map { UInt8(truncatingIfNeeded: $0 * 37) })
    static let comfortNoise = Data([0x44, 0, 0, 0, 0, 0])
    static let nothing = Data([0x7C])

    static func frames(_ frame: Data, _ count: Int) -> Data { Data((0..<count).map { _ in frame }.joined()) }
}

@Suite("The count of what FFmpeg decodes", .enabled(if: Films.program != nil, "needs FFmpeg"), .endsInTime)
struct ContainerPartsTests {
    private static let kinds: [(String, [String])] = [
        ("a.m4a", ["-c:a", "aac"]), ("a.m4a", ["-c:a", "alac"]), ("a.mov", ["-c:a", "pcm_s16le"]),
        ("a.mp4", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000"]),
        ("a.webm", ["-c:a", "libopus"]), ("a.mka", ["-c:a", "aac"]),
        ("a.mka", ["-c:a", "libopus", "-live", "1"]), ("a.aac", ["-c:a", "aac"]), ("a.ac3", ["-c:a", "ac3"]),
        ("a.eac3", ["-c:a", "eac3"]), ("a.flv", ["-c:a", "aac"]), ("a.tta", ["-c:a", "tta"]),
        ("a.wv", ["-c:a", "wavpack"]),
    ]

    @Test("finds the sound of each kind, and nothing amiss where all of it is kept", arguments: kinds)
    func counted(_ name: String, _ options: [String]) async throws {
        let file = try Films.make(name, tone(440, seconds: 4) + options)
        let bytes = HeldBytes(file)
        let parts = try await ContainerParts.find(try await SoundFileKind(of: bytes), in: bytes)
        #expect(parts.map(\.range) == [0..<file.count])
        let held = try #require(parts[0].held.first)
        #expect((3.9..<4.15).contains(held), "\(held)")
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 4) < 0.15)
        #expect(await output.notices.isEmpty)
    }

    @Test("notices a file of frames that ends within one of them", arguments: ["ac3", "eac3", "aac"])
    func cutFrame(_ codec: String) async throws {
        let file = try Films.make("a.\(codec)", tone(440, seconds: 4) + ["-c:a", codec])
        let kind = try await SoundFileKind(of: HeldBytes(file))
        func isCut(_ data: Data) async throws -> Bool {
            try await ContainerParts.find(kind, in: HeldBytes(data)).contains(where: \.isCut)
        }
        #expect(try await !isCut(file))
        // The beginning of a frame; its first bytes may stand within others as well.
        let mark = Data(file.prefix(2))
        var start = file.count / 2
        repeat {
            start = try #require(file.range(of: mark, in: start + 1..<file.count)).lowerBound
        } while try await isCut(file.prefix(start))
        for length in [start + 2, start + 5, start + 40, file.count - 1] {
            #expect(try await isCut(file.prefix(length)), "\(length)")
        }
        #expect(try await !isCut(file.prefix(start) + Data("TAG".utf8) + Data(count: 125)))
        let error = await #expect(throws: SoundImportError.self) { try await decodedByFFmpeg(file.prefix(start + 40)) }
        guard case .damaged(let seconds) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect((1.5..<3).contains(seconds))
    }

    @Test("knows the length that a WMA file states, and says when there is less")
    func stated() async throws {
        var file = try Films.make("a.wma", tone(440, seconds: 4) + ["-c:a", "wmav2"])
        let parts = try await ContainerParts.find(.asf, in: HeldBytes(file))
        #expect(abs(try #require(parts.first?.stated) - 4) < 0.3)
        let whole = try await decodedByFFmpeg(file)
        #expect(await whole.notices.isEmpty)
        let mark = Data([0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11])
        let place = try #require(file.range(of: mark)).lowerBound + 64
        let length = file[place..<place + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        withUnsafeBytes(of: (length + 60_000_000).littleEndian) { file.replaceSubrange(place..<place + 8, with: $0) }
        let output = try await decodedByFFmpeg(file)
        guard case .lengthDiffers(let stated, let kept)? = await output.notices.first else {
            Issue.record("nothing is said")
            return
        }
        #expect(abs(stated - 10) < 0.3)
        #expect(abs(kept - 4) < 0.15)
    }

    @Test("counts what an edit list leaves, not what it leaves out", arguments: [["-ss", "1.5"], ["-t", "2.5"]])
    func trimmed(_ options: [String]) async throws {
        let whole = try Films.make("a.m4a", tone(440, seconds: 4) + ["-c:a", "aac"])
        let folder = TemporaryFolder()
        let path = try folder.write(whole, to: "whole.m4a")
        let file = try Films.make("a.m4a", options + ["-i", path, "-c", "copy"])
        let parts = try await ContainerParts.find(.movie, in: HeldBytes(file))
        #expect(abs(try #require(parts.first?.held.first) - 2.5) < 0.1)
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 2.5) < 0.15)
        #expect(await output.notices.isEmpty)
    }

    private static let pairs: [(String, [String], String, [String])] = [
        ("a.m4a", ["-c:a", "aac"], "b.m4a", ["-c:a", "aac", "-ar", "22050"]),
        ("a.m4a", ["-c:a", "aac", "-movflags", "+faststart"], "b.mp4", ["-c:a", "alac"]),
        ("a.mp4", ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"], "b.m4a", ["-c:a", "aac"]),
        ("a.mka", ["-c:a", "aac"], "b.mka", ["-c:a", "libopus"]),
        ("a.webm", ["-c:a", "libopus"], "b.webm", ["-c:a", "libopus"]),
        ("a.mka", ["-c:a", "libopus", "-live", "1"], "b.mka", ["-c:a", "libopus", "-live", "1"]),
        ("a.wma", ["-c:a", "wmav2"], "b.wma", ["-c:a", "wmav2", "-ar", "22050"]),
        ("a.flv", ["-c:a", "aac"], "b.flv", ["-c:a", "aac", "-ar", "22050"]),
        ("a.tta", ["-c:a", "tta"], "b.tta", ["-c:a", "tta"]), ("a.aac", ["-c:a", "aac"], "b.aac", ["-c:a", "aac"]),
        ("a.ogg", ["-c:a", "libvorbis"], "b.ogg", ["-c:a", "libopus"]),
        ("a.wv", ["-c:a", "wavpack"], "b.wv", ["-c:a", "wavpack", "-ar", "22050"]),
        ("a.wav", ["-c:a", "adpcm_yamaha"], "b.wav", ["-c:a", "adpcm_yamaha", "-ar", "22050"]),
        ("a.aiff", ["-c:a", "adpcm_ima_qt"], "b.aiff", ["-c:a", "adpcm_ima_qt"]),
        ("a.ogv", film, "b.ogv", film + ["-ar", "22050"]),
    ]

    private static let film =
        Films.generated("testsrc=duration=2:size=64x64:rate=10") + ["-c:v", "libtheora", "-c:a", "libvorbis"]

    @Test(
        "notices that a file of chunks was cut, and that more stands behind the sound that it announces",
        arguments: [
            ("a.wav", "adpcm_yamaha", "data"), ("a.aiff", "adpcm_ima_qt", "SSND"), ("a.caf", "adpcm_ima_qt", "data"),
        ]
    )
    func chunks(_ name: String, _ codec: String, _ chunk: String) async throws {
        let file = try Films.make(name, tone(440, seconds: 4) + ["-c:a", codec])
        let whole = try await decodedByFFmpeg(file)
        #expect(await whole.notices.isEmpty)
        let half = Data(file.prefix(file.count / 2))
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg(half) }
        // Sizes in CAF have eight bytes.
        let isCAF = name == "a.caf"
        let place = try #require(file.range(of: Data(chunk.utf8))).upperBound + (isCAF ? 4 : 0)
        var small = file
        // Whole blocks, of 1,024 bytes and of 34 behind the first four or eight.
        let blocks = UInt32((isCAF ? 4 : 8) + 480 * 34)
        let size = name == "a.wav" ? UInt32(16_384).littleEndian : blocks.bigEndian
        withUnsafeBytes(of: size) { small.replaceSubrange(place..<place + 4, with: $0) }
        let output = try await decodedByFFmpeg(small)
        guard case .incomplete? = await output.notices.first else {
            Issue.record("nothing is said of \(name)")
            return
        }
        // A program that did not know the size reads to the end.
        withUnsafeBytes(of: UInt32.max) { small.replaceSubrange(place..<place + 4, with: $0) }
        let parts = try await ContainerParts.find(try await SoundFileKind(of: HeldBytes(small)), in: HeldBytes(small))
        #expect(parts.map(\.range) == [0..<small.count])
        #expect(parts.allSatisfy { !$0.isCut && !$0.hasMore })
    }

    @Test("notices that a WavPack file was cut, between blocks and within one", arguments: [0, 100])
    func cutWavPack(_ more: Int) async throws {
        let file = try Films.make("a.wv", tone(440, seconds: 4) + ["-c:a", "wavpack"])
        let first = file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg(Data(file.prefix(first + more))) }
    }

    @Test("notices that a DSF file was cut")
    func cutDSF() async throws {
        var file = Data("DSD ".utf8) + Data([28, 0, 0, 0, 0, 0, 0, 0]) + Data(count: 16)
        file += Data("fmt ".utf8) + Data([52, 0, 0, 0, 0, 0, 0, 0]) + Data(count: 40)
        file += Data("data".utf8) + Data([12, 16, 0, 0, 0, 0, 0, 0]) + Data(count: 4_096)
        for (bytes, isCut) in [(file, false), (Data(file.dropLast(1)), true)] {
            let parts = try await ContainerParts.find(.dsf, in: HeldBytes(bytes))
            #expect(parts.map(\.isCut) == [isCut])
        }
    }

    @Test("notices that an AU file was cut, and tells it from one of unknown size")
    func cutAU() async throws {
        for (size, isCut) in [(900, false), (960, false), (1_200, true), (0xFFFF_FFFF, false)] as [(UInt32, Bool)] {
            var file = Data(".snd".utf8) + Data([0, 0, 0, 24])
            withUnsafeBytes(of: size.bigEndian) { file += Data($0) }
            file += Data(count: 912)
            let parts = try await ContainerParts.find(.au, in: HeldBytes(file))
            #expect(parts.map(\.isCut) == [isCut], "\(size)")
        }
    }

    @Test("notices that an Ogg film was cut within a page")
    func cutFilm() async throws {
        let file = try Films.make("a.ogv", tone(330, seconds: 2) + Self.film)
        let cut = Data(file.dropLast(10))
        for (bytes, isCut) in [(file, false), (cut, true)] {
            let parts = try await ContainerParts.find(.ogg, in: HeldBytes(bytes))
            #expect(parts.map(\.isCut) == [isCut])
        }
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg(cut) }
    }

    @Test("notices that a page of an Ogg film was overwritten")
    func holedFilm() async throws {
        let file = try Films.make("a.ogv", tone(330, seconds: 2) + Self.film)
        let sign = Data("OggS".utf8)
        let last = try #require(file.range(of: sign, options: .backwards)).lowerBound
        let page = try #require(file.range(of: sign, options: .backwards, in: 0..<last))
        var overwritten = file
        overwritten.replaceSubrange(page, with: Data(count: page.count))
        for (bytes, isHoled) in [(file, false), (overwritten, true)] {
            let parts = try await ContainerParts.find(.ogg, in: HeldBytes(bytes))
            #expect(parts.map(\.hasMore) == [isHoled])
        }
    }

    @Test("notices that the last page of an Ogg film has lost its beginning, and takes no tag for that")
    func holedAtEnd() async throws {
        let file = try Films.make("a.ogv", tone(330, seconds: 2) + Self.film)
        let last = try #require(file.range(of: Data("OggS".utf8), options: .backwards)).lowerBound
        var headless = file
        headless.removeSubrange(last..<last + 10)
        var overwritten = file
        overwritten.replaceSubrange(last..<last + 4, with: Data(count: 4))
        let tagged = file + Data("TAG".utf8) + Data(repeating: 0x20, count: 125)
        let filled = file + Data(count: 99)
        let wholes = [file, tagged, filled]
        for bytes in wholes + [headless, overwritten] {
            let parts = try await ContainerParts.find(.ogg, in: HeldBytes(bytes))
            #expect(parts.map(\.hasMore) == [!wholes.contains(bytes)])
        }
    }

    @Test(
        "keeps the sound of all files that were written one behind the other, at the rate of the first",
        arguments: pairs
    )
    func joined(_ first: String, _ options: [String], _ second: String, _ others: [String]) async throws {
        let one = try Films.make(first, tone(330, seconds: 2) + options)
        let other = try Films.make(second, tone(550, seconds: 3) + others)
        let alone = try await decodedByFFmpeg(one)
        let output = try await decodedByFFmpeg(one + other)
        #expect(await output.facts?.sampleRate == alone.facts?.sampleRate)
        #expect(abs(await output.seconds - 5) < 0.3)
        #expect(abs(await output.clip(from: 1).fundamental - 330) < 8)
        #expect(abs(await output.clip(from: 3.5).fundamental - 550) < 10)
        #expect(await output.notices.isEmpty)
    }

    @Test(
        "says so where a file of another kind stands behind",
        arguments: [
            ("a.m4a", ["-c:a", "aac"], "b.mp3"), ("a.m4a", ["-c:a", "aac"], "b.wav"),
            ("a.webm", ["-c:a", "libopus"], "b.opus"), ("a.webm", ["-c:a", "libopus"], "b.m4a"),
        ] as [(String, [String], String)]
    )
    func otherKind(_ name: String, _ options: [String], _ other: String) async throws {
        let one = try Films.make(name, tone(330, seconds: 2) + options)
        let output = try await decodedByFFmpeg(one + (try Films.make(other, tone(550, seconds: 3))))
        #expect(abs(await output.seconds - 2) < 0.15)
        guard case .incomplete? = await output.notices.first else {
            Issue.record("nothing is said of \(other)")
            return
        }
    }

    @Test("takes a film whose last part reaches to the end, whatever its size, for whole")
    func openEnd() async throws {
        var file = try Films.make("a.m4a", tone(330, seconds: 4) + ["-c:a", "aac", "-movflags", "+faststart"])
        let place = try #require(file.range(of: Data("mdat".utf8))).lowerBound
        file.replaceSubrange(place - 4..<place, with: Data(count: 4))
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 4) < 0.15)
        #expect(await output.notices.isEmpty)
    }

    @Test("says so where a second film stands behind that begins without a sign, as old ones do")
    func unsignedFilm() async throws {
        let one = try Films.make("a.m4a", tone(330, seconds: 2) + ["-c:a", "aac"])
        let output = try await decodedByFFmpeg(one + one.dropFirst(one.prefix(4).reduce(0) { $0 << 8 | Int($1) }))
        #expect(abs(await output.seconds - 2) < 0.15)
        guard case .incomplete? = await output.notices.first else {
            Issue.record("nothing is said of it")
            return
        }
    }

    @Test(
        "says so where a part of a file was overwritten",
        arguments: [
            (.matroska, "a.mka", ["-c:a", "libopus", "-cluster_time_limit", "1000"]),
            (.flv, "a.flv", ["-c:a", "aac"]), (.avi, "a.avi", ["-c:a", "pcm_s16le"]),
            (.asf, "a.wma", ["-c:a", "wmav2"]),
        ] as [(SoundFileKind, String, [String])]
    )
    func overwritten(_ kind: SoundFileKind, _ name: String, _ options: [String]) async throws {
        var file = try Films.make(name, tone(330, seconds: 6) + options)
        let before = try await ContainerParts.find(kind, in: HeldBytes(file))
        #expect(before.map(\.hasMore) == [false])
        let middle = file.count / 2
        let length = min(20_000, file.count / 8)
        file.replaceSubrange(middle..<middle + length, with: Data(count: length))
        let parts = try await ContainerParts.find(kind, in: HeldBytes(file))
        #expect(parts.map(\.hasMore) == [true])
    }

    @Test("notices that bytes of a WebM file are missing, also within it, and tells it from one that was recorded live")
    func shortenedSegment() async throws {
        let file = try Films.make("a.webm", tone(330, seconds: 6) + ["-c:a", "libopus"])
        let live = try Films.make("a.webm", tone(330, seconds: 6) + ["-c:a", "libopus", "-live", "1"])
        let middle = file.count / 2
        let shortened = Data(file[..<middle]) + Data(file[(middle + 5_000)...])
        let cases = [(file, false), (shortened, true), (Data(file[..<middle]), true), (Data(live[..<middle]), false)]
        for (bytes, isCut) in cases {
            let parts = try await ContainerParts.find(.matroska, in: HeldBytes(bytes))
            #expect(parts.map(\.isCut) == [isCut])
        }
    }

    @Test("takes odd chunks of AVI that are not filled up, and what stands behind the sound, for what they are")
    func oddChunks() async throws {
        func chunk(_ name: String, _ content: Data) -> Data {
            var bytes = Data(name.utf8)
            withUnsafeBytes(of: UInt32(content.count).littleEndian) { bytes += Data($0) }
            return bytes + content
        }
        var content = Data("movi".utf8)
        for _ in 0..<20 { content += chunk("01wb", Data(repeating: 1, count: 513)) }
        let others = Data(repeating: 1, count: 5_000)
        let file = chunk("RIFF", Data("AVI ".utf8) + chunk("LIST", content) + others)
        let parts = try await ContainerParts.find(.avi, in: HeldBytes(file))
        #expect(parts.map(\.hasMore) == [false])
    }

    @Test("passes over tags of FLV of kinds that are no sound, and over a scrap at the end")
    func otherTags() async throws {
        let file = try Films.make("a.flv", tone(330, seconds: 3) + ["-c:a", "aac"])
        let whole = try await ContainerParts.find(.flv, in: HeldBytes(file))
        let other = Data([15, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 15])
        let more = file.prefix(13) + other + file.dropFirst(13) + Data(repeating: 1, count: 100)
        let parts = try await ContainerParts.find(.flv, in: HeldBytes(Data(more)))
        #expect(parts.map(\.held) == whole.map(\.held))
        #expect(parts.map(\.hasMore) == [false])
    }

    @Test("takes no track for late where all others begin as late")
    func lateTracks() async throws {
        let sound = ["-itsoffset", "2"] + tone(330, seconds: 3)
        let two = sound + sound + ["-map", "0", "-map", "1"]
        for (inputs, late) in [(sound, [2]), (two, [0, 0])] as [([String], [Int])] {
            let file = try Films.make("a.m4a", inputs + ["-c:a", "aac"])
            let parts = try await ContainerParts.find(.movie, in: HeldBytes(file))
            #expect(parts.flatMap(\.late).map { Int($0.rounded()) } == late)
        }
    }

    @Test("takes a stream of fragments that repeats its table for one film")
    func repeatedTable() async throws {
        let options = ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]
        let file = try Films.make("a.mp4", tone(330, seconds: 2) + options)
        let sign = file.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let parts = try await ContainerParts.find(.movie, in: HeldBytes(file + file.dropFirst(sign)))
        #expect(parts.map(\.hasMore) == [false])
    }

    @Test("reads a file of signs that follow each other closely once")
    func closeSigns() async throws {
        let file = CountedBytes(bytes: HeldBytes(Data(String(repeating: "wvpk.", count: 50_000).utf8)))
        let parts = try await ContainerParts.find(.wavPack, in: file)
        #expect(parts.map(\.range) == [0..<file.length])
        #expect(await file.reads.count < 20)
    }

    @Test("says so where one of joined files cannot be read, and keeps the others")
    func unreadable() async throws {
        let one = try Films.make("a.mka", tone(330, seconds: 2) + ["-c:a", "aac"])
        var strange = try Films.make("b.mka", tone(550, seconds: 3) + ["-c:a", "aac"])
        let codec = try #require(strange.range(of: Data("A_AAC".utf8)))
        strange.replaceSubrange(codec, with: Data("A_XYZ".utf8))
        for file in [one + strange, strange + one] {
            let output = try await decodedByFFmpeg(file)
            guard case .incomplete(let kept)? = await output.notices.first else {
                Issue.record("nothing is said")
                return
            }
            #expect(abs(kept - 2) < 0.15)
            #expect(abs(await output.seconds - 2) < 0.15)
        }
    }

    @Test("notices that an AVI file was cut, and tells it from one of unknown size")
    func cutAVI() async throws {
        let file = try Films.make("a.avi", tone(440, seconds: 4) + ["-c:a", "libmp3lame"])
        let output = SoundCollector()
        let program = FFmpegDecoder(searchPath: "/usr/local/bin:/usr/bin:/bin", needsConfinement: false)
        let error = await #expect(throws: SoundImportError.self) {
            try await program.decode(HeldBytes(file.prefix(file.count * 2 / 3))) { try await output.take($0) }
        }
        guard case .damaged(let seconds) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(abs(await output.seconds - seconds) < 0.01)
        var unknown = file
        unknown.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let whole = try await decodedByFFmpeg(unknown)
        #expect(await whole.notices.isEmpty)
    }

    @Test("keeps the length of voice notes in which a phone wrote no frames of speech")
    func comfortNoise() async throws {
        let speech = VoiceNote.frames(VoiceNote.speech, 50)
        let pause = VoiceNote.comfortNoise + VoiceNote.frames(VoiceNote.nothing, 99)
        let output = try await decodedByFFmpeg(VoiceNote.mark + speech + pause + speech + pause)
        #expect(await output.facts?.sampleRate == 8_000)
        #expect(await output.samples.count == 6 * 8_000)
        #expect(try #require(await output.clip(from: 0.3).level) > -30)
        #expect(await (output.clip(from: 1.8).level ?? -120) < -60)
        #expect(try #require(await output.clip(from: 3.3).level) > -30)
        #expect(await output.notices.isEmpty)
    }

    @Test("keeps the length of a film whose sound is such a note, pauses at its beginning and end included")
    func comfortNoiseInFilm() async throws {
        let speech = VoiceNote.frames(VoiceNote.speech, 50)
        let pause = VoiceNote.frames(VoiceNote.nothing, 100)
        let folder = TemporaryFolder()
        let path = try folder.write(VoiceNote.mark + pause + speech + pause + speech + pause, to: "note.amr")
        let file = try Films.make("a.3gp", ["-i", path, "-c", "copy"])
        let parts = try await ContainerParts.find(.movie, in: HeldBytes(file))
        #expect(parts.first?.pausing == [0])
        let output = try await decodedByFFmpeg(file)
        #expect(abs(await output.seconds - 8) < 0.1)
        #expect(await (output.clip(from: 1).level ?? -120) < -60)
        #expect(try #require(await output.clip(from: 2.3).level) > -30)
        #expect(await (output.clip(from: 4).level ?? -120) < -60)
        #expect(try #require(await output.clip(from: 5.3).level) > -30)
        #expect(await output.notices.isEmpty)
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg(file.prefix(file.count / 2)) }
    }

    @Test("keeps both of two voice notes in one file, and notices that one was cut")
    func joinedNotes() async throws {
        let note = VoiceNote.mark + VoiceNote.frames(VoiceNote.speech, 100)
        let output = try await decodedByFFmpeg(note + note)
        #expect(await output.samples.count == 4 * 8_000)
        #expect(await output.notices.isEmpty)
        await #expect(throws: SoundImportError.self) { _ = try await decodedByFFmpeg((note + note).dropLast(20)) }
    }

    // MARK: - Tracks

    private static func threeLanguages() throws -> Data {
        let sources = [220, 330, 550].flatMap { Films.bursts($0, seconds: 4) }
        let maps = ["-map", "0:a", "-map", "1:a", "-map", "2:a"]
        let flags = (0..<3).flatMap { ["-disposition:a:\($0)", $0 == 1 ? "default" : "0"] }
        let languages = [
            "-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng", "-metadata:s:a:2", "language=und",
        ]
        return try Films.make("a.mkv", sources + maps + flags + languages + ["-c:a", "libopus", "-ac", "1"])
    }

    @Test("takes the track that is asked for, and does not report it", arguments: [1, 2, 3])
    func asked(_ track: Int) async throws {
        let hertz = [220.0, 330, 550][track - 1]
        let output = try await decodedByFFmpeg(try Self.threeLanguages(), track: track)
        #expect(abs(await output.clip(from: 1.02, seconds: 0.18).fundamental - hertz) < 10)
        #expect(await output.notices.isEmpty)
    }

    @Test("lists the tracks where there is no such one", arguments: [4, 1_000])
    func noSuchTrack(_ track: Int) async throws {
        let file = try Self.threeLanguages()
        let tracks = [
            SoundTrack(number: 1, language: "de"), SoundTrack(number: 2, language: "en", isUsual: true),
            SoundTrack(number: 3, language: nil),
        ]
        await #expect(throws: SoundImportError.noSuchTrack(track, of: tracks)) {
            _ = try await decodedByFFmpeg(file, track: track)
        }
    }
}

@Suite("What was decoded, against what was counted")
struct ContainerCountTests {
    private func part(_ change: (inout ContainerPart) -> Void) -> ContainerPart {
        var part = ContainerPart(range: 0..<100)
        change(&part)
        return part
    }

    private func notice(_ part: ContainerPart, _ choice: TrackChoice, seconds: Double) throws -> SoundImportNotice? {
        var count = ContainerCount()
        count.add(part, choice, seconds: seconds)
        return try count.notice(kept: seconds)
    }

    @Test("is said to be incomplete where packets brought no sound, beside what encoders hold back")
    func incomplete() throws {
        let counted = part { $0.held = [4, 9] }
        #expect(try notice(counted, TrackChoice(track: 0, count: 2), seconds: 3.7) == nil)
        #expect(try notice(counted, TrackChoice(track: 0, count: 2), seconds: 3.4) == .incomplete(kept: 3.4))
        #expect(try notice(counted, TrackChoice(track: 1, count: 2), seconds: 4) == .incomplete(kept: 4))
        // The silence before a late beginning is no sound of the track's.
        let late = TrackChoice(track: 0, count: 2, delay: 2)
        #expect(try notice(counted, late, seconds: 5) == .incomplete(kept: 5))
        #expect(try notice(counted, late, seconds: 6) == nil)
        // Whose tracks are not those that were counted says nothing.
        #expect(try notice(counted, TrackChoice(), seconds: 1) == nil)
        #expect(try notice(part { _ in }, TrackChoice(), seconds: 1) == nil)
        #expect(try notice(part { $0.hasMore = true }, TrackChoice(), seconds: 1) == .incomplete(kept: 1))
        // Where packets were passed over, silence may have filled their time.
        var filled = ContainerCount()
        filled.add(counted, TrackChoice(track: 0, count: 2), isWhole: false, seconds: 4)
        #expect(try filled.notice(kept: 4) == .incomplete(kept: 4))
    }

    @Test("is said to differ from a length that is only stated, and is damaged where it was cut")
    func stated() throws {
        let stating = part { $0.stated = 10 }
        #expect(try notice(stating, TrackChoice(), seconds: 9.2) == nil)
        #expect(try notice(stating, TrackChoice(), seconds: 4) == .lengthDiffers(stated: 10, kept: 4))
        #expect(throws: SoundImportError.damaged(seconds: 4)) {
            try notice(part { $0.isCut = true }, TrackChoice(), seconds: 4)
        }
        #expect(throws: SoundImportError.noSound) { try notice(stating, TrackChoice(), seconds: 0) }
    }

    @Test("ends with the only part's failure, and continues behind one of several")
    func failures() throws {
        var count = ContainerCount()
        #expect(throws: SoundImportError.damaged(seconds: 1)) {
            try count.add(.damaged(seconds: 1), of: 0, among: 1)
        }
        try count.add(.noSound, of: 0, among: 3)
        #expect(try count.notice(kept: 4) == nil)
        try count.add(.unknownKind(found: nil), of: 1, among: 3)
        #expect(try count.notice(kept: 4) == .incomplete(kept: 4))
        #expect(throws: SoundImportError.cannotStart) { try count.add(.cannotStart, of: 2, among: 3) }
        try count.add(.damaged(seconds: 1), of: 2, among: 3)
        #expect(throws: SoundImportError.damaged(seconds: 4)) { try count.notice(kept: 4) }
    }

    @Test("is cut into as many parts as are told apart")
    func tooManyParts() async throws {
        let one = Data("#!AMR\n".utf8) + Data([0x7C])
        let file = Data((0..<ContainerParts.maximum + 2).map { _ in one }.joined())
        let parts = try await ContainerParts.find(.amr, in: HeldBytes(file))
        #expect(parts.count == ContainerParts.maximum)
        #expect(parts.map(\.range.count) == Array(repeating: one.count, count: parts.count))
        #expect(parts.map(\.hasMore) == Array(repeating: false, count: parts.count - 1) + [true])
    }

    @Test("is counted without harm in files whose sizes lie")
    func hostile() async throws {
        let beginnings: [(kind: SoundFileKind, bytes: String)] = [
            (.movie, "0 0 0 1 6D 6F 6F 76 7F FF FF FF FF FF FF FF"),
            (.movie, "0 0 0 18 6D 6F 6F 76 0 0 0 10 74 72 61 6B 0 0 0 8"),
            (.matroska, "1A 45 DF A3 80 18 53 80 67 1 FF FF FF FF FF FF FE"),
            (.asf, "30 26 B2 75 8E 66 CF 11 A6 D9 0 AA 0 62 CE 6C 18 0 0 0 0 0 0 0"),
            (.flv, "46 4C 56 1 5 FF FF FF FF"), (.amr, "23 21 41 4D 52 A"),
            (.trueAudio, "54 54 41 31 1 0 1 0 10 0 FF FF FF FF FF FF FF FF"),
            (.wav, "52 49 46 46 FF FF FF 7E 57 41 56 45 64 61 74 61 FF FF FF 6F"),
            (.caf, "63 61 66 66 0 1 0 0 64 61 74 61 7F FF FF FF FF FF FF FF"), (.au, "2E 73 6E 64 FF FF FF FF 0 0 1 0"),
            (.wavPack, "77 76 70 6B FF FF FF FF 4 4 0 FF FF FF FF FE"), (.dsf, "44 53 44 20 1C"),
            (.wavPack, "77 76 70 6B 18 0 0 0 4 4 0 FF FF FF FF FE 0 0 0 0 FF FF FF FF FF FF FF FF 0 0 0 0"),
            (.avi, "52 49 46 46 FF FF FF 7E"), (.aac, "FF F1 50 80 0 FF FC"), (.ac3, "B 77 0 0 26 40"),
        ]
        for (kind, bytes) in beginnings {
            let beginning = bytes.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 }
            for length in [0, 3, 9, 200] {
                let rest = (0..<length).map { UInt8(truncatingIfNeeded: ($0 &* 7_919 &+ 13) >> 3) }
                let file = Data(beginning + rest)
                let parts = try await ContainerParts.find(kind, in: HeldBytes(file))
                #expect(parts.allSatisfy { $0.range.upperBound <= file.count })
                #expect(parts.flatMap(\.held).allSatisfy { $0 >= 0 && $0.isFinite })
            }
        }
    }
}
