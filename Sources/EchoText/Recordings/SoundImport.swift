package import Foundation

/// Imports sound files into the library: each is a recording session while it is decoded, and then a recording.
///
/// ```swift
/// let importer = SoundImport(into: library.recordings, by: decoder)
/// let item = try await importer.add(file, called: "talk.m4a").item
/// ```
package struct SoundImport: Sendable {
    /// The treatment of a file from which a recording was imported before.
    package typealias DuplicatePolicy = DocumentImport.DuplicatePolicy

    package struct Options: Sendable, Hashable {
        /// The name of the recording; when absent the title in its tags, else the file's name.
        package var name: ItemName?
        /// BCP 47; when absent the language in its tags.
        package var language: String?
        /// Whether the readable part of a damaged file is imported.
        package var keepsPart = false
        /// Which of several sound tracks is imported, from 1; when absent the one that the file prefers, or in which somebody speaks.
        package var track: Int?
        /// The treatment of the very same file, imported before with the same choice of track.
        package var twin: DuplicatePolicy
        /// The most bytes of a file that is stored unchanged, in addition to its sound; 0 for none.
        package var largestStored: Int

        package init(
            name: ItemName? = nil,
            language: String? = nil,
            keepsPart: Bool = false,
            track: Int? = nil,
            twin: DuplicatePolicy = .keep,
            largestStored: Int = .max
        ) {
            self.name = name
            self.language = language
            self.keepsPart = keepsPart
            self.track = track
            self.twin = twin
            self.largestStored = largestStored
        }
    }

    package struct Outcome: Sendable, Hashable {
        package var item: AudioItem
        /// Notices for the person.
        package var notices: [SoundImportNotice]
        /// Whether the recording existed already and nothing was added.
        package var isReused = false
        /// The discarded sessions that interrupted imports had left of the file: the recording has all of their sound.
        package var discarded: [AudioItem.ID] = []
    }

    /// How far an import is.
    package struct Progress: Sendable, Hashable {
        /// Decoded sound, in seconds.
        package var seconds: Double
        /// The part of the file that was read, 0 to 1.
        package var share: Double
    }

    /// Most bytes of a file.
    package static let largestFile = 16_000_000_000

    private let sessions: any RecordingSessions
    private let decoder: any SoundFileDecoder
    private let longest: Int
    private let freeSpace: @Sendable () -> Int64?

    /// - Parameters:
    ///   - sessions: The store of the sound.
    ///   - decoder: The decoder of files.
    ///   - longest: The most samples of a recording.
    ///   - freeSpace: Returns the bytes that can still be written where the library is; `nil` if unknown.
    package init(
        into sessions: any RecordingSessions,
        by decoder: any SoundFileDecoder,
        longest: Int = WAVHeader.maximumPlainData / 2,
        freeSpace: @escaping @Sendable () -> Int64? = { nil }
    ) {
        self.sessions = sessions
        self.decoder = decoder
        self.longest = longest
        self.freeSpace = freeSpace
    }

    /// The bytes that stay free for everything but an import of `bytes`: as many, and at most 1 GiB.
    package static func reserve(for bytes: Int64) -> Int64 { min(bytes, 1 << 30) }

    /// Decodes `file` and stores its sound, and the file itself as far as `options` say.
    ///
    /// - Parameters:
    ///   - file: The bytes of the file.
    ///   - fileName: The file's name, or its path.
    ///   - options: The person's choices.
    ///   - progress: Called about once per second of sound.
    /// - Returns: The result of the import.
    /// - Throws: ``SoundImportError``, ``LibraryError/recordingThere(name:)``, ``VaultError``, `CancellationError`, and
    ///   what reading `file` throws; nothing is stored then.
    package func add(
        _ file: any StoredBytes,
        called fileName: String,
        _ options: Options = Options(),
        progress: @escaping @Sendable (Progress) async -> Void = { _ in }
    ) async throws -> Outcome {
        guard file.length <= Self.largestFile else { throw SoundImportError.tooLarge(limit: Self.largestFile) }
        if options.twin != .keep, let there = try await twin(of: file, options) {
            guard options.twin == .reuse else { throw LibraryError.recordingThere(name: there.name.text) }
            return Outcome(item: there, notices: [], isReused: true)
        }
        do {
            return try await store(file, called: fileName, options, progress: progress)
        } catch LibraryError.recordingThere(let name) where options.twin == .reuse {
            // Another import of the same file has ended meanwhile.
            guard let there = try await twin(of: file, options) else { throw LibraryError.recordingThere(name: name) }
            return Outcome(item: there, notices: [], isReused: true)
        }
    }

    /// The oldest recording that was imported from the same bytes with the same choice of track.
    private func twin(of file: any StoredBytes, _ options: Options) async throws -> AudioItem? {
        try await sessions.recordings(from: file).first { $0.source?.track == options.track }
    }

    private func store(
        _ file: any StoredBytes,
        called fileName: String,
        _ options: Options,
        progress: @escaping @Sendable (Progress) async -> Void
    ) async throws -> Outcome {
        let source = ObservedBytes(file)
        let intake = SoundImportSession(
            into: sessions,
            called: fileName,
            options,
            longest: longest,
            freeSpace: freeSpace
        )
        do {
            try await decoder.decode(source, track: options.track) { piece in
                try await intake.take(piece)
                guard case .samples = piece else {
                    if case .facts = piece { source.beginPass() }
                    return
                }
                await progress(Progress(seconds: await intake.seconds, share: source.share))
            }
            let item = try await intake.finish(file)
            return Outcome(item: item, notices: await intake.notices, discarded: await intake.discardBeginnings())
        } catch SoundImportError.damaged(let seconds) where options.keepsPart {
            let item = try await intake.finish(file, or: .damaged(seconds: seconds))
            let notices = await intake.notices + [.damaged]
            return Outcome(item: item, notices: notices, discarded: await intake.discardBeginnings())
        } catch SoundImportError.damaged(let seconds) {
            let taken = await intake.seconds
            await intake.discard()
            throw SoundImportError.damaged(seconds: max(seconds, taken))
        } catch {
            await intake.discard()
            throw error
        }
    }
}

