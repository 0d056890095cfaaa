package import Foundation

/// The stored recordings: the port behind every list, player and export.
///
/// An implementation must hold to what `verifyContract(of:)` in `EchoTextTesting` checks:
/// - changes are atomic, also across a crash: either a recording's row, text, timings and sound all exist, or none of
///   them do;
/// - a change is durable once its call has returned;
/// - calls may overlap.
///
/// Everything throws ``VaultError/locked`` while the vault is locked.
package protocol AudioLibrary: Sendable {
    /// - Returns: The page of `query`; of equals in its order, the newer comes first, then by id.
    func items(matching query: AudioQuery) async throws -> AudioPage

    /// The recordings that cannot be read and are left out by ``items(matching:)``; they can be deleted.
    func unreadableItems() async throws -> [AudioItem.ID]

    /// The same recordings as ``items(matching:)``, each with the first match in its text.
    func search(_ query: AudioQuery) async throws -> [AudioHit]

    func item(_ id: AudioItem.ID) async throws -> AudioItem?

    /// Finds recordings, in one question to the library.
    ///
    /// - Parameter ids: At most ``mostAtOnce``.
    /// - Returns: Those that there are, in any order.
    /// - Throws: ``VaultError/databaseDamaged`` also where only some cannot be read.
    func items(_ ids: Set<AudioItem.ID>) async throws -> [AudioItem]

    /// Recordings whose ids begin with `prefix`, at most `limit`, ordered by id.
    func items(withIDsBeginning prefix: String, limit: Int) async throws -> [AudioItem]

    /// - Throws: ``LibraryError/itemNotFound``.
    func text(of id: AudioItem.ID) async throws -> String

    /// - Throws: ``LibraryError/itemNotFound``.
    func timings(of id: AudioItem.ID) async throws -> [TimedSentence]

    /// The captions of a narration that keeps their times; `nil` for any other, and where an earlier version made it.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``VaultError/databaseDamaged``.
    func cues(of id: AudioItem.ID) async throws -> [SubtitleCue]?

    /// The sound, as a WAV file of 16-bit mono.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``VaultError/contentDamaged`` or ``VaultError/contentMissing`` before a byte of it is given.
    func sound(of id: AudioItem.ID) async throws -> any StoredSound

    /// The file that the recording was imported from, byte for byte as it came.
    ///
    /// - Throws: ``LibraryError/itemNotFound``; ``LibraryError/fileNotKept`` when the library does not have it;
    ///   ``VaultError`` as ``sound(of:)``.
    func file(of id: AudioItem.ID) async throws -> any StoredBytes

    /// Deletes the files that these were imported from, as far as there are any, or none of them.
    ///
    /// Their sound stays, and a file is recognized all the same when it is imported again.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func deleteFiles(of ids: Set<AudioItem.ID>) async throws

    /// The places that a person marked, by time.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func marks(of id: AudioItem.ID) async throws -> [RecordingMark]

    /// Replaces the marks; they are stored in order of time, and those beyond the end are moved to it.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID) async throws

    /// Replaces the marks, unless there are others than `seen`.
    ///
    /// - Returns: Whether they are replaced.
    /// - Throws: ``LibraryError/itemNotFound``.
    func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID, insteadOf seen: [RecordingMark]) async throws -> Bool

    /// Replaces the sound of one sentence; later sound, timings and marks move, and the pause after the sentence stays.
    ///
    /// Where the times of captions are kept, pauses change instead, as far as they can.
    ///
    /// - Parameters:
    ///   - sentence: The sentence as ``timings(of:)`` returned it.
    ///   - spoken: The new sound.
    ///   - id: The recording.
    /// - Returns: The recording as it is now.
    /// - Throws: ``LibraryError/itemNotFound``; ``LibraryError/recordingChanged`` when the sentence does not exist any
    ///   more; ``LibraryError/recordingTooLong``; ``VaultError`` as ``sound(of:)``. Nothing is changed then.
    func replace(_ sentence: TimedSentence, with spoken: SpokenSentence, in id: AudioItem.ID) async throws -> AudioItem

    /// - Throws: ``LibraryError/itemNotFound``.
    func rename(_ id: AudioItem.ID, to name: ItemName) async throws

    /// - Throws: ``LibraryError/itemNotFound``, and changes nothing then.
    func setFavorite(_ isFavorite: Bool, for ids: Set<AudioItem.ID>) async throws

    /// Deletes all of `ids` with all that belongs to them, or none of them.
    ///
    /// - Throws: ``LibraryError/itemNotFound``.
    func delete(_ ids: Set<AudioItem.ID>) async throws

    /// Deletes all that ``items(matching:)`` of `query` leaves out as unreadable, with all that belongs to it, or nothing.
    ///
    /// A recording that can be read by then stays.
    ///
    /// - Parameter query: Its order and extent do not matter.
    /// - Returns: The recordings that are deleted.
    /// - Throws: ``VaultError``.
    func deleteUnreadable(matching query: AudioQuery) async throws -> [AudioItem.ID]

    /// Voices that recordings were made with, by name, for filters.
    func voices() async throws -> [(id: Voice.ID, name: String)]

    /// The origins that its recordings have, in the order of ``AudioOrigin/Kind/allCases``, for filters.
    func origins() async throws -> [AudioOrigin.Kind]
}

