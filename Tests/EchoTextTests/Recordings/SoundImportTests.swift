import EchoText
import EchoTextTesting
import Foundation
import Synchronization
import Testing

@Suite("Sound import", .endsInTime)
struct SoundImportTests {
    private let library = MemoryLibrary()
    private let sessions: MemorySessions

    init() {
        sessions = MemorySessions(library)
    }

    private func wave(seconds: Int, rate: Int = 8_000) -> Data {
        WAVHeader.file(of: (0..<seconds * rate).map { Int16(truncatingIfNeeded: $0) }, sampleRate: rate)
    }

    private func add(
        _ file: Data,
        called name: String = "talk.wav",
        _ options: SoundImport.Options = SoundImport.Options(),
        tags: SoundTags = SoundTags(),
        progress: @escaping @Sendable (SoundImport.Progress) async -> Void = { _ in }
    ) async throws -> SoundImport.Outcome {
        try await SoundImport(into: sessions, by: WaveDecoder(tags: tags))
            .add(HeldBytes(file), called: name, options, progress: progress)
    }

    @Test("keeps every sample, as an imported recording of the file's name")
    func samples() async throws {
        let file = wave(seconds: 70)
        let outcome = try await add(file)
        #expect(outcome.notices.isEmpty)
        #expect(outcome.item.name == "talk")
        #expect(outcome.item.origin.kind == .imported)
        #expect(outcome.item.duration == 70)
        let sound = try await library.sound(of: outcome.item.id)
        #expect(try await sound.read(0..<sound.length) == file)
        #expect(try await sessions.sessions().isEmpty)
    }

    /// Leaves a session as a process does that ends while it imports a file.
    private func leave(
        _ samples: [Int16],
        of name: String?,
        from source: RecordingOrder.Source = .file
    ) async throws -> AudioItem.ID {
        let order = try RecordingOrder(name: "Half", sampleRate: 8_000, source: source, sourceName: name)
        let id = try await sessions.begin(order).id
        for (number, start) in stride(from: 0, to: samples.count, by: 240_000).enumerated() {
            let piece = Array(samples[start..<min(start + 240_000, samples.count)])
            try await sessions.append(RecordingChunk(number: number, samples: piece), to: id)
        }
        await sessions.release(id)
        return id
    }

    @Test("discards what interrupted imports left of the file once it has all of that, and nothing else")
    func beginnings() async throws {
        let whole = (0..<70 * 8_000).map { Int16(truncatingIfNeeded: $0) }
        let left = [
            try await leave(Array(whole.prefix(400_000)), of: "talk.wav"),
            try await leave(Array(whole.prefix(100)), of: "talk.wav"), try await leave(whole, of: "talk.wav"),
        ]
        var other = Array(whole.prefix(400_000))
        other[399_999] = -1
        let others = [
            try await leave(other, of: "talk.wav"), try await leave(whole + [1], of: "talk.wav"),
            try await leave(Array(whole.prefix(100)), of: "other.wav"),
            try await leave(Array(whole.prefix(100)), of: nil),
            try await leave(Array(whole.prefix(100)), of: "talk.wav", from: .microphone),
        ]
        let file = wave(seconds: 70)
        await #expect(throws: SoundImportError.damaged(seconds: 60)) { try await add(file.prefix(44 + 2 * 8_000 * 60)) }
        #expect(try await sessions.sessions().map(\.id) == left + others, "the whole is not there yet")
        #expect(try await add(file, called: "/tmp/talk.wav").discarded == left)
        #expect(try await sessions.sessions().map(\.id) == others)
        #expect(try await add(file).discarded.isEmpty)
    }

    @Test("discards no beginning that somebody has continued or marked while the file was imported again")
    func continuedBeginnings() async throws {
        let beginning = (0..<100).map { Int16($0) }
        let held = try await leave(beginning, of: "talk.wav")
        let continued = try await leave(beginning, of: "talk.wav")
        let marked = try await leave(beginning, of: "talk.wav")
        let more = try RecordingChunk(number: 1, samples: [1, 2])
        let outcome = try await add(wave(seconds: 70)) { [sessions] _ in
            _ = try? await sessions.resume(held)
            _ = try? await sessions.append(more, to: continued)
            await sessions.release(continued)
            _ = try? await sessions.update(marked) { $0.marks = [RecordingMark(sample: 50)] }
        }
        #expect(outcome.discarded.isEmpty)
        let there = try await sessions.sessions()
        #expect(there.map(\.id) == [held, continued, marked] && there.map(\.samples) == [100, 102, 100])
        #expect(there[2].marks == [RecordingMark(sample: 50)])
    }

