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
        self.speeches = speeches
        self.practice = practice
        self.watch = watch
        self.measure = measure
    }
}
