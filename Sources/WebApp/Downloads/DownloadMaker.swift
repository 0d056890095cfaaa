import Books
import EchoText
import Foundation

/// Makes recordings into the bytes of a download, in memory.
struct DownloadMaker: Sendable {
    let library: Library
    let sounds: any SoundFiles
    /// How transcripts are written.
    var writing = SpokenWordsExport.Details()
    /// Set when a book lacks the cover or the chapters of its document, which is damaged.
    var damage = Latch()

    /// A maker that sets `damage` instead of its own latch.
    func noting(_ damage: Latch) -> DownloadMaker {
        var maker = self
        maker.damage = damage
        return maker
    }

    /// The limit on the file of joined recordings, in bytes: it is held in memory until all of it has been sent.
    static let largestJoined = 2_147_483_648

    /// Checks whether the file of joined recordings can be held in memory.
    ///
    /// A single recording is always accepted: none in the library has more than 4 GiB of sound.
    ///
    /// - Throws: ``ExportError/joinedTooLarge``.
    static func checkRoom(for items: [AudioItem], _ format: DownloadFormat) throws(ExportError) {
        guard case .sound(let sound) = format, items.count > 1 else { return }
        let sampleRate = items.map(\.sampleRate).max() ?? 0
        let seconds = items.reduce(0.0) { $0 + $1.duration }
        let bytesPerSample =
            switch sound {
            // FLAC may hardly compress.
            case .wav, .flac: 2.0
            // At the bit rates for speech, these take a quarter of that at most.
            case .mp3, .opus, .ogg, .m4a, .m4b: 0.5
            }
        guard seconds * Double(sampleRate) * bytesPerSample <= Double(largestJoined) else { throw .joinedTooLarge }
    }

    /// Checks that files of words do not all come out empty, because nobody has transcribed what is said in `items`.
    ///
    /// - Throws: ``ExportError/notTranscribed``, ``VaultError``, ``LibraryError``.
    func checkWords(of items: [AudioItem], _ formats: [DownloadFormat]) async throws {
        guard formats.contains(where: \.isOfWords), !items.isEmpty else { return }
        let words = SpokenWordsExport(of: library, by: sounds)
        for item in items {
            if try await words.hasSomething(of: item) { return }
        }
        throw ExportError.notTranscribed
    }

    /// Makes one file of a recording.
    ///
    /// - Throws: ``VaultError``, ``AudioFileError``, ``ExportError``, `CancellationError`.
    func make(_ item: AudioItem, _ format: DownloadFormat) async throws -> any StoredBytes {
        switch format {
        // The stored sound is a WAV file already.
        case .sound(.wav): return try await library.audio.sound(of: item.id)
        case .book, .chapters:
            let bytes = MemoryBytes()
            try await write(item, format, to: bytes)
            return bytes
        case .sound, .text, .captions, .transcript: return try await make([item], format, JoinedExport())
        }
    }

    /// Makes one file of recordings in sequence.
    ///
    /// - Parameters:
    ///   - items: At least one recording.
    ///   - format: A sound, a text, captions, or, of one recording, a transcript.
    ///   - details: The title, the author and the cover of the sound.
    ///   - progress: Called from time to time with the fraction of a sound that is done, 0 to 1.
    /// - Returns: The file.
    /// - Throws: ``ExportError/joinedTooLarge``, and as ``make(_:_:)``.
    func make(
        _ items: [AudioItem],
        _ format: DownloadFormat,
        _ details: JoinedExport,
        progress: @Sendable (Double) -> Void = { _ in }
    ) async throws -> any StoredBytes {
        let words = SpokenWordsExport(of: library, by: sounds, with: writing)
        let bytes = MemoryBytes()
        switch format {
        case .sound(let format):
            try Self.checkRoom(for: items, .sound(format))
            let export = RecordingExport(of: library.audio, by: sounds)
            return try await sound(of: items, try await options(items, format, details), by: export, progress)
        case .text: try await words.text(of: items, to: bytes)
        case .captions(let format): try await words.captions(of: items, format, to: bytes)
        case .transcript(let format):
            precondition(items.count == 1, "a transcript is of 1 recording, got \(items.count)")
            try await words.transcript(of: items[0], as: format, to: bytes, at: Date())
        case .book, .chapters: throw WebError.badRequest(what: "“format” is a sound when recordings are joined")
        }
        return bytes
    }

    private func sound(
        of items: [AudioItem],
        _ options: RecordingExport.Options,
        by export: RecordingExport,
        _ progress: @Sendable (Double) -> Void
    ) async throws -> any StoredBytes {
        var made: (any StoredBytes)?
        try await export.sound(of: items, options, progress: progress) { order in
            let (sink, bytes) = try await sounds.soundInMemory(order)
            made = bytes
            return sink
        }
        guard let made else { preconditionFailure("an export begins its sound file once") }
        return made
    }

