/// Everything that is kept, open to be used.
package struct Library: Sendable {
    package let audio: any AudioLibrary
    package let jobs: any NarrationJobs
    package let history: any TextHistory
    package let profiles: any VoiceProfiles
    package let playback: any PlaybackStore
    package let settings: any SettingsStore

    package init(
        audio: any AudioLibrary,
        jobs: any NarrationJobs,
        history: any TextHistory,
        profiles: any VoiceProfiles,
        playback: any PlaybackStore,
        settings: any SettingsStore
    ) {
        self.audio = audio
        self.jobs = jobs
        self.history = history
        self.profiles = profiles
        self.playback = playback
        self.settings = settings
    }
}