/// The bytes of a recording, read by ranges.
package protocol StoredSound: Sendable {
    /// In bytes.
    var length: Int { get }

    /// - Parameter range: Within `0..<length`.
    /// - Returns: As many bytes as `range`, all of them authentic.
    /// - Throws: ``VaultError``.
    func read(_ range: Range<Int>) async throws -> Data
}

extension AudioLibrary {
    /// Changes the marks of a recording; what another process changes at the same time stays.
    ///
    /// - Parameters:
    ///   - id: The recording.
    ///   - change: May be called several times, each with the present marks.
    /// - Returns: The marks as they are stored.
    /// - Throws: ``LibraryError/itemNotFound``; what `change` throws, which changes nothing.
    package func changeMarks(
        of id: AudioItem.ID,
        _ change: (inout [RecordingMark]) throws -> Void
    ) async throws -> [RecordingMark] {
        while true {
            let seen = try await marks(of: id)
            var changed = seen
            try change(&changed)
            if changed == seen { return seen }
            if try await setMarks(changed, of: id, insteadOf: seen) { return try await marks(of: id) }
        }
    }

    /// Returns a recording for a list, which leaves out what cannot be read.
    ///
    /// - Returns: `nil` where there is none, or its row cannot be read.
    package func readableItem(_ id: AudioItem.ID) async throws -> AudioItem? {
        do {
            return try await item(id)
        } catch VaultError.databaseDamaged {
            return nil
        }
    }

    /// The most ids of ``items(_:)``.
    package static var mostAtOnce: Int { 500 }

    /// Finds recordings, without those that are gone or cannot be read.
    package func readableItems(_ ids: Set<AudioItem.ID>) async throws -> [AudioItem.ID: AudioItem] {
        var found: [AudioItem.ID: AudioItem] = [:]
        var rest = Array(ids)[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let batch = rest.prefix(Self.mostAtOnce)
            rest = rest.dropFirst(batch.count)
            do {
                for item in try await items(Set(batch)) { found[item.id] = item }
            } catch VaultError.databaseDamaged {
                for id in batch { found[id] = try await readableItem(id) }
            }
        }
        return found
    }

    /// Finds the recordings that are there and cannot be read.
    ///
    /// - Parameter ids: Those that ``readableItems(_:)`` has not found.
    /// - Returns: Those of them that are not gone.
    /// - Throws: ``VaultError``.
    package func unreadable(among ids: Set<AudioItem.ID>) async throws -> Set<AudioItem.ID> {
        var unreadable: Set<AudioItem.ID> = []
        for id in ids {
            do {
                _ = try await item(id)
            } catch VaultError.databaseDamaged {
                unreadable.insert(id)
            }
        }
        return unreadable
    }

