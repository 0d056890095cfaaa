package import EchoText
package import Foundation

/// Recordings in memory, for tests of export and playback; tests can remove or damage a recording's sound.
///
/// It finds by id only, lists everything, and changes nothing.
package struct MemoryRecordings: AudioLibrary {
    package struct Recording: Sendable {
        package var item: AudioItem
        package var text: String
        package var timings: [TimedSentence]
        /// The WAV file, or why there is none.
        package var sound: Result<Data, VaultError>
        /// The file that it was imported from, or why there is none.
        package var file: Result<Data, VaultError>?

        package init(item: AudioItem, text: String, timings: [TimedSentence], sound: Result<Data, VaultError>) {
            self.item = item
            self.text = text
            self.timings = timings
            self.sound = sound
        }

        /// Makes it one that was imported from a file.
        package mutating func keep(_ file: Result<Data, VaultError>, called name: String) {
            let size = try? file.get().count
            item = AudioItem(
                id: item.id,
                name: item.name,
                created: item.created,
                duration: item.duration,
                size: item.size,
                sampleRate: item.sampleRate,
                language: item.language,
                words: item.words,
                origin: .imported(SoundOrigin(name: name, fileSize: size ?? 1))
            )
            self.file = file
        }
    }

    package var recordings: [Recording]
    /// How many more it says that it has and cannot read.
    package var unreadable = 0
    /// Called with each query for a page.
    package var asked: @Sendable (AudioQuery) -> Void = { _ in }

    package init(_ recordings: [Recording] = []) {
        self.recordings = recordings
    }

    /// Adds a recording.
    ///
    /// - Parameters:
    ///   - name: The recording's name.
    ///   - samples: Its sound.
    ///   - sampleRate: In hertz.
    ///   - text: The spoken text.
    ///   - timings: The timings of its sentences.
    ///   - voiceName: The name of the voice.
    /// - Returns: The recording.
    /// - Throws: ``LibraryError/invalidName(_:)``.
    @discardableResult
    package mutating func add(
        _ name: String,
        samples: [Int16],
        sampleRate: Int = 16_000,
        text: String = "Text.",
        timings: [TimedSentence] = [],
        voiceName: String = "Kärt"
    ) throws -> AudioItem {
        let sound = Self.wav(samples, sampleRate: sampleRate)
        let item = AudioItem(
            id: AudioItem.ID(rawValue: "0000000\(recordings.count + 1)-recording"),
            name: try ItemName(name),
            created: Date(timeIntervalSince1970: 1_780_000_000 + Double(recordings.count)),
            duration: Double(samples.count) / Double(sampleRate),
            size: sound.count,
            sampleRate: sampleRate,
            language: "et",
            words: text.split(separator: " ").count,
            origin: .narrated(
                NarrationOrigin(
                    voice: Voice.ID(rawValue: "espeak/et"),
                    voiceName: voiceName,
                    speaker: 0,
                    engine: .espeakNG,
                    speed: 1,
                    pitch: 1
                )
            )
        )
        recordings.append(Recording(item: item, text: text, timings: timings, sound: .success(sound)))
        return item
    }

    /// A WAV file as the library stores it: 44 bytes, then 16-bit mono.
    package static func wav(_ samples: [Int16], sampleRate: Int) -> Data {
        WAVHeader.file(of: samples, sampleRate: sampleRate)
    }

    // MARK: - AudioLibrary

    package func items(matching query: AudioQuery) async throws -> AudioPage {
        asked(query)
        let all = recordings.map(\.item)
        return AudioPage(
            items: Array(all.dropFirst(query.offset).prefix(query.limit)),
            total: all.count,
            unreadable: unreadable
        )
    }

    package func search(_ query: AudioQuery) async throws -> [AudioHit] { [] }

    package func item(_ id: AudioItem.ID) async throws -> AudioItem? { recordings.first { $0.item.id == id }?.item }

    package func items(_ ids: Set<AudioItem.ID>) async throws -> [AudioItem] {
        precondition(ids.count <= Self.mostAtOnce, "more than can be asked for at once")
        return recordings.map(\.item).filter { ids.contains($0.id) }
    }

    package func items(withIDsBeginning prefix: String, limit: Int) async throws -> [AudioItem] {
        Array(recordings.map(\.item).filter { $0.id.rawValue.hasPrefix(prefix) }.prefix(limit))
    }

    package func text(of id: AudioItem.ID) async throws -> String { try recording(id).text }

    package func timings(of id: AudioItem.ID) async throws -> [TimedSentence] { try recording(id).timings }

    package func cues(of id: AudioItem.ID) async throws -> [SubtitleCue]? {
        _ = try recording(id)
        return nil
    }

    package func sound(of id: AudioItem.ID) async throws -> any StoredSound {
        MemorySound(data: try recording(id).sound.get())
    }

    package func file(of id: AudioItem.ID) async throws -> any StoredBytes {
        guard let file = try recording(id).file else { throw LibraryError.fileNotKept }
        return MemorySound(data: try file.get())
    }

    package func deleteFiles(of ids: Set<AudioItem.ID>) async throws {}

    package func marks(of id: AudioItem.ID) async throws -> [RecordingMark] {
        _ = try recording(id)
        return []
    }

    package func setMarks(_ marks: [RecordingMark], of id: AudioItem.ID) async throws { _ = try recording(id) }

    package func setMarks(
        _ marks: [RecordingMark],
        of id: AudioItem.ID,
        insteadOf seen: [RecordingMark]
    ) async throws -> Bool {
        _ = try recording(id)
        return seen.isEmpty
    }

    package func replace(
        _ sentence: TimedSentence,
        with spoken: SpokenSentence,
        in id: AudioItem.ID
    ) async throws -> AudioItem { try recording(id).item }

    package func rename(_ id: AudioItem.ID, to name: ItemName) async throws { _ = try recording(id) }

    package func setFavorite(_ isFavorite: Bool, for ids: Set<AudioItem.ID>) async throws {}

    package func delete(_ ids: Set<AudioItem.ID>) async throws {}

    package func deleteUnreadable(matching query: AudioQuery) async throws -> [AudioItem.ID] { [] }

    package func unreadableItems() async throws -> [AudioItem.ID] { [] }

    package func voices() async throws -> [(id: Voice.ID, name: String)] { [] }

    package func origins() async throws -> [AudioOrigin.Kind] { [] }

    private func recording(_ id: AudioItem.ID) throws -> Recording {
        guard let recording = recordings.first(where: { $0.item.id == id }) else { throw LibraryError.itemNotFound }
        return recording
    }
}

/// Sound in memory, which returns limited pieces as real sound does.
package struct MemorySound: StoredSound {
    package let data: Data

    package init(data: Data) {
        self.data = data
    }

    package var length: Int { data.count }

    package func read(_ range: Range<Int>) async throws -> Data {
        precondition(range.clamped(to: 0..<length) == range, "\(range) is outside a sound of \(length) bytes")
        return data[range]
    }
}
