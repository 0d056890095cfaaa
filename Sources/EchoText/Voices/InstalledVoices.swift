/// The content of the folder of the voices at one moment.
///
/// The first complete one of several folders with one id counts.
package struct InstalledVoices: Sendable {
    /// The voices that can be read, by name, including those whose files have changed.
    package let voices: [InstalledVoice]
    /// The faults of folders of voices, by the folders' names.
    package let faults: [VoiceFault]

    package init(voices: [InstalledVoice] = [], faults: [VoiceFault] = []) {
        self.voices = voices
        self.faults = faults
    }

    package func voice(_ id: Voice.ID) -> InstalledVoice? { voices.first { $0.voice.id == id } }

    package func fault(of id: Voice.ID) -> VoiceFault? { faults.first { $0.id == id } }
}
