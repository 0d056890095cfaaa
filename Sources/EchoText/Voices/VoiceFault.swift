/// A folder whose voice cannot speak, or was changed after its installation.
package struct VoiceFault: Sendable {
    package let folder: VoiceFolder
    /// How many bytes its files have.
    package let bytes: Int64
    package let error: any UserFacingError

    /// Looks at the disk.
    package init(in folder: VoiceFolder, error: any UserFacingError) {
        self.folder = folder
        bytes = VoiceReceipt.files(in: folder.path).values.totalSize
        self.error = error
    }

    package var id: Voice.ID { folder.id }
}
