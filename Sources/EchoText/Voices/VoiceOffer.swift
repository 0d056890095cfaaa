/// A voice of the catalogue or an installed voice, with its state on this machine.
package struct VoiceOffer: Sendable {
    /// `nil` for a voice that the person has added.
    package let entry: CatalogueEntry?
    /// `nil` while it is not installed, or cannot be read.
    package let installed: InstalledVoice?
    /// What is wrong with its installed files.
    package let fault: VoiceFault?
    package let state: VoiceDownload.State

    package init(entry: CatalogueEntry?, installed: InstalledVoice?, fault: VoiceFault?, state: VoiceDownload.State) {
        precondition(entry != nil || installed != nil || fault != nil, "a voice is offered, installed or broken")
        self.entry = entry
        self.installed = installed
        self.fault = fault
        self.state = state
    }

    package var id: Voice.ID? { installed?.voice.id ?? fault?.id ?? entry?.voice }
}

/// The state of a download, as events report it.
package struct VoiceStatus: Sendable, Hashable {
    package let entry: CatalogueEntry.ID
    package let state: VoiceDownload.State

    package init(entry: CatalogueEntry.ID, state: VoiceDownload.State) {
        self.entry = entry
        self.state = state
    }
}