    /// Writes a recording with all its chapters; the file may be as long as the recording, so it need not be in memory.
    ///
    /// - Parameters:
    ///   - item: The recording.
    ///   - format: A book, or chapters.
    ///   - file: The sink to write to; it is finished.
    ///   - progress: Called with the number of chapters done and their total.
    /// - Throws: As ``make(_:_:)`` does.
    func write(
        _ item: AudioItem,
        _ format: DownloadFormat,
        to file: any ByteSink,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws {
        let book = try await RecordedBook(of: item, in: library)
        let export = BookExport(of: library, by: sounds)
        if case .chapters(let sound) = format {
            // A ZIP file of chapters has no cover.
            if book.notices.contains(.noChapters) { damage.set() }
            try await export.chapters(of: book, as: sound, to: file, at: Date(), progress: progress)
        } else {
            if !book.notices.isEmpty { damage.set() }
            try await export.epub(of: book, to: file, at: Date(), progress: progress)
        }
    }

    /// An audiobook of one recording has its chapters, and the author and the cover of the document it was made from.
    private func options(_ items: [AudioItem], _ format: ExportFormat, _ details: JoinedExport) async throws
        -> RecordingExport.Options
    {
        var options = RecordingExport.Options(
            format: format,
            title: details.title?.text,
            author: details.author?.text,
            cover: details.cover
        )
        guard format.soundFormat == nil, items.count == 1 else { return options }
        let book = try await RecordedBook(of: items[0], in: library)
        if book.notices.contains(where: { $0 != .noCover || details.cover == nil }) { damage.set() }
        options.complete(from: book)
        return options
    }
}

/// The title, the author and the cover of recordings that are joined into one file.
struct JoinedExport: Sendable {
    /// Replaces the first recording's name.
    var title: ItemName?
    /// Replaces the document's author, or the voices' names.
    var author: ItemName?
    var cover: CoverImage?
}

/// Downloads that were ordered and have not been fetched yet.
actor ExportOrders {
    enum Order: Sendable {
        case recordings(RecordingsOrder)
        /// The files of documents, as they were given.
        case documents([Document.ID])
        /// The files that recordings were imported from, as they came.
        case files([AudioItem.ID])
        /// The whole library, for which the passcode was checked; valid until the library is closed.
        case everything(ExportFormat, until: Latch)
        /// A copy of the library, still sealed.
        case backup
    }

    /// The most that may wait.
    private static let limit = 100
    /// The most that may wait with a cover, which can be large.
    private static let coverLimit = 4
    /// They hold ids, and the titles, authors and covers that a person has given; they stay while the library is locked too.
    private var orders: [(id: String, order: Order)] = []

    func add(_ order: Order) -> String {
        let id = UUID().uuidString.lowercased()
        orders.append((id, order))
        if orders.count > Self.limit { orders.removeFirst() }
        return id
    }

    /// Adds the cover to an ordered audiobook.
    ///
    /// - Throws: ``ExportError/orderOver``; ``ExportError/noRoomForCover`` for any other order.
    func put(_ cover: CoverImage, on id: String) throws(ExportError) {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { throw .orderOver }
        guard case .recordings(var order) = orders[index].order, order.hasRoomForCover else { throw .noRoomForCover }
        order.joined?.cover = cover
        orders[index].order = .recordings(order)
        let covered = orders.indices.filter { orders[$0].order.hasCover && orders[$0].id != id }
        if covered.count >= Self.coverLimit { orders.remove(at: covered[0]) }
    }

    /// Removes an order that nobody is going to fetch.
    func drop(_ id: String) {
        orders.removeAll { $0.id == id }
    }

    /// - Throws: ``ExportError/orderOver`` for an unknown, used or expired order.
    func take(_ id: String) throws(ExportError) -> Order {
        guard let index = orders.firstIndex(where: { $0.id == id }) else { throw .orderOver }
        let order = orders.remove(at: index).order
        if case .everything(_, let end) = order, end.isSet { throw .orderOver }
        return order
    }
}

/// Recordings that are downloaded together.
struct RecordingsOrder: Sendable {
    /// At least one, in the order in which they are joined.
    let ids: [AudioItem.ID]
    let format: DownloadFormat
    /// The texts and captions that go with each sound.
    var beside: [DownloadFormat] = []
    /// How transcripts are written.
    var writing = SpokenWordsExport.Details()
    /// Set if they are joined into one file; otherwise each becomes a separate file.
    var joined: JoinedExport?

    var hasRoomForCover: Bool {
        guard case .sound(let sound) = format else { return false }
        return joined != nil && sound.soundFormat == nil
    }
}

extension ExportOrders.Order {
    fileprivate var hasCover: Bool {
        if case .recordings(let order) = self { order.joined?.cover != nil } else { false }
    }
}
