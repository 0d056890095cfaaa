import EchoText
import EchoTextTesting
import Foundation
import Testing
@testable import AudioFiles

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
        let output = try await decodedByLibsndfile(first + second)
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
        let heard = try await decodedByLibsndfile(first + (try MadeFiles.tone(440, seconds: 3, other, [])))
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
        let heard = try await decodedByLibsndfile(first + bare)
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
        let heard = try await decodedByLibsndfile(file)
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
        let output = try await decodedByLibsndfile(file + tag.prefix(behind))
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
        let output = try await decodedByLibsndfile(file)
        #expect(abs(await output.seconds - Double(left) / 48_000) < 0.01)
        #expect(await output.notices.isEmpty)
    }

    @Test("of three parts with the table of the first alone are heard whole, and it is said")
    func firstTable() async throws {
        let first = try MadeFiles.tone(220, seconds: 2, "a.mp3", [])
        let bare = try MadeFiles.tone(440, seconds: 3, "b.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
        let output = try await decodedByLibsndfile(first + bare + bare)
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
        let output = try await decodedByLibsndfile(file)
        #expect(abs(await output.seconds - 2) < 0.1)
        #expect(await output.notices.isEmpty)
    }

    @Test("of MP3 in WAV are cut when less is there than they announce")
    func cutInWave() async throws {
        let file = try MadeFiles.tone(220, seconds: 4, "a.wav", ["-c:a", "libmp3lame"])
        let whole = try await decodedByLibsndfile(file)
        #expect(abs(await whole.seconds - 4) < 0.15)
        #expect(await whole.notices.isEmpty)
        let half = Data(file.prefix(file.count / 2))
        let error = await #expect(throws: SoundImportError.self) { _ = try await decodedByLibsndfile(half) }
        #expect(error?.failure.code == "sound-file.damaged")
    }

    @Test("of changing bit rates without a table are heard whole", arguments: [["-ac", "2"], ["-ar", "16000"]])
    func noTable(_ options: [String]) async throws {
        // Large frames come first.
        let noise = #"aeval=if(lt(t\,0.3)\,2*random(0)-1\,val(0)/8)"#
        let bare = ["-af", noise, "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0"]
        let output = try await decodedByLibsndfile(try MadeFiles.tone(440, seconds: 6, "a.mp3", bare + options))
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
        let holed = try await decodedByLibsndfile(file)
        #expect((3..<3.9).contains(await holed.seconds))
        guard case .incomplete? = await holed.notices.first else {
            Issue.record("nothing was said")
            return
        }
        let tag = Data("ID3".utf8) + Data([4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F])
        for between in [tag, tag + Data(count: 1_000)] {
            let output = try await decodedByLibsndfile(bare + between + bare)
            #expect(abs(await output.seconds - 8) < 0.3)
        }
        #expect(abs(try await decodedByLibsndfile(tag + bare).seconds - 4) < 0.15)
        #expect(try await SoundFileKind(of: HeldBytes(tag + bare)) == .mp3)
    }

    @Test("of MP3 miss nothing where padding stands before a tag, or a tag is longer than it says")
    func paddedTags() async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let bare = try MadeFiles.tone(220, seconds: 4, "a.mp3", options)
        let tag = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 1, 72]) + Data(count: 200)
        let short = Data("ID3".utf8) + Data([4, 0, 0, 0, 0, 0, 0]) + Data(repeating: 1, count: 3_000)
        for between in [Data(count: 2_000) + tag, short] {
            let output = try await decodedByLibsndfile(bare + between + bare)
            #expect(abs(await output.seconds - 8) < 0.3)
            #expect(await output.notices.isEmpty)
        }
    }

    /// A tag of version 2.3 with a title, whose sizes say that it, or that field, is longer by `more` bytes.
    private static func tag(_ more: Int, inField: Bool = false, padding: Int = 0) -> Data {
        let size = 10 + 6 + padding
        let stated = size + more
        let field = (inField ? 6 + more : 6)
        var tag = Data("ID3".utf8) + Data([3, 0, 0])
        tag += Data([21, 14, 7, 0].map { UInt8(stated >> $0 & 0x7F) })
        tag += Data("TIT2".utf8) + Data([24, 16, 8, 0].map { UInt8(field >> $0 & 0xFF) }) + Data([0, 0])
        return tag + Data([0]) + Data("Title".utf8) + Data(count: padding)
    }

    @Test("of MP3 have all frames that the size of a tag, or of a field in one, covers", arguments: [false, true])
    func coveredFrames(inField: Bool) async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let bare = try MadeFiles.tone(220, seconds: 4, "a.mp3", options)
        for covered in [5_000, 10_003, bare.count] {
            let lying = Self.tag(covered, inField: inField, padding: inField ? 0 : 100)
            let alone = try await decodedByLibsndfile(lying + bare)
            #expect(abs(await alone.seconds - 4) < 0.15)
            #expect(await alone.notices.isEmpty)
            let between = try await decodedByLibsndfile(bare + lying + bare)
            #expect(abs(await between.seconds - 8) < 0.3)
            #expect(await between.notices.isEmpty)
        }
    }

    @Test("of MP3 are counted with thousands of tags that each claim all that follows")
    func greedyTags() throws {
        let frame = Data([0xFF, 0xE3, 0x14, 0xC0]) + Data(count: 44)
        let tag = Data("ID3".utf8) + Data([3, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F])
        let unit = tag + Data("TIT2".utf8) + Data([0x0F, 0xFF, 0xFF, 0x00, 0, 0]) + frame + frame + frame
        let file = Data((0..<20_000).map { _ in unit }.joined())
        let parts = try SoundParts.find(in: SoundBytes(length: file.count) { [UInt8](file[$0]) })
        #expect(parts.count == 1)
        // Frames of 576 samples at 12 kHz.
        #expect(parts.first?.held == 2_880)
    }

    @Test("of MP3 leave a sound in a field of their tag alone")
    func soundInTag() async throws {
        let options = ["-write_xing", "0", "-id3v2_version", "0", "-b:a", "64k"]
        let bare = try MadeFiles.tone(220, seconds: 2, "a.mp3", options)
        let (own, text) = (bare.prefix(bare.count / 2), Data(repeating: 0x41, count: 500))
        var tag = Self.tag(10 + own.count + text.count)
        let size = [24, 16, 8, 0].map { UInt8((own.count + text.count) >> $0 & 0xFF) }
        tag += Data("GEOB".utf8) + Data(size) + Data([0, 0])
        let output = try await decodedByLibsndfile(tag + own + text + bare)
        #expect(abs(await output.seconds - 2) < 0.15)
        #expect(await output.notices.isEmpty)
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
        // The bytes that look like the head of a frame of AAC have no length.
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
            #expect(abs(try await decodedByLibsndfile(file).seconds - 2) < 0.15)
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
        let output = try await decodedByLibsndfile(file)
        #expect(abs(await output.seconds - 3) < 0.1)
        #expect(await output.notices.isEmpty)
        await #expect(throws: SoundImportError.self) { _ = try await decodedByLibsndfile(file.dropLast(100)) }
    }

    @Test("of Opus that were cut out of a broadcast, and have other numbers behind the heads, are heard without a word")
    func opusFromLater() async throws {
        var file = try MadeFiles.tone(220, seconds: 4, "a.opus", ["-page_duration", "200000"])
        var starts: [Int] = []
        MadeFiles.changePages(of: &file) { _, place in starts.append(place) }
        try #require(starts.count > 12)
        file.removeSubrange(starts[2]..<starts[3])
        #expect(try await decodedByLibsndfile(file).notices.isEmpty)
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
        let output = try await decodedByLibsndfile(file)
        guard case .incomplete? = await output.notices.first else {
            Issue.record("nothing was said of \(await output.seconds) seconds")
            return
        }
    }

    @Test("whose last page has lost its beginning are reported", arguments: ["a.opus", "a.ogg"])
    func headlessPage(_ name: String) async throws {
        let options = name == "a.ogg" ? ["-c:a", "libvorbis"] : []
        let file = try MadeFiles.tone(220, seconds: 4, name, options)
        let last = try #require(file.range(of: Data("OggS".utf8), options: .backwards)).lowerBound
        let headless = file.prefix(last) + file.suffix(from: last + 10)
        guard case .incomplete? = try await decodedByLibsndfile(headless).notices.first else {
            Issue.record("nothing was said of \(name)")
            return
        }
        // Behind the end mark stands no sound.
        let tag = Data("TAG".utf8) + Data(repeating: 0x41, count: 125)
        for behind in [tag, Data(count: 500), Data("some words".utf8)] {
            #expect(try await decodedByLibsndfile(file + behind).notices.isEmpty)
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
            let output = try await decodedByLibsndfile(file)
            guard case .incomplete? = await output.notices.first else {
                Issue.record("nothing was said of \(await output.seconds) seconds")
                return
            }
        } catch SoundImportError.damaged {
            // The library may say so itself.
        }
    }
}
