import Foundation

/// Imports sound files into the library: each is a recording session while it is decoded, and then a recording.
///
/// ```swift
/// let importer = SoundImport(into: library.recordings, by: decoder)
/// let item = try await importer.add(file, called: "talk.m4a").item
/// ```
package struct SoundImport: Sendable {
    /// What happens to a file from which a recording was imported before.
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
        /// What happens if the very same file was imported before with the same choice of track.
        package var twin: DuplicatePolicy
        /// The most bytes of a file that is kept as it came, beside its sound; 0 for none.
        package var largestKept: Int

        package init(
            name: ItemName? = nil,
            language: String? = nil,
            keepsPart: Bool = false,
            track: Int? = nil,
            twin: DuplicatePolicy = .keep,
            largestKept: Int = .max
        ) {
            self.name = name
            self.language = language
            self.keepsPart = keepsPart
            self.track = track
            self.twin = twin
            self.largestKept = largestKept
        }
    }

    package struct Outcome: Sendable, Hashable {
        package var item: AudioItem
        /// Notices for the person.
        package var notices: [SoundImportNotice]
        /// Whether the recording existed already and nothing was added.
        package var isReused = false
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

    /// The bytes that stay free for everything else beside `bytes` of an import: as many, and at most 1 GiB.
    package static func reserve(beside bytes: Int64) -> Int64 { min(bytes, 1 << 30) }

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
        if options.twin != .keep, let there = try await twin(of: file, track: options.track) {
            guard options.twin == .reuse else { throw LibraryError.recordingThere(name: there.name.text) }
            return Outcome(item: there, notices: [], isReused: true)
        }
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
            return Outcome(item: item, notices: await intake.notices)
        } catch SoundImportError.damaged(let seconds) where options.keepsPart {
            let item = try await intake.finish(file, or: .damaged(seconds: seconds))
            return Outcome(item: item, notices: await intake.notices + [.damaged])
        } catch {
            await intake.discard()
            throw error
        }
    }

    /// The oldest recording that was imported from these bytes by the same choice of track.
    private func twin(of file: any StoredBytes, track: Int?) async throws -> AudioItem? {
        try await sessions.recordings(from: file).first { $0.source?.track == track }
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
            session = try await sessions.begin(try order(facts))
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
            return try await sessions.finish(session.id, keepsPart: false, from: imported(file))
        } catch {
            await discard()
            throw error
        }
    }

    /// Decides whether the file is kept; what a person has not ruled out becomes a notice.
    private func imported(_ file: any StoredBytes) -> ImportedFile {
        let isKept: Bool
        if file.length > options.largestKept {
            isKept = false
            if options.largestKept > 0 { notices.append(.fileTooLarge(limit: options.largestKept)) }
        } else {
            // Finishing writes all of the sound once more.
            let bytes = Int64(2 * samples + file.length)
            isKept = freeSpace().map { $0 >= bytes + SoundImport.reserve(beside: bytes) } ?? true
            if !isKept { notices.append(.noRoomForFile) }
        }
        return ImportedFile(bytes: file, isKept: isKept, track: options.track)
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
        if let free = freeSpace(), free < 2 * bytes + SoundImport.reserve(beside: bytes) {
            throw SoundImportError.noRoom
        }
        let full = try RecordingChunk(number: nextChunk, samples: chunk)
        chunk.removeAll(keepingCapacity: true)
        nextChunk += 1
        try await sessions.append(full, to: session.id)
    }

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
