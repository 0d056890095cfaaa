/// A folder that should hold a voice that can speak, and does not.
package struct VoiceFault: Sendable {
    package let id: Voice.ID
    package let folder: VoiceFolder
    package let error: any UserFacingError

    package init(id: Voice.ID, folder: VoiceFolder, error: any UserFacingError) {
        self.id = id
        self.folder = folder
        self.error = error
    }
}
