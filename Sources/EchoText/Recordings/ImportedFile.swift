/// The file that a recording is imported from, as it came.
package struct ImportedFile: Sendable {
    package let bytes: any StoredBytes
    /// Whether its bytes are stored beside the sound; otherwise it is only recognized when it comes again.
    package let isKept: Bool
    /// Which of its sound tracks was asked for, from 1; `nil` if none was.
    package let track: Int?

    package init(bytes: any StoredBytes, isKept: Bool, track: Int? = nil) {
        (self.bytes, self.isKept, self.track) = (bytes, isKept, track)
    }
}