/// The session that the sound of one file goes into.
private actor SoundImportSession {
    /// Seconds of sound in a chunk.
    private static let chunkLength = 30

    private let sessions: any RecordingSessions
    private let fileName: String
    private let options: SoundImport.Options
    private let longest: Int
    private let freeSpace: @Sendable () -> Int64?
    private var session: RecordingSession?
    private var beginnings: FileBeginnings?
    private var chunk: [Int16] = []
    private var nextChunk = 0
    private var samples = 0
    private(set) var notices: [SoundImportNotice] = []

    init(
        into sessions: any RecordingSessions,
        called fileName: String,
        _ options: SoundImport.Options,
        longest: Int,
        freeSpace: @escaping @Sendable () -> Int64?
    ) {
        self.sessions = sessions
        self.fileName = fileName
        self.options = options
        self.longest = longest
        self.freeSpace = freeSpace
    }

    var seconds: Double { session.map { Double(samples) / Double($0.order.sampleRate) } ?? 0 }

    func take(_ piece: DecodedSound) async throws {
        try Task.checkCancellation()
        switch piece {
        case .facts(let facts):
            try check(facts.samples ?? 0, at: facts.sampleRate)
            let order = try order(facts)
            session = try await sessions.begin(order)
            beginnings = await FileBeginnings(of: order, in: sessions)
        case .samples(let more):
            guard let session else { throw SoundImportError.decoderDied }
            let rate = session.order.sampleRate
            samples += more.count
            try check(samples, at: rate)
            chunk += more
            if chunk.count >= Self.chunkLength * rate { try await appendChunk() }
        case .notice(let notice):
            notices.append(notice)
        }
    }

    /// - Throws: ``SoundImportError/noSound``, or `failure` for a file without sound; what the store and reading `file`
    ///   throw. Nothing is left then.
    func finish(_ file: any StoredBytes, or failure: SoundImportError = .noSound) async throws -> AudioItem {
        do {
            if !chunk.isEmpty { try await appendChunk() }
            guard let session, samples > 0 else { throw failure }
            try Task.checkCancellation()
            let imported = imported(file)
            let item = try await sessions.finish(session.id, keepsPart: false, from: imported)
            if imported.isKept, !item.hasFile { notices.append(.noRoomForFile) }
            return item
        } catch {
            await discard()
            throw error
        }
    }

    /// Decides whether the file is kept; what a person has not ruled out becomes a notice.
    private func imported(_ file: any StoredBytes) -> ImportedFile {
        guard file.length <= options.largestStored else {
            if options.largestStored > 0 { notices.append(.fileTooLarge(limit: options.largestStored)) }
            return ImportedFile(bytes: file, isKept: false, track: options.track, isUnique: options.twin != .keep)
        }
        // Finishing writes all of the sound once more.
        let bytes = Int64(2 * samples + file.length)
        let hasRoom = freeSpace().map { $0 >= bytes + SoundImport.reserve(for: bytes) } ?? true
        return ImportedFile(
            bytes: file,
            isKept: true,
            takesRoom: hasRoom,
            track: options.track,
            isUnique: options.twin != .keep
        )
    }

    /// Discards the session, also in a task that was cancelled.
    func discard() async {
        guard let id = session?.id else { return }
        session = nil
        // A session that cannot be discarded now is listed as interrupted later.
        await Task { [sessions] in try? await sessions.discard(id) }.value
    }

    private func check(_ count: Int, at rate: Int) throws(SoundImportError) {
        guard count <= longest else { throw .tooLong(seconds: Double(longest) / Double(rate)) }
    }

    private func appendChunk() async throws {
        guard let session else { return }
        let bytes = Int64(2 * samples)
        // Finishing writes all of it once more.
        if let free = freeSpace(), free < 2 * bytes + SoundImport.reserve(for: bytes) {
            throw SoundImportError.noRoom
        }
        let start = samples - chunk.count
        let full = try RecordingChunk(number: nextChunk, samples: chunk)
        chunk.removeAll(keepingCapacity: true)
        nextChunk += 1
        try await sessions.append(full, to: session.id)
        beginnings = await beginnings?.beginning(with: full.samples, from: start)
    }

    /// Discards what interrupted imports had left of the file, as far as all of it is in the recording.
    func discardBeginnings() async -> [AudioItem.ID] { await beginnings?.discard(within: samples) ?? [] }

    private func order(_ facts: SoundFacts) throws -> RecordingOrder {
        let tags = facts.tags
        let title = [tags.title, tags.artist].compactMap(\.self).joined(separator: " – ")
        return try RecordingOrder(
            name: options.name ?? tags.title.flatMap { _ in ItemName(firstWordsOf: title, isTitle: true) } ?? ItemName(
                fileName: fileName
            )
                ?? "Recording",
            language: options.language ?? tags.languageTag ?? "und",
            sampleRate: facts.sampleRate,
            source: .file,
            sourceName: ItemName(lastPathComponentOf: fileName)?.text,
            made: tags.made
        )
    }
}

