/// The content of the folder of the voices at one moment.
///
/// If several folders have the same id, the first complete one counts.
package struct InstalledVoices: Sendable {
    /// The readable voices, by name, including those whose files have changed.
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