    @Test("takes name, date and language from the tags, and the person's own before them")
    func tags() async throws {
        let tags = SoundTags(title: "Hommik", artist: "Mari", date: "2024-05-06", language: "est")
        let item = try await add(wave(seconds: 1), tags: tags).item
        #expect((item.name, item.language) == ("Hommik – Mari", "et"))
        let own = SoundImport.Options(name: "Mine", language: "en-GB")
        let named = try await add(wave(seconds: 1), own, tags: tags).item
        #expect((named.name, named.language) == ("Mine", "en-GB"))
        #expect(tags.made == Date(timeIntervalSince1970: 1_714_953_600))
    }

    @Test(
        "reads languages as files write them",
        arguments: [
            ("eng", "en"), ("ger", "de"), ("pt_BR", "pt-BR"), ("et", "et"), ("und", nil), ("English language", nil),
            ("", nil), ("mul", nil),
        ] as [(String, String?)]
    )
    func languages(_ written: String, _ tag: String?) {
        #expect(SoundTags(language: written).languageTag == tag)
    }

    @Test("shortens tags, and takes controls out of them")
    func cleanTags() {
        let tags = SoundTags(title: "a\u{1B}[31mb\u{202E}c\n", artist: String(repeating: "x", count: 9_000), date: "  ")
        #expect(tags.title == "a [31mb c")
        #expect(tags.artist?.count == SoundTags.longest)
        #expect(tags.date == nil)
        #expect(SoundTags(date: "2024").made == nil, "a year is no day")
        #expect(SoundTags(date: "-99999999-01-01").made == nil)
    }

    @Test("keeps nothing of a damaged file, or the part that can be read when that is wanted")
    func damage() async throws {
        let cut = wave(seconds: 40).prefix(44 + 2 * 8_000 * 31)
        await #expect(throws: SoundImportError.damaged(seconds: 31)) { try await add(cut) }
        #expect(try await sessions.sessions().isEmpty)
        #expect(await library.items(matching: AudioQuery()).total == 0)
        let kept = try await add(cut, SoundImport.Options(keepsPart: true))
        #expect(kept.item.duration == 31)
        #expect(kept.notices == [.damaged])
        let message = SoundImportError.damaged(seconds: 4.98).failure.message
        #expect(message == "The file is damaged; 5 seconds of it can be read.")
        let short = SoundImportError.damaged(seconds: 0.4).failure
        #expect(short.message == "The file is damaged; less than a second of it can be read.")
        #expect(short.inTerminal.suggestion?.contains("--keep-part") == true)
        let none = SoundImportError.damaged(seconds: 0).failure
        #expect(none.message.contains("nothing of it") && none.inTerminal.suggestion?.contains("--keep-part") == false)
    }

    @Test("says what the decoder noticed, and that a part was damaged besides", arguments: [false, true])
    func notices(_ isDamaged: Bool) async throws {
        let noticed = [SoundImportNotice.tracks(count: 2, taken: 2), .lengthDiffers(stated: 1, kept: 90)]
        let importer = SoundImport(into: sessions, by: NoticingDecoder(notices: noticed, isDamaged: isDamaged))
        let options = SoundImport.Options(keepsPart: true)
        let outcome = try await importer.add(HeldBytes(Data(count: 1)), called: "film.mkv", options)
        #expect(outcome.notices == noticed + (isDamaged ? [.damaged] : []))
        #expect(outcome.notices[0].message == "The file has 2 sound tracks; track 2 was taken.")
        #expect(outcome.notices[1].message.contains("1.0 seconds"))
        #expect(outcome.notices[1].message.contains("1:30 minutes"))
    }