extension ItemName {
    /// The file's name with its extension, as far as it is a valid name; fails when nothing is left.
    fileprivate init?(lastPathComponentOf path: String) {
        let name = path.split(separator: "/").last ?? ""
        // Why it is no name does not matter here.
        if let name = try? ItemName(name.characters(withinScalars: Self.longest)) {
            self = name
        } else {
            self.init(firstWordsOf: name.split(whereSeparator: \.isNewline).joined(separator: " "))
        }
    }
}

/// The file that a recording is imported from, as it came.
package struct ImportedFile: Sendable {
    package let bytes: any StoredBytes
    /// Whether its bytes are stored in addition to the sound; otherwise it is only recognized when it is imported again.
    package let isKept: Bool
    /// Whether its bytes may be written; otherwise they are kept only where another recording has them, whole.
    package let takesRoom: Bool
    /// Which of its sound tracks was asked for, from 1; `nil` if none was.
    package let track: Int?
    /// Whether it is refused once another recording was imported from the same bytes with the same choice of track.
    package let isUnique: Bool

    package init(
        bytes: any StoredBytes,
        isKept: Bool,
        takesRoom: Bool = true,
        track: Int? = nil,
        isUnique: Bool = false
    ) {
        (self.bytes, self.isKept, self.takesRoom) = (bytes, isKept, takesRoom)
        (self.track, self.isUnique) = (track, isUnique)
    }

    /// The same file, whose bytes are not stored.
    package var unkept: ImportedFile {
        ImportedFile(bytes: bytes, isKept: false, track: track, isUnique: isUnique)
    }
}

