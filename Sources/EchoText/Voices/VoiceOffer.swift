/// A voice that can be had, with how it stands with it on this machine.
package struct VoiceOffer: Sendable {
    /// `nil` for a voice that the person has added.
    package let entry: CatalogueEntry?
    /// `nil` while it is not installed, or cannot be read.
    package let installed: InstalledVoice?
    /// What is wrong with what lies here of it.
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

/// What has become of a download, as those who look on are told.
package struct VoiceStatus: Sendable, Hashable {
    package let entry: CatalogueEntry.ID
    package let state: VoiceDownload.State

    package init(entry: CatalogueEntry.ID, state: VoiceDownload.State) {
        self.entry = entry
        self.state = state
    }
}