    @Test("takes the sound track that is asked for, and lists those that a file has where it is none of them")
    func tracks() async throws {
        #expect(try await add(wave(seconds: 3), SoundImport.Options(track: 1)).item.duration == 3)
        await #expect(throws: SoundImportError.noSuchTrack(2, of: [SoundTrack(number: 1)])) {
            try await add(wave(seconds: 3), SoundImport.Options(track: 2))
        }
        #expect(try await sessions.sessions().isEmpty)
        let tracks = [SoundTrack(number: 1, language: "de"), SoundTrack(number: 2, language: "en", isUsual: true)]
        let failure = SoundImportError.noSuchTrack(7, of: tracks + [SoundTrack(number: 3)]).failure
        #expect(failure.message == "The file has no sound track 7, but 3 others.")
        #expect(failure.suggestion == "Choose one of these: 1 (de), 2 (en, the usual one), 3.")
        let inTerminal = "Choose one of these with --track: 1 (de), 2 (en, the usual one), 3."
        #expect(failure.inTerminal.suggestion == inTerminal)
        #expect(SoundImportError.noSuchTrack(2, of: [SoundTrack(number: 1)]).message.contains("only one"))
        let many = (1...50).map { SoundTrack(number: $0) }
        #expect(SoundImportError.noSuchTrack(51, of: many).suggestion?.contains("16 and so on") == true)
    }

    @Test("keeps nothing of what is no sound", arguments: [Data(), Data("Dear all".utf8), Data("RIFF".utf8)])
    func noSound(_ file: Data) async throws {
        await #expect(throws: SoundImportError.self) { try await add(file) }
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test(
        "keeps the file as it came beside its sound, up to a size that the person sets",
        arguments: [0, 16_043, 16_044]
    )
    func file(_ largest: Int) async throws {
        let file = wave(seconds: 1)
        let outcome = try await add(file, SoundImport.Options(largestStored: largest))
        guard largest >= file.count else {
            // There is no notice of each file where no files are kept.
            #expect(outcome.notices == (largest == 0 ? [] : [.fileTooLarge(limit: largest)]))
            #expect(outcome.item.source?.fileSize == nil)
            let id = outcome.item.id
            await #expect(throws: LibraryError.fileNotKept) { _ = try await library.file(of: id) }
            return
        }
        #expect(outcome.notices.isEmpty && outcome.item.source?.fileSize == file.count)
        let kept = try await library.file(of: outcome.item.id)
        #expect(try await kept.read(0..<kept.length) == file)
    }

    @Test("names the file as it came by its own name, which stays a file's however long and odd it was")
    func fileName() async throws {
        let long = String(repeating: "õ", count: 190)
        for (given, expected) in [
            ("Talk 1.WAV", "Talk 1.WAV"), ("in/the:folder/a?b.wav", "a b.wav"), ("talk", "talk"),
            ("CON.wav", "_CON.wav"),
        ] {
            #expect(try await add(wave(seconds: 1), called: given).item.fileName == expected)
        }
        let name = try await add(wave(seconds: 1), called: "\(long).m4a").item.fileName
        #expect(name.hasPrefix("õõõ") && name.hasSuffix("õ.m4a") && name.utf8.count <= FileNames.longest)
    }

    @Test("keeps a damaged file whole beside the part of it that can be read")
    func damagedFile() async throws {
        let cut = wave(seconds: 40).prefix(44 + 2 * 8_000 * 31)
        let item = try await add(cut, SoundImport.Options(keepsPart: true)).item
        let kept = try await library.file(of: item.id)
        #expect(try await kept.read(0..<kept.length) == cut)
    }

    @Test(
        "refuses a file that was imported before, names its recording, or imports it once more",
        arguments: [true, false]
    )
    func twin(_ isKept: Bool) async throws {
        let file = wave(seconds: 2)
        let largest = isKept ? Int.max : 0
        let first = try await add(file, SoundImport.Options(name: "First", twin: .refuse, largestStored: largest))
        #expect(!first.isReused)
        await #expect(throws: LibraryError.recordingThere(name: "First")) {
            try await add(file, SoundImport.Options(twin: .refuse))
        }
        let reused = try await add(file, SoundImport.Options(name: "Second", twin: .reuse))
        #expect(reused.isReused && reused.item == first.item && reused.notices.isEmpty)
        let again = try await add(file, SoundImport.Options(name: "Third", twin: .keep))
        #expect(!again.isReused && again.item.id != first.item.id)
        let other = try await add(wave(seconds: 3), SoundImport.Options(twin: .refuse))
        #expect(!other.isReused, "another file")
        try await library.delete([first.item.id, again.item.id])
        #expect(try await !add(file, SoundImport.Options(twin: .refuse)).isReused, "its recordings are deleted")
    }

    @Test("makes one recording of a file that is imported several times at once", arguments: [true, false])
    func twinsAtOnce(_ reuses: Bool) async throws {
        let file = wave(seconds: 2)
        let options = SoundImport.Options(twin: reuses ? .reuse : .refuse)
        let (isRead, mayGoOn) = (Latch(), Latch())
        // The other one begins and ends while this one is read.
        let importing = Task {
            try await add(file, options) { _ in
                isRead.set()
                await mayGoOn.wait()
            }
        }
        await isRead.wait()
        let first = try await add(file, options)
        mayGoOn.set()
        if reuses {
            let second = try await importing.value
            #expect(second.isReused && second.item == first.item && second.notices.isEmpty)
        } else {
            await #expect(throws: LibraryError.recordingThere(name: "talk")) { try await importing.value }
        }
        #expect(await library.items(matching: AudioQuery()).total == 1)
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("notices a file that comes again only where the same sound track is asked for")
    func twinOfTrack() async throws {
        let file = wave(seconds: 2)
        let first = try await add(file, SoundImport.Options(twin: .refuse))
        let second = try await add(file, SoundImport.Options(name: "Chosen", track: 1, twin: .refuse))
        let (usual, chosen) = (first.item, second.item)
        #expect(usual.hasFile && chosen.hasFile, "both recordings have the file")
        #expect(usual.id != chosen.id)
        #expect(usual.source?.track == nil && chosen.source?.track == 1)
        await #expect(throws: LibraryError.recordingThere(name: "Chosen")) {
            try await add(file, SoundImport.Options(track: 1, twin: .refuse))
        }
        for (track, there) in [(nil, usual), (1, chosen)] as [(Int?, AudioItem)] {
            let reused = try await add(file, SoundImport.Options(track: track, twin: .reuse))
            #expect(reused.isReused && reused.item == there)
        }
        await #expect(throws: SoundImportError.noSuchTrack(2, of: [SoundTrack(number: 1)])) {
            try await add(file, SoundImport.Options(track: 2, twin: .reuse))
        }
    }

    @Test("says how far it is")
    func progress() async throws {
        let reported = Mutex<[SoundImport.Progress]>([])
        _ = try await add(wave(seconds: 60)) { progress in reported.withLock { $0.append(progress) } }
        let all = reported.withLock(\.self)
        #expect((all.last?.seconds, all.last?.share) == (60, 1))
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.seconds <= $1.seconds && $0.share <= $1.share })
    }

    @Test("leaves nothing when it is cancelled in the middle")
    func cancelled() async throws {
        let (begun, intoBegun) = AsyncStream.makeStream(of: Void.self)
        let file = wave(seconds: 120)
        let task = Task {
            try await add(file) { progress in
                guard progress.seconds > 40 else { return }
                intoBegun.yield()
                await Latch().wait()
            }
        }
        for await _ in begun { break }
        #expect(try await sessions.sessions().count == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test(
        "refuses sound that no recording can hold, also where the file does not say how much there is",
        arguments: [nil, 8_001]
    )
    func tooLong(_ announced: Int?) async throws {
        let importer = SoundImport(into: sessions, by: EndlessDecoder(announced: announced), longest: 8_000)
        await #expect(throws: SoundImportError.tooLong(seconds: 1)) {
            _ = try await importer.add(HeldBytes(Data(count: 1)), called: "endless.mp3")
        }
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("takes no more of a file than leaves room for finishing it and for others, and keeps nothing of it then")
    func noRoom() async throws {
        let importer = SoundImport(into: sessions, by: WaveDecoder(), freeSpace: { 1_500_000 })
        let short = try await importer.add(HeldBytes(wave(seconds: 30)), called: "short.wav")
        #expect(short.notices == [.noRoomForFile] && !short.item.hasFile, "its sound comes before the file itself")
        await #expect(throws: SoundImportError.noRoom) {
            _ = try await importer.add(HeldBytes(wave(seconds: 70)), called: "long.wav")
        }
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("leaves others most of the disk while it fills it, however much sound a small file holds")
    func bomb() async throws {
        let size: Int64 = 12_000_000
        let free = Mutex(size)
        let importer = SoundImport(
            into: sessions,
            by: EndlessDecoder(announced: nil),
            longest: .max,
            freeSpace: { free.withLock(\.self) }
        )
        await #expect(throws: SoundImportError.noRoom) {
            _ = try await importer.add(HeldBytes(Data(count: 1)), called: "endless.flac") { progress in
                free.withLock { $0 = size - 2 * Int64(8_000 * progress.seconds) }
            }
        }
        let left = free.withLock(\.self)
        #expect(left > size * 2 / 3, "another recording continues")
        #expect(left < size * 4 / 5, "it was begun")
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("needs no room for a file that the library has already")
    func roomForTwin() async throws {
        let file = wave(seconds: 30)
        let unkept = try await add(file, SoundImport.Options(largestStored: 0))
        let importer = SoundImport(into: sessions, by: WaveDecoder(), freeSpace: { 1_500_000 })
        let refused = try await importer.add(HeldBytes(file), called: "talk.wav")
        #expect(refused.notices == [.noRoomForFile] && !unkept.item.hasFile, "nor has the first one it")
        _ = try await add(file)
        let shared = try await importer.add(HeldBytes(file), called: "talk.wav")
        #expect(shared.notices.isEmpty && shared.item.hasFile)
    }

    @Test("keeps nothing of a decoder that gives sound before it says what it is")
    func factless() async throws {
        await #expect(throws: SoundImportError.decoderDied) {
            try await SoundImport(into: sessions, by: FactlessDecoder()).add(HeldBytes(Data([1])), called: "talk.wav")
        }
        #expect(try await sessions.sessions().isEmpty)
    }

    @Test("announces as many samples as are stored, and none where nobody can count them")
    func announced() {
        #expect(SoundFacts.storedCount(of: 44_100, at: 44_100) == 44_100)
        #expect(SoundFacts.storedCount(of: 4_000, at: 4_000) == 8_000)
        #expect(SoundFacts.storedCount(of: 384_000, at: 384_000) == 48_000)
        for (samples, rate) in [((1 << 48) - 1, 192_000), (Int.max, 8_000), (-1, 8_000), (1, 0)] {
            #expect(SoundFacts.storedCount(of: samples, at: rate) == nil)
        }
    }

    @Test("keeps a decoder's promises with its own fake")
    func contract() async throws {
        try await verifyContract(of: WaveDecoder())
    }
}

/// Gives a second of sound, and notices.
private struct NoticingDecoder: SoundFileDecoder {
    let notices: [SoundImportNotice]
    let isDamaged: Bool

    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try await take(.facts(SoundFacts(sampleRate: 8_000)))
        try await take(.notice(notices[0]))
        try await take(.samples([Int16](repeating: 1, count: 8_000)))
        for notice in notices.dropFirst() { try await take(.notice(notice)) }
        if isDamaged { throw SoundImportError.damaged(seconds: 1) }
    }
}

/// Gives sound and no facts.
private struct FactlessDecoder: SoundFileDecoder {
    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try await take(.samples([1, 2, 3]))
    }
}

/// Never ends.
private struct EndlessDecoder: SoundFileDecoder {
    let announced: Int?

    func decode(
        _ file: any StoredBytes,
        track: Int?,
        take: @escaping @Sendable (DecodedSound) async throws -> Void
    ) async throws {
        try await take(.facts(SoundFacts(sampleRate: 8_000, samples: announced)))
        while true { try await take(.samples([Int16](repeating: 1, count: 3_000))) }
    }
}