/// The tags of a sound file; each is one short line without control characters.
package struct SoundTags: Sendable, Hashable {
    /// Most Unicode scalars of a tag.
    package static let longest = 400

    package let title: String?
    package let artist: String?
    /// As it is written in the file.
    package let date: String?
    /// As it is written in the file.
    package let language: String?

    package init(title: String? = nil, artist: String? = nil, date: String? = nil, language: String? = nil) {
        self.title = Self.line(title)
        self.artist = Self.line(artist)
        self.date = Self.line(date)
        self.language = Self.line(language)
    }

    /// The day, or the moment, that ``date`` names; `nil` for a mere year or month.
    ///
    /// - SeeAlso: RFC 3339; a day is taken to begin in UTC.
    package var made: Date? {
        guard let date else { return nil }
        let styles = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            Date.ISO8601FormatStyle().year().month().day(),
        ]
        // A text in none of these formats is not a date.
        let whole = styles.lazy.compactMap { try? Date(date, strategy: $0) }.first
        let made = whole ?? (try? Date(String(date.prefix(10)), strategy: styles[2]))
        // A date outside this range comes from a device whose clock was never set.
        return made.flatMap { ($0.timeIntervalSince1970 > 0 && $0 < .distantFuture) ? $0 : nil }
    }

    /// ``language`` as BCP 47; `nil` when it names none.
    package var languageTag: String? {
        let isTag = { (character: Character) in
            character.isASCII && (character.isLetter || character.isNumber || "-_".contains(character))
        }
        guard let language, language.count <= 35, language.allSatisfy(isTag) else { return nil }
        return LanguageTag.stated(language)
    }

    private static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = ""
        for scalar in text.unicodeScalars.prefix(longest) {
            let isControl = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
            line.unicodeScalars.append(isControl ? " " : scalar)
        }
        let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
        return trimmed.isEmpty ? nil : trimmed
    }
}

/// A notice for a person about a file whose sound was taken but is not as it seems.
package enum SoundImportNotice: Sendable, Hashable {
    /// Only a part could be read.
    case damaged
    /// The length that the file states, and the length of the sound that was taken, in seconds.
    case lengthDiffers(stated: Double, kept: Double)
    /// The file holds more sound than could be read; `kept` is in seconds.
    case incomplete(kept: Double)
    /// The file has several sound tracks; `taken` counts from 1.
    case tracks(count: Int, taken: Int)
    /// The file itself was not stored in addition to its sound, because it has more than so many bytes.
    case fileTooLarge(limit: Int)
    /// The file itself was not stored in addition to its sound, because the disk has too little room.
    case noRoomForFile
    /// Its transcription, which the settings want, could not be begun.
    case notTranscribed

    package var code: String {
        switch self {
        case .damaged: "sound-file.part-kept"
        case .lengthDiffers: "sound-file.length-differs"
        case .incomplete: "sound-file.incomplete"
        case .tracks: "sound-file.tracks"
        case .fileTooLarge: "sound-file.file-too-large"
        case .noRoomForFile: "sound-file.no-room-for-file"
        case .notTranscribed: "sound-file.not-transcribed"
        }
    }

    package var message: String {
        switch self {
        case .damaged: "The file is damaged; only the part that could be read was kept."
        case .lengthDiffers(let stated, let kept):
            "The file says that it holds \(Self.time(stated)) of sound; the \(Self.time(kept)) that are in it were taken."
        case .incomplete(let kept):
            "The file holds more sound than could be read; \(Self.time(kept)) of it were taken."
        case .tracks(let count, let taken):
            "The file has \(count) sound tracks; track \(taken) was taken."
        case .fileTooLarge(let limit):
            "The sound was taken; the file itself was not kept, because it is larger than \(limit / 1_000_000) MB."
        case .noRoomForFile:
            "The sound was taken; the file itself was not kept, because the disk has too little room."
        case .notTranscribed:
            "The sound was taken, but its transcription could not be begun."
        }
    }

    private static func time(_ seconds: Double) -> String {
        seconds < 60 ? "\((seconds * 10).rounded() / 10) seconds" : SoundImportError.time(seconds)
    }
}

