/// What lies in the folder of the voices, as one look at it found it.
///
/// Of folders with one id the first whole one counts.
package struct VoiceStock: Sendable {
    /// Those that can be read, by name; one whose files have changed is among them.
    package let voices: [InstalledVoice]
    /// What is wrong with folders of voices, by the folders' names.
    package let faults: [VoiceFault]

    package init(voices: [InstalledVoice] = [], faults: [VoiceFault] = []) {
        self.voices = voices
        self.faults = faults
    }

    package func voice(_ id: Voice.ID) -> InstalledVoice? { voices.first { $0.voice.id == id } }

    package func fault(of id: Voice.ID) -> VoiceFault? { faults.first { $0.id == id } }
}