    /// Finds one recording by its id or name, or the beginning of either, ignoring case.
    ///
    /// - Throws: ``LibraryError/itemNotFound``, ``LibraryError/ambiguous(count:ids:)``.
    package func item(called reference: String) async throws -> AudioItem {
        if let item = try await item(AudioItem.ID(rawValue: reference.lowercased())) { return item }
        let isLong = reference.count >= AudioItem.ID.shortestPrefix
        let others = isLong ? try await items(withIDsBeginning: reference.lowercased(), limit: 2) : []
        var query = AudioQuery()
        // A name of signs alone has no words that could be searched.
        query.words = SearchWords(reference) == nil ? nil : reference
        query.field = .name
        // Newer ones whose names only have its words must not hide the one that is called so.
        query.limit = .max
        let matches = try await items(matching: query).items
            .named(reference, or: others.count == 1 ? others : []) { $0.name }
        guard matches.count <= 1 else {
            let ids = matches.prefix(LibraryError.namedMatches).map(\.id.rawValue)
            throw LibraryError.ambiguous(count: matches.count, ids: ids)
        }
        guard let match = matches.first else { throw LibraryError.itemNotFound }
        return match
    }

    /// Deletes all files that recordings were imported from, as far as they are kept; the recordings stay.
    ///
    /// - Returns: The recordings whose files they were.
    /// - Throws: As ``deleteFiles(of:)``; nothing is deleted then.
    package func deleteAllFiles() async throws -> [AudioItem.ID] {
        var query = AudioQuery()
        query.origins = [.imported]
        // Asked for at once: a deletion between two pages would move others to places that were read already.
        query.limit = .max
        let found = try await items(matching: query).items.filter(\.hasFile).map(\.id)
        if !found.isEmpty { try await deleteFiles(of: Set(found)) }
        return found
    }
}

/// A query for recordings of the library, with their order.
///
/// Every condition that is set has to hold.
package struct AudioQuery: Sendable, Hashable {
    package enum SortOrder: String, Sendable, Hashable, CaseIterable {
        case date
        case length
        case name
        /// Bytes of sound.
        case size
    }

    /// The field that is searched.
    package enum Field: String, Sendable, Hashable, CaseIterable {
        case name
        case text
        case anywhere
    }

    /// Words that must all occur, the last one possibly incomplete; `nil` or blank matches everything.
    package var words: String?
    package var field = Field.anywhere
    /// Any of these; empty for any origin.
    package var origins: Set<AudioOrigin.Kind> = []
    /// Times the voice's own, as the pitch; only a narration has either.
    package var speed: ClosedRange<Double>?
    package var pitch: ClosedRange<Double>?
    /// In seconds.
    package var duration: ClosedRange<Double>?
    package var created: Range<Date>?
    package var isFavorite: Bool?
    package var hasDocument: Bool?
    /// Whether there is a transcript; narrations have none.
    package var isTranscribed: Bool?
    /// Made of this document.
    package var document: Document.ID?
    /// Any of these; empty for any voice.
    package var voices: Set<Voice.ID> = []
    package var order = SortOrder.date
    package var isAscending = false
    /// How many matches are skipped, and how many are returned at most.
    package var offset = 0
    package var limit = 50

    package init() {}
}

/// A stretch of the list that a query describes.
package struct AudioPage: Sendable, Hashable {
    package var items: [AudioItem]
    /// How many there are in all.
    package var total: Int
    /// How many more items match but cannot be read; they are in neither.
    package var unreadable: Int

    package init(items: [AudioItem], total: Int, unreadable: Int = 0) {
        self.items = items
        self.total = total
        self.unreadable = unreadable
    }
}

/// The position of the search words in a recording's text, and when they are spoken.
package struct AudioHit: Sendable, Hashable {
    package var item: AudioItem
    /// The first match in the text; `nil` when only the name matches, or its time cannot be read.
    package var place: Place?

    package struct Place: Sendable, Hashable {
        /// The range in the text, in UTF-16 units.
        package var source: TextRange
        /// A line of text around it.
        package var excerpt: TextExcerpt
        /// Seconds from the recording's start.
        package var seconds: Double

        package init(source: TextRange, excerpt: TextExcerpt, seconds: Double) {
            self.source = source
            self.excerpt = excerpt
            self.seconds = seconds
        }
    }

    package init(item: AudioItem, place: Place?) {
        self.item = item
        self.place = place
    }
}