/// Why a sound file is not taken into the library.
package enum SoundImportError: UserFacingError, Equatable {
    case empty
    /// The file is of another kind, `found` if known.
    case unknownKind(found: String?)
    case noSound
    case protected
    /// The file has no such sound track, but others.
    case noSuchTrack(Int, of: [SoundTrack])
    /// `seconds` of sound could be read.
    case damaged(seconds: Double)
    /// The longest sound at this file's rate that can be stored, in seconds.
    case tooLong(seconds: Double)
    /// In bytes.
    case tooLarge(limit: Int)
    /// The disk of the library has too little room for the sound.
    case noRoom
    case programMissing
    case notConfined
    case cannotStart
    case decoderDied
    case tooSlow(seconds: Int)

    package var failure: Failure {
        switch self {
        case .empty:
            Failure(.invalidContent, "sound-file.empty", "The file is empty.")
                .suggesting("Choose another one, or copy it again from where it came.")
        case .unknownKind(let found?):
            Failure(.invalidContent, "sound-file.unknown-kind", "This is \(found), not a sound or video file.")
                .suggesting(Self.kinds)
        case .unknownKind(nil):
            Failure(
                .invalidContent,
                "sound-file.unknown-kind",
                "This is not a sound or video file that can be read here."
            )
            .suggesting(Self.kinds)
        case .noSound:
            Failure(.invalidContent, "sound-file.no-sound", "There is no sound in this file.")
                .suggesting("Choose a file that can be heard.")
        case .protected:
            Failure(.invalidContent, "sound-file.protected", "The file is protected against copying.")
                .suggesting("Only the program it was bought for can play it.")
        case .damaged(let seconds) where seconds <= 0:
            Failure(.invalidContent, "sound-file.damaged", "The file is damaged, and nothing of it can be read.")
                .suggesting("Copy it again from where it came.")
        case .damaged(let seconds):
            Failure(
                .invalidContent,
                "sound-file.damaged",
                "The file is damaged; \(seconds < 1 ? "less than a second" : Self.time(seconds.rounded())) of it can be read."
            )
            .suggesting(
                "Copy it again from where it came, or keep the part that can be read.",
                inTerminal: "Copy it again from where it came, or keep the part that can be read, with --keep-part."
            )
        case .tooLong(let seconds):
            Failure(
                .invalidContent,
                "sound-file.too-long",
                "The sound is longer than \(Self.time(seconds)), the most that one recording holds at its sample rate."
            )
            .suggesting("Cut it into parts, or save it with a lower sample rate, such as 16,000 Hz.")
        case .tooLarge(let limit):
            Failure(.tooLarge, "sound-file.too-large", "The file is larger than \(limit / 1_000_000_000) GB.")
                .suggesting("Save its sound alone, without the picture, or cut it into parts.")
        case .noRoom:
            Failure(.inputOutput, "sound-file.no-room", "The disk has too little room for the sound of this file.")
                .suggesting("Make room on the disk, or cut the file into parts.")
        case .programMissing:
            Failure(
                .unavailable,
                "sound-file.program-missing",
                "Files of this kind are read by FFmpeg, which is not installed."
            )
            .suggesting("Install the package ffmpeg, or choose a WAV, FLAC, MP3, Opus or Ogg Vorbis file.")
        case .noSuchTrack(let number, let tracks): Self.failure(without: number, among: tracks)
        default: processFailure
        }
    }

    /// The most tracks that are listed.
    private static let longestList = 16

    private static func failure(without number: Int, among tracks: [SoundTrack]) -> Failure {
        let code = "sound-file.no-such-track"
        guard tracks.count > 1 else {
            return Failure(.invalidRequest, code, "The file has no sound track \(number); it has only one.")
                .suggesting("Choose the one that it has.", inTerminal: "Leave --track out.")
        }
        let list = tracks.prefix(longestList).map { track in
            let remarks = [track.language, track.isUsual ? "the usual one" : nil].compactMap(\.self)
            return "\(track.number)" + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: ", ")))")
        }
        let rest = tracks.count > longestList ? " and so on" : ""
        return Failure(.invalidRequest, code, "The file has no sound track \(number), but \(tracks.count) others.")
            .suggesting(
                "Choose one of these: \(list.joined(separator: ", "))\(rest).",
                inTerminal: "Choose one of these with --track: \(list.joined(separator: ", "))\(rest)."
            )
    }

    private var processFailure: Failure {
        switch self {
        case .notConfined:
            Failure(
                .unavailable,
                "sound-file.not-confined",
                "Sound files are not opened: nothing on this machine would keep a hostile one from your files and the network."
            )
            .suggesting("Install the package bubblewrap, or use a kernel with Landlock.")
        case .cannotStart:
            Failure(.processFailed, "sound-file.cannot-start", "The process that reads sound files does not start.")
                .suggesting("Try again when the machine has more memory to spare.")
        case .tooSlow(let seconds):
            Failure(.processFailed, "sound-file.too-slow", "Reading the file made no progress for \(seconds) seconds.")
                .suggesting("Try again; if that does not help, the file is damaged.")
        default:
            Failure(.processFailed, "sound-file.decoder-died", "Reading the file ended unexpectedly.")
                .suggesting("The file may be damaged. Copy it again from where it came.")
        }
    }

    private static let kinds = "Choose a WAV, FLAC, MP3, Ogg, Opus, M4A, MP4, WebM or MKV file, or similar."

    /// “12 seconds”, “4:05 minutes” or “1:02:03 hours”.
    static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.down))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        switch whole {
        case 1: return "1 second"
        case ..<60: return "\(whole) seconds"
        case ..<3_600: return "\(whole / 60):\(two(whole % 60)) minutes"
        default: return "\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60)) hours"
        }
    }
}
