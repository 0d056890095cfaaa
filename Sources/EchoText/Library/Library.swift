/// The stores of an open library.
///
/// ```swift
/// var query = AudioQuery()
/// query.isFavorite = true
/// let favorites = try await library.audio.items(matching: query)
/// ```
package struct Library: Sendable {
    package let audio: any AudioLibrary
    package let documents: any DocumentLibrary
    package let jobs: any NarrationJobs
    package let batch: any BatchStore
    package let speech: any SpeechCache
    package let history: any TextHistory
    package let profiles: any VoiceProfiles
    package let playback: any PlaybackStore
    package let draft: any DraftStore
    package let settings: any SettingsStore
    package let voices: any VoiceRegistry
    package let recordings: any RecordingSessions
    package let transcripts: any TranscriptStore
    package let transcriptions: any TranscriptionJobs
    package let outbound: any OutboundLedger
    package let services: any TranscriptionServices
    package let apiKeys: any APIKeys
    package let speeches: any Speeches
    package let practice: any PracticeStore
    package let watch: any LibraryWatch
    package let measure: any LibraryMeasure

    package init(
        audio: any AudioLibrary,
        documents: any DocumentLibrary,
        jobs: any NarrationJobs,
        batch: any BatchStore,
        speech: any SpeechCache,
        history: any TextHistory,
        profiles: any VoiceProfiles,
        playback: any PlaybackStore,
        draft: any DraftStore,
        settings: any SettingsStore,
        voices: any VoiceRegistry,
        recordings: any RecordingSessions,
        transcripts: any TranscriptStore,
        transcriptions: any TranscriptionJobs,
        outbound: any OutboundLedger,
        services: any TranscriptionServices,
        apiKeys: any APIKeys,
        speeches: any Speeches,
        practice: any PracticeStore,
        watch: any LibraryWatch,
        measure: any LibraryMeasure
    ) {
        self.audio = audio
        self.documents = documents
        self.jobs = jobs
        self.batch = batch
        self.speech = speech
        self.history = history
        self.profiles = profiles
        self.playback = playback
        self.draft = draft
        self.settings = settings
        self.voices = voices
        self.recordings = recordings
        self.transcripts = transcripts
        self.transcriptions = transcriptions
        self.outbound = outbound
        self.services = services
        self.apiKeys = apiKeys
        self.speeches = speeches
        self.practice = practice
        self.watch = watch
        self.measure = measure
    }
}

/// Detects changes to an open library by other processes, such as a command that runs while the server does.
package protocol LibraryWatch: Sendable {
    /// Emits an element soon after other processes have changed something; changes by this process emit none.
    ///
    /// - Returns: A stream that ends when its reader ends, of all changes after this returned.
    func changesByOthers() async -> AsyncStream<Void>
}

/// How much of the disk a library takes, by what is in it.
package struct LibrarySize: Sendable, Hashable {
    /// A kind of what a library holds.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The sound of what was recorded or imported.
        case recordings
        /// The files that recordings were imported from, as they came.
        case importedFiles
        /// The sound of narrations.
        case narrations
        /// Documents as they were given, and their texts.
        case documents
        /// Sound that was recorded while practicing.
        case takes
        /// Recordings and narrations that are not finished.
        case unfinished
        /// Speech that is remembered, and made again where it is missing.
        case speechCache
        /// Everything else: texts, transcripts, lists and settings, and the latest sound of unfinished recordings.
        case database
    }

    private let bytes: [Kind: Int]

    package init(_ bytes: [Kind: Int]) {
        self.bytes = bytes
    }

    /// The bytes that a kind takes on the disk.
    package subscript(_ kind: Kind) -> Int { bytes[kind] ?? 0 }

    /// In bytes.
    package var total: Int { Int(bytes.values.map { Int64($0) }.totalSize) }
}

/// Measures how much of the disk the library takes.
package protocol LibraryMeasure: Sendable {
    /// The size at one moment; files of which only part is written are not counted.
    func size() async throws -> LibrarySize
}

/// A text that is being written and was not spoken yet.
package struct Draft: Sendable, Hashable, Encodable {
    /// The most Unicode scalars of ``page``.
    package static let longestPage = 64
    /// The most that are kept.
    package static let most = 100

    /// The name of the page that writes it, which it chooses itself; tabs have different ones.
    package let page: String
    package let text: String

    package init(page: String, text: String) {
        self.page = page
        self.text = text
    }
}

/// The store of the texts that are being written and were not spoken yet; they outlive their pages.
package protocol DraftStore: Sendable {
    /// The texts that are being written, the one that was saved last first; none is empty.
    ///
    /// - Throws: ``VaultError``.
    func drafts() async throws -> [Draft]

    /// Replaces the draft of its page, and of no other; an empty text deletes it.
    ///
    /// - Throws: ``LibraryError/tooManyDrafts(limit:)`` for the first text of a page where there are ``Draft/most`` of
    ///   other pages, none of which is deleted unasked; ``VaultError``.
    func save(_ draft: Draft) async throws

    /// Gives the draft of a page to another page, whose own it replaces.
    ///
    /// - Returns: `false` when the page has none.
    /// - Throws: ``VaultError``.
    func rename(_ page: String, to name: String) async throws -> Bool
}
